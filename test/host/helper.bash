# Tests on a host of our own (test/host/host). SUITE says which; VMs are VM YAML that is converted,
# put where Quadlet looks, and started: as root, or with AS=someone as a user without privileges.
bats_require_minimum_version 1.5.0

TOP=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
: "${VMQ_BIN:=$TOP/build}" "${SUITE:=sid}"
HOST=${VMQ_HOST:-$TOP/build/host}/$SUITE
export AS=root

setup_file() {
    host prepare
    host boot
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    wipe
}

host() { "$TOP/test/host/host" "$SUITE" "$@"; }
# As `host in`, but fast.
inside() {
    nsenter -t "$(<"$HOST/init.pid")" -m -p -u -i -n -C -r -w env -i \
        PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb LANG=C.UTF-8 "$@"
}

# The same as the user that AS names.
as() {
    if [ $AS = root ]; then
        inside "$@"
    else
        inside setpriv --reuid 1000 --regid 1000 --clear-groups \
            env HOME=/home/someone USER=someone XDG_RUNTIME_DIR=/run/user/1000 "$@"
    fi
}

ctl() {
    if [ $AS = root ]; then inside systemctl "$@"; else as systemctl --user "$@"; fi
}

# Where Quadlet looks.
units_dir() {
    if [ $AS = root ]; then echo "$HOST/root/etc/containers/systemd"; else echo "$HOST/root/home/someone/.config/containers/systemd"; fi
}

# Convert the YAML on standard input into DIR: convert DIR [OPTION]...
convert() {
    local dir=$1
    shift
    "$VMQ_BIN/vmq" convert --launcher-image localhost/launcher:v1.9.0 --vnc-image localhost/socat:latest \
        --console-image localhost/socat:latest "$@" - -o "$dir"
}

