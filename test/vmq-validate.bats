#!/usr/bin/env bats
# vmq-validate: what it refuses and warns about, where it says so, and what it explains.
load helper

RULES=$BATS_TEST_DIRNAME/rules
ADMISSION=$BATS_TEST_DIRNAME/admission

# The flags of a case stand in its first line.
flags() {
    sed -n '1s/^# flags: //p' "$1"
}

vm() { # NAME [SPEC]: a sound VM
    cat <<END
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: $1}
spec:
  runStrategy: Always
  template: {spec: {domain: {memory: {guest: 1Gi}, devices: {}}${2:+, $2}}}
END
}

# bats test_tags=heavy
@test "rules: every message of test/rules stands where it belongs" {
    local case name bad=0
    for case in "$RULES"/*.yaml; do
        name=$(basename "$case" .yaml)
        cp "$case" . || return
        # shellcheck disable=SC2046 # flags are words
        vmq validate $(flags "$case") "$name.yaml" >out 2>err && status=0 || status=$?
        if [ -n "$VMQ_GOLDEN" ]; then
            cp err "$RULES/$name.err"
            continue
        fi
        diff -u "$RULES/$name.err" err || bad=1
        if grep -q ': error:' err; then
            [ "$status" = 1 ] || { echo "$name: status $status"; bad=1; }
        else
            [ "$status" = 0 ] && [ -s out ] || { echo "$name: status $status"; bad=1; }
        fi
    done
    [ "$bad" = 0 ]
}

@test "rules: the cases bring out every message of the rules" {
    local code missing=
    while read -r code; do
        grep -q "\[VMQ0$code\]" "$RULES"/*.err || missing="$missing $code"
    done < <(sed -n 's/^CODE(\([0-9]*\),.*/\1/p' "$TOP"/common/codes/{admission,host}.def)
    echo "no case for:$missing"
    [ -z "$missing" ]
}

# bats test_tags=heavy
@test "admission: KubeVirt's verdict, its field, and a place in the file" {
    local name verdict leaves leaf bad=0
    while IFS=$'\t' read -r name verdict leaves; do
        vmq validate "$ADMISSION/$name.yaml" >out 2>err && status=0 || status=$?
        case $verdict:$status in
        refuse:1 | accept:0 | either:[01]) ;;
        *) echo "$name: status $status, $(head -n1 err)"; bad=1 ;;
        esac
        [ "$verdict:$status" != refuse:1 ] || [ ! -s out ] || { echo "$name: printed"; bad=1; }
        if [ "$verdict" = refuse ]; then
            while IFS= read -r leaf; do
                [ -z "$leaf" ] || grep -i error: err | grep -qiF -- "$leaf" ||
                    { echo "$name: no error names $leaf"; bad=1; }
            done < <(tr '\t' '\n' <<<"$leaves")
        fi
        if grep error: err | grep -qvE '^[^:]+:[0-9]+:[0-9]+: '; then
            echo "$name: an error without a place"
            bad=1
        fi
    done <"$ADMISSION/verdicts.tsv"
    [ "$bad" = 0 ]
}

@test "--admission=warn lets pass what only KubeVirt minds, not what cannot be converted" {
    vm a 'hostname: Web_1' >vm.yaml
    run --separate-stderr vmq validate vm.yaml
    refused 1 "vm.yaml:6:66: error: spec.template.spec.hostname: 'Web_1' is not a DNS label"
    run --separate-stderr vmq validate --admission=warn vm.yaml
    [ "$status" -eq 0 ]
    [[ $stderr == *"vm.yaml:6:66: warning: spec.template.spec.hostname: "* ]]
    vm a 'volumes: [{name: a, configMap: {name: c}}]' >vm.yaml
    run --separate-stderr vmq validate --admission=warn vm.yaml
    refused 1 'spec.template.spec.volumes[0].configMap: a ConfigMap lives in a cluster'
}

@test "a reference to a cluster is a warning of vmq-validate, and refused by --for-host and vmq-prepare" {
    vm a 'volumes: [{name: seed, cloudInitNoCloud: {secretRef: {name: s}}}]' >vm.yaml
    run --separate-stderr vmq validate vm.yaml
    [ "$status" -eq 0 ]
    [[ $stderr == *"warning: spec.template.spec.volumes[0].cloudInitNoCloud.secretRef: "*"'s'"* ]]
    run --separate-stderr vmq validate --for-host vm.yaml
    refused 1 'error: spec.template.spec.volumes[0].cloudInitNoCloud.secretRef: '
    run --separate-stderr vmq prepare vm.yaml
    refused 1 'error: spec.template.spec.volumes[0].cloudInitNoCloud.secretRef: '
    vmq validate vm.yaml >item 2>/dev/null
    run --separate-stderr vmq prepare item
    refused 1 'error: spec.template.spec.volumes[0].cloudInitNoCloud.secretRef: '
}

