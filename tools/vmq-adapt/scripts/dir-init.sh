#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2034,SC2154 # say.sh is in front of it, for --disk also disk.sh
# dir-init OWNER [--clear VOLUME | --make VOLUME FOLDER | --link VOLUME NAME TARGET | --disk FILE SIZE]...:
# before every start of virt-launcher bring its volumes into the state of a new Pod.
#
# --clear removes all that is in VOLUME and lets everyone write to it, as an emptyDir is when a Pod
# starts: sockets and pid files of a run that died keep libvirt from starting. --make makes
# VOLUME/FOLDER, and every folder on the way, and gives them to OWNER; what is in them stays. --link
# makes VOLUME/NAME a link to TARGET beside it. --disk makes a raw disk of SIZE bytes that belongs to
# OWNER; the folder is the user's, it and a disk that is there stay as they are.
me=dir-init

clear_volume() {
    for entry in "$1"/* "$1"/.[!.]* "$1"/..?*; do
        if [ -e "$entry" ] || [ -L "$entry" ]; then
            rm -rf -- "$entry" || fail "cannot remove $entry"
        fi
    done
    chmod 0777 -- "$1" || fail "cannot open $1 for all"
}

make_folder() {
    path=$1 rest=$2/
    while [ -n "$rest" ]; do
        path=$path/${rest%%/*} rest=${rest#*/}
        # Whoever could write here must not be able to have another file given away.
        [ ! -L "$path" ] || fail "$path is a symbolic link"
        [ -d "$path" ] || mkdir -- "$path" || fail "cannot make $path"
        chown -h -- "$owner" "$path" || fail "cannot give $path to $owner"
    done
}

make_link() {
    [ -L "$1/$2" ] || [ ! -e "$1/$2" ] || fail "$1/$2 is there but is no link"
    rm -f -- "$1/$2" || fail "cannot remove $1/$2"
    ln -s -- "$3" "$1/$2" || fail "cannot link $1/$2 to $3"
}

# In a shell of its own, whose end takes away what is not whole.
host_disk() (
    begin "$1" "$2" "$owner"
    if have_disk; then
        say "$disk is there"
    else
        make_disk
    fi
)

owner=$1
shift
while [ $# -gt 0 ]; do
    [ "$1" = --disk ] || [ -d "${2-}" ] || fail "${2-} is not a folder"
    case $1 in
    --clear)
        clear_volume "$2"
        shift 2
        ;;
    --make)
        make_folder "$2" "$3"
        shift 3
        ;;
    --link)
        make_link "$2" "$3" "$4"
        shift 4
        ;;
    --disk)
        host_disk "$2" "$3" || exit 1
        shift 3
        ;;
    *) fail "unknown argument $1" ;;
    esac
done
