# suites: sid trixie
# The units for each release of Podman, on hosts with that and with a later one: the first VM, and one whose
# disk is in an image that the host does not have yet.
load helper

check_release() { # RELEASE
    local disk run
    first_vm kiosk >vm.json
    # What umask the one who converts has makes no difference.
    (umask 077 && convert units --podman "$1" <vm.json)
    [ "$(stat -c %a units/virt-launcher-kiosk-compute.env)" = 600 ]
    [ "$(stat -c %a units/virt-launcher-kiosk-virt-handler-dir-init.sh)" = 755 ]
    imported far 64Mi docker://127.0.0.1:5000/disk:1 >far.yaml
    convert units --podman "$1" <far.yaml
    put units
    serve_remote
    run ! inside podman image exists 127.0.0.1:5000/disk:1
    start kiosk far
    first_runs_whole kiosk
    # The image's disk has a name of its own, and is root's alone.
    inside podman image exists 127.0.0.1:5000/disk:1
    disk=$(disk_of far-root)
    cmp -n 50331648 "$HOST/source.raw" "$disk"
    [ "$(size_and_owner "$disk")" = "67108864 107" ]
    [[ $(reports far disk) == "/var/run/kubevirt-private/vmi-disks/root/disk.img 67108864 107:107" ]]
    runs_whole far far.yaml
    # Stopped and started without the image: the disk is there and stays as it is.
    printf changed | dd of="$disk" bs=1 conv=notrunc status=none
    run=$(run_of "$(compute far)")
    stop far
    wait_for 30 is_state inactive "$(compute far)"
    ctl start --no-block "$(pod_service far)"
    wait_for "$PATIENCE" ready_again far "$run"
    [ "$(head -c 7 "$disk")" = changed ]
    none_failed far
    stop kiosk
    wait_for 30 is_state inactive "$(pod_service kiosk)"
    none_failed kiosk
}

@test "D17, D18, D27, D32: units for Podman 5.4: start, pull, import, stop, start" {
    check_release 5.4
}

@test "D17, D18, D27, D32: units for Podman 5.8: start, pull, import, stop, start; 5.4 says why it takes none" {
    if [ "$SUITE" = sid ]; then
        check_release 5.8
    else
        vm new | convert units --podman 5.8
        put units
        inside /usr/lib/systemd/system-generators/podman-system-generator --dryrun 2>&1 | grep 'unsupported key'
    fi
}
