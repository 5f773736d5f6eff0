#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test/kill.bash N WAY: convert VMs, and kill one of the processes before they have ended, N times. Each
# time the exit status is to tell of it, and the output folder to have of every VM all old files or all
# new ones. Works in the current folder; says what it did. WAY is one of the functions below.
# (Not in bats: there each command takes longer than what is to be hit.)
set -u
: "${VMQ_BIN:?}"

# vm N WHAT: new ones have another image, a disk less and a disk more.
vm() {
    cat <<X
apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata: {name: vm$1}
spec:
  runStrategy: Always
  template:
    spec:
      domain: {memory: {guest: 1Gi}, devices: {}}
      volumes:
      - {name: root, containerDisk: {image: 'registry.example.com/guest:$2'}}
      - {name: $2, emptyDisk: {capacity: 1Gi}}
X
}

# content DIR: a line for the bytes, and one for the mode, of each file.
content() {
    (cd "$1" && find . -maxdepth 1 -type f ! -name '.vmq-*' -printf '%m %f\n' && md5sum virt-launcher-*) | sort
}

# whole DIR: every VM is as in old or as in new; or is not there, if there was nothing before.
whole() {
    content "$1" 2>/dev/null >out.sums || :
    awk -v empty="$2" '
        { match($0, /virt-launcher-vm[0-9]+/); vm = substr($0, RSTART, RLENGTH) }
        FILENAME == "old.sums" { vms[vm]; old[$0]; n_old[vm]++ }
        FILENAME == "new.sums" { new[$0]; n_new[vm]++ }
        FILENAME == "out.sums" { n[vm]++; was[vm] += $0 in old; is[vm] += $0 in new }
        END {
            for (vm in vms) {
                if (!n[vm] && empty) continue
                if (n[vm] == n_old[vm] && was[vm] == n[vm] && !empty) continue
                if (n[vm] == n_new[vm] && is[vm] == n[vm]) continue
                print vm " is not whole: " n[vm] + 0 " lines, " was[vm] + 0 " old, " is[vm] + 0 " new"
                bad = 1
            }
            exit bad
        }' old.sums new.sums out.sums
}

# The ways to convert. Each is a child of this shell, and what it starts are its children.
alone() { exec "$VMQ_BIN/vmq" convert --prune vms -o out; }
jobs2() { exec "$VMQ_BIN/vmq" convert --prune -j 2 vms -o out; }
apart() { exec apart/vmq convert --prune vms -o out; }
pipeline() {
    exec bash -o pipefail -c 'apart/vmq-validate --for-host vms/*.yaml | apart/vmq-prepare | apart/vmq-render |
        apart/vmq-adapt | apart/vmq-quadlet | apart/vmq-fixup --prune --output-dir out'
}

