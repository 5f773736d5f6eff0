# Input: {lines: those of hostile.jq without docs, items: what pick.jq left, services: what systemd would run of them, all: the lines that
# became items, said}. Output: what a hostile text added, and refusals without the field's path (with --admission=warn it may be
# a warning that has it).

# What a service has: its keys, how often, and of commands the number of words and the options, but for what is the
# text itself. What goes another way (PodmanArgs=) counts alike, and variables are counted apart.
def options($t): [.[] | select(startswith("-")) | select($t == "" or (startswith($t) | not)) | split("=")[0]
  | if . == "-v" or . == "--volume" then "--mount" else . end];
def shape($t): to_entries | map(.key as $k | if $k | test("^Exec.") then
    {key: $k, value: [.value[] | if . then {n: (length + ([.[] | select(test("^--[a-z-]+=") and ($t == "" or (startswith($t) | not)))] | length) - 2 * ([.[] | select(. == "--env" or . == "--env-file")] | length)),
      options: (options($t) - ["--env", "--env-file"])} else null end]}
  elif $k | test("^(PodmanArgs|Mount|HealthCmd|EnvironmentFile|Environment)$") then empty
  else {key: $k, value: (.value | length)} end) | from_entries;
def names: {container: "", pod: "-pod", volume: "-volume", image: "-image", network: "-network"};
def services($s; $t): ([.units[].name | select(endswith(".pod"))][0][:-4]) as $pod | [.units[] | .name as $f | (names | to_entries[] | select(.key as $k | $f | endswith("." + $k))) as $e
    | $f[:-($e.key | length) - 1] as $stem | {key: ($stem[($pod | length):] + $e.value), value: ($s[$stem + $e.value + ".service"] // {} | shape($t))}] | from_entries;
def variables: [.units[] | select(.name | endswith(".env")) | .text | split("\n")[:-1][]] | length;

# The services of $is have nothing that those of $was have not.
def gained($was; $is; $t): $is | to_entries[] | .key as $svc | if $was[$svc] == null then (select(($t != "" and ($svc | contains($t)) and ($is | length) <= ($was | length)) | not) | "the service \($svc)") else
  .value | to_entries[] | .key as $k | ($was[$svc][$k]) as $old
  | if $old == null then "\($svc): \($k)"
    elif $k | test("^Exec.") then
      (select((.value | length) > ($old | length)) | "\($svc): a command of \($k)"),
      (range(.value | length) as $i | .value[$i] as $new | $old[$i]
       | if $new == null then "\($svc): systemd does not take \($k)" elif $new.n > .n then "\($svc): \($k) has \($new.n) words, not \(.n)"
         elif $new.options - .options - ["--mount"] != [] then "\($svc): \($k) has \($new.options - .options)" else empty end)
    else select(.value > $old) | "\($svc): \($k)" end end;
# A text that is taken away is no text: the field's default is in force.
def default: .text == "empty" and (.row | test("([rR]estartPolicy|subPath|pullPolicy)$"));

. as $all
| (reduce .items[] as $i ({}; .["\($i.n)"] = $i)) as $items
| (reduce .all[] as $n ({}; .["\($n)"] = true)) as $passed
| [.said | split("\n")[] | capture("^in:(?<line>[0-9]+)(:[0-9]+)?: (?<level>error|warning): ((?<at>([^:]|:[^ ])+): )?")] as $messages
| ($messages | reduce .[] as $m ({}; .["\(($m.line | tonumber) / 2)"] += [$m.at // ""])) as $told
| ($messages | reduce (.[] | select(.level == "error")) as $m ({}; .["\(($m.line | tonumber) / 2)"] += [$m.at // ""])) as $said
| .lines[] | . as $l | "\(.n)" as $n
| (if $passed[$n] and $said[$n] then "both refused and converted"
   elif $passed[$n] then empty
   elif .text == null then select(.set | not) | "the Pod without hostile text is refused: \($said[$n])"
   elif .text == "nul" or .text == "utf8" or (.at | test("^(ConfigMap|Secret)$")) then select([range(.n - 2; .n + 1) | $said["\(.)"]] | any | not) | "refused without a word"
   else select(any($told[$n][]?; . as $m | $l.at | . == $m or startswith($m + ".") or startswith($m + "[") or (. as $a | $m | startswith($a[:($a | rindex(".")) // 0]))) | not)
     | "refused without the path: \($said[$n])" end),
  (select(.text and (default | not) and $items[$n] and $items["\(.base)"]) | $items[$n] as $i | $items["\(.base)"] as $b | $all.texts[.text] as $t
   | (gained($b | services($all.services; $t); $i | services($all.services; $t); $t)),
     (select(($i | variables) + ([$i.units[].text | scan("\nEnvironment=(?!VMQ_EMPTY=)")] | length)
        > ($b | variables) + ([$b.units[].text | scan("\nEnvironment=(?!VMQ_EMPTY=)")] | length)) | "a variable"))
| "\($l.row) with \($l.text), line \(2 * $l.n) (\($l.at)): \(.)"
