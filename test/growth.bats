# What a VM costs does not depend on those before it, and grows with its size no faster than that.
# Measured in instructions, which do not depend on what else the machine does.
load helper

# instructions ARG...: of `vmq convert ARG...`, which is one process. (The process that puts files in
# place has its own count, which comes first.)
instructions() {
    local n
    n=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$VMQ_BIN/vmq" convert "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p' | tail -n 1)
    [ "$n" -gt 1000000 ] && echo "$n"
}

# growth A B C: per cent by which the step from B to C is dearer than the one from A to B; each
# argument is SIZE:INSTRUCTIONS.
growth() {
    awk -v a="$1" -v b="$2" -v c="$3" 'BEGIN {
        split(a, A, ":"); split(b, B, ":"); split(c, C, ":")
        early = (B[2] - A[2]) / (B[1] - A[1])
        late = (C[2] - B[2]) / (C[1] - B[1])
        printf "%d and %d for one more: %.2f %%\n", early, late, (late / early - 1) * 100 > "/dev/stderr"
        printf "%d\n", (late / early - 1) * 10000 # hundredths
    }'
}

vm() { # NAME DISKS BYTES
    awk -v name="$1" -v n="$2" -v bytes="$3" 'BEGIN {
        print "---\napiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: " name "}\nspec:\n  runStrategy: Always"
        print "  template:\n    spec:\n      domain:\n        memory: {guest: 1Gi}\n        devices:\n          disks:"
        print "            - {name: text, disk: {bus: virtio}}"
        for (i = 0; i < n; i++) print "            - {name: d" i ", disk: {bus: virtio}}"
        print "      volumes:\n        - name: text\n          cloudInitNoCloud:\n            userData: |\n              #cloud-config"
        for (b = 0; b < bytes; b += 64) print "              # 3456789012345678901234567890123456789012345678901234567890123"
        for (i = 0; i < n; i++) print "        - {name: d" i ", persistentVolumeClaim: {claimName: " name "-" i "}}"
    }'
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# bats test_tags=heavy,plain
@test "a VM costs the same, however many there were" {
    local n got=()
    for n in 5 15 30; do
        for ((i = 100; i < 100 + n; i++)); do vm "vm-$i" 1 64; done >"$n.yaml"
        got+=("$n:$(instructions "$n.yaml" -o "units-$n")")
    done
    [ "$(growth "${got[@]}")" -le 100 ]
}

# dearer TO DISKS BYTES...: growth() over VMs of so many disks and bytes of user data, as far as stage TO.
# Whichever of the two changes is the size.
dearer() {
    local to=$1 got=() size
    shift
    for size; do
        vm large "${size%x*}" "${size#*x}" >"$size.yaml"
        got+=("$((${size%x*} * 1000 + ${size#*x})):$(instructions "$size.yaml" --admission=warn --to "$to")")
    done
    growth "${got[@]}"
}

# bats test_tags=heavy,plain
@test "a VM costs as much as it has disks" {
    [ "$(dearer fixup 5x64 20x64 60x64)" -le 1000 ]
}

# bats test_tags=heavy,plain
@test "a VM costs as much as it has user data" {
    [ "$(dearer adapt 0x20000 0x60000 0x200000)" -le 1000 ]
}

# bats test_tags=heavy,plain
@test "memory does not grow with the number of VMs" {
    local i
    for ((i = 0; i < 100; i++)); do vm "vm-$i" 1 64; done >100.yaml
    [ "$(memory_growth 100.yaml vm- 6 30 "$VMQ_BIN/vmq" convert - -o units)" -lt 300 ]
    [ "$(find units -name '*.pod' | wc -l)" -eq 3000 ]
}

# costs FILTER: instructions for a Pod as this makes it, up to its units; the ConfigMap m, in the file map, is known.
costs() {
    jq -cn '{apiVersion: "v1", kind: "Pod", metadata: {name: "p"}, spec: {containers: [{name: "c", image: "example.com/i:1"}]}} | '"$1" >pod
    instructions --from quadlet --to quadlet --configmap map pod
}

# bats test_tags=heavy,plain
@test "a reference without an end costs its length, not that of what follows" {
    local few many env='.spec.containers[0].env = [{name: "A", value: ("$(" * %d + "x" * 1000000 + ")")}]'
    echo '{}' | jq -c '{apiVersion: "v1", kind: "ConfigMap", metadata: {name: "m"}}' >map
    # shellcheck disable=SC2059
    few=$(costs "$(printf "$env" 200)") many=$(costs "$(printf "$env" 4000)")
    echo "$few and $many" >&2
    [ "$many" -lt $((3 * few)) ]
}

# bats test_tags=heavy,plain
@test "the files of a volume are read once, however many mounts look for one" {
    local few many mounts='.spec.volumes = [{name: "v", configMap: {name: "m"}}] | .spec.containers[0].volumeMounts =
        [range(%d) | {name: "v", mountPath: "/m\(.)", subPath: "k"}]'
    jq -cn '{apiVersion: "v1", kind: "ConfigMap", metadata: {name: "m"}, data: {k: ("x" * 100000)}}' >map
    # shellcheck disable=SC2059
    few=$(costs "$(printf "$mounts" 10)") many=$(costs "$(printf "$mounts" 200)")
    echo "$few and $many" >&2
    [ "$many" -lt $((2 * few)) ]
}
