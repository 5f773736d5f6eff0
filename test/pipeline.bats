#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The stages together: what passes between them, that each can be replaced, and that no text of a VM
# becomes more than text.
load helper

# pipeline VM [FIXUP-OPTION]...: every stage.
pipeline() {
    local vm=$1
    shift
    vmq prepare "$vm" | vmq render | vmq adapt --sysfs=/nonexistent | vmq quadlet | vmq fixup "$@"
}

# item_after STAGE FILE: what the stages up to this one make of examples/smallest.yaml.
item_after() {
    local stage
    cp "$TOP/examples/smallest.yaml" item
    for stage in prepare render adapt quadlet; do
        vmq $stage item >next && mv next item
        [ $stage != "$1" ] || break
    done
    mv item "$2"
}

# accepted DIR: by Podman's generators, and a pod with the container compute.
accepted() {
    local release
    [ -x "$TOP/build/podman-5.8/quadlet" ] || return 0
    for release in 5.4 5.8; do
        generator $release "$1" >services
        grep -q -- '-pod.service---' services
        grep -q -- '-compute.service---' services
    done
}

# --- what passes between the stages ---

@test "every stage takes the bare object of its kind" {
    item_after prepare prepared
    item_after adapt adapted
    jq .vm prepared | vmq validate | jq -e '.vmq == 1 and .vm.kind == "VirtualMachine" and .source.document == 1'
    jq .vm prepared | vmq prepare | jq -e .vmi
    jq .vmi prepared | vmq render | jq -e '.pod.spec.containers and .vmi and .vmq == 1'
    vmq render prepared | jq .pod >pod.json
    jq '. + {apiVersion: "v1", kind: "Pod"}' pod.json | vmq adapt | jq -e '.pod.metadata.name == "virt-launcher-smallest"'
    jq .pod adapted | vmq quadlet | vmq fixup --output-dir out
    [ -f out/virt-launcher-smallest.pod ]
    accepted out
}

@test "another kind is refused by every stage, with the kind" {
    for stage in validate prepare render adapt quadlet fixup; do
        run --separate-stderr vmq $stage <<<'{"apiVersion": "v1", "kind": "Sandwich", "metadata": {"name": "x"}}'
        refused 1 Sandwich
    done
}

@test "keys that a stage does not know are kept, exact to the digit" {
    extra='{"x-mine": {"big": 12345678901234567890, "text": "\u20ac \"so\"", "list": [null, true, {}]}}'
    cp "$TOP/examples/smallest.yaml" item
    vmq validate item >next && mv next item
    for stage in prepare render adapt quadlet; do
        # sed, since jq would round the number
        sed -i "s/^{/{\"x-$stage\":[{\"n\":12345678901234567890}],/" item
        vmq $stage item >next && mv next item
        for before in prepare render adapt quadlet; do
            grep -qF "\"x-$before\":[{\"n\":12345678901234567890}]" item
            [ $before != $stage ] || break
        done
    done
    vmq render <(vmq prepare "$TOP/examples/smallest.yaml" | jq -c ". + $extra | .options.\"x-mine\" = \"1\"") |
        vmq adapt | vmq quadlet | jq -e '."x-mine".text == "€ \"so\"" and ."x-mine".list == [null, true, {}] and .options."x-mine" == "1"'
}

@test "no stage reads what a later one writes" {
    item_after quadlet all
    vmq prepare <(jq -c '. + {vmi: 7, pvcs: 7, pod: 7, units: 7, run: 7}' all) >prepared
    vmq render <(jq -c '. + {pod: 7, units: 7, run: 7}' prepared) | vmq adapt | jq -c '.units = 7' |
        vmq quadlet | vmq fixup >out
    pipeline "$TOP/examples/smallest.yaml" | cmp - out
}

@test "a setting that an early stage is given counts in the later ones" {
    early() { vmq validate "$@" "$TOP/examples/smallest.yaml" | vmq prepare | vmq render | vmq adapt | vmq quadlet | vmq fixup; }
    early --vnc-proxy --vnc-port=5999 --podman=5.8 --network=mine --launcher-image=example.com/l:v1.8.4 >early
    grep -qx 'PublishPort=127.0.0.1:5999:5999' early
    grep -qx 'Network=mine' early
    grep -qx 'Image=example.com/l:v1.8.4' early
    grep -q '^HostName=' early
}

# --- each stage replaced in turn by a jq program ---

@test "jq in the place of vmq-validate" {
    item_after prepare prepared
    jq .vm prepared | jq -c '{vmq: 1, source: {file: "by-jq", document: 1, line: 1}, vm: .}' |
        vmq prepare | vmq render | vmq adapt | vmq quadlet | vmq fixup --output-dir out
    accepted out
}

