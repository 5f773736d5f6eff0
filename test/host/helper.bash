# Tests on a host of our own (test/host/host). SUITE says which; VMs are VM YAML that is converted,
# put where Quadlet looks, and started.
bats_require_minimum_version 1.5.0

TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
: "${VMQ_BIN:=$TOP/build}" "${SUITE:=sid}"
HOST=${VMQ_HOST:-$TOP/build/host}/$SUITE

setup_file() {
    host prepare
    host boot
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    wipe
}

host() { "$TOP/test/host/host" "$SUITE" "$@"; }
inside() { host in "$@"; }

# Convert the YAML on standard input into DIR: convert DIR [OPTION]...
convert() {
    local dir=$1
    shift
    "$VMQ_BIN/vmq" convert --launcher-image localhost/launcher:v1.9.0 --vnc-image localhost/socat:latest \
        --console-image localhost/socat:latest "$@" - -o "$dir"
}

# Put the units of DIR onto the host.
put() {
    cp -p "$1"/* "$HOST/root/etc/containers/systemd/"
    inside systemctl daemon-reload
}

# Take away every unit, container and volume of earlier tests.
wipe() {
    local units
    units=$(inside systemctl list-units --all --plain --no-legend 'virt-launcher-*' | awk '{print $1}')
    # shellcheck disable=SC2086 # unit names are words
    [ -z "$units" ] || inside systemctl kill --signal KILL $units 2>/dev/null || true
    # shellcheck disable=SC2086
    [ -z "$units" ] || inside systemctl stop $units 2>/dev/null || true
    rm -f "$HOST"/root/etc/containers/systemd/*.* 2>/dev/null
    inside podman pod rm -af -t 0 >/dev/null 2>&1 || true
    inside podman rm -af -t 0 >/dev/null 2>&1 || true
    inside podman volume rm -af >/dev/null 2>&1 || true
    inside systemctl daemon-reload
    inside systemctl reset-failed
}

pod_service() { echo "virt-launcher-$1-pod.service"; }
compute() { echo "virt-launcher-$1-compute.service"; }

start() {
    local name
    for name; do inside systemctl start --no-block "$(pod_service "$name")"; done
    for name; do wait_for 90 is_ready "$name"; done
}

stop() { inside systemctl stop "$(pod_service "$1")"; }

# Ask every half second, SECONDS long, until the command says yes.
wait_for() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || { echo "waited in vain for: $*"; trouble; return 1; }
        sleep 0.5
    done
}

# What a person would look at.
trouble() {
    inside systemctl list-units --all --plain --no-legend 'virt-launcher-*' | grep -v -- -volume.service || true
    inside journalctl -o cat --no-pager -n 40 -p notice || true
}

# What the launcher of a VM reported in its present or last run: reports NAME KIND.
reports() {
    local run
    run=$(inside systemctl show -P InvocationID "$(compute "$1")")
    inside journalctl -o cat --no-pager "_SYSTEMD_INVOCATION_ID=$run" | sed -n "s/^REPORT $2 //p"
}

is_ready() { [ -n "$(reports "$1" ready)" ] && [ "$(state "$(compute "$1")")" = active ]; }
state() { inside systemctl show -P ActiveState "$1"; }
is_state() { [ "$(state "$2")" = "$1" ]; }

# Steer the guest: steer NAME FILE [TEXT] (stand-in/virt-launcher).
steer() {
    inside podman exec "systemd-virt-launcher-$1-compute" sh -c 'printf %s "$2" >"/var/run/kubevirt-private/$1"' \
        sh "$2" "${3:-}"
}

# When a unit's run began, in seconds of the monotonic clock.
began() { inside systemctl show -P ExecMainStartTimestampMonotonic "$1"; }

# No unit of a VM has failed.
none_failed() {
    local failed
    failed=$(inside systemctl list-units --all --plain --no-legend --state failed "virt-launcher-$1*")
    [ -z "$failed" ] || { echo "$failed"; return 1; }
}

# The path on the host of a volume's folder.
volume_path() { inside podman volume inspect -f '{{.Mountpoint}}' "systemd-virt-launcher-$1"; }

vm() { # NAME [RUNSTRATEGY [DISKS VOLUMES [SPEC]]]: the YAML of a VM; DISKS and VOLUMES are flow items
    cat <<X
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: $1}
spec:
  runStrategy: ${2:-Always}
${6:-}
  template:
    spec:
${5:-}
      domain:
        memory: {guest: 1Gi}
        devices: {disks: [${3:-"{name: root, disk: {bus: virtio}}"}]}
      volumes: [${4:-"{name: root, containerDisk: {image: 'localhost/disk:1'}}"}]
X
}