# below PID: it and all processes that it or its children have started, in pids. Starts none itself,
# which would take longer than a run.
below() {
    local i kids
    pids=("$1")
    for ((i = 0; i < ${#pids[@]}; i++)); do
        { read -ra kids <"/proc/${pids[i]}/task/${pids[i]}/children"; } 2>/dev/null
        pids+=(${kids+"${kids[@]}"})
        unset kids
    done
}

# stop PID: it is stopped, so it has not ended, and will not by itself.
stop() {
    local stat _
    kill -STOP "$1" 2>/dev/null || return 1
    for _ in {1..50}; do
        { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
        stat=${stat##*) }
        case $stat in
            T*) return 0 ;;
            Z* | X*) return 1 ;;
        esac
    done
    return 1
}

# ignores_term PID
ignores_term() {
    local key value
    while read -r key value; do
        [ "$key" != SigIgn: ] || return $((!(0x$value >> 14 & 1)))
    done <"/proc/$1/status"
    return 1
}

# strike PID SHELL: kill a process of the run, but not the shell that only waits; false if it had ended.
# Sets victim.
strike() {
    local pids pid name signals=(KILL KILL TERM HUP ABRT SEGV)
    below "$1"
    [ "$2" = 0 ] || pids=("${pids[@]:1}")
    [ ${#pids[@]} -gt 0 ] || return 1
    # In the end there is one that changes the folder, and it is the last: half of the time that one.
    pid=${pids[RANDOM % ${#pids[@]}]}
    [ $((RANDOM % 2)) -eq 0 ] || [ ! -e out/.vmq-journal ] || pid=${pids[-1]}
    stop "$pid" || { kill -CONT "$pid" 2>/dev/null; return 1; }
    { read -r -d '' name <"/proc/$pid/cmdline"; } 2>/dev/null
    victim=${name##*/}
    [ ! -e out/.vmq-journal ] || victim+=" at the journal"
    # The one that changes the folder does not listen to the kinder ones, up to its end.
    ! ignores_term "$pid" || signals=(KILL)
    kill -"${signals[RANDOM % ${#signals[@]}]}" "$pid"
    kill -CONT "$pid" 2>/dev/null || :
}

# moment MILLISECONDS: wait for some of the time that a run takes, or until the folder for new files or the journal is there.
moment() {
    local end=$((${EPOCHREALTIME/[.,]/} + 2000 * $1)) sign=out/.vmq-journal
    case $((RANDOM % 4)) in
        0) sign=out/.vmq-new-0.d ;;
        1) ;;
        *) pause $((RANDOM * ($1 + 1) / 32)); return ;;
    esac
    while [ ! -e $sign ] && [ "${EPOCHREALTIME/[.,]/}" -lt $end ]; do :; done
    [ $((RANDOM % 2)) -eq 0 ] || pause $((RANDOM % 10000))
}

# pause MICROSECONDS
pause() { read -rt "$(($1 / 1000000)).$(printf %06d $(($1 % 1000000)))" <>never || :; }

# kills N WAY: N runs of which a process was killed before it ended.
kills() {
    local shell=0 n=0 tries=0 status empty began took pid victim left=0
    declare -A killed
    [ "$2" != pipeline ] || shell=1
    mkdir -p out
    began=${EPOCHREALTIME/[.,]/}
    ("$2") >/dev/null 2>&1
    took=$(((${EPOCHREALTIME/[.,]/} - began) / 1000))
    while [ $n -lt "$1" ]; do
        [ $((++tries)) -le $(($1 * 10)) ] || { echo "only $n of $tries runs could be killed"; return 1; }
        rm -rf out
        empty=$((RANDOM % 2))
        if [ $empty = 1 ]; then mkdir out; else cp -a old out; fi
        "$2" >/dev/null 2>said 9>alive &
        pid=$!
        exec 8<alive
        moment "$took"
        victim=
        strike $pid $shell || victim=
        status=0
        wait $pid 2>/dev/null || status=$?
        timeout 60 cat <&8 >/dev/null || { echo "processes of a run do not end"; return 1; }
        exec 8<&-
        if [ -z "$victim" ]; then
            [ "$status" -eq 0 ] || { echo "not killed, and ended with $status"; cat said; return 1; }
            continue
        fi
        n=$((n + 1))
        killed[$victim]=$((${killed[$victim]:-0} + 1))
        [ "$status" -ne 0 ] || { echo "$victim was killed, and the status is 0"; cat said; return 1; }
        whole out $empty || { echo "$victim was killed"; cat said; return 1; }
        if [ -e out/.vmq-journal ]; then left=$((left + 1)); elif [ $((n % 8)) -ne 0 ]; then continue; fi
        # The next run takes up what was left.
        ("$2") >/dev/null 2>&1
        content out | diff new.sums - || return 1
        [ "$(find out -name '.vmq-*')" = out/.vmq-units ]
    done
    [[ "${!killed[*]}" == *"at the journal"* ]] || { echo "none was killed while the folder was changed"; return 1; }
    echo "$2: $n of $tries runs killed, $left left a journal:$(for victim in "${!killed[@]}"; do
        printf ' %s %d,' "$victim" "${killed[$victim]}"
    done)"
}

mkdir vms before apart
for i in 0 1 2 3; do
    vm "$i" old >"before/$i.yaml"
    vm "$i" new >"vms/$i.yaml"
done
# vmq that runs each stage as a process of its own
cp "$VMQ_BIN/vmq" apart/
for i in validate prepare render adapt quadlet fixup; do cp "$VMQ_BIN/vmq" "apart/vmq-$i"; done
"$VMQ_BIN/vmq" convert before -o old && "$VMQ_BIN/vmq" convert vms -o new || exit 1
content old >old.sums
content new >new.sums
# All processes of a run have it open for writing: it is at its end once they have ended.
mkfifo alive never
kills "$1" "$2"
