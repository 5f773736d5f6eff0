#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# All VMs and Pods of the tests in a few long streams. Each is looked at closely elsewhere; here the
# programs must stay sound with whatever came before. `make check-valgrind` lives by this, since it
# starts so few processes.
load helper

# through STAGE WANTED FILE...: run it, with its status one of WANTED.
through() {
    local stage=$1 wanted=$2 status=0
    shift 2
    vmq "$stage" "$@" >"$stage.json" 2>"$stage.said" || status=$?
    [[ $wanted == *$status* ]] || { echo "vmq-$stage ended with $status"; tail -n 20 "$stage.said"; return 1; }
}

# on [OPTION]...: the rest of the way of what is in prepare.json.
on() {
    through render 01 "$@" prepare.json
    through adapt 01 --sysfs=/nonexistent "$@" render.json
    through quadlet 01 "$@" adapt.json
    # Some have the same name, which vmq-fixup does not take.
    awk '!seen[$0]++' quadlet.json | jq -c 'select(.units)' | jq -sc 'unique_by(.units[0].name)[]' >unique.json
    through fixup 01 --output-dir units "$@" unique.json
    [ -n "$(find units -name '*.pod')" ]
    through fixup 01 "$@" unique.json
    through fixup 01 --tar "$@" unique.json
}

@test "all golden cases in one stream, for KubeVirt 1.9" {
    through prepare 1 --admission=warn "$TOP"/test/cases/*/in.yaml
    on --vnc-proxy --console-proxy --passt-workarounds --podman=5.8
}

@test "all golden cases in one stream, for KubeVirt 1.8" {
    through prepare 1 --admission=warn --kubevirt=1.8 --launcher-image=quay.io/kubevirt/virt-launcher:v1.8.4 \
        "$TOP"/test/cases/*/in.yaml
    on --network=host --volume-names=claim --kvm-group=36
}

@test "all VMs that KubeVirt's API server refuses in one stream" {
    through validate 1 "$TOP"/test/admission/*.yaml
    through validate 01 --admission=warn --validate=warn "$TOP"/test/admission/*.yaml
    mv validate.json prepare.in
    through prepare 01 --admission=warn --validate=warn prepare.in
    on
}

@test "all Pods in one stream" {
    through quadlet 1 "$TOP"/test/quadlet-pods/*.yaml
    through quadlet 1 --podman=5.8 "$TOP"/test/quadlet-pods/*.yaml
}
