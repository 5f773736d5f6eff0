# vmq: the six stages as one command.
load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    mkdir vms
    for n in one two three; do vm $n >vms/$n.yaml; done
}

vm() { # NAME [IMAGE]
    cat <<X
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: $1}
spec:
  runStrategy: Always
  template:
    spec:
      domain:
        memory: {guest: 1Gi}
        devices: {disks: [{name: root, disk: {bus: virtio}}]}
      volumes: [{name: root, containerDisk: {image: "${2:-registry.example.com/guest:1}"}}]
X
}

convert() { "$VMQ_BIN/vmq" convert "$@"; }

by_hand() { # FILE... DIR: the six programs as one pipe
    "$VMQ_BIN/vmq-validate" "${@:1:$#-1}" | "$VMQ_BIN/vmq-prepare" | "$VMQ_BIN/vmq-render" |
        "$VMQ_BIN/vmq-adapt" | "$VMQ_BIN/vmq-quadlet" | "$VMQ_BIN/vmq-fixup" --output-dir "${@: -1}"
}

@test "convert makes what the six programs make" {
    by_hand vms/one.yaml vms/two.yaml vms/three.yaml want
    convert vms/one.yaml vms/two.yaml vms/three.yaml -o got
    diff -r want got
    [ -s got/virt-launcher-two.pod ]
}

@test "of a folder every YAML and JSON file is taken, below it too, and nothing else" {
    mkdir -p vms/deep/er vms/.hidden
    vm deep >vms/deep/er/deep.yml
    vm no >vms/no.txt
    vm hidden >vms/.hidden/hidden.yaml
    convert vms -o got
    [ -s got/virt-launcher-deep.pod ] && [ -s got/virt-launcher-one.pod ]
    [ ! -e got/virt-launcher-no.pod ] && [ ! -e got/virt-launcher-hidden.pod ]
}

@test "standard input is a file like others" {
    convert - -o got <vms/one.yaml
    [ -s got/virt-launcher-one.pod ]
}

@test "without --output-dir a bundle goes to standard output" {
    convert vms/one.yaml >bundle
    grep -q '^# FileName=virt-launcher-one$' bundle
}

@test "settings reach the stages that need them, given once" {
    convert --vnc-proxy --vnc-port=5999 --podman 5.8 vms/one.yaml -o got
    grep -q '^PublishPort=127.0.0.1:5999:5999$' got/virt-launcher-one.pod
    grep -q 5999 got/virt-launcher-one-vnc-proxy.container
}

@test "an option of one stage goes to that stage" {
    mkdir -p sys
    convert --sysfs sys vms/one.yaml -o got
    convert --sysfs=sys vms/one.yaml -o got2
    diff -r got got2
}

@test "an option that no stage has is wrong usage" {
    run --separate-stderr convert --nope vms/one.yaml -o got
    refused 2 "no stage has the option '--nope'"
    [ ! -e got ]
}

@test "wrong usage is told apart" {
    run --separate-stderr convert -o got
    refused 2 "no file to convert"
    run --separate-stderr convert vms --to nowhere
    refused 2 "'nowhere' is no stage"
    run --separate-stderr convert vms --from render --to prepare
    refused 2 "--from render comes behind --to prepare"
    run --separate-stderr convert vms --to render -o got
    refused 2 "--output-dir needs the last stage"
    run --separate-stderr convert vms -j 2
    refused 2 "--jobs needs --output-dir"
    run --separate-stderr convert vms -o got -j 0
    refused 2 "--jobs: '0' is not a number"
    run --separate-stderr convert vms -o
    refused 2 "option '-o' needs a value"
    run --separate-stderr convert vms --vnc-port
    refused 2 "option '--vnc-port' needs a value"
    run --separate-stderr convert vms --vnc-proxy=yes
    refused 2 "'--vnc-proxy' takes no value"
    run --separate-stderr convert --to prepare --sysfs /sys vms
    refused 2 "--sysfs=/sys is vmq-adapt's, which is not among the stages that run"
    run --separate-stderr "$VMQ_BIN/vmq" nothing
    refused 2 "no such command 'nothing'"
    run --separate-stderr "$VMQ_BIN/vmq"
    refused 2 "no command"
}

@test "a setting with a bad value is the stage's usage error" {
    run --separate-stderr convert --vnc-port 70000 vms/one.yaml -o got
    refused 2 "--vnc-port: '70000' is not a port"
}

@test "a file that is not there" {
    run --separate-stderr convert vms/none.yaml -o got
    refused 3 "vms/none.yaml: No such file or directory"
}

@test "a VM that is refused is left out, the others go on, the status is the worst" {
    vm two 'bad
image' >vms/two.yaml
    run --separate-stderr convert vms -o got
    refused 1 "vms/two.yaml:"
    [ -s got/virt-launcher-one.pod ] && [ -s got/virt-launcher-three.pod ]
    [ ! -e got/virt-launcher-two.pod ]
}

@test "a single VM that is refused gives its own messages and no more" {
    vm Two >vms/two.yaml
    run --separate-stderr convert vms/two.yaml -o got
    refused 1 "metadata.name"
    [[ $stderr != *"no Pod in the input"* ]]
    [[ $stderr != *"check the command in front of the pipe"* ]]
}

