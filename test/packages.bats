#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# .ci/packages, on which `make demo` and `make check` rely: it installs what is missing, and says so
# where it can't.
load helper

# stub NAME SCRIPT: a program in front of the real one.
stub() {
    mkdir -p bin
    printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
    chmod +x "bin/$1"
}

packages() {
    PATH=$PWD/bin:$PATH "$TOP/.ci/packages" "$@"
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    # All is there but jq.
    stub dpkg-query 'for last; do :; done; [ "$last" = libjq-dev ] || echo "ii "'
    stub apt-get 'echo "apt-get $*" >>log'
    stub id 'echo 0'
}

@test "nothing missing: nothing is run" {
    stub dpkg-query 'echo "ii "'
    run packages build test lint docs
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ ! -e log ]
}

@test "root installs what is missing, and nothing else" {
    run packages build
    [ "$status" -eq 0 ]
    [[ $output == *"installing libjq-dev"* ]]
    grep -qx 'apt-get -qq update' log
    grep -qx 'apt-get -qq install -y --no-install-recommends libjq-dev' log
}

@test "others install through sudo" {
    stub id 'echo 1000'
    stub sudo 'echo "sudo $*" >>log'
    run packages build
    [ "$status" -eq 0 ]
    grep -qx 'sudo apt-get -qq install -y --no-install-recommends libjq-dev' log
}

@test "without root and sudo it says what to install" {
    stub id 'echo 1000'
    stub sudo 'exit 1'
    run packages build
    [ "$status" -eq 1 ]
    [[ $output == *"only root can install them"*"apt-get install libjq-dev"* ]]
    [ ! -e log ]
}

@test "apt that fails is said" {
    stub apt-get 'exit 100'
    run packages build
    [ "$status" -eq 1 ]
    [[ $output == *"apt could not install them (no network?): libjq-dev"* ]]
}

@test "the list names every package once" {
    run packages --list build test
    [ "$status" -eq 0 ]
    [ "$(sort <<<"$output" | uniq -d)" = "" ]
    grep -qx bats <<<"$output"
    run packages nonsense
    [ "$status" -eq 2 ]
}
