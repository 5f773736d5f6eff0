# suites: sid
# A VM is started: what its launcher is given, and in which order the units come.
load helper

@test "containerDisk with cloud-init: everything is there, writable, and arrives byte-equal" {
    first_vm kiosk >vm.json
    convert units <vm.json
    put units
    start kiosk
    first_runs_whole kiosk
}

@test "the units come in the right order" {
    vm order | convert units
    put units
    start order
    # Monotonic times: dir-init, then the disk's helper, then compute.
    for u in virt-handler-dir-init volumeroot compute; do
        began "virt-launcher-order-$u.service"
    done >began.txt
    sort -n began.txt | diff began.txt -
    stop order
    wait_for 30 is_state inactive "$(pod_service order)"
    none_failed order
}

@test "D13, D28: both proxies and the passt workarounds, in a namespace of its own" {
    vm desk | sed 's/{name: desk}/{name: desk, namespace: office}/' >vm.yaml
    convert units --vnc-proxy --vnc-port 5931 --console-proxy --console-port 2231 --passt-workarounds <vm.yaml
    put units
    start desk
    runs_whole desk vm.yaml
    [[ $(reports desk passt) == "/passt-bin/passt passt-avx2 --version" ]]
    wait_for 20 is_state active virt-launcher-desk-vnc-proxy.service
    answer() { [ "$(inside bash -c "exec 3<>/dev/tcp/127.0.0.1/$1; timeout 3 cat <&3" 2>/dev/null)" = "$2" ]; }
    wait_for 20 answer 5931 "hello from virt-vnc"
    wait_for 20 answer 2231 "hello from virt-serial0"
    # On no other address of the host than 127.0.0.1.
    inside ip address replace 192.0.2.1/32 dev lo
    run ! inside timeout 5 bash -c 'exec 3<>/dev/tcp/192.0.2.1/5931'
    [ "$(inside ss -Htln | awk '{print $4}' | grep -E ':(5931|2231)$' | sort)" = "127.0.0.1:2231
127.0.0.1:5931" ]
    stop desk
    wait_for 30 is_state inactive "$(compute desk)"
    # socat ends with 143 when it is told to, which systemd takes for a failure. Nothing else fails.
    [ "$(ctl list-units --all --plain --no-legend --state failed 'virt-launcher-desk*' | awk '{print $1}' | sort)" = \
        "virt-launcher-desk-console-proxy.service
virt-launcher-desk-vnc-proxy.service" ]
    [ "$(ctl show -P ExecMainStatus virt-launcher-desk-vnc-proxy.service)" = 143 ]
}

@test "two VMs at once" {
    vm left >left.yaml
    vm right >right.yaml
    { cat left.yaml; echo ---; cat right.yaml; } | convert units
    put units
    start left right
    runs_whole left left.yaml
    runs_whole right right.yaml
    [ "$(reports left image)" = "$(reports right image)" ]
}

@test "D33, D34, D35: paths and texts with every printable character arrive as they were, and long ones too" {
    local odd i
    odd=$(for i in $(seq 32 126); do printf "\\x$(printf %x "$i")"; done | tr -d /)
    mkdir -p "$HOST/root/srv/$odd"
    truncate -s 1M "$HOST/root/srv/$odd/disk file.img"
    chown -R 107:107 "$HOST/root/srv"
    chmod 666 "$HOST/root/srv/$odd/disk file.img"
    odd_vm odd "$odd" "/srv/$odd/disk file.img" >vm.json
    # Beyond 64 KiB a variable does not go into the .env.
    odd_vm long "$odd$(head -c 90000 /dev/zero | tr '\0' '%')" >long.json
    convert units <vm.json
    convert units --admission warn <long.json
    put units
    start odd long
    [ "$(reports odd vmi)" = "$(vmi_sum <vm.json)" ]
    [ "$(reports long vmi)" = "$(vmi_sum --admission warn <long.json)" ]
    [[ $(reports odd disk) == "/var/run/kubevirt-private/vmi-disks/host/disk file.img 1048576 107:107" ]]
    [[ $(reports odd writable) == *"/vmi-disks/host/disk file.img"* ]]
    none_failed odd
    none_failed long
}
