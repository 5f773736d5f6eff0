# Input: the lines of hostile.jq; $items: what became of them. Output: the items whose units are other than those of
# the Pod that they were made of, and those Pods, but for the Pod's name: what is dropped can do no harm.
# A VM's own text stands in STANDALONE_VMI, one line of a file or of a unit.
def lines: split("\n") | map(if test("^(Environment=\"?)?STANDALONE_VMI=") then "STANDALONE_VMI" else . end) | join("\n");
def text: .name as $name | [.units[] | [.name, (.text | lines)] | map(split($name) | join("")) | join("\u0000")] | join("\u0000");
(reduce $items[] as $i ({}; .["\($i.source.line / 2)"] = ($i | {name: (.vm.metadata.name // .pod.metadata.name), units}))) as $made
| [.[] | .at_line = ($made["\(.n)"]) | select(.text and .at_line)
   | ($made["\(.base)"] // {name: "", units: []}) as $base
   | select((.at_line | text) != ($base | text)) | .n, .base] | unique
| .[] | $made["\(.)"] + {n: .} | select(.name)
