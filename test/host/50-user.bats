# suites: sid
# A user without privileges runs VMs with a systemd and a Podman of their own.
load helper
export AS=someone

user_ready() { [ "$(ctl is-system-running)" = running ]; }

setup_file() {
    host prepare
    host boot
    # The host's /dev/kvm is for a group, as on most hosts, and the user is in it.
    inside bash -c 'grep -q ^kvm: /etc/group || echo kvm:x:3600:someone >>/etc/group
        grep -q "^kvm:.*someone" /etc/group || sed -i "s/^kvm:.*/&someone/" /etc/group
        chown root:kvm /dev/kvm && chmod 660 /dev/kvm'
    inside loginctl enable-linger someone
    wait_for 60 user_ready
    as podman image exists localhost/launcher:v1.9.0 || {
        as podman import -q -c 'USER 107' -c 'ENTRYPOINT ["/usr/bin/virt-launcher"]' /work/launcher.tar localhost/launcher:v1.9.0
        as podman import -q /work/disk.tar localhost/disk:1
    } >/dev/null
}

teardown_file() {
    wipe
    inside loginctl disable-linger someone
    inside bash -c 'chown root:root /dev/kvm && chmod 666 /dev/kvm'
}

@test "D30: the first VM of a user: everything is there, writable, and arrives byte-equal" {
    first_vm kiosk >vm.json
    convert units --kvm-group keep-groups <vm.json
    put units
    start kiosk
    first_runs_whole kiosk
    stop kiosk
    wait_for 30 is_state inactive "$(pod_service kiosk)"
    none_failed kiosk
}
