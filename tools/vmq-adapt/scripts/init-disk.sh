#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2034,SC2154 # disk.sh is in front of it
# init-disk DISK SIZE OWNER WHAT: make an empty raw disk of SIZE bytes.
#
# WHAT claim: the folder is a volume of the VM's own. It belongs to OWNER too, and a disk that is
# there grows to SIZE. WHAT host: the folder is the user's. It, and a disk that is there, are left
# as they are.
me=init-disk
begin "$1" "$2" "$3"

if have_disk; then
    if [ "$4" = claim ]; then
        fit
        give "$disk"
    else
        say "$disk is there"
    fi
else
    [ "$size" -gt 0 ] || fail "$disk is not there, and no size is known to make it"
    say "making $disk, $size bytes"
    run qemu-img create -q -f raw "$partial" "$size" || fail "$disk could not be made"
    put "$size"
fi
[ "$4" != claim ] || give "$folder"
