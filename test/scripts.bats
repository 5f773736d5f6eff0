#!/usr/bin/env bats
# The scripts that vmq-adapt puts into init containers, as they stand in a Pod, run outside of one:
# what is their own path or user in a container is an argument.
# shellcheck disable=SC2016,SC2012,SC2001,SC2154
load helper

OWNER=$(id -u):$(id -g)

# script FILTER: the text of the script in the Pod of a VM, by a jq filter on its init containers.
script() {
    item | vmq adapt --sysfs none --passt-workarounds 2>/dev/null |
        jq -r --arg name "$1" '.pod.spec.initContainers[] | select(.name == $name) | .args[0]'
}

# A VM with a blank and an imported disk, and one of the host.
item() {
    jq -cn '{vmq: 1, source: {file: "vm.yaml", document: 1, line: 1},
        vm: {spec: {dataVolumeTemplates: [
            {metadata: {name: "b"}, spec: {source: {blank: {}}, storage: {resources: {requests: {storage: "1Mi"}}}}},
            {metadata: {name: "i"}, spec: {source: {registry: {url: "docker://example.com/i"}},
                storage: {resources: {requests: {storage: "1Mi"}}}}}]}},
        vmi: {metadata: {name: "v", namespace: "default", uid: "default"}, spec: {volumes: [
            {name: "b", dataVolume: {name: "b"}}, {name: "i", dataVolume: {name: "i"}},
            {name: "h", hostDisk: {type: "DiskOrCreate", path: "/srv/vms/h.img", capacity: "1Mi"}}]}},
        pod: {metadata: {name: "p"}, spec: {
            volumes: [{name: "private", emptyDir: {}},
                {name: "b", persistentVolumeClaim: {claimName: "b"}},
                {name: "i", persistentVolumeClaim: {claimName: "i"}},
                {name: "h", hostPath: {path: "/srv/vms", type: "DirectoryOrCreate"}}],
            containers: [{name: "compute",
                volumeMounts: [{name: "private", mountPath: "/var/run/kubevirt-private"}]}]}}}'
}

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return
    script init-disk-b >blank.sh
    script import-disk-i >import.sh
    script virt-handler-dir-init >dirs.sh
    script passt-binary-patcher >passt.sh
    [ -s blank.sh ] && [ -s import.sh ] && [ -s dirs.sh ] && [ -s passt.sh ]
}

# sh_script NAME ARG...: as the container runs it. `sh` is a shell without extensions here, bash in
# the launcher image.
sh_script() {
    local name=$1
    shift
    ${VMQ_SH:-sh} -c "$(cat "$BATS_FILE_TMPDIR/$name.sh")" "$name" "$@"
}

blank() { sh_script blank "$PWD/v/disk.img" "$1" "$OWNER"; }
host_disk() { sh_script dirs "$OWNER" --disk "$@"; }
import() { sh_script import "$PWD/v/disk.img" "$1" "$OWNER" "$PWD/src"; }

bytes_of() { stat -c %s "$1"; }

# said TEXT...: the last run said so.
said() {
    local text
    for text in "$@"; do
        [[ $output == *"$text"* ]] || { echo "not said: $text"; echo "said: $output"; return 1; }
    done
}

# only_the_disk: nothing else is left in its folder.
only_the_disk() {
    [ "$(ls -A v)" = disk.img ] || { ls -lA v; return 1; }
}

# source_image SIZE: src/disk/image.img, whose bytes are not all the same.
source_image() {
    mkdir -p src/disk v
    seq 100000 | head -c "$1" >src/disk/image.img
}

# A command that comes before the real one in the PATH.
stub() {
    mkdir -p bin
    cat >"bin/$1"
    chmod +x "bin/$1"
    PATH=$PWD/bin:$PATH
}

@test "blank: a disk of the size, whole, with the owner and mode for QEMU" {
    mkdir v
    run blank 1048576
    [ "$status" -eq 0 ]
    said "making" "1048576 bytes"
    [ "$(bytes_of v/disk.img)" -eq 1048576 ]
    [ "$(stat -c %a:%u:%g v/disk.img)" = "660:$OWNER" ]
    only_the_disk
}

