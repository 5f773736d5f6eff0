# A Pod -> a stream of Pods, each with one hostile text in one of its text fields: instead of what
# stands there, and behind it.
def texts: [
  "x\nExecStartPre=/bin/evil", "x\r\n[Service]\r\nExecStartPre=/bin/evil", "\n[Service]\nExecStartPre=/bin/evil\n",
  "[Service]", "back\\", "back\\\\", "%n %h %% %d", "${HOME} $HOME $(id) $$", "a \"b\" 'c'", "\"", "'", ";", "; /bin/evil",
  "--privileged", "-v /:/host", " ", "", "\u200f\u202eevil", "\u00a0", "\u2028ExecStartPre=/bin/evil", "\u0085",
  "a:b,c=d", "../../etc/passwd", "/", "*", "#", "\u001b[0m", ("A" * 65536), "x.volume", "x.pod:y", "@", "`id`"];
. as $pod
| [paths(type == "string")] as $paths
| $paths[] as $p
| texts[] as $t
| ($pod | setpath($p; $t)), ($pod | setpath($p; (getpath($p) + $t)))
