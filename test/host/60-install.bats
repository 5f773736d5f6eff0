# suites: sid
# `podman quadlet install` takes a bundle as it is, and `podman quadlet rm` leaves nothing of it.
load helper

# What is installed, sorted.
installed() { inside podman quadlet list --format json | jq -r '.[].Name' | sort; }

@test "podman quadlet install BUNDLE, start, podman quadlet rm" {
    local units
    # The launcher's registry disk, both proxies, and a persistent volume of its own.
    imported packed 64Mi docker://localhost/disk:1 >vm.yaml
    "$VMQ_BIN/vmq" convert --launcher-image localhost/launcher:v1.9.0 --vnc-image localhost/socat:latest \
        --podman 5.8 --vnc-proxy vm.yaml >packed.quadlets
    cp packed.quadlets "$HOST/root/srv/"
    ls -A "$(units_dir)" >before
    inside podman quadlet install /srv/packed.quadlets
    units=$(installed)
    [ "$(wc -l <<<"$units")" = "$(grep -c '^# FileName=' packed.quadlets)" ]
    start packed
    runs_whole packed vm.yaml
    cmp -n 50331648 "$HOST/source.raw" "$(disk_of packed-root)"
    # rm alone refuses what runs; --force stops it.
    # shellcheck disable=SC2086 # unit names are words
    inside podman quadlet rm --force $units
    [ -z "$(installed)" ]
    ls -A "$(units_dir)" | diff before -
    wait_for 60 nothing_loaded
    [ -z "$(inside podman ps -aq)" ]
    [ -z "$(inside podman pod ps -q)" ]
    # What stays is the VM's data, as with every .volume of Quadlet: nobody but its owner removes it.
    [ "$(inside podman volume ls -q | sort)" = "systemd-virt-launcher-packed-root
systemd-virt-launcher-packed-vm-state" ]
}

nothing_loaded() {
    inside systemctl reset-failed 'virt-launcher-packed*' 2>/dev/null || true
    [ -z "$(inside systemctl list-units --all --plain --no-legend 'virt-launcher-packed*')" ]
}
