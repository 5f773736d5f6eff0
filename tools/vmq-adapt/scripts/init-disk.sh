#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2034,SC2154 # disk.sh is in front of it
# init-disk DISK SIZE OWNER: make an empty raw disk of SIZE bytes in a volume of the VM's own, which
# belongs to OWNER too. A disk that is there grows to SIZE.
me=init-disk
begin "$1" "$2" "$3"

if have_disk; then
    fit
    give "$disk"
else
    make_disk
fi
give "$folder"
