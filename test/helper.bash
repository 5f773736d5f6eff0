# Every test runs in an empty folder of its own and names programs without their prefix.
bats_require_minimum_version 1.5.0

TOP=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
: "${VMQ_BIN:=$TOP/build}"

setup() {
    cd "$BATS_TEST_TMPDIR" || return
}

# vmq STAGE [ARG]...: run vmq-STAGE, under valgrind where `make check-valgrind` asks for it.
vmq() {
    local stage=$1
    shift
    # VMQ_WRAP is a command line, so it must be split.
    # shellcheck disable=SC2086
    $VMQ_WRAP "$VMQ_BIN/vmq-$stage" "$@"
}

# refused STATUS TEXT...: the last `run --separate-stderr` ended with the status, printed nothing,
# and said each text on standard error.
# shellcheck disable=SC2154 # bats sets them
refused() {
    local want=$1 text
    shift
    [ "$status" -eq "$want" ] || { echo "status $status, not $want: $stderr"; return 1; }
    [ -z "$output" ] || { echo "printed: $output"; return 1; }
    for text in "$@"; do
        [[ $stderr == *"$text"* ]] || { echo "not said: $text"; echo "said: $stderr"; return 1; }
    done
}

# need_generators: skip the test where Podman's generators could not be fetched.
need_generators() {
    local release
    for release in 5.4 5.8; do
        [ -x "$TOP/build/podman-$release/quadlet" ] ||
            skip "no generator of Podman $release: test/get-quadlet fetches it"
    done
}

# generator RELEASE DIR: the services that Podman's own generator makes of the units in DIR. It ends
# with 0 whatever it says, so its complaints count.
generator() {
    local services said=$BATS_TEST_TMPDIR/generator-said
    services=$(QUADLET_UNIT_DIRS=$(realpath "$2") "$TOP/build/podman-$1/quadlet" -dryrun -user 2>"$said") || {
        cat "$said" >&2
        return 1
    }
    if grep -v 'Loading source unit file' "$said" >&2; then
        return 1
    fi
    echo "$services"
}

# peak PID: the most memory that the process has had, in KB
peak() {
    sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$1/status"
}

# memory_growth FILE WORD EARLY LATE PROGRAM...: the KB by which PROGRAM, which reads standard input, grows
# between the EARLYth and the LATEth copy of FILE. In each copy another number stands behind WORD.
memory_growth() {
    local file=$1 word=$2 early=$3 late=$4 pid before after i
    shift 4
    rm -rf slow && mkfifo slow
    "$@" <slow >/dev/null 2>said 3>&- &
    pid=$!
    exec 7>slow
    for ((i = 0; i < late; i++)); do
        [ $i -ne "$early" ] || before=$(peak $pid)
        sed "s/$word/$word$i-/g" "$file" >&7
    done
    after=$(peak $pid)
    exec 7>&-
    wait $pid
    echo "$*: $before KB, then $after KB" >&2
    [ "$before" -gt 0 ] && echo $((after - before))
}
