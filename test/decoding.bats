#!/usr/bin/env bats
# What is wrong with a VM's fields, by file, line and column, and how strict it is taken.
# shellcheck disable=SC2154 # bats sets stderr
load helper

# vm DOMAIN-LINES: a VM whose domain has the lines (from line 8 on, indented by 8), in vm.yaml
vm() {
    {
        printf '%s\n' 'apiVersion: kubevirt.io/v1' 'kind: VirtualMachine' 'metadata: {name: a}' \
            'spec:' '  runStrategy: Always' '  template:' '    spec: {domain: {'
        printf '        %s\n' "$@"
        printf '%s\n' '      devices: {}}}'
    } >vm.yaml
}

@test "an unknown field: refused, warned about or passed over, and dropped" {
    vm 'memory: {guest: 1Gi},' 'memroy: {guest: 2Gi},'
    run --separate-stderr vmq validate vm.yaml
    refused 1 'vm.yaml:9:9: error: spec.template.spec.domain.memroy: DomainSpec has no such field; did you mean "memory"? [VMQ0110]'
    run --separate-stderr vmq validate --validate=warn vm.yaml
    [ "$status" -eq 0 ]
    [[ $stderr == *'vm.yaml:9:9: warning: spec.template.spec.domain.memroy: '* ]]
    [ "$(jq -c '.vm.spec.template.spec.domain | has("memroy")' <<<"$output")" = false ]
    run --separate-stderr vmq validate --validate=ignore vm.yaml
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "a number where a text belongs is refused, and with --admission=warn the text that was written" {
    vm 'memory: {guest: 1Gi},' 'firmware: {serial: 0755},'
    run --separate-stderr vmq validate vm.yaml
    refused 1 'vm.yaml:9:20: error: spec.template.spec.domain.firmware.serial: the number 493 where a text belongs; write "0755", in quotes [VMQ0120]'
    run --separate-stderr vmq validate --admission=warn vm.yaml
    [ "$status" -eq 0 ]
    [ "$(jq -r .vm.spec.template.spec.domain.firmware.serial <<<"$output")" = 0755 ]
}

@test "wrong types are errors whatever is asked for" {
    vm 'memory: {guest: 4GB},' 'cpu: {cores: two, threads: 1.5, sockets: 4294967296},' 'chassis: true,'
    run --separate-stderr vmq validate --admission=warn --validate=ignore vm.yaml
    refused 1 'vm.yaml:8:18: error: spec.template.spec.domain.memory.guest: the text "4GB" is no quantity' \
        'vm.yaml:9:15: error: spec.template.spec.domain.cpu.cores: the text "two" where a whole number belongs' \
        'vm.yaml:9:27: error: spec.template.spec.domain.cpu.threads: 1.5 is not a whole number' \
        'vm.yaml:9:41: error: spec.template.spec.domain.cpu.sockets: 4294967296 is out of range; write a number from 0 to 4294967295' \
        'vm.yaml:10:9: error: spec.template.spec.domain.chassis: true where an object belongs'
}

@test "what is required and missing stands where its object is" {
    vm 'memory: {guest: 1Gi},' 'cpu: {features: [{policy: force}]},'
    run --separate-stderr vmq validate vm.yaml
    refused 1 'vm.yaml:9:26: error: spec.template.spec.domain.cpu.features[0].name: is required and missing; add it (a text) [VMQ0122]'
}

@test "a field of KubeVirt 1.9 is dropped for 1.8, with a warning" {
    vm 'memory: {guest: 1Gi},'
    echo '      serviceAccountName: sa' >>vm.yaml
    sed -i 's/spec: {domain: {$/spec:\n      domain: {/; s/devices: {}}}/devices: {}}/' vm.yaml
    run --separate-stderr vmq validate --kubevirt=1.9 vm.yaml
    [ "$(jq -r .vm.spec.template.spec.serviceAccountName <<<"$output")" = sa ]
    run --separate-stderr vmq validate --kubevirt=1.8 vm.yaml
    [ "$status" -eq 0 ]
    [[ $stderr == *'vm.yaml:11:7: warning: spec.template.spec.serviceAccountName: KubeVirt 1.8 does not have this field'* ]]
    [ "$(jq .vm.spec.template.spec.serviceAccountName <<<"$output")" = null ]
}

@test "labels without quotes become texts, and what is not as written is said" {
    vm 'memory: {guest: 1Gi},'
    sed -i 's/name: a/name: a, labels: {a: yes, b: 12, c: 0755, d: 1.10, e: 1e3, f: ~, g: "no"}/' vm.yaml
    run --separate-stderr vmq validate vm.yaml
    [ "$status" -eq 0 ]
    [ "$(jq -c .vm.metadata.labels <<<"$output")" = '{"a":"true","b":"12","c":"493","d":"1.1","e":"1000","f":"","g":"no"}' ]
    [[ $stderr == *'vm.yaml:3:30: warning: metadata.labels.a: yes becomes the text "true"; write "yes", in quotes, to keep it [VMQ0121]'* ]]
    [[ $stderr != *labels.b* ]]
    [[ $stderr != *labels.g* ]]
}

@test "what an export adds is left out, with one note" {
    vm 'memory: {guest: 1Gi},'
    sed -i 's/name: a/name: a, uid: u, resourceVersion: "1", creationTimestamp: null, managedFields: [{fieldsV1: {x: {}}}]/' vm.yaml
    echo 'status: {ready: true, printableStatus: Running}' >>vm.yaml
    run --separate-stderr vmq validate vm.yaml
    [ "$status" -eq 0 ]
    [ "$(jq -c '.vm.metadata, .vm.status' <<<"$output")" = $'{"name":"a","uid":"u"}\nnull' ]
    [ "$(grep -c note: <<<"$stderr")" -eq 1 ]
    [[ $stderr == *'note: left out, since only a cluster keeps them: metadata.resourceVersion, metadata.managedFields, status [VMQ0112]'* ]]
}

@test "nine thousand wrong fields take no time and two hundred messages" {
    {
        printf '{"apiVersion":"kubevirt.io/v1","kind":"VirtualMachine","metadata":{"name":"a"},"spec":{"template":{"spec":{'
        seq -f '"memory%g":1,' 9000
        printf '"domain":{"devices":{},"memory":{"guest":"1Gi"}}}}}}\n'
    } >vm.json
    run --separate-stderr timeout 20 "$VMQ_BIN/vmq-validate" vm.json
    [ "$status" -eq 1 ]
    [ "$(grep -c 'VMQ0110' <<<"$stderr")" -le 200 ]
    [[ $stderr == *'more messages about this document are not shown'* ]]
}

@test "what only a cluster keeps is dropped, but a wrong type is a wrong type" {
    vm 'memory: {guest: 1Gi},'
    sed -i 's/^metadata:.*/metadata: {name: a, creationTimestamp: null, generation: 3, uid: u}/' vm.yaml
    run --separate-stderr vmq validate vm.yaml
    [ "$status" -eq 0 ]
    [[ $stderr == *'left out, since only a cluster keeps them: metadata.generation [VMQ0112]'* ]]
    sed -i 's/creationTimestamp: null, generation: 3/creationTimestamp: yesterday, generation: x/' vm.yaml
    run --separate-stderr vmq validate vm.yaml
    refused 1 'vm.yaml:3:21: error: metadata.creationTimestamp: ' 'vm.yaml:3:51: error: metadata.generation: '
}
