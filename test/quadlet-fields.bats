#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# vmq-quadlet's table of a Pod's fields (docs/pod.md): each field makes a difference, or something is said
# of it.
load helper

# rows: {FIELD: what becomes of it}
rows() {
    vmq quadlet --list-fields | jq -nR '[inputs | capture("^. `(?<at>[^`]+)` . [^|]* . (?<what>.*) .$") | {(.at): .what}] | add'
}

# bats test_tags=heavy
@test "every field of a Pod shows in the units, or is named in a message" {
    rows >rows
    [ "$(jq length rows)" -gt 380 ]
    printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {k: v}\n' >cm.yaml
    printf 'apiVersion: v1\nkind: Secret\nmetadata: {name: se}\ndata: {k: "aGk="}\n' >se.yaml
    jq -cnf "$TOP/test/quadlet-pods/full.jq" >full
    # The Pods, and each again without one of its fields, as a stream of a line each.
    jq -cs --argjson rows "$(cat rows)" -L "$TOP/test/quadlet-pods" -f "$TOP/test/quadlet-pods/fields.jq" full >lines
    jq -c '.[].pod' lines >in
    vmq quadlet --volume-names=claim --configmap=cm.yaml --secret=se.yaml in >items 2>said || [ $? -eq 1 ]
    jq -r '[.[].base | select(.)] | unique[] | "^in:\(.):"' lines | grep -f - said >bases
    run ! grep ' error: ' bases
    jq -n --slurpfile lines lines --slurpfile items items --rawfile said bases --slurpfile rows rows \
        '{lines: $lines[0], $items, $said, rows: $rows[0]}' | jq -rf "$TOP/test/quadlet-pods/noticed.jq" >silent
    # What is said of no Pod at all: the table calls it so, and these are its only ones.
    grep -o '^[^ ]*: .*says nothing about how to run the Pod)$' silent | cut -d: -f1 | sort -u >quiet
    diff - quiet <<'END'
metadata.annotations{}
metadata.creationTimestamp
metadata.deletionGracePeriodSeconds
metadata.deletionTimestamp
metadata.generation
metadata.managedFields
metadata.namespace
metadata.resourceVersion
metadata.selfLink
metadata.uid
spec.containers[].env[].valueFrom.fieldRef.apiVersion
spec.initContainers[].env[].valueFrom.fieldRef.apiVersion
spec.securityContext.fsGroupChangePolicy
spec.volumes[].downwardAPI.items[].fieldRef.apiVersion
spec.volumes[].projected.sources[].downwardAPI.items[].fieldRef.apiVersion
status
END
    # With these two the only value that there is means what their absence does.
    run grep -vE 'says nothing about how to run the Pod\)$|^(apiVersion|spec[.]os[.]name): ' silent
    [ "$status" -eq 1 ] || { echo "$output"; return 1; }
}

@test "fields whose only value says nothing have no other" {
    pod='{apiVersion: "v1", kind: "Pod", metadata: {name: "p"}, spec: {containers: [{name: "c", image: "x"}]}}'
    jq -n "$pod | .apiVersion = \"v2\"" >in
    run --separate-stderr vmq quadlet in
    refused 1 "in:2:3: error: apiVersion: a Pod of 'v2' is not one of Kubernetes; its apiVersion is v1" VMQ0853
    jq -n "$pod | .spec.os.name = \"windows\"" >in
    run --separate-stderr vmq quadlet in
    refused 1 "error: spec.os.name: 'windows' does not run under Podman; linux does" VMQ0853
}
