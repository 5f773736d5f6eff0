# suites: trixie
# How long a guest may take to shut down. With the oldest Podman, which knows the fewest keys; the
# waiting is beside what runs on the other host.
load helper

@test "D22: a guest that takes 60 s to shut down stops cleanly; one that never does is killed at its time" {
    { vm slow; echo ---; vm never; } | convert units
    put units
    start slow never
    steer slow shutdown 60
    steer never shutdown never
    local began=$SECONDS
    ctl stop --no-block "$(pod_service never)"
    stop slow
    # The pod of a VM that stops needs some seconds more, on a busy machine many.
    [ $((SECONDS - began)) -ge 60 ]
    [ -n "$(reports slow down)" ]
    none_failed slow
    # StopTimeout= is 120 s: not before, and not much later.
    while [ $((SECONDS - began)) -lt 115 ]; do
        is_state deactivating "$(compute never)"
        sleep 5
    done
    wait_for 60 is_gone never
    [ -z "$(reports never down)" ]
}

is_gone() { ! is_state deactivating "$(compute "$1")"; }