@test "vmq-prepare behind vmq-validate says nothing twice" {
    vm a 'evictionStrategy: LiveMigrate' >vm.yaml
    run --separate-stderr vmq prepare vm.yaml
    [ "$status" -eq 0 ]
    [[ $stderr == *"warning: spec.template.spec.evictionStrategy"* ]]
    vmq validate vm.yaml >item 2>err
    grep -q 'warning: spec.template.spec.evictionStrategy' err
    [ "$(jq .validated item)" = true ]
    run --separate-stderr vmq prepare item
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "vmq-prepare refuses what vmq-validate refuses" {
    local case
    for case in "$RULES"/{disks,network,names}.yaml; do
        run --separate-stderr vmq validate --for-host "$case"
        [ "$status" -eq 1 ]
        errors=$(grep -c ': error:' <<<"$stderr")
        run --separate-stderr vmq prepare "$case"
        [ "$status" -eq 1 ]
        [ "$(grep -c ': error:' <<<"$stderr")" = "$errors" ]
    done
}

@test "--werror and --no-warn weigh warnings" {
    vm a 'evictionStrategy: LiveMigrate' >vm.yaml
    run --separate-stderr vmq validate --werror vm.yaml
    refused 1 'error: spec.template.spec.evictionStrategy'
    run --separate-stderr vmq validate --werror --no-warn=VMQ0665 vm.yaml
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "--diagnostics=json prints an object for each message" {
    vm a 'hostname: Web_1' >vm.yaml
    run --separate-stderr vmq validate --diagnostics=json vm.yaml
    [ "$status" -eq 1 ]
    jq -e '.file == "vm.yaml" and .line == 6 and .column == 66 and .severity == "error" and
           .code == "VMQ0211" and .path == "spec.template.spec.hostname"' <<<"$stderr"
}

@test "the counts stand at the end" {
    run --separate-stderr vmq validate "$RULES/memory.yaml"
    [ "${stderr##*$'\n'}" = 'vmq-validate: 24 errors and 1 warning' ]
}

@test "the VM comes out as KubeVirt would hold it, with a note that it was checked" {
    vm a >vm.yaml
    vmq validate vm.yaml | jq -e '.vmq == 1 and .validated and .vm.metadata.name == "a" and
        .source.line == 1 and .vm.spec.template.spec.domain.memory.guest == "1Gi"'
}

@test "a refused VM is left out, the others go on" {
    { vm a; echo ---; vm B; echo ---; vm c; } >vm.yaml
    run --separate-stderr vmq validate vm.yaml
    [ "$status" -eq 1 ]
    [ "$(jq -r .vm.metadata.name <<<"$output" | tr '\n' ' ')" = 'a c ' ]
    [[ $stderr == *"vm.yaml:10:12: error: metadata.name: 'B' is not a DNS name"* ]]
}

@test "--explain tells the reason and an example" {
    run --separate-stderr vmq validate --explain VMQ0282
    [ "$status" -eq 0 ]
    [[ $output == 'VMQ0282: a disk without a volume'*'Severity: error.'*'disks:'* ]]
    run --separate-stderr vmq validate --explain=604
    [[ $output == *'--for-host'* ]]
    run --separate-stderr vmq validate --explain VMQ9999
    refused 2 "--explain: no message has the code 'VMQ9999'"
}

@test "docs/diagnostics.md is what vmq-validate --list-codes prints" {
    vmq validate --list-codes >page
    diff -u "$TOP/docs/diagnostics.md" page
}

@test "every code has a number of its own, a title and a reason" {
    vmq validate --list-codes >page
    [ -z "$(grep -o '^## VMQ[0-9]*' page | sort | uniq -d)" ]
    [ "$(grep -c '^## VMQ[0-9]*: .' page)" = "$(grep -c '^## VMQ' page)" ]
}

@test "hostile texts neither crash nor break a line of messages" {
    vm a 'hostname: "a\nvm.yaml:1:1: error: forged\u2028x"' >vm.yaml
    run --separate-stderr vmq validate vm.yaml
    [ "$status" -eq 1 ]
    [[ $stderr != *$'\nvm.yaml:1:1: error: forged'* ]]
    [ "$(wc -l <<<"$stderr")" -le 4 ]
}

@test "annotations have 256 KiB together" {
    big() {
        vm a | awk -v n="$1" '{ print } /^metadata/ { printf "  annotations:\n    b: z\n    a: "; while (n--) printf "x"; print "" }' |
            sed 's/^metadata: .*/metadata:\n  name: a/'
    }
    big 262141 >fits.yaml
    vmq validate fits.yaml >/dev/null
    big 262142 >over.yaml
    run --separate-stderr vmq validate over.yaml
    refused 1 "metadata.annotations: 262145 bytes of annotations, and 262144 are allowed; remove some" VMQ0225
}

# bats test_tags=heavy
@test "ten thousand disks take no time to speak of" {
    {
        vm a | sed '$d'
        echo '  template: {spec: {domain: {memory: {guest: 1Gi}, devices: {disks: ['
        for i in $(seq 10000); do echo "{name: d$i, disk: {}},"; done
        echo ']}}, volumes: ['
        for i in $(seq 10000); do echo "{name: d$i, hostDisk: {path: /srv/$i, type: Disk}},"; done
        echo ']}}'
    } >vm.yaml
    run --separate-stderr timeout 20 "$VMQ_BIN/vmq-validate" vm.yaml
    [ "$status" -le 1 ]
}
