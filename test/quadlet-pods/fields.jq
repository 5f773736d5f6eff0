# Input: base Pods (full.jq) --slurp; $rows: {ROW: what becomes of it}. Output: [LINE, ...], where a LINE is
# {pod} for a base, and {pod, base: its line, row, at} for the base without one of its fields.
include "paths";
[foreach .[] as $base ({n: 1};
   . as $s | ([$base | paths | {p: ., row: row($rows)} | select(.row and $rows[.row])]) as $fields
   | .out = [{pod: $base}] + [$fields[] | {pod: (.p as $p | $base | delpaths([$p])), base: $s.n, row, at: (.p | dotted)}]
   | .n += (.out | length);
   .out[])]
