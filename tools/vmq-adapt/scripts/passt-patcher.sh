#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2034 # say.sh is in front of it
# passt-patcher PASST FOLDER: put a passt that does not crash into FOLDER.
#
# passt 0^20250512.g8ec1341 (virt-launcher 1.8.4) aborts when its scatter-gather list overflows,
# which takes a guest with 2 or more vCPUs. There the jump to the abort (at 164189: jae, 0f 83 and
# 4 bytes of distance) is led to the end of the function that cuts the list off. Every other passt
# is copied as it is. FOLDER/passt is what libvirt finds first in its PATH.
me='passt-patcher'
passt=$1 folder=$2
patched=$folder/passt.avx2.patched
at=164189

# bytes FILE: the instruction.
bytes() {
    dd if="$1" bs=1 skip="$at" count=6 2>/dev/null | od -A n -v -t x1 | tr -d ' \n'
}

# install FILE NAME: a program that is in use can be replaced, but not written to.
install() {
    chmod 0755 -- "$1" || fail "cannot set the mode of $1"
    mv -f -- "$1" "$folder/$2" || fail "cannot rename $1 to $folder/$2"
}

[ -d "$folder" ] || fail "$folder is not a folder"
[ -f "$passt" ] || fail "there is no $passt in the launcher image; leave out --passt-workarounds"
new=$patched.partial
cp -- "$passt" "$new" || fail "cannot copy $passt to $new"
was=$(bytes "$passt")
if [ "$was" = 0f83d2000000 ]; then
    printf '\130\000\000\000' | dd of="$new" bs=1 seek=$((at + 2)) conv=notrunc 2>/dev/null ||
        fail "cannot write to $new"
    [ "$(bytes "$new")" = 0f8358000000 ] || fail "$new does not hold the patch"
    say "$passt is patched"
else
    say "warning: $passt is another release (${was:-too short}), copied as it is" >&2
fi
install "$new" passt.avx2.patched

# shellcheck disable=SC2016 # for the shell that runs passt
printf '#!/bin/sh\nexec %s "$@"\n' "$patched" >"$folder/passt.partial" ||
    fail "cannot write $folder/passt.partial"
install "$folder/passt.partial" passt
