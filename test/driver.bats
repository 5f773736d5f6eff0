#!/usr/bin/env bats
# What every program does alike: options, streams, exit statuses, messages. The programs are those
# that are found in $VMQ_BIN.

# shellcheck disable=SC2016,SC2154 # what another shell expands; what bats sets
load helper

stages() {
    local p
    for p in "$VMQ_BIN"/vmq-*; do
        [ -x "$p" ] && echo "${p##*/vmq-}"
    done
}

# vm NAME [LINE...]: a small VirtualMachine, with more lines of its spec.
vm() {
    printf 'apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata:\n  name: %s\nspec:\n' "$1"
    printf '  runStrategy: Always\n  template:\n    spec:\n      domain:\n'
    printf '        memory: {guest: 1Gi}\n        devices: {}\n'
    shift
    if [ $# -gt 0 ]; then printf '%s\n' "$@"; fi
}

names() {
    jq -r .vm.metadata.name
}

# usage TEXT ARG...: refused with status 2 and one line that has the text, for every program.
usage() {
    local want=$1 s
    shift
    for s in $(stages); do
        run --separate-stderr vmq "$s" "$@" </dev/null
        refused 2 "vmq-$s: " "$want" || { echo "vmq-$s $*"; return 1; }
        [ "${#stderr_lines[@]}" -eq 1 ] || { echo "more than one line: $stderr"; return 1; }
    done
}

@test "every stage of the pipeline is there" {
    for s in validate prepare render adapt quadlet fixup; do
        [ -x "$VMQ_BIN/vmq-$s" ] || { echo "no vmq-$s"; return 1; }
    done
}

@test "--help names every option, --version the release" {
    for s in $(stages); do
        run --separate-stderr vmq "$s" --help
        [ "$status" -eq 0 ] && [ -z "$stderr" ]
        [[ $output == "usage: vmq-$s [OPTION]... [FILE]..."* ]]
        help=$output
        run --separate-stderr vmq "$s" --list-options
        [ "$status" -eq 0 ] && [ -z "$stderr" ]
        while IFS=$'\t' read -r owner name arg; do
            [[ $owner == stage || $owner == setting || $owner == common || $owner == alone ]]
            [[ $help == *"  --$name${arg:+=$arg} "* ]] || { echo "vmq-$s --$name: no help"; return 1; }
        done <<<"$output"
        [[ $output == *$'alone\thelp\t'* && $output == *$'setting\tvnc-port\tPORT'* ]]
        run --separate-stderr vmq "$s" --version
        [ "$status" -eq 0 ] && [ -z "$stderr" ]
        [[ $output =~ ^vmq-$s\ [0-9a-z] ]]
    done
}

@test "the manual page has every option" {
    for s in $(stages); do
        page=$TOP/tools/vmq-$s/vmq-$s.1.scd
        [ -f "$page" ] || { echo "no $page"; return 1; }
        while IFS=$'\t' read -r owner name _; do
            case $owner-$name in stage-*) ;; alone-help | alone-version | alone-list-options) continue ;; alone-*) ;; *) continue ;; esac
            grep -q -e "--$name" "$page" || { echo "$page: no --$name"; return 1; }
        done < <(vmq "$s" --list-options)
    done
}

@test "help that can't be written whole is a failure" {
    for s in $(stages); do
        run -3 bash -c '"$0" --help >/dev/full' "$VMQ_BIN/vmq-$s"
        [[ $output == "vmq-$s: standard output: No space left on device" ]]
    done
}

