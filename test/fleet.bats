#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# docs/fleet.md: GNU parallel over two machines, which are two sshd of this test's own on loopback, each
# with a home of its own. Every wait has an end.
load helper

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    local tool
    for tool in ssh ssh-keygen rsync parallel /usr/sbin/sshd; do
        command -v "$tool" >/dev/null || skip "no $tool"
    done
    mkdir vms bin
    ssh-keygen -q -t ed25519 -N '' -f key
    ssh-keygen -q -t ed25519 -N '' -f host
    # sshd wants it when root runs it
    [ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
    machine 1
    machine 2
    # The user's ~/.ssh/config, so to say. The recipe's own options come before it.
    printf '#!/bin/sh\nexec %s -F "%s" "$@"\n' "$(command -v ssh)" "$PWD/config" >bin/ssh
    chmod +x bin/ssh
    ln -s "$VMQ_BIN"/vmq* bin/
    export HOME=$PWD PATH=$PWD/bin:$PATH
    mkdir .parallel && touch .parallel/will-cite
    # The recipe, as it stands there.
    awk '/^    export PARALLEL_SSH/ { on = 1 } on && /^$/ { exit } on' "$TOP/docs/fleet.md" | sed 's/^    //' >recipe
    grep -q -- '--sshlogin 2/build1,2/build2' recipe
    sed -i 's:2/build1,2/build2:1/build1,1/build2:' recipe
}

teardown() {
    local n
    for n in 1 2; do
        [ ! -e "login-build$n" ] || bin/ssh -O exit "build$n" 2>/dev/null || :
        shut $n
    done
}

# machine N: an sshd on a free port, whose sessions find vmq in farN/bin, and their home is farN.
machine() {
    local port pid _
    mkdir -p "far$1/bin"
    ln -s "$VMQ_BIN"/vmq* "far$1/bin/"
    printf '#!/bin/sh\ncd "%s" && HOME=$PWD PATH=$PWD/bin:/usr/bin:/bin exec sh -c "$SSH_ORIGINAL_COMMAND"\n' \
        "$PWD/far$1" >"far$1/session"
    chmod +x "far$1/session"
    for port in $(shuf -i 20000-32000 -n 20); do
        cat >"sshd$1.conf" <<X
ListenAddress 127.0.0.1:$port
HostKey $PWD/host
AuthorizedKeysFile $PWD/key.pub
PidFile none
StrictModes no
UsePAM no
PermitRootLogin yes
MaxStartups 100
ForceCommand $PWD/far$1/session
X
        /usr/sbin/sshd -D -e -f "sshd$1.conf" >/dev/null 2>"sshd$1.log" 3>&- &
        pid=$!
        for _ in {1..100}; do
            grep -q 'Server listening' "sshd$1.log" && break 2
            kill -0 $pid 2>/dev/null || break
            sleep 0.1
        done
        kill $pid 2>/dev/null || :
    done
    echo $pid >"sshd$1.pid"
    cat >>config <<X
Host build$1
    HostName 127.0.0.1
    Port $port
    User $(id -un)
    IdentityFile $PWD/key
    IdentitiesOnly yes
    StrictHostKeyChecking no
    UserKnownHostsFile /dev/null
    LogLevel ERROR
    ControlMaster auto
    ControlPath $PWD/login-%n
    ControlPersist 60
X
}

# below PID: it and all that it has started.
below() {
    local child
    echo "$1"
    for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do below "$child"; done
}

# shut N: the machine is gone: its sshd, every session, and what they run.
shut() {
    [ -s "sshd$1.pid" ] || return 0
    # Stopped first, so that none starts another meanwhile.
    # shellcheck disable=SC2046
    kill -STOP $(below "$(cat "sshd$1.pid")") 2>/dev/null || :
    # shellcheck disable=SC2046
    kill -KILL $(below "$(cat "sshd$1.pid")") 2>/dev/null || :
    rm -f "sshd$1.pid"
}

vm() {
    printf '%s\n' 'apiVersion: kubevirt.io/v1' 'kind: VirtualMachine' "metadata: {name: $1}" 'spec:' \
        '  runStrategy: Always' '  template: {spec: {domain: {memory: {guest: 1Gi}, devices: {}}, volumes:' \
        "    [{name: root, containerDisk: {image: 'registry.example.com/guest:1'}}]}}"
}

vms() {
    local i
    for i in $(seq "$1"); do vm "vm-$i" >"vms/vm-$i.yaml"; done
    "$VMQ_BIN/vmq" convert vms -o want 2>/dev/null
}

recipe() { timeout -k 5 240 bash recipe </dev/null >out 2>&1 3>&-; }

# bats test_tags=heavy,plain
@test "two machines: the units are those of one" {
    vms 4
    recipe || { cat out; return 1; }
    diff -r -x .vmq-units want units
    # Both had work, and nothing stays behind.
    [ "$(awk -F'\t' 'NR > 1 { print $2 }' fleet.log | sort -u | wc -l)" -eq 2 ]
    [ -z "$(find far1 far2 -name '*.yaml' -o -name '*.json')" ]
    # Again: everything is done.
    cp fleet.log before
    recipe
    cmp fleet.log before
}

# bats test_tags=heavy,plain
@test "one machine is gone half-way, and nothing is lost" {
    vms 5
    # The second machine does one VM, and does not come to an end with the next.
    rm far2/bin/vmq
    cat >far2/bin/vmq <<X
#!/bin/sh
if [ -e "$PWD/done" ]; then touch "$PWD/stuck"; exec sleep 100; fi
touch "$PWD/done"
exec "$VMQ_BIN/vmq" "\$@"
X
    chmod +x far2/bin/vmq
    recipe &
    for _ in {1..1200}; do [ ! -e stuck ] || break; sleep 0.1; done
    [ -e stuck ]
    shut 2
    wait $! || { cat out; return 1; }
    diff -r -x .vmq-units want units
    [ "$(awk -F'\t' 'NR > 1 && $7 == 0 { print $9 }' fleet.log | sort -u | wc -l)" -eq 5 ]
}

# bats test_tags=heavy,plain
@test "a VM that is refused is in the job log, the others are there; the next run does it alone" {
    vms 2
    vm Bad >vms/bad.yaml
    run recipe
    [ "$status" -ne 0 ] || { cat out; return 1; }
    diff -r -x .vmq-units want units
    [[ $(awk -F'\t' 'NR > 1 && $7 != 0 { print $9 }' fleet.log) == *vms/bad.yaml* ]]
    vm bad >vms/bad.yaml
    n_done=$(wc -l <fleet.log)
    recipe || { cat out; return 1; }
    [ -f units/virt-launcher-bad.pod ]
    [ "$(wc -l <fleet.log)" -eq $((n_done + 1)) ]
}