@test "blank: a size that is no multiple of 512 is rounded up, and is no shrinking next time" {
    mkdir v
    run blank 1000
    [ "$status" -eq 0 ]
    [ "$(bytes_of v/disk.img)" -eq 1024 ]
    run blank 1000
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "blank: a disk that is there keeps its data and grows" {
    mkdir v
    blank 1048576
    printf data | dd of=v/disk.img conv=notrunc status=none
    run blank 3145728
    [ "$status" -eq 0 ]
    said "grows from 1048576 to 3145728"
    [ "$(bytes_of v/disk.img)" -eq 3145728 ]
    [ "$(head -c 4 v/disk.img)" = data ]
    only_the_disk
}

@test "blank: a disk never shrinks" {
    mkdir v
    blank 3145728
    run blank 1048576
    [ "$status" -eq 0 ]
    said "warning" "not made smaller"
    [ "$(bytes_of v/disk.img)" -eq 3145728 ]
}

@test "blank: what a killed run left behind is removed and no disk" {
    mkdir v
    printf half >v/disk.img.partial
    run blank 1048576
    [ "$status" -eq 0 ]
    said "removing" "disk.img.partial"
    [ "$(bytes_of v/disk.img)" -eq 1048576 ]
    only_the_disk
}

@test "blank: an empty file in the disk's place is no disk" {
    mkdir v
    : >v/disk.img
    run blank 1048576
    [ "$status" -eq 0 ]
    said "empty"
    [ "$(bytes_of v/disk.img)" -eq 1048576 ]
}

@test "blank: a link, a folder or nothing to put it in is refused" {
    mkdir v
    ln -s /etc/passwd v/disk.img
    run blank 1048576
    [ "$status" -eq 1 ]
    said "error" "symbolic link"
    rm v/disk.img
    mkdir v/disk.img
    run blank 1048576
    [ "$status" -eq 1 ]
    said "error" "not a file"
    rm -r v
    run blank 1048576
    [ "$status" -eq 1 ]
    said "error" "not a folder"
}

@test "blank: no leftover is followed" {
    mkdir v
    printf mine >precious
    ln -s "$PWD/precious" v/disk.img.partial
    run blank 1048576
    [ "$status" -eq 0 ]
    [ "$(cat precious)" = mine ]
    only_the_disk
}

@test "blank: a qemu-img that fails, or makes too little, leaves no disk" {
    mkdir v
    stub qemu-img <<<'#!/bin/sh
echo "qemu-img: No space left on device" >&2; for f; do :; done; exit 1'
    run blank 1048576
    [ "$status" -eq 1 ]
    said "No space left" "error" "could not be made"
    [ -z "$(ls -A v)" ]
    stub qemu-img <<<'#!/bin/sh
printf half >"$5"'
    run blank 1048576
    [ "$status" -eq 1 ]
    said "error" "4 bytes in place of 1048576"
    [ -z "$(ls -A v)" ]
}

@test "blank: growing that fails is said, and the disk is as it was" {
    mkdir v
    blank 1048576
    stub qemu-img <<<'#!/bin/sh
exit 1'
    run blank 2097152
    [ "$status" -eq 1 ]
    said "error" "could not grow to 2097152"
    [ "$(bytes_of v/disk.img)" -eq 1048576 ]
}

@test "blank: a stop in the middle ends at once and leaves no disk" {
    mkdir v
    stub qemu-img <<<'#!/bin/sh
printf half >"$5"; exec sleep 60'
    # With the tests' descriptor 3 they would wait for the sleep.
    sh -c "$(cat "$BATS_FILE_TMPDIR/blank.sh")" sh "$PWD/v/disk.img" 1048576 "$OWNER" claim 3>&- >out 2>&1 &
    pid=$!
    for _ in $(seq 100); do [ -e v/disk.img.partial ] && break; sleep 0.1; done
    [ -e v/disk.img.partial ]
    kill -TERM "$pid"
    rc=0
    wait "$pid" || rc=$?
    [ "$rc" -eq 143 ]
    run cat out
    said "stopped before the disk was whole"
    [ -z "$(ls -A v)" ]
}

@test "host: the file is made; the folder and a file that is there stay as they are" {
    mkdir v
    chmod 0711 v
    run host_disk "$PWD/v/m.img" 1048576
    [ "$status" -eq 0 ]
    [ "$(bytes_of v/m.img)" -eq 1048576 ]
    [ "$(stat -c %a v)" = 711 ]
    printf mine >v/own.img
    run host_disk "$PWD/v/own.img" 1048576
    [ "$status" -eq 0 ]
    said "is there"
    [ "$(cat v/own.img)" = mine ]
}

@test "host: without a size a file that is not there cannot be made" {
    mkdir v
    run host_disk "$PWD/v/m.img" 0
    [ "$status" -eq 1 ]
    said "error" "no size is known"
    [ -z "$(ls -A v)" ]
}

@test "host: names that a shell would act on are names" {
    local name="x; touch pwned \$(touch pwned) \`touch pwned\` 'q' \"q\" *.img"
    mkdir v
    run host_disk "$PWD/v/$name" 512
    [ "$status" -eq 0 ]
    [ "$(ls -A v)" = "$name" ]
    [ ! -e pwned ]
    run host_disk "$PWD/v/-rf" 512
    [ "$status" -eq 0 ]
    [ -f v/-rf ]
}

@test "import: raw, byte for byte, then grown to the size" {
    source_image 65536
    run import 131072
    [ "$status" -eq 0 ]
    said "importing" "(raw, 65536 bytes)"
    [ "$(bytes_of v/disk.img)" -eq 131072 ]
    cmp -n 65536 src/disk/image.img v/disk.img
    [ "$(tail -c 65536 v/disk.img | tr -d '\0' | wc -c)" -eq 0 ]
    [ "$(stat -c %a:%u:%g v/disk.img)" = "660:$OWNER" ]
    only_the_disk
}

@test "import: qcow2, of both versions" {
    local compat
    for compat in 0.10 1.1; do
        rm -rf src v
        source_image 131072
        mv src/disk/image.img raw
        qemu-img convert -f raw -O qcow2 -o compat=$compat raw src/disk/image.qcow2
        run import 131072
        [ "$status" -eq 0 ]
        said "(qcow2, 131072 bytes)"
        cmp raw v/disk.img
        only_the_disk
    done
}

@test "import: the second start imports nothing, and grows" {
    source_image 65536
    import 65536
    printf data | dd of=v/disk.img conv=notrunc status=none
    rm -r src
    run import 131072
    [ "$status" -eq 0 ]
    said "grows"
    [ "$(head -c 4 v/disk.img)" = data ]
}

@test "import: an image larger than asked keeps its size, with a warning" {
    source_image 65536
    run import 1024
    [ "$status" -eq 0 ]
    said "warning" "larger than the 1024 bytes"
    [ "$(bytes_of v/disk.img)" -eq 65536 ]
}

@test "import: the one file under disk/, whatever its name" {
    local name
    for name in fedora downloaded.iso 'with space $(x) *' .hidden; do
        rm -rf src v
        source_image 65536
        mv src/disk/image.img "src/disk/$name"
        run import 65536
        [ "$status" -eq 0 ]
        cmp "src/disk/$name" v/disk.img
    done
}

@test "import: of several files the first *.img or *.qcow2" {
    source_image 65536
    printf x >src/disk/a-checksum
    printf x >src/disk/zz.qcow2
    run import 65536
    [ "$status" -eq 0 ]
    said "warning" "3 files" "image.img is taken"
    cmp src/disk/image.img v/disk.img
}

@test "import: several files without such a name are refused" {
    source_image 512
    mv src/disk/image.img src/disk/a
    printf x >src/disk/b
    run import 65536
    [ "$status" -eq 1 ]
    said "error" "2 files" "none is called *.img or *.qcow2"
    [ -z "$(ls -A v)" ]
}

@test "import: without disk/ an image at the top or one folder down" {
    source_image 65536
    mv src/disk src/images
    run import 65536
    [ "$status" -eq 0 ]
    cmp src/images/image.img v/disk.img
    rm v/disk.img
    mv src/images/image.img src/top.img
    run import 65536
    [ "$status" -eq 0 ]
    cmp src/top.img v/disk.img
}

@test "import: no image is an error that says where it belongs" {
    mkdir -p src v
    run import 65536
    [ "$status" -eq 1 ]
    said "error" "no disk image" "folder disk"
    mkdir src/disk
    run import 65536
    [ "$status" -eq 1 ]
    said "error" "no disk image"
    : >src/disk/empty.img
    run import 65536
    [ "$status" -eq 1 ]
    said "error" "is empty"
    [ -z "$(ls -A v)" ]
    rm -r src
    run import 65536
    [ "$status" -eq 1 ]
    said "error" "not a folder"
}

@test "import: links inside the image are followed, links out of it are not" {
    source_image 65536
    mv src/disk/image.img src/real
    ln -s ../real src/disk/image.img
    run import 65536
    [ "$status" -eq 0 ]
    cmp src/real v/disk.img
    rm v/disk.img src/disk/image.img
    printf secret >secret
    ln -s "$PWD/secret" src/disk/image.img
    run import 65536
    [ "$status" -eq 1 ]
    said "warning" "leads out of the image" "no disk image"
    [ -z "$(ls -A v)" ]
    rm -r src/disk
    mkdir outside
    printf secret >outside/x.img
    ln -s "$PWD/outside" src/disk
    run import 65536
    [ "$status" -eq 1 ]
    said "leads out"
    [ -z "$(ls -A v)" ]
}

@test "import: an image that reads from another file is refused" {
    source_image 65536
    printf secret-secret-se >secret
    truncate -s 65536 secret
    qemu-img create -q -f qcow2 -b "$PWD/secret" -F raw src/disk/image.img 64k
    run import 65536
    [ "$status" -eq 1 ]
    said "error" "backing file"
    qemu-img create -q -f qcow2 -o "data_file=$PWD/secret,data_file_raw=on" src/disk/image.img 64k
    run import 65536
    [ "$status" -eq 1 ]
    said "error" "another file"
    [ -z "$(ls -A v)" ]
    head -c 80 src/disk/image.img >short
    mv short src/disk/image.img
    run import 65536
    [ "$status" -eq 1 ]
    said "error"
    [ -z "$(ls -A v)" ]
}

@test "import: compressed images and VMDK are refused by name" {
    source_image 65536
    gzip src/disk/image.img
    run import 65536
    [ "$status" -eq 1 ]
    said "error" "compressed" "raw or qcow2"
    rm src/disk/*
    printf 'KDMV....' >src/disk/image.img
    run import 65536
    [ "$status" -eq 1 ]
    said "error" "VMDK"
}

@test "import: a text that qemu-img would take for a VMDK of other files is raw" {
    mkdir -p src/disk v
    printf '# Disk DescriptorFile\nversion=1\nCID=0\nparentCID=ffffffff\ncreateType="monolithicFlat"\nRW 1 FLAT "/etc/passwd" 0\n' >src/disk/d.img
    run import 512
    [ "$status" -eq 0 ]
    cmp -n 100 src/disk/d.img v/disk.img
}

@test "import: killed in the middle, then started again" {
    source_image 65536
    stub qemu-img <<<'#!/bin/sh
for last; do :; done; printf half >"$last"; kill -KILL $PPID; sleep 1'
    run import 65536
    [ "$status" -ne 0 ]
    [ ! -e v/disk.img ]
    [ -e v/disk.img.partial ]
    rm bin/qemu-img
    run import 65536
    [ "$status" -eq 0 ]
    said "removing"
    cmp src/disk/image.img v/disk.img
    only_the_disk
}

@test "import: a full disk is said, and no half disk stays" {
    source_image 400000
    full() {
        ulimit -f 64
        import 400000
    }
    trap '' XFSZ
    run full
    [ "$status" -eq 1 ]
    said "error" "could not be imported"
    [ -z "$(ls -A v)" ]
    # On a file system of a few pages, where one can be mounted.
    unshare -m mount -t tmpfs none v 2>/dev/null || return 0
    run unshare -m sh -c 'mount -t tmpfs -o size=64k none v && sh "$@"; rc=$?; ls -A v; exit $rc' sh \
        "$BATS_FILE_TMPDIR/import.sh" "$PWD/v/disk.img" 400000 "$OWNER" "$PWD/src"
    [ "$status" -eq 1 ]
    said "No space left" "error" "could not be imported"
    [[ $output != *disk.img.partial ]]
}

@test "two runs on one volume wait for each other" {
    command -v flock
    source_image 65536
    stub qemu-img <<<'#!/bin/sh
sleep 1; exec '"$(command -v qemu-img)"' "$@"'
    import 65536 >one 2>&1 3>&- &
    first=$!
    import 65536 >two 2>&1 3>&- &
    second=$!
    wait "$first"
    wait "$second"
    cmp src/disk/image.img v/disk.img
    only_the_disk
    # One of them waited, and imported nothing.
    [ "$(cat one two | grep -c 'importing')" -eq 1 ]
    [ "$(cat one two | grep -c 'waiting')" -eq 1 ]
}

@test "dir-init: volumes are emptied, hidden files and links too, and open to all" {
    mkdir -p e/deep/er outside
    touch e/file e/.hidden "e/..odd" "e/with space" outside/keep
    ln -s "$PWD/outside" e/link
    ln -s nowhere e/dangling
    chmod 0700 e
    run sh_script dirs "$OWNER" --clear "$PWD/e"
    [ "$status" -eq 0 ]
    [ -z "$(ls -A e)" ]
    [ "$(stat -c %a e)" = 777 ]
    [ -e outside/keep ]
}

@test "dir-init: folders are made with all on the way, and what is in them stays" {
    mkdir -p p s/nvram
    touch s/nvram/vars
    run sh_script dirs "$OWNER" --clear "$PWD/p" --make "$PWD/p" libvirt/qemu --make "$PWD/s" nvram --make "$PWD/s" swtpm
    [ "$status" -eq 0 ]
    [ -d p/libvirt/qemu ] && [ -d s/swtpm ] && [ -e s/nvram/vars ]
}

@test "dir-init: all are the owner's, as root" {
    mkdir p
    if [ "$(id -u)" -eq 0 ]; then want=107:107; else want=$OWNER; fi
    run sh_script dirs "$want" --make "$PWD/p" a/b
    [ "$status" -eq 0 ]
    [ "$(stat -c %u:%g p/a p/a/b | sort -u)" = "$want" ]
}

@test "dir-init: a link is made, made anew, and never put in the place of something else" {
    mkdir e
    run sh_script dirs "$OWNER" --link "$PWD/e" default prod
    [ "$status" -eq 0 ]
    [ "$(readlink e/default)" = prod ]
    run sh_script dirs "$OWNER" --link "$PWD/e" default other
    [ "$(readlink e/default)" = other ]
    rm e/default
    mkdir e/default
    run sh_script dirs "$OWNER" --link "$PWD/e" default prod
    [ "$status" -eq 1 ]
    said "error" "is there but is no link"
}

@test "dir-init: a link in a folder's place is refused" {
    mkdir -p s outside
    ln -s "$PWD/outside" s/nvram
    run sh_script dirs "$OWNER" --make "$PWD/s" nvram
    [ "$status" -eq 1 ]
    said "error" "symbolic link"
    run sh_script dirs "$OWNER" --make "$PWD/none" nvram
    [ "$status" -eq 1 ]
    said "error" "not a folder"
    run sh_script dirs "$OWNER" --huh "$PWD/s"
    [ "$status" -eq 1 ]
    said "error" "unknown argument"
}

# passt_file HEX: a passt.avx2 with these 6 bytes at the place that is patched.
passt_file() {
    head -c 164189 /dev/zero >passt.avx2
    printf '%b' "$(sed 's/../\\x&/g' <<<"$1")" >>passt.avx2
    head -c 1000 /dev/zero >>passt.avx2
}

@test "passt: the jump is led elsewhere, and the wrapper runs the patched passt" {
    mkdir bin
    passt_file 0f83d2000000
    run sh_script passt "$PWD/passt.avx2" "$PWD/bin"
    [ "$status" -eq 0 ]
    said "is patched"
    # One byte of the distance, counted from 1: d2 becomes 58, 322 and 130 in octal.
    [ "$(cmp -l passt.avx2 bin/passt.avx2.patched | tr -s ' ' | sed 's/^ //')" = "164192 322 130" ]
    [ "$(stat -c %a bin/passt bin/passt.avx2.patched | sort -u)" = 755 ]
    [ "$(cat bin/passt)" = "#!/bin/sh
exec $PWD/bin/passt.avx2.patched \"\$@\"" ]
    [ "$(ls bin | wc -l)" -eq 2 ]
}

@test "passt: other bytes, or a short file, are copied as they are with a warning" {
    mkdir bin
    passt_file 0f84d2000000
    run sh_script passt "$PWD/passt.avx2" "$PWD/bin"
    [ "$status" -eq 0 ]
    said "warning" "another release (0f84d2000000)"
    cmp passt.avx2 bin/passt.avx2.patched
    printf short >passt.avx2
    run sh_script passt "$PWD/passt.avx2" "$PWD/bin"
    [ "$status" -eq 0 ]
    said "warning" "too short"
    cmp passt.avx2 bin/passt.avx2.patched
    [ -x bin/passt ]
}

@test "passt: a second run replaces a passt that runs" {
    mkdir bin
    cp "$(command -v sleep)" passt.avx2
    sh_script passt "$PWD/passt.avx2" "$PWD/bin" 2>/dev/null
    bin/passt 30 3>&- &
    pid=$!
    run sh_script passt "$PWD/passt.avx2" "$PWD/bin"
    kill "$pid"
    [ "$status" -eq 0 ]
}

@test "passt: an image without passt.avx2 is an error with the way out" {
    mkdir bin
    run sh_script passt "$PWD/none" "$PWD/bin"
    [ "$status" -eq 1 ]
    said "error" "leave out --passt-workarounds"
    passt_file 0f83d2000000
    run sh_script passt "$PWD/passt.avx2" "$PWD/nowhere"
    [ "$status" -eq 1 ]
    said "error" "not a folder"
}

@test "the same under bash, which is the launcher image's sh" {
    VMQ_SH="bash --posix"
    source_image 65536
    run import 131072
    [ "$status" -eq 0 ]
    cmp -n 65536 src/disk/image.img v/disk.img
    mkdir e bin
    touch e/file
    run sh_script dirs "$OWNER" --clear "$PWD/e" --make "$PWD/e" a/b
    [ "$status" -eq 0 ]
    [ "$(cd e && echo *)" = a ]
    passt_file 0f83d2000000
    run sh_script passt "$PWD/passt.avx2" "$PWD/bin"
    [ "$status" -eq 0 ]
    said "is patched"
}

@test "every script is one that a POSIX shell and shellcheck take" {
    local s
    for s in blank import dirs passt; do
        sh -n "$BATS_FILE_TMPDIR/$s.sh"
        shellcheck -s sh "$BATS_FILE_TMPDIR/$s.sh" -e SC2016
        # Kubernetes would make one '$' of two.
        run ! grep -F '$$' "$BATS_FILE_TMPDIR/$s.sh"
    done
    shellcheck "$TOP"/tools/vmq-adapt/scripts/*.sh
}
