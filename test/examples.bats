#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Every example goes through every stage, and Podman's own generators take what comes out.
load helper

# convert EXAMPLE DIR [OPTION]...
convert() {
    local example=$TOP/examples/$1 dir=$2
    shift 2
    vmq validate "$@" "$example" | vmq prepare | vmq render | vmq adapt --sysfs=/nonexistent |
        vmq quadlet | vmq fixup --output-dir "$dir"
}

@test "there are the five examples, each with a comment at its top" {
    for example in fedora fedora-datavolume windows gpu smallest; do
        [ -f "$TOP/examples/$example.yaml" ]
    done
    for example in "$TOP"/examples/*.yaml; do
        [ "$(head -c 2 "$example")" = '# ' ]
    done
}

@test "every example is accepted by the generators of Podman 5.4 and 5.8" {
    need_generators
    for example in "$TOP"/examples/*.yaml; do
        name=$(basename "$example" .yaml)
        for release in 5.4 5.8; do
            convert "$name.yaml" "$name-$release" --podman=$release
            generator $release "$name-$release" >services
            grep -q "^---virt-launcher-.*-pod.service---" services
            grep -q "^---virt-launcher-.*-compute.service---" services
        done
    done
}

@test "the units for Podman 5.4 suit 5.8 as well, as files and as a bundle" {
    need_generators
    for example in "$TOP"/examples/*.yaml; do
        convert "$(basename "$example")" all
    done
    generator 5.8 all >services
    [ "$(grep -c '^---virt-launcher-.*-pod.service---' services)" -eq "$(find "$TOP/examples" -name '*.yaml' | wc -l)" ]
    vmq validate "$TOP"/examples/*.yaml | vmq prepare | vmq render | vmq adapt --sysfs=/nonexistent |
        vmq quadlet | vmq fixup >all.quadlets
    grep -c '^# FileName=' all.quadlets
}

@test "no example is warned about" {
    for example in "$TOP"/examples/*.yaml; do
        run --separate-stderr convert "$(basename "$example")" out
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
    done
}