@test "jq in the place of vmq-prepare" {
    vmq validate "$TOP/examples/smallest.yaml" | jq -c '
        .pvcs = [] | .vmi = {apiVersion: "kubevirt.io/v1", kind: "VirtualMachineInstance",
            metadata: {name: .vm.metadata.name, namespace: "default", uid: "default"},
            spec: (.vm.spec.template.spec
                | .domain.devices += {disks: [{name: "root", disk: {bus: "virtio"}}],
                                      interfaces: [{name: "default", passtBinding: {}}]}
                | .networks = [{name: "default", pod: {}}])}' |
        vmq render | vmq adapt | vmq quadlet | vmq fixup --output-dir out
    accepted out
}

@test "jq in the place of vmq-render" {
    item_after prepare prepared
    jq -c '.pod = {metadata: {generateName: ("virt-launcher-" + .vmi.metadata.name + "-")},
            spec: {containers: [{name: "compute", image: "example.com/launcher:1", command: ["/usr/bin/virt-launcher"],
                                 volumeMounts: [{name: "private", mountPath: "/var/run/kubevirt-private"}]}],
                   volumes: [{name: "private", emptyDir: {}}]}}' prepared |
        vmq adapt | vmq quadlet | vmq fixup --output-dir out
    [ -f out/virt-launcher-smallest.pod ]
    accepted out
}

@test "jq in the place of vmq-adapt" {
    item_after render rendered
    jq -c '.pod |= (.apiVersion = "v1" | .kind = "Pod" | .metadata.name = "virt-launcher-smallest"
            | .spec.containers[].resources = {} | del(.spec.readinessGates))' rendered |
        vmq quadlet 2>said | vmq fixup --output-dir out
    accepted out
}

@test "jq in the place of vmq-quadlet" {
    item_after adapt adapted
    jq -c '.pod.metadata.name as $n | .units = [
        {name: ($n + ".pod"), text: "[Pod]\n", mode: "0644"},
        (.pod.spec.containers[] | {name: ($n + "-" + .name + ".container"), mode: "0644",
                                   text: ("[Container]\nImage=" + .image + "\nPod=" + $n + ".pod\n")})]' adapted |
        vmq fixup --output-dir out
    [ -f out/virt-launcher-smallest-compute.container ]
    accepted out
}

@test "jq in the place of vmq-fixup" {
    item_after quadlet converted
    mkdir out
    jq -r '.units[] | @base64 "\(.name) \(.text)"' converted | while read -r name text; do
        base64 -d <<<"$text" >"out/$(base64 -d <<<"$name")"
    done
    accepted out
}

# --- the same bytes ---

@test "the same bytes from another folder, with another environment and umask, at another time" {
    mkdir -p elsewhere/deep
    cp "$TOP/examples/windows.yaml" vm.yaml
    cp vm.yaml elsewhere/deep/vm.yaml
    pipeline vm.yaml --tar >one
    (
        cd elsewhere/deep || exit
        umask 077
        export LANG=de_DE.UTF-8 LC_ALL=tr_TR.UTF-8 TZ=Asia/Kathmandu HOME=/nonexistent USER=x HOSTNAME=x NO_COLOR=1 \
            TMPDIR=/nonexistent XDG_CONFIG_HOME=/nonexistent XDG_RUNTIME_DIR=/nonexistent
        pipeline vm.yaml --tar
    ) >two
    cmp one two
    sleep 1
    vmq prepare <vm.yaml | vmq render | vmq adapt --sysfs=/nonexistent | vmq quadlet | vmq fixup --tar | cmp one -
}

# --- exit statuses through the pipe ---

@test "one bad VM among good ones: status 1, the good ones go through" {
    line=$(wc -l <"$TOP/examples/smallest.yaml")
    cat "$TOP/examples/smallest.yaml" - "$TOP/examples/fedora.yaml" >three.yaml <<'END'
---
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: Bad_Name}
spec: {template: {spec: {domain: {memory: {guest: 1Gi}}}}}
---
END
    set -o pipefail
    run --separate-stderr pipeline three.yaml --output-dir out
    refused 1 "three.yaml:$((line + 4)):12: error: metadata.name: 'Bad_Name'"
    [ -f out/virt-launcher-smallest.pod ]
    [ -f out/virt-launcher-fedora.pod ]
    [ "$(find out -name '*.pod' | wc -l)" -eq 2 ]
    run --separate-stderr vmq prepare --fail-fast three.yaml
    [ "$status" -eq 1 ]
    [ "$(wc -l <<<"$output")" -eq 1 ]
}

@test "a stage that dies in front looks like no success behind" {
    for stage in validate prepare render adapt quadlet fixup; do
        run --separate-stderr vmq $stage < <(exit 3)
        refused 1 "in the input"
    done
    run --separate-stderr vmq render <<<'{"vmq": 1, "vmi": {"kind": '
    refused 1 error:
}

