# suites: sid
# What the host lends: /dev/kvm of a group, no /dev/vhost-net, huge pages.
load helper

teardown() {
    inside bash -c 'chown root:root /dev/kvm; chmod 666 /dev/kvm; [ -e /dev/vhost-net ] || mknod -m 666 /dev/vhost-net c 1 3'
}

@test "D29, D30, D31: /dev/kvm for a group, no /dev/vhost-net, and huge pages" {
    inside bash -c 'chown root:3600 /dev/kvm; chmod 660 /dev/kvm; rm -f /dev/vhost-net'
    vm with | sed 's/{guest: 1Gi}/{guest: 64Mi, hugepages: {pageSize: 2Mi}}/' | convert units --kvm-group 3600
    vm without | convert units
    put units
    start with without
    whole with
    [[ $(reports with writable) == */dev/kvm* ]]
    # Whoever left out the option is told so by libvirt: the device is there, but not for uid 107.
    [[ $(reports without readonly) == "/dev/kvm "*":3600 660" ]]
    # The mounts on it are seen by their kind, and are to be written.
    [ "$(inside podman exec systemd-virt-launcher-with-compute stat -f -c %T /dev/hugepages)" = hugetlbfs ]
    inside podman exec systemd-virt-launcher-with-compute test -w /dev/hugepages
    inside podman exec systemd-virt-launcher-with-compute mkdir /dev/hugepages/libvirt/qemu/1
    [[ $(reports with mount) == *"/dev/hugepages / "* ]]
}
