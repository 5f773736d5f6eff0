# Input: VMs --slurp; $page: docs/fields.md. Output: [LINE, ...] as hostile.jq has it, for every field of a VM that
# takes a text: in the smallest VM that has the field, or else set in the smallest of all.
include "texts";
include "paths";

# {TYPE: [{name, kind, sub: the type of an object}]}, without what the API server drops.
def schema: reduce ($page | split("\n")[]) as $l ({all: {}, type: ""};
  if $l | startswith("## ") then .type = $l[3:]
  else ($l | capture("^. `(?<name>[^`]+)` . (?<kind>[^|]*) .(?<notes>.*) .$") // null) as $f
    | if $f and ($f.notes | contains("server's, dropped") | not) then .all[.type] += [$f] else . end end) | .all;

# A path to each field that takes a text, by the shortest way: {row: "TYPE.FIELD", p}. A document of another kind is
# passed over.
def fields: schema as $s | {todo: [{type: "VirtualMachine", p: []}], seen: ["VirtualMachine"], out: []}
  | until(.todo == []; .todo[0] as $t | .todo |= .[1:]
    | reduce ($s[$t.type] // [])[] as $f (.;
        ($t.p + [$f.name] + if $f.kind | startswith("list of ") then [0] elif $f.kind | startswith("map of ") then ["key"] else [] end) as $p
        | ([$f.kind | capture("\\[(?<t>[^]]+)\\]").t] | .[0]) as $sub
        | if $sub then if .seen | index($sub) then . else .seen += [$sub] | .todo += [{type: $sub, p: $p}] end
          elif $f.kind | test("text|quantity|time") then .out += [{row: "\($t.type).\($f.name)", $p, map: ($f.kind | startswith("map of ")), benign: (if $f.kind | test("quantity") then "1" else "v" end)}]
          else . end)) | .out[] | select(.row != "VirtualMachine.kind");

def map_hosts($front): if type == "array" then map(if type == "object" and (.hostDisk | type) == "object" and (.hostDisk.path | type) == "string"
  then .hostDisk.path |= $front + . else . end) else . end;
# A volume has one source and a disk one target: the one that was set. A platform is an image's.
def alone($p): ($p[:6] == ["spec", "template", "spec", "domain", "devices", "disks"] | if . then 7 else 5 end) as $n
  | if ($p[$n - 1] | type) == "number" and ($p[$n - 2] | IN("volumes", "disks")) and ($p | length) > $n + 1
    then setpath($p[:$n]; getpath($p[:$n]) | {name: (.name // "n"), ($p[$n]): .[$p[$n]]})
    elif $p | index("platform") then setpath($p[:($p | index("platform"))] + ["url"]; "docker://example.com/disk:1") else . end;
def shape: map(if type == "number" then 0 else . end);
sort_by(tojson | length) as $vms
| ([$vms[] | select(.spec.template.spec | .volumes[0] and .domain.devices.disks[0])][0]) as $plain
| (reduce ($vms | reverse)[] as $vm ({}; reduce ($vm | paths(scalars) as $p | $p) as $p (.; .[$p | shape | tojson] = {$vm, $p}))) as $have
| (texts | {newline, crlf, section, backslash, option, rtl, escape, long, mixed, nul, utf8}) as $texts
| [foreach (fields | . as $f | ($have[$f.p | shape | tojson] // {vm: $plain, p: $f.p, set: true}) + ($f | del(.p)) | ., (select(.map) | .how = "key")) as $f ({n: 0};
    ($f.vm | if $f.set or $f.map then setpath($f.p; $f.benign) else . end | if $f.set then alone($f.p) else . end) as $vm
    | .n += 1 | .n as $base | .out = [{docs: [$vm], n: $base, row: $f.row, at: ($f.p | dotted), set: $f.set}]
    | reduce ($texts | to_entries[]) as $t (.; .n += 1 | .out += [{n, $base, row: $f.row, at: ($f.p | dotted), text: $t.key,
        docs: [$vm | if $f.how then delpaths([$f.p]) | setpath($f.p[:-1] + [$t.value]; $f.benign) else setpath($f.p; $t.value) end]}]);
    .out[] | .n as $n | .docs[0] |= (if $f.row == "ObjectMeta.name" then . else .metadata.name = "q\($n)q" end
      # Two VMs on one disk of the host would be refused for that.
      | if $f.row == "HostDisk.path" then . else .spec.template.spec.volumes |= map_hosts("/q\($n)q") end))]
