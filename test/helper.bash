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
refused() {
    local want=$1 text
    shift
    [ "$status" -eq "$want" ] || { echo "status $status, not $want: $stderr"; return 1; }
    [ -z "$output" ] || { echo "printed: $output"; return 1; }
    for text in "$@"; do
        [[ $stderr == *"$text"* ]] || { echo "not said: $text"; echo "said: $stderr"; return 1; }
    done
}
