# suites: trixie
# Disks: made, imported, grown, kept, and never used when half written.
load helper

blank() { # NAME SIZE: a VM with a blank disk and a claim that somebody filled
    vm "$1" Always "{name: root, disk: {}}, {name: data, disk: {}}" \
        "{name: root, dataVolume: {name: $1-root}}, {name: data, persistentVolumeClaim: {claimName: filled}}" "" \
        "  dataVolumeTemplates: [{metadata: {name: $1-root}, spec: {source: {blank: {}}, storage: {resources: {requests: {storage: $2}}}}}]"
}

has_disk() { # NAME VOLUME SIZE: the launcher sees the disk, and can write it
    [[ $(reports "$1" disk) == *"/vmi-disks/$2/disk.img $3 107:107"* ]] || return 1
    [[ $(reports "$1" writable) == *"/vmi-disks/$2/disk.img"* ]]
}

@test "D20: a disk grows with the YAML, never shrinks, and keeps its data; a claim is filled as the warning says" {
    local disk fill
    blank grow 32Mi >vm.yaml
    convert units <vm.yaml 2>said
    fill=$(sed -n 's/.*before the first start: \(.*\) \[VMQ[0-9]*\]$/\1/p' said)
    put units
    truncate -s 1M disk.img
    printf "somebody's" | dd of=disk.img conv=notrunc status=none
    mkdir -p "$HOST/root/srv/fill"
    cp disk.img "$HOST/root/srv/fill/"
    inside bash -c "cd /srv/fill && $fill"
    start grow
    runs_whole grow vm.yaml
    disk=$(disk_of grow-root)
    [ "$(size_and_owner "$disk")" = "33554432 107" ]
    has_disk grow root 33554432
    has_disk grow data 1048576
    cmp disk.img "$(disk_of grow-data)"
    printf precious | dd of="$disk" bs=1 seek=1000 conv=notrunc status=none
    stop grow
    for size in 48Mi 16Mi; do
        rm -r units
        blank grow $size | convert units
        put units
        start grow
        [ "$(size_and_owner "$disk")" = "50331648 107" ]
        has_disk grow root 50331648
        [ "$(dd if="$disk" bs=1 skip=1000 count=8 status=none)" = precious ]
        stop grow
    done
    none_failed grow
}

@test "a power cut in the middle of an import leaves nothing that is used" {
    local disk
    imported cut 64Mi docker://localhost/disk:1 | convert units
    cp -r units slow
    # This qemu-img writes some of the disk and then takes its time.
    cat >"$HOST/root/srv/slow" <<'X'
#!/bin/sh
for last; do :; done
head -c 3000000 /dev/zero >"$last"
touch "${last%/*}/half"
sleep 600
X
    chmod 755 "$HOST/root/srv/slow"
    printf '\n[Container]\nVolume=/srv/slow:/usr/local/bin/qemu-img:ro\n' >>slow/virt-launcher-cut-import-disk-root.container
    put slow
    inside systemctl start --no-block "$(pod_service cut)"
    half_there() { disk=$(disk_of cut-root 2>/dev/null) && [ -e "${disk%/*}/half" ]; }
    wait_for "$PATIENCE" half_there
    [ ! -e "$disk" ]
    is_state inactive "$(compute cut)"
    put units
    host halt
    [ ! -e "$disk" ]
    # It is to start with the host, and so it does.
    host boot
    wait_for "$PATIENCE" is_ready cut
    cmp -n 50331648 "$HOST/source.raw" "$disk"
    [ "$(size_and_owner "$disk")" = "67108864 107" ]
    [ "$(cd "${disk%/*}" && echo *)" = "disk.img half" ]
    has_disk cut root 67108864
}

@test "D19: hostDisk: of type Disk the file alone is seen; DiskOrCreate makes it" {
    local name
    rm -rf "$HOST/root/srv/vms" && mkdir -p "$HOST/root/srv/vms/new"
    truncate -s 2M "$HOST/root/srv/vms/there.img"
    echo secret >"$HOST/root/srv/vms/other"
    chown 107:107 "$HOST/root/srv/vms/there.img"
    vm hd Always "{name: a, disk: {}}, {name: b, disk: {}}" \
        "{name: a, hostDisk: {path: /srv/vms/there.img, type: Disk}}, {name: b, hostDisk: {path: /srv/vms/new/made.img, type: DiskOrCreate, capacity: 8Mi}}" >vm.yaml
    convert units <vm.yaml
    put units
    start hd
    runs_whole hd vm.yaml
    [ "$(reports hd disk | sort)" = "/var/run/kubevirt-private/vmi-disks/a/there.img 2097152 107:107
/var/run/kubevirt-private/vmi-disks/b/made.img 8388608 107:107" ]
    for name in a/there b/made; do
        [[ $(reports hd writable) == *"/vmi-disks/$name.img"* ]]
    done
    [ "$(inside podman exec systemd-virt-launcher-hd-compute ls /var/run/kubevirt-private/vmi-disks/a)" = there.img ]
    [ "$(size_and_owner "$HOST/root/srv/vms/new/made.img")" = "8388608 107" ]
}

@test "D15, D21: a template reached as a claim, with pvc: for storage:, is a disk; two VMs may share a claim" {
    local name
    template() { # NAME
        vm "$1" Always "{name: root, disk: {}}" "{name: root, persistentVolumeClaim: {claimName: both}}" "" \
            "  dataVolumeTemplates: [{metadata: {name: both}, spec: {source: {blank: {}}, pvc: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 4Mi}}}}}]"
    }
    { template one; echo ---; template two; } | convert units --volume-names claim
    put units
    start one two
    for name in one two; do
        has_disk $name root 4194304
        [[ $(reports $name mount) == *"/volumes/both/_data"* ]]
        none_failed $name
    done
}