@test "wrong command lines: status 2, one line" {
    usage "bad option '--nope'; try vmq-" --nope
    usage "bad option '-x'" -x
    usage "bad option '-x'" -xyz
    usage "option '--vnc-port' needs a value" --vnc-port
    usage "option '--werror=1' takes no value" --werror=1
    usage "--vnc-port: '0' is not a port" --vnc-port=0
    usage "--vnc-port: '' is not a port" --vnc-port=
    usage "--kubevirt: '1.7' is not one of 1.9|1.8" --kubevirt 1.7
    usage "--validate: 'lax' is not one of" --validate=lax
    usage "--network: 'a\\nb' is not a text without control" --network=$'a\nb'
    usage "--color: 'no' is not one of auto|always|never" --color=no
    usage "--diagnostics: 'xml' is not one of" --diagnostics=xml
    usage "--no-warn: no message has the code 'VMQ9999'" --no-warn=VMQ9999
    usage "--progress-fd: 'x' is no descriptor" --progress-fd=x
    usage "bad option '--a\\x1b[31m'" $'--a\033[31m'
}

@test "configuration: errors are usage errors, with file and line" {
    usage "/nonexistent: No such file or directory" --config=/nonexistent
    usage "/tmp: Is a directory" --config=/tmp
    printf '# c\nvnc-port = x\n' >c
    usage "c:2: a port from 1 to 65535 is what vnc-port takes, not 'x'" --config=c
    printf 'nope = 1\n' >c
    usage "c:1: nope: no such setting" --config=c
    printf '[else]\nvnc-port = 1\n' >c
    usage "c:2: [else]: no such section" --config=c
    printf '\n\nno line\n' >c
    usage "c:3: not a line of the form option = value" --config=c
    printf 'network = %0200d\n' 0 >c
    usage "c:1: a line of 211 bytes; at most 198 are read" --config=c
    printf 'network = %0188d;rest\n' 0 >c # the part that does not fit would be a comment
    usage "c:1: a line of 204 bytes" --config=c
    printf 'network = %0187d\n' 0 >c
    vm a | vmq validate --config=c >out
    [ "$(names <out)" = a ]
}

@test "configuration: ' ;' starts a comment, ';' does not" {
    printf '[vmq]\n  validate = warn ; not strict\nnetwork = a;b\n' >c
    run --separate-stderr vmq validate --config=c < <(vm a '  nope: 1')
    [ "$status" -eq 0 ]
    [[ $stderr == *"warning: spec.nope"* ]]
}

@test "a setting: command line over item over file over default" {
    printf 'validate = ignore\n' >ignore.conf
    printf 'validate = strict\n' >strict.conf
    vm a '  nope: 1' >vm.yaml
    run --separate-stderr vmq validate vm.yaml
    refused 1 "vm.yaml:12:3: error: spec.nope"
    run --separate-stderr vmq validate --config=ignore.conf vm.yaml
    [ "$status" -eq 0 ] && [ -z "$stderr" ]
    run --separate-stderr vmq validate --config=ignore.conf --validate=warn vm.yaml
    [ "$status" -eq 0 ] && [[ $stderr == *"warning: spec.nope"* ]]
    jq . <<<"$output" >item
    [ "$(jq -r .options.validate item)" = warn ] # remembered, so that it need not be given again
    jq '.vm.spec.nope = 1' item >edited
    run --separate-stderr vmq validate --config=strict.conf edited
    [ "$status" -eq 0 ] # the item's warn, not the file's strict
    run --separate-stderr vmq validate --validate=strict edited
    refused 1 "error: spec.nope"
    # of one item's options the next knows nothing
    { jq '.options.validate = "ignore"' edited; jq 'del(.options)' edited; } >two
    run --separate-stderr vmq validate two
    [ "$status" -eq 1 ]
    [ "$(names <<<"$output")" = a ]
    jq '.options["vnc-port"] = 0' item >bad
    run --separate-stderr vmq validate bad
    refused 1 "error: options.vnc-port: not a port from 1 to 65535"
}

