# Disks: made, imported, grown, kept, and never used when half written.
load helper

imported() { # NAME SIZE: a VM whose disk is imported from the image
    vm "$1" Always "{name: root, disk: {}}" "{name: root, dataVolume: {name: $1-root}}" "" \
        "  dataVolumeTemplates: [{metadata: {name: $1-root}, spec: {source: {registry: {url: 'docker://localhost/disk:1'}}, storage: {resources: {requests: {storage: $2}}}}}]"
}

blank() { # NAME SIZE: a VM with a blank disk and a claim that somebody filled
    vm "$1" Always "{name: root, disk: {}}, {name: data, disk: {}}" \
        "{name: root, dataVolume: {name: $1-root}}, {name: data, persistentVolumeClaim: {claimName: filled}}" "" \
        "  dataVolumeTemplates: [{metadata: {name: $1-root}, spec: {source: {blank: {}}, storage: {resources: {requests: {storage: $2}}}}}]"
}

disk_of() { echo "$HOST/root$(volume_path "$1")/disk.img"; }

@test "a registry image is imported: byte-equal to its source, of the size asked for, uid 107's" {
    imported fresh 64Mi | convert units
    put units
    start fresh
    local disk
    disk=$(disk_of fresh-root)
    cmp -n 50331648 "$HOST/source.raw" "$disk"
    [ "$(stat -c '%s %u' "$disk")" = "67108864 107" ]
    [[ $(reports fresh disk) == "/var/run/kubevirt-private/vmi-disks/root/disk.img 67108864 107:107" ]]
    none_failed fresh
}

@test "a disk grows with the YAML, never shrinks, and keeps its data" {
    local disk
    blank grow 32Mi | convert units
    put units
    inside podman volume create systemd-virt-launcher-grow-data >/dev/null
    truncate -s 1M "$HOST/root$(volume_path grow-data)/disk.img"
    chown -R 107:107 "$HOST/root$(volume_path grow-data)"
    start grow
    disk=$(disk_of grow-root)
    [ "$(stat -c %s "$disk")" = 33554432 ]
    [[ $(reports grow disk) == *"vmi-disks/data/disk.img 1048576 107:107"* ]]
    printf precious | dd of="$disk" bs=1 seek=1000 conv=notrunc status=none
    stop grow
    for size in 48Mi 16Mi; do
        rm -r units
        blank grow $size | convert units
        put units
        start grow
        [ "$(stat -c %s "$disk")" = 50331648 ]
        [ "$(dd if="$disk" bs=1 skip=1000 count=8 status=none)" = precious ]
        stop grow
    done
}

@test "a power cut in the middle of an import leaves nothing that is used" {
    local disk
    imported cut 64Mi | convert units
    # Time enough to cut: the import waits once the source is there and the disk is half written.
    put units
    inside systemctl start --no-block virt-launcher-cut-import-disk-root.service
    disk=$(disk_of cut-root) || true
    for _ in $(seq 400); do
        disk=$(disk_of cut-root 2>/dev/null) && ls "${disk%/*}"/* >/dev/null 2>&1 && break
        sleep 0.05
    done
    host halt
    host boot
    inside systemctl daemon-reload
    start cut
    disk=$(disk_of cut-root)
    cmp -n 50331648 "$HOST/source.raw" "$disk"
    [ "$(stat -c %s "$disk")" = 67108864 ]
    [ "$(cd "${disk%/*}" && echo *)" = disk.img ]
}

@test "hostDisk: of type Disk the file alone is seen; DiskOrCreate makes it" {
    rm -rf "$HOST/root/srv/vms" && mkdir -p "$HOST/root/srv/vms"
    truncate -s 2M "$HOST/root/srv/vms/there.img"
    echo secret >"$HOST/root/srv/vms/other"
    chown 107:107 "$HOST/root/srv/vms/there.img"
    vm hd Always "{name: a, disk: {}}, {name: b, disk: {}}" \
        "{name: a, hostDisk: {path: /srv/vms/there.img, type: Disk}}, {name: b, hostDisk: {path: /srv/vms/new/made.img, type: DiskOrCreate, capacity: 8Mi}}" |
        convert units
    put units
    start hd
    [ "$(reports hd disk | sort)" = "/var/run/kubevirt-private/vmi-disks/a/there.img 2097152 107:107
/var/run/kubevirt-private/vmi-disks/b/made.img 8388608 107:107" ]
    [ "$(inside podman exec systemd-virt-launcher-hd-compute ls /var/run/kubevirt-private/vmi-disks/a)" = there.img ]
    [ "$(stat -c '%s %u' "$HOST/root/srv/vms/new/made.img")" = "8388608 107" ]
    none_failed hd
}
