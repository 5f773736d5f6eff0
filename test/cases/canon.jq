# SPDX-License-Identifier: Apache-2.0
# From the work items behind vmq-prepare, vmq-render and vmq-adapt to the golden files, in the order
# vmi, pvcs, pod, adapted. Members that are not set are no difference (Go prints some of them).
# Scripts, and the init containers that run them, are ours to write: units.txt has them.
def tidy: walk(if type == "object" then with_entries(select(.value != null and
    (((.key == "resources" or .key == "status" or .key == "guestOSInfo" or .key == "metadata")
      and .value == {}) | not))) else . end);
def ours: (.spec.initContainers // empty) |= map(
    if .name | test("^(virt-handler-dir-init|init-disk-|import-disk-|hostdisk-|passt-binary-patcher)")
    then {name, image} else . end);
def vmi: walk(if type == "object" and .name? == "STANDALONE_VMI" then .value |= (fromjson | tidy) else . end);
def pvcs: (. // []) | sort_by(.metadata.name);
def script: walk(if type == "object" and (.command? | type) == "array" and .name? and
    (.command + (.args // []))[0:2] == ["/bin/sh", "-c"] then .command = ["/bin/sh", "-c", "@script"] | del(.args)
    else . end);
# Several documents of one file make lists.
def many: if length == 1 then .[0] else . end;
[inputs] | (length / 3) as $n | [.[:$n], .[$n:2 * $n], .[2 * $n:]]
  | ([.[0][].vmi] | many), ([.[0][].pvcs | pvcs] | many), ([.[1][].pod] | many),
    ([.[2][].pod | vmi | script | ours] | many)
  | tidy