@test "no input at all is refused" {
    for s in $(stages); do
        run --separate-stderr vmq "$s" </dev/null
        refused 1 "<stdin>:1:1: error: no " "; check the command in front of the pipe [VMQ0002]"
        printf ' \n' >blank
        run --separate-stderr vmq "$s" blank -
        [ "$status" -eq 1 ]
        run --separate-stderr vmq "$s" --allow-empty </dev/null
        [ "$status" -eq 0 ] || { echo "vmq-$s --allow-empty: $status $stderr"; return 1; }
    done
    printf 'kind: Secret\nmetadata: {name: s}\n' >s.yaml
    run --separate-stderr vmq validate s.yaml
    refused 1 "s.yaml:1:1: note: kind: Secret 's' is not converted" "no VirtualMachine in the input, only"
}

@test "what can't be read: status 3" {
    for s in $(stages); do
        run --separate-stderr vmq "$s" nothing
        refused 3 "vmq-$s: nothing: No such file or directory"
        [ "${#stderr_lines[@]}" -eq 1 ]
        run --separate-stderr vmq "$s" .
        refused 3 "vmq-$s: .: Is a directory"
        [ "${#stderr_lines[@]}" -eq 1 ]
        run --separate-stderr vmq "$s" $'a\nb'
        refused 3 "vmq-$s: a\\nb: No such file or directory"
        run -3 --separate-stderr bash -c '"$0" <&-' "$VMQ_BIN/vmq-$s"
        [[ $stderr == *"<stdin>: Bad file descriptor"* ]]
        run --separate-stderr vmq "$s" --files-from=nothing
        refused 3 "nothing: No such file or directory"
    done
}

@test "what can't be written: status 3" {
    vm a >a.yaml
    run -3 --separate-stderr bash -c '"$0" a.yaml >/dev/full' "$VMQ_BIN/vmq-validate"
    [[ $stderr == *"vmq-validate: standard output: No space left on device"* ]]
    run -3 --separate-stderr bash -c '"$0" a.yaml >&-' "$VMQ_BIN/vmq-validate"
    [[ $stderr == *"vmq-validate: standard output: "* ]]
    # a closed pipe is no success either, however much was written
    for i in {1..400}; do vm "a$i"; echo ---; done >many.yaml
    run ! bash -c 'set -o pipefail; "$0" many.yaml | true' "$VMQ_BIN/vmq-validate"
}

@test "with standard error closed, messages go nowhere and the result is the same" {
    vm a '  nope: 1' >a.yaml
    run -0 bash -c '"$0" --validate=warn a.yaml 2>&- | jq -r .vm.metadata.name' "$VMQ_BIN/vmq-validate"
    [ "$output" = a ]
    [ "$(sed -n 12p a.yaml)" = '  nope: 1' ] # and not into a file that was opened
}

@test "a refused document is left out, the others go on; the worst status wins" {
    { vm a; echo ---; echo 'kind: "'; echo ---; vm b '  nope: 1'; echo ---; vm c; } >s.yaml
    run --separate-stderr vmq validate s.yaml
    [ "$status" -eq 1 ]
    [ "$(names <<<"$output")" = $'a\nc' ]
    [[ $stderr == *"s.yaml:13:7: error: the quoted text"*"s.yaml:26:3: error: spec.nope"* ]]
    [[ $stderr == *"vmq-validate: 2 errors" ]]
    vm d >d.yaml
    vm e >e.yaml
    run --separate-stderr vmq validate s.yaml nothing d.yaml
    [ "$status" -eq 3 ]
    run --separate-stderr vmq validate d.yaml s.yaml e.yaml
    [ "$status" -eq 1 ]
    [ "$(names <<<"$output")" = $'d\na\nc\ne' ]
}

@test "--fail-fast stops at the first that is refused" {
    { vm a; echo ---; echo 'kind: "'; echo ---; vm c; } >s.yaml
    vm d >d.yaml
    run --separate-stderr vmq validate --fail-fast s.yaml d.yaml
    [ "$status" -eq 1 ]
    [ "$(names <<<"$output")" = a ]
}

