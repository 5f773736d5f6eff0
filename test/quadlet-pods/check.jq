# Hold what became of a Pod against what its file wants, a comment line each. Input: {release,
# services, units, said, status, wants: [LINE]}; output: the lines that do not hold, with a reason.
#
#   want SERVICE ARGS       ExecStart= has these arguments in a row (a JSON list)
#   wantpre SERVICE ARGS    ExecStartPre= of a pod (podman pod create) has
#   pre | stop SERVICE ARGS ExecStartPre=, ExecStop= has
#   post SERVICE ARGS       ExecStartPost= has
#   tar SERVICE PATH TEXT   the tar stream on the service's standard input has such a file
#   wantre SERVICE OPTION REGEX   the argument behind OPTION matches
#   last SERVICE ARGS       ExecStart= ends with them
#   not SERVICE ARGS        ExecStart= does not have them
#   entry SERVICE KEY VALUE, noentry SERVICE KEY    a line of the service
#   unit FILE LINE          a line of a unit or companion; mode FILE MODE; nofile FILE
#   warn | note TEXT        is said;  refuse TEXT: the Pod is refused with that text
#
# A release behind the verb (want5.4) asks for that one only.
def has($seq): . as $args | any(range(0; ($args | length)); $args[. : . + ($seq | length)] == $seq);
def commands($svc; $key): .services[$svc + ".service"][$key] // [];

def holds($verb; $rest):
  ($rest | index(" ")) as $i
  | (if $i then $rest[:$i] else $rest end) as $first
  | (if $i then $rest[$i + 1:] else "" end) as $more
  | if $verb == "want" then any(commands($first; "ExecStart")[]; . != null and has($more | fromjson))
    elif $verb == "wantpre" or $verb == "pre" then any(commands($first; "ExecStartPre")[]; has($more | fromjson))
    elif $verb == "post" then any(commands($first; "ExecStartPost")[]; has($more | fromjson))
    elif $verb == "tar" then ($more | capture("^(?<p>[^ ]+) (?<t>.*)$")) as $m
      | commands($first; "StandardInputData") | map(@base64d) | add | gsub("\u0000+"; "\n")
      | split("\n") as $l | ($l | index($m.p)) as $i | $i != null and any($l[$i:][]; . == $m.t)
    elif $verb == "stop" then any(commands($first; "ExecStop")[]; (.[0] |= sub(".*/"; "")) | has($more | fromjson))
    elif $verb == "wantre" then ($more | capture("^(?<o>[^ ]+) (?<r>.*)$")) as $m
      | any(commands($first; "ExecStart")[]; . as $a | (index($m.o) as $at | $at != null and ($a[$at + 1] | test($m.r))))
    elif $verb == "last" then any(commands($first; "ExecStart")[]; .[-($more | fromjson | length):] == ($more | fromjson))
    elif $verb == "not" then all(commands($first; "ExecStart")[]; has($more | fromjson) | not)
    elif $verb == "entry" then ($more | capture("^(?<k>[^ ]+) (?<v>.*)$")) as $m | any(commands($first; $m.k)[]; . == $m.v)
    elif $verb == "noentry" then commands($first; $more) == []
    elif $verb == "unit" then any(.units[]; .name == $first and (.text | split("\n") | index($more) != null))
    elif $verb == "mode" then any(.units[]; .name == $first and .mode == $more)
    elif $verb == "nofile" then all(.units[]; .name != $first)
    elif $verb == "warn" then .said | split("\n") | any(.[]; contains(": warning: " + $rest))
    elif $verb == "note" then .said | split("\n") | any(.[]; contains(": note: " + $rest))
    elif $verb == "refuse" then .status == 1 and (.said | contains($rest)) and .units == []
    else false end;

. as $in
| (if any(.wants[]; startswith("refuse ")) or .status == 0 then [] else ["refused: \(.said)"] end)
  + [.wants[] | . as $line
     | capture("^(?<verb>[a-z]+)(?<only>[0-9.]*) (?<rest>.*)$")
     | select(.only == "" or .only == $in.release)
     | . as $w | select($in | holds($w.verb; $w.rest) | not) | $line]
| .[]
