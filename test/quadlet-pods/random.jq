# Input: {services, envs: {NAME: text of a .env file}, wants}; output: the wants that do not hold.
def csv: [match("(?:\"((?:[^\"]|\"\")*)\"|([^,\"]*))(?:,|$)"; "g").captures
          | if .[0].string then .[0].string | gsub("\"\""; "\"") else .[1].string // "" end];
def args($in; $key): .services[$in + ".service"][$key][0] // [];
# The values of an option, given as two words or as one.
def values($option): . as $a
  | [range(0; length) as $i | if $a[$i] == $option then $a[$i + 1]
     elif ($a[$i] | startswith($option + "=")) then $a[$i][($option | length) + 1:] else empty end];
def envs($in): (.envs[$in + ".env"] // "") | split("\n");
def mount($m): any(.[]; . as $f | ($f | index("source=" + $m.mount)) != null and ($f | index("destination=" + $m.to)) != null);

. as $all
| .wants[] | . as $w
| ($all | args($w.in; "ExecStart")) as $args
| select(
    (if $w.args then $args[-($w.args | length):] == $w.args
     elif $w.health then any($args | values("--health-cmd")[]; fromjson == $w.health)
     elif $w.csv then any($all | args($w.in; "ExecStartPre") | values($w.csv)[]; csv[0] == $w.value)
     elif $w.label then any($all | args($w.in; "ExecStartPre") | values("--label")[]; . == $w.label)
     elif $w.header then any($args | values("--health-startup-cmd")[]; fromjson | index($w.header))
     elif $w.sub then [$args | values("--mount")[] | csv] | any(.[]; . as $f
       | ($f | index("subpath=" + $w.sub)) != null and ($f | index("destination=" + $w.to)) != null)
     elif $w.mount then any($args | values("-v")[]; . == "\($w.mount):\($w.to):z")
       or ([$args | values("--mount")[] | csv] | mount($w))
     elif $w.option == "--env" then any($args | values("--env")[]; . == $w.value)
       or ($all | envs($w.in) | index($w.value)) != null
     else any($args | values($w.option)[]; . == $w.value) end) | not)
