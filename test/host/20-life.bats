# suites: sid
# What happens to a VM that runs: it stops, crashes, shuts itself down, is started again.
load helper

stale() { [[ $(reports "$1" before) == *stale* ]]; }

@test "D23, D24: emptyDirs are empty at every start, vm-state is kept; a crash of compute starts it again so" {
    vm tidy | convert units
    put units
    start tidy
    run ! stale tidy
    local run
    run=$(run_of "$(compute tidy)")
    # Stopped and started: the volumes are new.
    stop tidy
    wait_for 30 is_state inactive "$(compute tidy)"
    run ! as podman volume exists systemd-virt-launcher-tidy-private-empty
    # So one that was changed meanwhile is as it says now.
    sed -i 's/mode=0777/&,size=5m/' units/virt-launcher-tidy-ephemeral-disks-empty.volume
    put units
    ctl start --no-block "$(pod_service tidy)"
    wait_for "$PATIENCE" ready_again tidy "$run"
    run ! stale tidy
    as test -e "$(volume_path tidy-vm-state)/nvram/kept"
    same "$(as podman exec systemd-virt-launcher-tidy-compute stat -f -c '%b %S' /var/run/kubevirt-ephemeral-disks)" "1280 4096"
    none_failed tidy
    # Crashed: dir-init clears them.
    run=$(run_of "$(compute tidy)")
    steer tidy crash
    wait_for "$PATIENCE" ready_again tidy "$run"
    run ! stale tidy
    as test -e "$(volume_path tidy-vm-state)/nvram/kept"
}

@test "D26: a guest's poweroff does what the runStrategy says" {
    local name always
    { vm always Always; echo ---; vm onfailure RerunOnFailure; echo ---; vm once Once; } | convert units
    put units
    start always onfailure once
    always=$(run_of "$(compute always)")
    for name in always onfailure once; do steer $name poweroff; done
    wait_for "$PATIENCE" ready_again always "$always"
    wait_for 30 is_state inactive "$(compute onfailure)"
    wait_for 30 is_state inactive "$(compute once)"
    none_failed onfailure
    none_failed once
    # RerunOnFailure: started anew once, after a failure. Once: never.
    ctl start "$(compute onfailure)" "$(compute once)"
    wait_for "$PATIENCE" is_ready onfailure
    wait_for "$PATIENCE" is_ready once
    always=$(run_of "$(compute onfailure)")
    for name in onfailure once; do steer $name crash; done
    wait_for "$PATIENCE" ready_again onfailure "$always"
    wait_for 30 is_state failed "$(compute once)"
}

@test "D26: a reboot of the host does what the runStrategy says" {
    local name
    { vm a Always; echo ---; vm h Halted; echo ---; vm m Manual; echo ---; vm r RerunOnFailure; } | convert units
    put units
    # One that starts by hand runs when the power goes.
    start h
    host halt
    host boot
    for name in a r; do wait_for "$PATIENCE" is_ready $name; done
    for name in a r; do none_failed $name; done
    for name in h m; do
        is_state inactive "$(pod_service $name)"
        is_state inactive "$(compute $name)"
    done
    run ! inside podman container exists systemd-virt-launcher-h-compute
    start h
    none_failed h
}

@test "D25: an init container that fails twice and then works leaves a running VM" {
    vm late | convert units
    cat >>units/virt-launcher-late-volumeroot.container <<'X'

[Service]
ExecStartPre=/bin/sh -c 'n=$(cat /run/late 2>/dev/null || echo 0); echo $((n + 1)) >/run/late; [ $n -ge 2 ]'
X
    put units
    inside rm -f /run/late
    start late
    [ "$(inside cat /run/late)" = 3 ]
    none_failed late
}
