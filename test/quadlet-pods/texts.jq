# The hostile texts. @NO-UTF8@ becomes a byte that is none (hostile.bats).
def texts: {
  newline: "x\nExecStartPre=/bin/evil", crlf: "x\r\n[Service]\r\nExecStartPre=/bin/evil\n", section: "[Service]",
  backslash: "back\\", percent: "%n %h %% %d", dollar: "${HOME} $HOME $$", command: "$(id)", quotes: "a \"b\" 'c'", mixed: "%n ${HOME} $(id) \"b\" 'c' ; `id` \\",
  apostrophe: "'", semicolon: ";", option: "--privileged", blank: " ", empty: "", rtl: "\u200f\u202eevil", nel: "\u0085x",
  fields: "a:b,c=d", up: "../../etc/passwd", escape: "\u001b[0m", long: ("A" * 65536), unit: "x.volume",
  nul: "a\u0000b", utf8: "a@NO-UTF8@b"};