@test "wrong usage is 2, a file that is not there 3, a full disk 3" {
    # shellcheck disable=SC2317
    full() { vmq "$@" >/dev/full; }
    for stage in validate prepare render adapt quadlet fixup; do
        run --separate-stderr vmq $stage --no-such-option
        refused 2 "--no-such-option"
        run --separate-stderr vmq $stage --vnc-port=70000
        refused 2 "70000"
        run --separate-stderr vmq $stage nowhere
        refused 3 "nowhere: No such file"
    done
    cp "$TOP/examples/smallest.yaml" item
    for stage in validate prepare render adapt quadlet; do
        run --separate-stderr full $stage item
        refused 3 "No space left"
        vmq $stage item >next && mv next item
    done
}

# --- text of a VM is text ---

# A VM with as many texts as it may have.
rich_vm() {
    cat <<'END'
{"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine",
 "metadata": {"name": "rich", "namespace": "default", "labels": {"l": "v"}, "annotations": {"a": "v"}},
 "spec": {"runStrategy": "Always",
  "dataVolumeTemplates": [
   {"metadata": {"name": "imported", "labels": {"l": "v"}},
    "spec": {"source": {"registry": {"url": "docker://example.com/disk:1", "pullMethod": "node", "secretRef": "s"}},
             "storage": {"storageClassName": "c", "resources": {"requests": {"storage": "2Gi"}}}}}],
  "template": {"metadata": {"labels": {"kubevirt.io/x": "v"}, "annotations": {"b": "v"}},
   "spec": {"hostname": "host", "subdomain": "sub", "schedulerName": "s", "priorityClassName": "p",
    "nodeSelector": {"n": "v"}, "tolerations": [{"key": "k", "operator": "Equal", "value": "v", "effect": "NoSchedule"}],
    "dnsPolicy": "None", "dnsConfig": {"nameservers": ["192.0.2.1"], "searches": ["example.com"], "options": [{"name": "ndots", "value": "2"}]},
    "readinessProbe": {"exec": {"command": ["cat", "/x"]}},
    "livenessProbe": {"httpGet": {"path": "/x", "port": 80, "scheme": "HTTP", "host": "192.0.2.1", "httpHeaders": [{"name": "h", "value": "v"}]}},
    "accessCredentials": [],
    "domain": {"memory": {"guest": "1Gi"}, "cpu": {"model": "host-model", "features": [{"name": "f", "policy": "optional"}]},
     "machine": {"type": "q35"}, "chassis": {"manufacturer": "m", "version": "v", "serial": "s", "asset": "a", "sku": "k"},
     "firmware": {"serial": "s", "uuid": "5d307ca9-b3ef-428c-8861-06e72d69f223"},
     "clock": {"timezone": "Europe/Berlin"},
     "devices": {
      "disks": [{"name": "root", "serial": "abc", "cache": "none", "tag": "t", "disk": {"bus": "virtio"}},
                {"name": "data", "disk": {"bus": "virtio"}}, {"name": "claim", "disk": {"bus": "virtio"}},
                {"name": "iso", "cdrom": {"bus": "sata"}}, {"name": "init", "disk": {"bus": "virtio"}}],
      "interfaces": [{"name": "default", "model": "virtio", "macAddress": "02:00:00:00:00:01", "masquerade": {},
                      "ports": [{"name": "ssh", "protocol": "TCP", "port": 22}]}],
      "gpus": [{"name": "g", "deviceName": "nvidia.com/A10", "tag": "t"}]}},
    "networks": [{"name": "default", "pod": {"vmNetworkCIDR": "10.0.0.0/24"}}],
    "volumes": [{"name": "root", "containerDisk": {"image": "example.com/root:1", "path": "/disk/x.img", "imagePullPolicy": "IfNotPresent", "imagePullSecret": "s"}},
                {"name": "data", "dataVolume": {"name": "imported"}}, {"name": "claim", "persistentVolumeClaim": {"claimName": "mine"}},
                {"name": "iso", "hostDisk": {"path": "/srv/x.iso", "type": "Disk"}},
                {"name": "init", "cloudInitNoCloud": {"userData": "#cloud-config\n", "networkData": "version: 2\n"}}]}}}}
END
}

# hostile TEXT: one VM for every text and every user's key of the rich VM, in which this is TEXT.
hostile() {
    rich_vm | jq -c --argjson text "$1" '
        . as $vm | [paths(type == "string") | select(. != ["kind"] and . != ["apiVersion"])] as $texts
        | [paths(type == "object") | select(.[-1] | . == "labels" or . == "annotations" or . == "nodeSelector")] as $maps
        | (range($texts | length) as $i | $vm | .metadata.name = "t\($i)" | setpath($texts[$i]; $text)),
          (range($maps | length) as $i | $vm | .metadata.name = "m\($i)" | setpath($maps[$i] + [$text]; "v"))'
}

