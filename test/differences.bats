#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Where vmq writes units other than the reference converter does: each test holds both ways, as unit
# files, against one check, which the reference's fails. (D1, D27, D29, D33, D34 and D35 are in
# vmq-quadlet.bats, what is not about units with the stage that does it.)
# shellcheck disable=SC2154
load helper

# fixed PATH: a whole VM of that name, with the jq changes behind it, as YAML that is JSON.
vm() {
    jq -cn --arg name "$1" '{apiVersion: "kubevirt.io/v1", kind: "VirtualMachine", metadata: {$name}, spec: {
        runStrategy: "Always", template: {spec: {domain: {memory: {guest: "256Mi"}, devices: {}},
        volumes: [{name: "root", containerDisk: {image: "example.com/d:1"}}]}}}}' | jq -c "${2:-.}"
}

# convert FILE DIR [OPTION]...: the units of its VMs.
convert() {
    local in=$1 out=$2
    shift 2
    rm -rf "$out"
    vmq prepare "$@" "$in" | vmq render | vmq adapt --sysfs none | vmq quadlet | vmq fixup --output-dir "$out"
}

# services DIR: what systemd would run, as JSON.
services() {
    generator 5.4 "$1" | "$VMQ_BIN/unit/execstart" -
}

# --- D21 -----------------------------------------------------------------------------------------------

# volume_of DIR CONTAINER PATH: the Podman volume that the container mounts there.
volume_of() {
    services "$1" >services
    unit=$(sed -n "s/^Volume=\([^:]*\)[.]volume:${3//\//\\/}.*/\1/p" "$1/$2.container")
    jq -r --arg s "$unit-volume.service" '.[$s].ExecStart[0][-1]' services
}

@test "D21: VMs that share a claim share the volume" {
    need_generators
    shared='.spec.template.spec.volumes = [{name: $n, persistentVolumeClaim: {claimName: "data"}}]'
    { vm a "${shared/\$n/\"one\"}"; vm b "${shared/\$n/\"two\"}"; } >in
    convert in ours --volume-names=claim
    at=/var/run/kubevirt-private/vmi-disks
    [ "$(volume_of ours virt-launcher-a-compute $at/one)" = data ]
    [ "$(volume_of ours virt-launcher-b-compute $at/two)" = data ]
    # The reference's way: a unit for each, named after the VM and its volume.
    mkdir theirs
    for vm in a/one b/two; do
        printf '[Volume]\n' >"theirs/virt-launcher-${vm%/*}-${vm#*/}.volume"
        printf '[Container]\nImage=example.com/l:1\nVolume=%s.volume:%s\n' "virt-launcher-${vm%/*}-${vm#*/}" "$at/${vm#*/}" \
            >"theirs/virt-launcher-${vm%/*}-compute.container"
    done
    [ "$(volume_of theirs virt-launcher-a-compute $at/one)" = systemd-virt-launcher-a-one ]
    [ "$(volume_of theirs virt-launcher-b-compute $at/two)" = systemd-virt-launcher-b-two ]
}

# --- D28 -----------------------------------------------------------------------------------------------

# published DIR: the ports of all pods, as Podman is told.
published() {
    services "$1" | jq -r '.[] | (.ExecStartPre // [])[] | . as $a | range(length) | select($a[.] == "--publish") | $a[. + 1]'
}

# all_local: of the ports on standard input none is open to others.
all_local() {
    ! grep -qv '^127[.]0[.]0[.]1:[0-9]*:[0-9]*$'
}

# no_clash: no address and port is there twice.
no_clash() {
    [ -z "$(sort | uniq -d)" ]
}

@test "D28: consoles are open to the host alone, and two VMs do not take one port" {
    need_generators
    { vm a; vm b; } >in
    run --separate-stderr convert in ours --vnc-proxy
    [[ $stderr == *"in:2:1: error: vnc-proxy: the port 5900 is that of 'a' already; convert the VMs one by one, with --vnc-port"* ]]
    published ours >ports
    [ "$(cat ports)" = 127.0.0.1:5900:5900 ]
    all_local <ports
    no_clash <ports
    # The reference's way.
    mkdir theirs
    for vm in a b; do
        printf '[Pod]\nPublishPort=5900:5900\n' >theirs/virt-launcher-$vm.pod
    done
    published theirs >ports
    run ! all_local <ports
    run ! no_clash <ports
}

