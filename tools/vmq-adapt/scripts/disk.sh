#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2154 # say.sh is in front of it
# What the scripts that make disks share: a disk is whole or not there.
#
# A disk is written under a temporary name, checked, brought to the medium and renamed. What a
# killed run left behind is removed by the next one. Two runs on one folder wait for each other.

# run COMMAND...: so that a stop does not have to wait for it.
child=
run() {
    "$@" &
    child=$!
    wait "$child"
    set -- "$?"
    child=
    return "$1"
}

stopped() {
    [ -z "$child" ] || kill "$child" 2>/dev/null
    say "stopped before the disk was whole; the next start begins anew" >&2
    exit 143
}

# begin DISK SIZE OWNER
begin() {
    disk=$1 owner=$3
    folder=${disk%/*}
    partial=$disk.partial
    # QEMU counts in sectors of 512 bytes.
    size=$((($2 + 511) / 512 * 512))
    [ -d "$folder" ] || fail "$folder is not a folder"
    exec 9<"$folder" || fail "cannot open $folder"
    if command -v flock >/dev/null 2>&1; then
        flock -n 9 || { say "waiting for another run on $folder"; flock 9; }
    fi
    if [ -e "$partial" ] || [ -L "$partial" ]; then
        say "removing $partial, which a run that did not end left behind"
        rm -f -- "$partial" || fail "cannot remove $partial"
    fi
    trap 'rm -f -- "$partial"' EXIT
    trap stopped HUP INT TERM
}

# Is the disk there? What is in its place but no file is not touched.
have_disk() {
    [ ! -L "$disk" ] || fail "$disk is a symbolic link; a disk must be a file"
    [ -e "$disk" ] || return 1
    [ -f "$disk" ] || fail "$disk is there but is not a file"
    [ -s "$disk" ] || { say "$disk is empty, as if it was not there"; return 1; }
}

size_of() {
    stat -c %s -- "$1" || fail "cannot read the size of $1"
}

# to_medium PATH: what was written survives a power cut.
to_medium() {
    sync -- "$1" 2>/dev/null || sync || fail "cannot bring $1 to the medium"
}

# give PATH
give() {
    chown -h -- "$owner" "$1" || fail "cannot give $1 to $owner"
}

# put BYTES: the temporary file is the disk, if it has this size.
put() {
    now=$(size_of "$partial") || exit 1
    [ "$now" -eq "$1" ] || fail "$partial has $now bytes in place of $1"
    give "$partial"
    chmod 0660 -- "$partial" || fail "cannot set the mode of $partial"
    to_medium "$partial"
    mv -f -- "$partial" "$disk" || fail "cannot rename $partial to $disk"
    to_medium "$folder"
}

# make_disk: an empty raw one.
make_disk() {
    [ "$size" -gt 0 ] || fail "$disk is not there, and no size is known to make it"
    say "making $disk, $size bytes"
    run qemu-img create -q -f raw "$partial" "$size" || fail "$disk could not be made"
    put "$size"
}

# A disk that is there grows to what is asked; it never shrinks, since that cuts off data.
fit() {
    now=$(size_of "$disk") || exit 1
    if [ "$size" -gt "$now" ]; then
        say "$disk grows from $now to $size bytes"
        run qemu-img resize -q -f raw "$disk" "$size" || fail "$disk could not grow to $size bytes"
        now=$(size_of "$disk") || exit 1
        [ "$now" -eq "$size" ] || fail "$disk has $now bytes after growing, not $size"
        to_medium "$disk"
    elif [ "$size" -lt "$now" ]; then
        say "warning: $disk has $now bytes and is not made smaller ($size bytes are asked for)" >&2
    fi
}