@test "files, standard input as -, and lists of files" {
    vm a >a.yaml
    vm b >b.yaml
    [ "$(vm c | vmq validate a.yaml - b.yaml | names)" = $'a\nc\nb' ]
    [ "$(vmq validate -- a.yaml | jq -c .source)" = '{"file":"a.yaml","document":1,"line":1}' ]
    printf 'b.yaml\n\na.yaml' >list
    [ "$(vmq validate --files-from=list | names)" = $'b\na' ]
    [ "$(printf 'b.yaml\n' | vmq validate --files-from=- a.yaml | names)" = $'b\na' ]
}

@test "a stage that reads only work items says so of YAML, and which stage to run first" {
    printf 'apiVersion: v1\nkind: Pod\n' >plain.yaml
    printf '# a comment\nkind: VirtualMachine\n' >comment.yaml
    for stage in render adapt fixup; do
        for file in plain.yaml comment.yaml; do
            run --separate-stderr vmq $stage $file
            refused 1 "$file:1:" "error: this stage takes work items, which are JSON; run vmq-prepare and the stages behind it first" VMQ0001
        done
        # What is JSON is told as JSON.
        run --separate-stderr vmq $stage <<<'{"vmq": 1,}'
        refused 1 "error:"
        [[ $stderr != *"work items, which"* ]]
    done
}

@test "an item that is broken off: what was before it goes through, what is behind it is said to be lost" {
    vm a | vmq prepare >a.json
    vm b | vmq prepare >b.json
    { cat a.json; head -c 300 b.json; echo; cat b.json; } >in
    run --separate-stderr vmq render in
    [ "$(names <<<"$output")" = a ]
    output=''
    refused 1 "in:2:301:" "; nothing behind this is read [VMQ0001]"
    { cat a.json; head -c 300 b.json; } >in
    run --separate-stderr vmq render in
    [ "$(names <<<"$output")" = a ]
    output=''
    refused 1 "in:2:301:" "VMQ0001"
    [[ $stderr != *"nothing behind"* ]]
}

@test "items and documents mix, JSON and YAML" {
    vm a | vmq validate >item
    { cat item; echo ---; vm b; echo ...; sed 's/"name":"a"/"name":"c"/' item; } >mixed
    [ "$(vmq validate mixed | names)" = $'a\nb\nc' ]
    jq .vm item >vm.json
    [ "$(vmq validate vm.json | jq -S .vm)" = "$(jq -S .vm item)" ]
}

@test "messages hold no bytes that a terminal would obey" {
    printf 'kind: "a\\e[31mb\\nerror: forged"\n' >$'f\033.yaml'
    run --separate-stderr vmq validate $'f\033.yaml'
    refused 1 'a\x1b[31mb\nerror: forged'
    [[ $stderr != *$'\033'* ]]
    [ "${#stderr_lines[@]}" -eq 3 ]
    run --separate-stderr vmq validate < <(printf '\033]0;x\a: 1\n')
    refused 1 "U+001B"
    [[ $stderr != *$'\033'* ]]
}

