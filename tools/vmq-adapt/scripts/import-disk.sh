#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2034,SC2154 # disk.sh is in front of it
# import-disk DISK SIZE OWNER SOURCE: fill a disk from the image in the folder SOURCE.
#
# Where the image is: the one file under disk/, as KubeVirt has it (GetImage,
# pkg/container-disk/container-disk.go); of several the first that is called *.img or *.qcow2;
# without disk/ the first of those in SOURCE or a folder in it. Nothing outside SOURCE is read.
me=import-disk

# inside PATH: what it is in the end, in $real; false if that is no file under SOURCE.
inside() {
    real=$(readlink -f -- "$1")
    [ -f "$real" ] || return 1
    case $real in
    "$root"/*) return 0 ;;
    esac
    say "warning: $1 leads out of the image and is passed over" >&2
    return 1
}

# look PATH...: $all files, the last in $any; $some images by name, the first in $named.
look() {
    all=0 some=0 any='' named=''
    for path; do
        inside "$path" || continue
        all=$((all + 1)) any=$real
        case $path in
        *.img | *.qcow2)
            some=$((some + 1))
            [ -n "$named" ] || named=$real
            ;;
        esac
    done
}

find_image() {
    root=$(readlink -f -- "$1")
    [ -d "$root" ] || fail "$1 is not a folder"
    image=
    if [ -d "$root/disk" ]; then
        look "$root/disk"/*
        [ "$all" -gt 0 ] || look "$root/disk"/.[!.]*
        [ "$all" -ne 1 ] || image=$any
    else
        look "$root"/*.img "$root"/*.qcow2 "$root"/*/*.img "$root"/*/*.qcow2
    fi
    [ -n "$image" ] || image=$named
    if [ -z "$image" ] && [ "$all" -gt 1 ]; then
        fail "there are $all files in $root/disk, and none is called *.img or *.qcow2"
    fi
    [ -n "$image" ] || fail "there is no disk image in $root; it belongs into the folder disk"
    [ "$all" -eq 1 ] || say "warning: there are $all files, $image is taken" >&2
}

# bytes OFFSET COUNT: of the image, in hexadecimal digits.
bytes() {
    od -A n -v -t x1 -j "$1" -N "$2" -- "$image" 2>/dev/null | tr -d ' \n'
}

# The format by the first bytes, and the size that the guest sees. QEMU's own guess is not asked:
# other formats can name files of their own to read from.
inspect() {
    real_size=$(size_of "$image") || exit 1
    [ "$real_size" -gt 0 ] || fail "$image is empty"
    format=raw
    case $(bytes 0 8) in
    514649fb*)
        format=qcow2
        [ "$real_size" -ge 72 ] || fail "$image is cut off"
        [ "$(bytes 8 8)" = 0000000000000000 ] || fail "$image needs a backing file, which an image must not"
        if [ "$(bytes 4 4)" != 00000002 ]; then
            [ "$real_size" -ge 104 ] || fail "$image is cut off"
            [ $((0x$(bytes 79 1) & 4)) -eq 0 ] || fail "$image keeps its data in another file, which an image must not"
        fi
        real_size=$((0x$(bytes 24 8)))
        ;;
    1f8b* | fd377a585a00* | 28b52ffd* | 425a68*) fail "$image is compressed; it must be raw or qcow2" ;;
    4b444d56* | 7668647866696c65) fail "$image is a VMDK or VHDX; it must be raw or qcow2" ;;
    esac
    real_size=$(((real_size + 511) / 512 * 512))
}

import() {
    find_image "$1"
    inspect
    say "importing $image ($format, $real_size bytes) to $disk"
    run qemu-img convert -q -f "$format" -O raw "$image" "$partial" ||
        fail "$image could not be imported"
    now=$(size_of "$partial") || exit 1
    [ "$now" -eq "$real_size" ] || fail "$partial has $now bytes in place of $real_size"
    if [ "$size" -gt "$now" ]; then
        run qemu-img resize -q -f raw "$partial" "$size" || fail "$partial could not grow to $size bytes"
        now=$size
    elif [ "$size" -lt "$now" ]; then
        say "warning: the image is larger than the $size bytes that are asked for; the disk has $now" >&2
    fi
    put "$now"
}

begin "$1" "$2" "$3"
if have_disk; then
    fit
    give "$disk"
else
    import "$4"
fi
give "$folder"
