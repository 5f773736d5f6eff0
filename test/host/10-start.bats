# A VM is started: what its launcher is given, and in which order the units come.
load helper

# The VMI that the units carry, byte by byte as the launcher must see it.
vmi_sum() { # YAML OPTION...
    "$VMQ_BIN/vmq" convert --to adapt --launcher-image localhost/launcher:v1.9.0 "${@:2}" "$1" |
        jq -j '.pod.spec.containers[] | select(.name == "compute") | .env[] | select(.name == "STANDALONE_VMI").value' |
        sha256sum | cut -d ' ' -f 1
}

# odd_vm NAME USERDATA [HOSTDISK]: a VM as JSON, so that texts need no YAML quoting.
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

@test "containerDisk with cloud-init: everything is there, writable, and arrives byte-equal" {
    odd_vm kiosk "#cloud-config
password: 'a  b \$HOME \${HOME} %n %% \\\\ \" ü ;'" >vm.yaml
    convert units <vm.yaml
    put units
    start kiosk
    [ "$(reports kiosk vmi)" = "$(vmi_sum vm.yaml)" ]
    [ "$(reports kiosk id)" = 107:107 ]
    [ "$(reports kiosk capabilities)" = 0000000000000400 ]
    [ "$(reports kiosk no-new-privileges)" = 1 ]
    [ -z "$(reports kiosk missing)$(reports kiosk readonly)$(reports kiosk failed)" ]
    [ "$(reports kiosk image)" = "/var/run/kubevirt-image-volume/disk_0 test.qcow2" ]
    none_failed kiosk
    [ "$(state "$(pod_service kiosk)")" = active ]
    inside podman healthcheck run systemd-virt-launcher-kiosk-compute
}

@test "the units come in the right order" {
    vm order | convert units
    put units
    start order
    # Monotonic times: dir-init, then the disk's helper, then compute.
    for u in virt-handler-dir-init volumeroot compute; do
        began "virt-launcher-order-$u.service"
    done >times
    sort -n times | diff times -
    stop order
    wait_for 30 is_state inactive "$(pod_service order)"
    none_failed order
}

@test "both proxies and the passt workarounds, in a namespace of its own" {
    vm desk | sed 's/{name: desk}/{name: desk, namespace: office}/' >vm.yaml
    convert units --vnc-proxy --vnc-port 5931 --console-proxy --console-port 2231 --passt-workarounds <vm.yaml
    put units
    start desk
    [[ $(reports desk passt) == "/passt-bin/passt passt-avx2 --version" ]]
    wait_for 20 is_state active virt-launcher-desk-vnc-proxy.service
    answer() { [ "$(inside bash -c "exec 3<>/dev/tcp/127.0.0.1/$1; timeout 3 cat <&3" 2>/dev/null)" = "$2" ]; }
    wait_for 20 answer 5931 "hello from virt-vnc"
    wait_for 20 answer 2231 "hello from virt-serial0"
    stop desk
    wait_for 30 is_state inactive "$(compute desk)"
}

@test "two VMs at once" {
    { vm left; echo ---; vm right; } | convert units
    put units
    start left right
    [ "$(reports left image)" = "$(reports right image)" ]
    none_failed left
    none_failed right
}

@test "paths and texts with every printable character arrive as they were" {
    local odd i
    odd=$(for i in $(seq 32 126); do printf "\\x$(printf %x "$i")"; done | tr -d /)
    mkdir -p "$HOST/root/srv/$odd"
    truncate -s 1M "$HOST/root/srv/$odd/disk file.img"
    chown -R 107:107 "$HOST/root/srv"
    chmod 666 "$HOST/root/srv/$odd/disk file.img"
    odd_vm odd "$odd" "/srv/$odd/disk file.img" >vm.json
    convert units <vm.json
    put units
    start odd
    [ "$(reports odd vmi)" = "$(vmi_sum vm.json)" ]
    [[ $(reports odd disk) == "/var/run/kubevirt-private/vmi-disks/host/disk file.img 1048576 107:107" ]]
    [[ $(reports odd writable) == *"/vmi-disks/host/disk file.img"* ]]
    none_failed odd
}