# --- D31 -----------------------------------------------------------------------------------------------

# huge_pages: the command on standard input, of `podman volume create`, makes a filesystem of huge pages, as the
# kernel wants its options (Documentation/admin-guide/mm/hugetlbpage.rst).
huge_pages() {
    jq -e '[.[] | select(test("^(type|device|o)="))] | index("type=hugetlbfs") and index("device=hugetlbfs")
        and any(.[]; test("^o=(.*,)?pagesize=(2M|1G)(,|$)"))' >/dev/null
}

@test "D31: the folder of huge pages has some" {
    need_generators
    vm a '.spec.template.spec.domain.memory = {guest: "64Mi", hugepages: {pageSize: "2Mi"}}' >in
    run --separate-stderr convert in ours
    [[ $stderr == *"note: "*"the host must set aside 32 huge pages of 2Mi"* ]]
    grep -q '^Volume=virt-launcher-a-hugepages-empty.volume:/dev/hugepages' ours/virt-launcher-a-compute.container
    services ours | jq '.["virt-launcher-a-hugepages-empty-volume.service"].ExecStart[0]' | huge_pages
    # The reference's way: a tmpfs, as for every emptyDir.
    mkdir theirs
    printf '[Volume]\nDevice=tmpfs\nType=tmpfs\nOptions=nodev,mode=0777\n' >theirs/virt-launcher-a-hugepages-empty.volume
    run ! huge_pages <<<"$(services theirs | jq '.["virt-launcher-a-hugepages-empty-volume.service"].ExecStart[0]')"
}

# --- D32 -----------------------------------------------------------------------------------------------

# secrets_closed DIR, scripts_open DIR: for the owner alone; for everyone to read and run, as uid 107 must.
secrets_closed() {
    [ -z "$(find "$1" -name '*.env' -perm /077)" ]
}

scripts_open() {
    [ -z "$(find "$1" -name '*.sh' ! -perm -555)" ]
}

@test "D32: whatever the umask, what is secret is closed and scripts are open" {
    vm a '.spec.template.spec.volumes += [{name: "init", cloudInitNoCloud: {userData: "#cloud-config\npassword: secret\n"}}]' >in
    for umask in 000 022 077; do
        (umask $umask && convert in ours-$umask)
        [ -n "$(grep -l 'password: secret' ours-$umask/*.env)" ]
        [ -n "$(find ours-$umask -name '*.sh')" ]
        secrets_closed ours-$umask
        scripts_open ours-$umask
    done
    # The reference's way: what the umask leaves of 0644 and 0755.
    for umask in 022 077; do
        mkdir theirs-$umask
        (umask $umask && echo 'STANDALONE_VMI={}' >theirs-$umask/a.env && echo 'exit 0' >theirs-$umask/a.sh &&
            chmod '=rwx' theirs-$umask/a.sh)
    done
    run ! secrets_closed theirs-022
    run ! scripts_open theirs-077
}

# --- D36 -----------------------------------------------------------------------------------------------

# one_each FILE: no two volumes of the Pods have one name, and what compute mounts at /dev/kvm is the device.
one_each() {
    jq -es 'all(.[]; .pod.spec.volumes as $v | ($v | map(.name) | length == (unique | length)) and
        all(.pod.spec.containers[] | select(.name == "compute").volumeMounts[] | select(.mountPath == "/dev/kvm");
            .name as $n | [$v[] | select(.name == $n)][0].hostPath.path == "/dev/kvm"))' "$1" >/dev/null
}

@test "D36: a VM's volume with a name of ours is refused, or ours has another" {
    for name in kvm tun vhost-net cgroup vm-state passt-bin private-libvirt; do
        vm a ".spec.template.spec.volumes += [{name: \"$name\", persistentVolumeClaim: {claimName: \"mine\"}}]" >in
        run --separate-stderr vmq prepare --passt-workarounds in
        refused 1 "error: spec.template.spec.volumes[1].name: the Pod has a volume '$name' of its own; choose another name" VMQ0642
    done
    vm a >in
    vmq prepare in | vmq render | vmq adapt --sysfs none >ours
    one_each ours
    # The reference's way: both are there, and whoever looks for the name finds the first.
    jq -c '.pod.spec.volumes |= [{name: "kvm", persistentVolumeClaim: {claimName: "mine"}}] + .' ours >theirs
    run ! one_each theirs
}
