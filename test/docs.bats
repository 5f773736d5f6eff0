#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Pages that are made from the programs are what the programs say now.
load helper

# bats test_tags=heavy
@test "every page that 'make docs' makes is up to date" {
    for generate in "$TOP"/docs/generate/*; do
        VMQ_BIN=$VMQ_BIN "$generate" >page
        diff page "$TOP/docs/${generate##*/}.md" || { echo "run: make docs"; return 1; }
    done
}

@test "the README begins with the two commands, and names every program and page" {
    run head -n 12 "$TOP/README.md"
    [[ $output == *"make demo"*"make check"* ]]
    for tool in "$TOP"/tools/vmq*/; do
        grep -qF "$(basename "$tool")" "$TOP/README.md"
    done
    for page in "$TOP"/docs/*.md; do
        grep -qF "docs/$(basename "$page")" "$TOP/README.md"
    done
    for example in "$TOP"/examples/*.yaml; do
        grep -qF "examples/$(basename "$example")" "$TOP/README.md"
    done
}

@test "links in the README lead somewhere" {
    while read -r link; do
        [ -e "$TOP/$link" ] || { echo "no such file: $link"; return 1; }
    done < <(grep -oE '\]\([^)#]+' "$TOP/README.md" | cut -c 3- | grep -v '^http')
}
