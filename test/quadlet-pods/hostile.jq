# Input: Pods (full.jq) --slurp; $rows: {ROW: what becomes of it}. Output: [LINE, ...]: for every text field a small
# Pod that has it, and that Pod with each hostile text in the field, instead of what stands there and behind it.
# LINE: {docs: what goes into the stream, a line each; n: the line of the Pod, which is named hN; base: that of the
# Pod it was made of; row, at, text}
include "paths";
include "texts";

# The Pod with nothing but what has to do with the path; and the path in it.
def container_of($list; $p): .spec[$list][$p[2]] as $k | $p[3] as $f
  | ($k[$f] | type == "array" and (.[0] | type) == "object") as $objects
  | ([$k.volumeMounts[$p[4]]?.name] | .[0]) as $volume
  | {pod: {apiVersion, kind, metadata: {annotations: .metadata.annotations}, spec: {
       containers: (if $f == "env" or $list == "initContainers" then [{name: "other", image: "example.com/x:1", resources: {limits: {memory: "2Mi"}}}] else [] end),
       volumes: [.spec.volumes[]? | select($f == "volumeMounts" and .name == $volume)]}},
     path: (["spec", $list, (if $list == "containers" and $f == "env" then 1 else 0 end), $f] + if $objects then [0] + $p[5:] else $p[4:] end)}
  | .pod.spec[$list] += [{name: $k.name, image: $k.image} + if $list == "initContainers" then {restartPolicy: "Always"} else {} end
      + (if $f | test("Probe$") then {ports: $k.ports} else {} end)
      + {($f): (if $objects then [$k[$f][$p[4]]] else $k[$f] end)}];
def prune($p):
  if $p[0] == "spec" and ($p[1] == "containers" or $p[1] == "initContainers") then container_of($p[1]; $p)
  elif $p[0] == "spec" and $p[1] == "volumes" then .spec.volumes[$p[2]] as $v
    | {pod: {apiVersion, kind, metadata: {annotations: .metadata.annotations}, spec: {volumes: [$v], containers: [
         {name: "other", image: "example.com/x:1", resources: {limits: {memory: "2Mi"}}, volumeMounts: [{name: $v.name, mountPath: "/m"}]}]}},
       path: (["spec", "volumes", 0] + $p[3:])}
  else {pod: ({apiVersion, kind, metadata, spec: {containers: [{name: "c", image: "example.com/x:1"}]}}
      | if $p[0] == "spec" then .metadata = {} else . end), path: $p} as $o | . as $pod
    | $o | if $p[0] == "spec" then .pod.spec[$p[1]] = $pod.spec[$p[1]] elif $p[0] == "metadata" then . else .pod[$p[0]] = $pod[$p[0]] end
  end;

# Instead of a value, behind it, and in place of a key.
def put($p; $how; $t): if $how == "key" then getpath($p) as $v | delpaths([$p]) | setpath($p[:-1] + [$t]; $v)
  elif $how == "behind" then setpath($p; getpath($p) + $t) else setpath($p; $t) end
  # Its mount goes with a volume.
  | if $p == ["spec", "volumes", 0, "name"] then .spec.containers[0].volumeMounts[0].name = getpath($p) else . end;

# The first path of every row whose value is a text, or has texts; init containers have the most fields as others do.
def fields($rows): [paths(type == "string") as $p | {p: $p, row: ($p | row($rows))}
  | select(.row and .row != "kind" and (.row | test("^spec[.]initContainers.*[.](containers|env|envFrom|volumeMounts|securityContext|[a-z]*Probe)") | not))]
  | unique_by(.row)
  | map(., (select(.row | endswith("{}")) | .how = "key"));

# ConfigMaps and Secrets, as the Pod of $pod takes them.
def configs: {apiVersion: "v1", kind: "Pod", metadata: {}, spec: {
    volumes: [{name: "v", configMap: {name: "map"}}, {name: "w", secret: {secretName: "key"}}],
    containers: [{name: "c", image: "example.com/x:1", volumeMounts: [{name: "v", mountPath: "/v"}, {name: "w", mountPath: "/w"}],
      envFrom: [{prefix: "P_", configMapRef: {name: "map"}}, {prefix: "Q_", secretRef: {name: "key"}}]}]}} as $pod
  | [{kind: "ConfigMap", metadata: {name: "map"}, data: {key: "value"}, binaryData: {bytes: "aGk="}},
     {kind: "Secret", metadata: {name: "key"}, stringData: {key: "value"}, data: {bytes: "aGk="}}] as $objects
  | (["data", "key"], ["binaryData", "bytes"]) as $p | (0, 1) as $i
  | ($p | if $i == 1 then [if .[0] == "data" then "stringData" else "data" end, .[1]] else . end) as $p
  | ("instead", "behind", "key") as $how
  | {objects: $objects, $pod, i: $i, p: $p, $how, row: "\($objects[$i].kind).\($p[0]){}", at: "\($objects[$i].kind)"};

def line: .n as $n | .docs |= map(if .kind == "Pod" then .metadata.name //= "h\($n)" else . end);

[foreach (
    (.[] | . as $pod | fields($rows)[] | . as $f | $pod | prune($f.p) as $small
     | ($f.how // ("instead", "behind")) as $how
     | {base: [$small.pod | if $f.p == ["metadata", "name"] then . else .metadata.name = null end], row: $f.row, at: ($small.path | dotted),
        made: [texts | to_entries[] | {text: .key, docs: [.value as $t | $small.pod
          | if $f.p == ["metadata", "name"] then . else .metadata.name = null end | put($small.path; $how; $t)]}]}),
    (configs | . as $c | {base: ($c.objects + [$c.pod]), row: .row, at,
       made: [texts | to_entries[] | {text: .key, docs: (.value as $t
         | ($c.objects | .[$c.i] |= put($c.p; $c.how; if $c.p[1] == "bytes" and $c.how != "key" then $t | @base64 else $t end)) + [$c.pod])}]})
  ) as $g ({n: 0};
    (.n + ($g.base | length)) as $base
    | .out = [{docs: $g.base, n: $base, row: $g.row, at: $g.at}] | .n = $base
    | reduce $g.made[] as $m (.; .n += ($m.docs | length) | .out += [{docs: $m.docs, n: .n, $base, row: $g.row, at: $g.at, text: $m.text}]);
    .out[] | line)]
