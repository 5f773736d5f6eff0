# Input: {lines: what fields.jq made, items: work items, said: what vmq-quadlet said of the bases, rows}; output:
# rows that no Pod has, and fields whose absence makes no difference to the units, and of which no message says
# anything: about them, or that nothing is made of what they are part of.
. as $all
| (reduce .items[] as $i ({}; .["\($i.source.line)"] = $i.units)) as $units
| (reduce (.said | split("\n")[] | capture("^in:(?<line>[0-9]+)(:[0-9]+)?: (warning|note|error): (?<at>[^ ]+): (?<text>.*)"; "")) as $m
     ({}; .[$m.line] += [$m])) as $said
| ([.lines[].row | select(.)] | unique) as $seen
| ([.lines | to_entries[] | (.key + 1 | tostring) as $line | .value | select(.row) | .noticed =
      ($units[$line] != $units["\(.base)"] or (.at as $at | any($said["\(.base)"][]?; .at == $at or
        ((.text | test("not honoured|no meaning|takes no pull secrets"))
         and (.at as $m | $at | startswith($m + ".") or startswith($m + "["))))))]) as $fields
# Of references to ConfigMaps and Secrets some are to what is not there, which is allowed.
| ([$fields[] | select(.noticed and (.row | test("(configMap|secret).*[.](name|key)$"))).row] | unique) as $known
| (.rows | keys[] | select(. as $r | $seen | index($r) | not) | "no Pod of full.jq has \(.)"),
  ($fields[] | select(.noticed or (.row as $r | $known | index($r)) | not)
   | "\(.row): \(.at) says nothing (\($all.rows[.row]))")