# Put the units of DIR onto the host.
put() {
    mkdir -p "$(units_dir)"
    cp -p "$1"/* "$(units_dir)"
    [ $AS = root ] || chown -R 1000:1000 "$HOST/root/home/someone/.config"
    ctl daemon-reload
}

# Take away every unit, container and volume of earlier tests.
wipe() {
    local units
    units=$(ctl list-units --all --plain --no-legend 'virt-launcher-*' 'tp-*' | awk '{print $1}')
    # shellcheck disable=SC2086 # unit names are words
    if [ -n "$units" ]; then
        ctl kill --signal KILL $units 2>/dev/null || true
        ctl stop $units 2>/dev/null || true
    fi
    rm -f "$(units_dir)"/*.*
    as podman pod rm -af -t 0 >/dev/null 2>&1 || true
    as podman rm -af -t 0 >/dev/null 2>&1 || true
    as podman volume rm -af >/dev/null 2>&1 || true
    ctl daemon-reload
    ctl reset-failed
}

pod_service() { echo "virt-launcher-$1-pod.service"; }
compute() { echo "virt-launcher-$1-compute.service"; }

start() {
    local name
    for name; do ctl start --no-block "$(pod_service "$name")"; done
    for name; do wait_for "$PATIENCE" is_ready "$name"; done
}

stop() { ctl stop "$(pod_service "$1")"; }

# How many seconds a VM may take to start: this is a bound for what hangs, not a promise.
PATIENCE=240

# Ask every second, SECONDS long, until the command says yes.
wait_for() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || { echo "waited in vain for: $*"; trouble; return 1; }
        sleep 1
    done
}

# What a person would look at.
trouble() {
    ctl list-units --all --plain --no-legend 'virt-launcher-*' | grep -v -- -volume.service || true
    inside journalctl -o cat --no-pager -n 200 -p notice | grep -v -e pids.max -e health_status | tail -n 30 || true
}

# The present or last run of a unit.
run_of() { ctl show -P InvocationID "$1"; }

# What a unit reported in its present or last run, as lines "REPORT KIND TEXT": reported UNIT KIND
reported() {
    inside journalctl -o cat --no-pager "_SYSTEMD_INVOCATION_ID=$(run_of "$1")" | sed -n "s/^REPORT $2 //p"
}

# The same of the launcher of a VM: reports NAME KIND
reports() { reported "$(compute "$1")" "$2"; }

# same GOT WANT
same() { [ "$1" = "$2" ] || { echo "'$1' is not '$2'"; return 1; }; }

is_ready() { is_state active "$(compute "$1")" && [ -n "$(reports "$1" ready)" ]; }
state() { ctl show -P ActiveState "$1"; }
is_state() { [ "$(state "$2")" = "$1" ]; }

# A new run of compute is ready: ready_again NAME INVOCATION
ready_again() {
    [ "$(run_of "$(compute "$1")")" != "$2" ] && is_ready "$1"
}

# Steer the guest: steer NAME FILE [TEXT] (stand-in/virt-launcher).
steer() {
    # shellcheck disable=SC2016 # for the shell in the container
    as podman exec "systemd-virt-launcher-$1-compute" sh -c 'printf %s "$2" >"/var/run/kubevirt-private/$1"' \
        sh "$2" "${3:-}"
}

# When a unit's run began, in microseconds of the monotonic clock.
began() { ctl show -P ExecMainStartTimestampMonotonic "$1"; }

# No unit of a VM has failed.
none_failed() {
    local failed
    failed=$(ctl list-units --all --plain --no-legend --state failed "virt-launcher-$1*")
    [ -z "$failed" ] || { echo "$failed"; trouble; return 1; }
}

# A VM got all that its launcher needs: whole NAME
whole() {
    local wrong
    wrong=$(reports "$1" missing; reports "$1" readonly; reports "$1" failed)
    [ -z "$wrong" ] || { echo "$wrong"; return 1; }
    none_failed "$1"
}

# The path on the host of a volume's folder.
volume_path() { as podman volume inspect -f '{{.Mountpoint}}' "systemd-virt-launcher-$1"; }

# The VMI that the units carry, byte by byte as the launcher must see it: vmi_sum [OPTION]... <YAML
vmi_sum() {
    "$VMQ_BIN/vmq" convert --to adapt --launcher-image localhost/launcher:v1.9.0 "$@" - |
        jq -j '.pod.spec.containers[] | select(.name == "compute") | .env[] | select(.name == "STANDALONE_VMI").value' |
        sha256sum | cut -d ' ' -f 1
}

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

# imported NAME SIZE URL: a VM whose disk is imported from an image.
imported() {
    vm "$1" Always "{name: root, disk: {}}" "{name: root, dataVolume: {name: $1-root}}" "" \
        "  dataVolumeTemplates: [{metadata: {name: $1-root}, spec: {source: {registry: {url: '$3'}}, storage: {resources: {requests: {storage: $2}}}}}]"
}

disk_of() { echo "$HOST/root$(volume_path "$1")/disk.img"; }

# Of how many bytes is a disk, and whose.
size_and_owner() { stat -c '%s %u' "$1"; }

# odd_vm NAME TEXT [HOSTDISK]: a VM as JSON, so that texts need no YAML quoting.
odd_vm() {
    jq -n --arg name "$1" --arg text "$2" --arg path "${3:-}" '
        [{name: "root", containerDisk: {image: "localhost/disk:1"}},
         {name: "init", cloudInitNoCloud: {userData: $text}},
         (if $path == "" then empty else {name: "host", hostDisk: {path: $path, type: "Disk"}} end)] as $volumes |
        {apiVersion: "kubevirt.io/v1", kind: "VirtualMachine", metadata: {name: $name},
         spec: {runStrategy: "Always", template: {spec: {
            domain: {memory: {guest: "1Gi"}, devices: {disks: [$volumes[] | {name, disk: {}}]}},
            volumes: $volumes}}}}'
}

# first_vm NAME: containerDisk with cloud-init, and in it what quoting could change.
first_vm() {
    # shellcheck disable=SC2016 # as it is
    odd_vm "$1" '#cloud-config
password: '"'"'a  b $HOME ${HOME} $$ %n %% \ " ü ;'"'"
}

# runs_whole NAME YAML [OPTION]...: it runs, was given everything as it was, can write what it must, and the
# health check answers.
runs_whole() {
    same "$(reports "$1" vmi)" "$(vmi_sum "${@:3}" <"$2")"
    same "$(reports "$1" id)" 107:107
    same "$(reports "$1" capabilities)" 0000000000000400
    same "$(reports "$1" no-new-privileges)" 1
    is_state active "$(pod_service "$1")"
    as podman healthcheck run "systemd-virt-launcher-$1-compute"
    whole "$1"
}

# The same of the first VM, in vm.json.
first_runs_whole() {
    runs_whole "$1" vm.json
    same "$(reports "$1" image)" "/var/run/kubevirt-image-volume/disk_0 test.qcow2"
}

# Make the image of the host's own registry one that the host does not have, and have it served.
serve_remote() {
    as podman rmi -f 127.0.0.1:5000/disk:1 >/dev/null 2>&1 || true
    inside systemctl start docker-registry
}
