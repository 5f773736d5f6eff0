#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2154 # what comes behind it sets $me
# In front of every script: what it says goes to the journal.
set -u
LC_ALL=C
export LC_ALL
unset CDPATH

say() {
    printf '%s: %s\n' "$me" "$*"
}

fail() {
    printf '%s: error: %s\n' "$me" "$*" >&2
    exit 1
}
