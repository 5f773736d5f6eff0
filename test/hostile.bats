#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Hostile text in every text field: whoever writes a Pod or a VM gets no line, no section, no command and
# no argument into a unit, and is told which field was refused.
# shellcheck disable=SC2016
load helper

PODS=$TOP/test/quadlet-pods

# rows: {FIELD: what becomes of it}, of docs/pod.md
rows() {
    vmq quadlet --list-fields | jq -nR '[inputs | capture("^. `(?<at>[^`]+)` . [^|]* . (?<what>.*) .$") | {(.at): .what}] | add'
}

# stream LINES: what LINES of hostile.jq put into a stream, a document every second line.
stream() {
    jq -r '.[].docs[] | "---\n" + tojson' "$1" | LC_ALL=C sed 's/@NO-UTF8@/\xff/g'
}

# write_units ITEMS DIR
write_units() {
    rm -rf "$2" && mkdir "$2"
    jq -j '.units[] | "\u0001\(.name)\n", .text' "$1" |
        awk -v dir="$2" '/^\001/ { if (f) close(f); f = dir "/" substr($0, 2); printf "" >f; next } { print >f }'
}

# run_units DIR: what systemd would run of them, as JSON.
run_units() {
    QUADLET_UNIT_DIRS=$(realpath "$1") "$TOP/build/podman-5.4/quadlet" -dryrun -user 2>generator-said |
        "$VMQ_BIN/unit/execstart" - || return
    if grep -vE 'Loading source unit file|not a fully qualified image name' generator-said >complaints; then
        cut -c 1-300 complaints >&2
        return 1
    fi
}

# gains LINES ITEMS SERVICES [VM]: what hostile texts added (gain.jq).
gains() {
    jq -n --slurpfile lines "$1" --slurpfile items "$2" --slurpfile services "$3" --rawfile said said --slurpfile all passed --argjson vm "${4:-false}" \
        --argjson texts "$(jq -n -L "$PODS" 'include "texts"; texts')" \
        '{lines: $lines[0], $items, services: $services[0], $said, all: $all[0], $texts, $vm}' | jq -rf "$PODS/gain.jq"
}

# clean_messages: nothing in `said` but whole messages, no control character, none of any length.
clean_messages() {
    run ! grep -vE '^in:[0-9]+(:[0-9]+)?: (error|warning|note): |^vmq-[a-z]+: [0-9]+ (error|warning)' said
    run ! env LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f]' said
    run ! grep -q $'\u202e' said
    [ "$(awk '{ if (length($0) > n) n = length($0) } END { print n }' said)" -lt 2500 ]
}

# bats test_tags=heavy
@test "hostile text in every text field of a Pod adds nothing to its units" {
    need_generators
    printf 'kind: ConfigMap\nmetadata: {name: cm}\ndata: {k: v}\n' >cm.yaml
    printf 'kind: Secret\nmetadata: {name: se}\ndata: {k: "aGk="}\n' >se.yaml
    jq -cnf "$PODS/full.jq" | jq -cs --argjson rows "$(rows)" -L "$PODS" -f "$PODS/hostile.jq" >all
    jq -c 'map(del(.docs))' all >lines
    [ "$(jq 'map(.row) | unique | length' lines)" -gt 140 ]
    stream all >in
    vmq quadlet --network=net --configmap=cm.yaml --secret=se.yaml in >items 2>said || [ $? -eq 1 ]
    clean_messages
    jq -cs 'map(.source.line / 2)' items >passed
    jq -c --slurpfile items items -f "$PODS/pick.jq" lines >picked
    [ "$(wc -l <picked)" -gt 2000 ]
    write_units picked units
    run_units units >services
    gains lines picked services | head -20 >bad
    [ ! -s bad ] || { cat bad; return 1; }

    # That the test would see it: a line more in a unit, a word more in a command.
    n=$(jq -r '[.[] | select(.row == "spec.containers[].args[]" and .text == "command") | .n][0]' lines)
    jq -c --argjson n "$n" 'map(select(.n == $n)) | .[]' lines | jq -s . >line
    jq -c --slurpfile line line 'select(.n == $line[0][0].n or .n == $line[0][0].base)' picked >two
    run gains line two services
    [ -z "$output" ]
    jq -c --argjson n "$n" 'if .n == $n then .units |= map(if .name | endswith("-main.container")
        then .text += "\n[Service]\nExecStartPre=/bin/evil\n" else . end) else . end' two >evil
    write_units evil two-units
    run_units two-units >evil.services
    run gains line evil evil.services
    [ "$output" = "spec.containers[].args[] with command, line $((2 * n)) (spec.containers[0].args[0]): -main: ExecStartPre" ]
    jq --arg main "h$n-main.service" '.[$main].ExecStart[0] += ["--privileged"]' services >longer
    run gains line two longer
    [[ $output == *": -main: ExecStart has "*" words, not "* ]]
}

# through [OPTION]... FILE: the units of its VMs.
through() {
    vmq prepare "$@" 2>said.1 | vmq render 2>said.2 | vmq adapt --sysfs none 2>said.3 | vmq quadlet 2>said.4
}

# bats test_tags=heavy
@test "hostile text in every text field of a VM adds nothing to its units" {
    need_generators
    for vm in "$TOP"/test/cases/*/in.yaml; do
        "$VMQ_BIN/vmq-validate" "$vm" 2>/dev/null || : # a case may have options, or be refused
    done >valid
    through valid >converted || :
    jq -c --slurpfile good converted 'select(.source.file as $f | any($good[]; .source.file == $f)) | .vm' valid >vms
    [ "$(wc -l <vms)" -gt 40 ]
    jq -cs --rawfile page "$TOP/docs/fields.md" -L "$PODS" -f "$PODS/hostile-vm.jq" vms >all
    jq -c 'map(del(.docs))' all >lines
    [ "$(jq 'map(.row) | unique | length' lines)" -gt 250 ]
    stream all >in
    through --admission=warn in >items || :
    cat said.? >said
    clean_messages
    jq -cs 'map(.source.line / 2)' items >passed
    jq -c '{source, units, vm: {metadata: {name: .vm.metadata.name}}}' items >short
    jq -c --slurpfile items short -f "$PODS/pick.jq" lines >picked
    [ "$(wc -l <picked)" -gt 200 ]
    write_units picked units
    run_units units >services
    gains lines picked services true | head -20 >bad
    [ ! -s bad ] || { cat bad; return 1; }
    # What was looked at is what comes to lie in the folder.
    jq -c '{vmq: 1} + .' picked | vmq fixup --output-dir folder
    diff -r -x .vmq-units units folder
}