@test "what the conversion refuses is said once, with its column" {
    vm one >vms/one.yaml
    sed -i 's/^      domain:/      accessCredentials:\n      - sshPublicKey: {source: {secret: {secretName: s}}, propagationMethod: {qemuGuestAgent: {users: [a]}}}\n&/' vms/one.yaml
    run --separate-stderr convert vms/one.yaml -o got
    refused 1 "error: spec.template.spec.accessCredentials[0]"
    [ "$(grep -c accessCredentials <<<"$stderr")" -eq 1 ]
    grep -qE '^vms/one.yaml:[0-9]+:[0-9]+: error: ' <<<"$stderr"
    convert --to validate vms/one.yaml >item
    [ "$(jq .validated item)" = true ]
}

@test "messages of programs that share standard error do not meet within a line" {
    for i in {1..3000}; do printf -- '---\n{a: 1, kind: K}\n'; done >many.yaml
    for i in 1 2 3 4; do "$VMQ_BIN/vmq-validate" many.yaml 2>>err >/dev/null & done
    wait
    local line="^(many.yaml:[0-9]+:[0-9]+: (note|error): [a-zA-Z].*]|vmq-validate: 1 error)\$"
    [ "$(grep -cE "$line" err)" -eq 12008 ]
    [ "$(wc -l <err)" -eq 12008 ]
    [ "$(grep -c "yaml:.*yaml:" err)" -eq 0 ]
}

@test "--from and --to run a part" {
    convert --to prepare vms/one.yaml >item
    [ "$(jq -r .vmi.kind item)" = VirtualMachineInstance ]
    [ "$(jq -r .pod item)" = null ]
    convert --from render item -o got
    convert vms/one.yaml -o want
    diff -r want got
}

@test "--keep keeps what every stage made" {
    convert --keep kept vms -o got
    convert vms -o want
    diff -r want got
    [ "$(cd kept && echo *)" = "adapted.json prepared.json quadlet.json rendered.json validated.json" ]
    [ "$(jq -s length kept/adapted.json)" = 3 ]
    [ "$(stat -c %a kept/prepared.json)" = 600 ]
}

@test "--jobs gives the same units" {
    for i in $(seq 40); do vm "many-$i" >vms/many-$i.yaml; done
    convert vms -o want
    convert -j 3 vms -o got
    diff -r -x .vmq-units want got && diff <(sort want/.vmq-units) <(sort got/.vmq-units)
}

@test "--jobs finds two VMs of one name all the same" {
    mkdir other
    vm one other/image >other/one.yaml
    run --separate-stderr convert -j 2 vms/one.yaml other/one.yaml -o got
    refused 1 "virt-launcher-one"
}

@test "more files than a command line holds" {
    for i in $(seq 150); do ln vms/one.yaml "vms/one-$i.yaml"; done
    rm vms/one.yaml
    run --separate-stderr convert --to validate vms
    [ "$status" -le 1 ]
    for i in $(seq 150); do vm "m$i" >"vms/one-$i.yaml.new"; mv "vms/one-$i.yaml.new" "vms/one-$i.yaml"; done
    [ "$(convert --to validate vms | wc -l)" = 152 ]
}

@test "a stage runs alone under its name" {
    "$VMQ_BIN/vmq" validate vms/one.yaml >a
    "$VMQ_BIN/vmq-validate" vms/one.yaml >b
    cmp a b
    run --separate-stderr "$VMQ_BIN/vmq" prepare --nope
    refused 2 "vmq-prepare: bad option"
}

@test "a stage that is missing is named" {
    mkdir bin
    cp "$VMQ_BIN/vmq" bin/
    PATH=/usr/bin:/bin run --separate-stderr bin/vmq convert vms/one.yaml -o got
    refused 3 "vmq-validate: not found beside vmq, in libexec or on PATH"
}

@test "stages are found in libexec" {
    mkdir -p usr/bin usr/libexec/vmq
    cp "$VMQ_BIN/vmq" usr/bin/
    cp "$VMQ_BIN"/vmq-* usr/libexec/vmq/
    PATH=/usr/bin:/bin usr/bin/vmq convert vms/one.yaml -o got
    [ -s got/virt-launcher-one.pod ]
}

@test "a stage that a signal ends makes the whole fail" {
    mkdir bin
    cp "$VMQ_BIN"/vmq* bin/
    printf '#!/bin/sh\nkill -9 $$\n' >bin/vmq-adapt
    run --separate-stderr bin/vmq convert vms -o got
    [ "$status" -eq 3 ]
    [[ $stderr == *"vmq-adapt was ended by signal 9"* ]]
    [ -z "$(find got -mindepth 1 ! -name '.*' 2>/dev/null)" ]
}

@test "a signal to vmq ends the stages too" {
    mkfifo never
    "$VMQ_BIN/vmq" convert - -o got <>never 2>err &
    pid=$!
    for _ in $(seq 50); do [ "$(pgrep -P $pid | wc -l)" = 6 ] && break; sleep 0.1; done
    children=$(pgrep -P $pid)
    [ "$(echo "$children" | wc -l)" = 6 ]
    kill -TERM $pid
    status=0
    wait $pid || status=$?
    [ "$status" = 143 ]
    for c in $children; do run kill -0 "$c"; [ "$status" != 0 ]; done
}
