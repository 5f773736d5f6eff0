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

# Stages that are programs of their own: convert then runs them as processes.
apart() { mkdir -p apart && cp "$VMQ_BIN"/vmq* apart/; }

# both ARG...: convert in one process and as a pipeline: the same bytes, messages and status, which is
# left in $status. (Messages of stages that run at the same time come in any order.)
both() {
    local one=0 many=0
    rm -rf units one.units many.units
    "$VMQ_BIN/vmq" convert "$@" >one.out 2>one.err || one=$?
    [ ! -e units ] || mv units one.units
    apart/vmq convert "$@" >many.out 2>many.err || many=$?
    [ ! -e units ] || mv units many.units
    cmp one.out many.out && diff <(sort one.err) <(sort many.err) || return 1
    [ "$one" = "$many" ] || { echo "status $one, not $many"; return 1; }
    [ ! -e one.units ] && [ ! -e many.units ] || diff -r one.units many.units || return 1
    status=$one
}

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

@test "in one process or in six: the same bytes, messages and status" {
    apart
    both vms -o units
    [ "$status" = 0 ] && [ -s one.units/virt-launcher-two.pod ]
    both --to quadlet --admission=warn "$TOP/test/cases"
    [ "$(wc -l <one.out)" -gt 50 ]
    for case in "$TOP"/test/cases/[0-9][0-9][05]-*/; do # one stream refuses a name that comes again
        both "$case"*.yaml --admission=warn -o units || { echo "$case"; return 1; }
    done
}

@test "in one process or in six: what is refused" {
    apart
    both --to quadlet "$TOP/test/admission"
    [ "$status" = 1 ] && [ "$(grep -c ' error: ' one.err)" -gt 100 ]
    both --to adapt "$TOP/test/admission" --admission=warn --validate=warn --werror --diagnostics=json
    [ "$status" = 1 ] && grep -q '"severity":"error"' one.err
    both "$TOP/test/admission" -o units
    [ "$status" = 1 ]
    vm one registry.example.com/other >vms/two.yaml
    both vms -o units # two of one name
    [ "$status" = 1 ] && grep -q "VirtualMachine 'one' already" one.err
    for wrong in --vnc-port=70000 --no-warn=nonsense --color=red --config=none vms/none.yaml; do
        both "$wrong" vms/one.yaml -o units
        [ "$status" -ge 2 ]
    done
    both --from render --to adapt vms/one.yaml # no work item
    [ "$status" = 1 ]
    both --from quadlet "$TOP"/test/quadlet-pods/*.yaml
}

@test "in one process or in six: bounds of size and depth" {
    apart
    { vm large; printf '%s' '      - name: text
        cloudInitNoCloud: {userData: "'; head -c 400000 /dev/zero | tr '\0' x; printf '"}\n'; } |
        sed 's/^      volumes: \(.*\)/      volumes:\n      - {name: root, containerDisk: {image: a}}/' >large.yaml
    both --to adapt --admission warn large.yaml
    [ "$status" = 0 ] && [ "$(wc -c <one.out)" -gt 400000 ]
    vm deep | sed "s/^metadata: .*/metadata: {name: deep, annotations: {a: b}}\nx: $(printf '[%.0s' {1..250})$(printf ']%.0s' {1..250})/" >deep.yaml
    both --to render --validate warn deep.yaml
    vm wide >wide.yaml
    { echo 'y:'; for i in $(seq 9999); do echo "  k$i: *v"; done; } |
        cat <(echo "x: &v $(printf 'a%.0s' {1..9000})") - wide.yaml >wide2.yaml
    both --to render --validate warn wide2.yaml
}

@test "convert is one process, and ends by its signal" {
    mkfifo never
    "$VMQ_BIN/vmq" convert - -o got <>never 2>err &
    pid=$!
    sleep 0.5
    [ -z "$(pgrep -P $pid)" ]
    kill -TERM $pid
    status=0
    wait $pid || status=$?
    [ "$status" = 143 ]
    [ ! -e got ]
}

@test "--jobs: each job is one process" {
    mkfifo never1 never2
    "$VMQ_BIN/vmq" convert -j 2 never1 never2 -o got 2>err &
    pid=$!
    for _ in $(seq 50); do [ "$(pgrep -P $pid | wc -l)" = 3 ] && break; sleep 0.1; done
    [ "$(pgrep -P $pid | wc -l)" = 3 ]
    kill -TERM $pid
    status=0
    wait $pid || status=$?
    [ "$status" = 143 ]
}

@test "--jobs: what is the last stage's is not the jobs'" {
    vm a >vms/a.yaml
    convert -j 2 --prune vms/one.yaml vms/a.yaml -o got
    convert vms/one.yaml vms/a.yaml -o want
    diff -r -x .vmq-units want got
}

@test "a stage that somebody put in its place is run" {
    apart
    cat >mine <<'X'
#!/bin/sh
jq -c '.pod.metadata.annotations.mine = "yes"'
X
    chmod +x mine
    mkdir links
    cp "$VMQ_BIN/vmq" links/
    for s in validate prepare render quadlet fixup; do ln -s vmq links/vmq-$s; done
    cp mine links/vmq-adapt
    links/vmq convert --to quadlet vms/one.yaml | jq -e '.pod.metadata.annotations.mine == "yes"'
    # not among those that run: one process again
    links/vmq convert --to render vms/one.yaml >got
    convert --to render vms/one.yaml >want
    cmp got want
}

@test "the files of a list" {
    printf '%s\n' vms/one.yaml vms/two.yaml >list
    convert --files-from list --to validate >got
    convert --to validate vms/one.yaml vms/two.yaml >want
    cmp got want
    run --separate-stderr convert --files-from none -o got
    refused 3 "none: No such file or directory"
}

@test "an option that prints something and ends converts nothing" {
    for o in --version --list-fields --explain=VMQ0101; do
        run --separate-stderr convert $o vms/one.yaml -o got
        refused 2 "does not convert; run vmq-validate with it"
    done
    [ ! -e got ]
}

@test "a signal to vmq ends the stages too" {
    apart
    mkfifo never
    apart/vmq convert - -o got <>never 2>err &
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
