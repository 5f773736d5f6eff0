# What happens to a VM that runs: it stops, crashes, shuts itself down, is started again.
load helper

stale() { [[ $(reports "$1" before) == *stale* ]]; }

# A new run of compute is ready: ready_again NAME INVOCATION
ready_again() {
    [ "$(inside systemctl show -P InvocationID "$(compute "$1")")" != "$2" ] && is_ready "$1"
}

@test "emptyDirs are empty at every start, vm-state is kept" {
    vm tidy | convert units
    put units
    start tidy
    run ! stale tidy
    local run
    run=$(inside systemctl show -P InvocationID "$(compute tidy)")
    stop tidy
    wait_for 30 is_state inactive "$(compute tidy)"
    inside systemctl start --no-block "$(pod_service tidy)"
    wait_for 90 ready_again tidy "$run"
    run ! stale tidy
    inside test -e "$(volume_path tidy-vm-state)/nvram/kept"
    none_failed tidy
}

@test "a crash of compute starts it again, with clean state" {
    vm crash | convert units
    put units
    start crash
    local run
    run=$(inside systemctl show -P InvocationID "$(compute crash)")
    steer crash crash
    wait_for 90 ready_again crash "$run"
    run ! stale crash
}

@test "a guest's poweroff does what the runStrategy says" {
    local name runs=()
    { vm always Always; echo ---; vm onfailure RerunOnFailure; echo ---; vm once Once; } | convert units
    put units
    start always onfailure once
    runs[0]=$(inside systemctl show -P InvocationID "$(compute always)")
    for name in always onfailure once; do steer $name poweroff; done
    wait_for 90 ready_again always "${runs[0]}"
    wait_for 30 is_state inactive "$(compute onfailure)"
    wait_for 30 is_state inactive "$(compute once)"
    none_failed onfailure
    none_failed once
}

@test "the runStrategy says what starts with the host" {
    local name
    { vm a Always; echo ---; vm h Halted; echo ---; vm m Manual; echo ---; vm r RerunOnFailure; } | convert units
    put units
    for name in a r; do
        inside systemctl list-dependencies --plain multi-user.target | grep -q "$(pod_service $name)"
    done
    for name in h m; do
        run ! inside bash -c "systemctl list-dependencies --plain multi-user.target | grep -q $(pod_service $name)"
    done
    inside systemctl start "$(pod_service h)"
    wait_for 90 is_ready h
}

@test "an init container that fails twice and then works leaves a running VM" {
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

@test "a guest that takes 60 s to shut down stops cleanly; one that never does is killed at its time" {
    { vm slow; echo ---; vm never; } | convert units
    put units
    start slow never
    steer slow shutdown 60
    steer never shutdown never
    local began=$SECONDS
    inside systemctl stop --no-block "$(pod_service never)"
    stop slow
    [ $((SECONDS - began)) -ge 60 ] && [ $((SECONDS - began)) -lt 110 ]
    [ -n "$(inside journalctl -o cat --no-pager -u "$(compute slow)" | grep '^REPORT down ')" ]
    none_failed slow
    # StopTimeout= is 120 s: not before, and not much later.
    while [ $((SECONDS - began)) -lt 115 ]; do
        is_state deactivating "$(compute never)"
        sleep 5
    done
    wait_for 40 eval '! is_state deactivating "$(compute never)"'
}