@test "--diagnostics=json: one object a message, and nothing else" {
    vm a '  nope: 1' '  also: 2' >a.yaml
    run --separate-stderr vmq validate --diagnostics=json a.yaml
    [ "$status" -eq 1 ]
    [ "$(jq -c '[.file, .line, .column, .severity, .path, .code]' <<<"$stderr")" = \
        '["a.yaml",12,3,"error","spec.nope","VMQ0110"]
["a.yaml",13,3,"error","spec.also","VMQ0110"]' ]
}

@test "--color, NO_COLOR" {
    vm a '  nope: 1' >a.yaml
    run --separate-stderr vmq validate a.yaml
    [[ $stderr != *$'\033'* ]] # no terminal
    run --separate-stderr vmq validate --color=always a.yaml
    [[ $stderr == *$'\033[1;31merror:\033[0m'* ]]
    NO_COLOR=1 run --separate-stderr vmq validate --color=always a.yaml
    [[ $stderr == *$'\033'* ]] # who says always means it
    command -v script >/dev/null || skip "no script(1) for a terminal"
    run script -qec "'$VMQ_BIN/vmq-validate' a.yaml" /dev/null
    [[ $output == *$'\033[1;31merror:'*"12 |   nope: 1"*"^"* ]]
    NO_COLOR=1 run script -qec "'$VMQ_BIN/vmq-validate' a.yaml" /dev/null
    [[ $output != *$'\033'* && $output == *"12 |   nope: 1"* ]]
    run script -qec "'$VMQ_BIN/vmq-validate' --color=never a.yaml" /dev/null
    [[ $output != *$'\033'* ]]
}

@test "--werror, --no-warn" {
    vm a '  nope: 1' >a.yaml
    run --separate-stderr vmq validate --validate=warn --werror a.yaml
    refused 1 "error: spec.nope"
    run --separate-stderr vmq validate --validate=warn --no-warn=VMQ0110 --werror a.yaml
    [ "$status" -eq 0 ] && [ -z "$stderr" ]
    run --separate-stderr vmq validate --no-warn=VMQ0110 a.yaml
    refused 1 "error: spec.nope" # an error stays
}

@test "--progress-fd: a sign for each document" {
    { vm a; echo ---; echo 'kind: "'; echo ---; echo 'kind: Secret'; echo ---; vm c; } >s.yaml
    vmq validate --progress-fd=3 s.yaml >out 2>err 3>signs || true
    [ "$(cat signs)" = '.!.' ]
}

@test "the first result is there before the end of the input" {
    mkfifo in out
    vmq validate <in >out 2>err &
    exec 7>in 8<out
    { vm a; echo ---; } >&7
    read -r -t 20 line <&8
    [ "$(names <<<"$line")" = a ]
    vm b | vmq validate >item 7>&- 8<&-
    tr -d '\n' <item >&7 # no byte behind its last bracket is waited for
    read -r -t 20 line <&8
    [ "$(names <<<"$line")" = b ]
    { echo; vm c; } >&7
    exec 7>&-
    [ "$(names <&8)" = c ]
    exec 8<&-
    wait
}

# bats test_tags=heavy,plain
@test "a long stream takes no more memory than a short one" {
    { vm @; echo ---; printf 'kind: Secret\nmetadata: {name: s}\n---\n'; } >one
    for i in {1..50}; do cat one; done >fifty
    for i in {1..60}; do cat fifty; done | awk '/@/ { sub("@", "vm-" ++n) } { print }' >long
    run -0 bash -c 'ulimit -v 40000; "$0" long 2>/dev/null | wc -l' "$VMQ_BIN/vmq-validate"
    [ "$output" -eq 3000 ]
    vmq validate long 2>/dev/null >items
    run -0 bash -c 'ulimit -v 40000; "$0" items 2>/dev/null | wc -l' "$VMQ_BIN/vmq-validate"
    [ "$output" -eq 3000 ]
}

# bats test_tags=heavy
@test "bounds, each with its own message" {
    printf 'a: %08388608d\n' 0 >large
    run --separate-stderr vmq validate large
    refused 1 "large:1:1: error: the document is larger than 8 MiB"
    printf '{"a": "%067108864d"}\n' 0 >huge
    run --separate-stderr vmq validate huge
    refused 1 "error: the document is larger than"
    printf -- '- %.0s' {1..70} >deep
    run --separate-stderr vmq validate deep
    refused 1 "deep:1:129: error: nested deeper than 64 levels"
    { echo 'a: &a [x, x, x, x, x, x, x, x, x, x]'
      p=a
      for c in b c d e f g h; do
          echo "$c: &$c [*$p, *$p, *$p, *$p, *$p, *$p, *$p, *$p, *$p, *$p]"
          p=$c
      done; } >laughs
    run --separate-stderr vmq validate laughs
    refused 1 "error: aliases stand for more than 100000 values"
    { vm a; head -c 250000 /dev/zero | tr '\0' '\n' | sed 's/^/ - /' | sed '1s/^/spec: \n/'; } >many
    run --separate-stderr vmq validate many
    refused 1 "more than 250000 values"
}