# injected DIR: lines and words that only a text that got out of its value would make. Words as
# systemd makes them of the services that Podman's generator makes of the units.
injected() {
    if grep -rnE '^(PWNED|ExecStartPre=.*pwned|\[Pwned)' "$1"; then
        return 0
    fi
    [ -x "$TOP/build/podman-5.8/quadlet" ] || return 1
    QUADLET_UNIT_DIRS=$(realpath "$1") "$TOP/build/podman-5.8/quadlet" -dryrun -user 2>/dev/null | awk '
        /^Exec[A-Za-z]*=/ {
            line = $0; sub(/^[^=]*=/, "", line); word = before = quote = ""
            for (i = 1; i <= length(line) + 1; i++) {
                c = substr(line, i, 1)
                if (c == "\\") { word = word c substr(line, ++i, 1); continue }
                if (quote != "") { if (c == quote) quote = ""; else word = word c; continue }
                if (c == "\"" || c == "\047") { quote = c; continue }
                if (c != " " && c != "\t" && c != "") { word = word c; continue }
                # Behind an option that takes a value it is that value, and no word more.
                if ((word == "--pwned" && before !~ /^--[a-z-]+$/) || word == ";" || word ~ /^\/bin\/pwned/) {
                    print; found = 1
                }
                if (word != "") before = word
                word = ""
            }
        }
        /^(PWNED|\[Pwned)/ { print; found = 1 }
        END { exit !found }'
}

# bats test_tags=heavy
@test "no text of a VM adds a line or a word to a unit" {
    vms=0
    for text in '"x\n[Service]\nExecStartPre=/bin/pwned\n[Pwned]\nPWNED=1"' '"x\r\nPWNED=1"' '"x\" --pwned \"y"' \
        '"x\u0027 --pwned \u0027y"' '"x --pwned y"' '"--pwned"' '"x\\"' '"x\\\nPWNED=1"' '"x ; /bin/pwned"' '"[Pwned]"' \
        '"%n ${HOME} $(id) --pwned %%"' '"x\u2028PWNED=1"' '"x\u0085PWNED=1"' '"\u202egnp.exe --pwned"' '"x,y:z=--pwned"' \
        '"$PWNED"' '"\t--pwned\t"'; do
        hostile "$text" >vms.json
        rm -rf out
        rc=0
        pipeline_lax >out.log 2>&1 || rc=$?
        [ "$rc" -le 1 ] || { cat out.log; return 1; }
        [ -d out ] || continue
        vms=$((vms + $(find out -name '*.pod' | wc -l)))
        run injected out
        [ "$status" -ne 0 ] || { echo "text $text: $output"; return 1; }
    done
    # Most texts are refused where they stand; if all were, this test would show nothing.
    [ "$vms" -gt 100 ] || { echo "only $vms VMs went through"; return 1; }
}

# Rules that the conversion could live without are not what holds text back.
pipeline_lax() {
    set -o pipefail
    vmq prepare --admission=warn --validate=warn vms.json | vmq render | vmq adapt --sysfs=/nonexistent | vmq quadlet |
        vmq fixup --output-dir out
}

@test "a NUL in a text is refused, in JSON and in YAML, in every stage" {
    rich_vm | jq -c '.spec.template.spec.hostname = "a\u0000b"' >nul.json
    for stage in validate prepare; do
        run --separate-stderr vmq $stage nul.json
        refused 1 error: NUL
    done
    printf 'apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: "a\\0b"}\n' >nul.yaml
    run --separate-stderr vmq validate nul.yaml
    refused 1 error:
    item_after adapt adapted
    sed 's/"name":"compute"/"name":"comp\\u0000ute"/' adapted >nul.json
    for stage in prepare render adapt quadlet fixup; do
        run --separate-stderr vmq $stage nul.json
        refused 1 error: NUL
    done
}

@test "hostile settings: an image, a network or an address is one word and one line" {
    for option in launcher-image vnc-image console-image network publish-address kvm-group; do
        for text in $'x\n[Service]\nExecStartPre=/bin/pwned' 'x --pwned' 'x" --pwned "' $'x\rPWNED=1' 'x\' \
            '[Service]' '%n ${HOME} $(id) --pwned' '; --pwned' $'\u202e --pwned' $'x\xff'; do
            rm -rf out
            run --separate-stderr early_setting --$option="$text"
            [ "$status" -le 2 ]
            [ ! -d out ] || run ! injected out
        done
    done
}

early_setting() {
    set -o pipefail
    vmq prepare --vnc-proxy --console-proxy "$@" "$TOP/examples/smallest.yaml" | vmq render | vmq adapt | vmq quadlet |
        vmq fixup --output-dir out
}
