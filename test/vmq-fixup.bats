#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# vmq-fixup: the lines of step 7, and the three ways out.
load helper

# item NAME [JQ]: the work item of a VM, small but with one of everything; JQ changes it.
item() {
    jq -nc --arg n "virt-launcher-$1" --arg vm "$1" '
        def unit(name; lines): {name: ($n + name), text: (lines | join("\n") + "\n"), mode: "0644"};
        {vmq: 1, source: {file: ($vm + ".yaml"), document: 1, line: 1}, options: {}, units: [
            unit(".pod"; ["[Unit]", "Description=Pod", "", "[Pod]", "PodName=" + $n, "Network=" + $n + ".network",
                          "", "[Service]", "TimeoutStopSec=200", "", "[Install]", "WantedBy=default.target"]),
            unit("-compute.container"; ["[Container]", "Image=quay.io/x/launcher:1", "Entrypoint=/usr/bin/monitor",
                          "Environment=A=unit", "EnvironmentFile=" + $n + "-compute.env", "Pod=" + $n + ".pod", "",
                          "[Service]", "Restart=on-failure"]),
            unit("-compute.env"; ["# a comment", "A=file", "B=it is \"so\", 100% $HOME \\", "C="]),
            unit("-init.container"; ["[Container]", "Image=quay.io/x/launcher:1", "Entrypoint=/bin/sh",
                          "Exec=/init.sh one", "Volume=./" + $n + "-init.sh:/init.sh:ro,z",
                          "Volume=" + $n + "-data.volume:/data", "Pod=" + $n + ".pod"]),
            unit("-init.sh"; ["#!/bin/sh", "echo \"$0 $1: 100% \u0027ok\u0027\"", "exit 7"]),
            unit("-data.volume"; ["[Volume]", "Driver=local"]),
            unit(".network"; ["[Network]"])]}'" | ${2:-.}"
}

# unbundle DIR: what `podman quadlet install` makes of the bundle on standard input.
unbundle() {
    mkdir -p "$1"
    awk -v dir="$1" '
        function put(   m, name, type, i, n, lines) {
            n = split(text, lines, "\n")
            for (i = 1; i <= n; i++) {
                if (!name && lines[i] ~ /^# FileName=/) name = substr(lines[i], 12)
                if (!type && lines[i] ~ /^\[(Container|Pod|Volume|Network|Image|Build|Kube)\]$/)
                    type = tolower(substr(lines[i], 2, length(lines[i]) - 2))
            }
            if (!name || !type || name ~ /[\/\\]/) { print "no unit: " text; exit 1 }
            printf "%s", text >(dir "/" name "." type)
            text = ""
        }
        $0 == "---" { put(); next }
        { text = text $0 "\n" }
        END { put() }'
}

# state DIR: names, modes and contents.
state() {
    (cd "$1" && find . -name '.vmq-*' -prune -o -type f -printf '%m %p\n' | sort &&
        find . -name '.vmq-*' -prune -o -type f -print | sort | xargs -r cat)
}

# --- the lines of step 7 ---

@test "ports of the proxies are published on 127.0.0.1, at the end of [Pod]" {
    item a | vmq fixup --vnc-proxy --console-proxy --vnc-port 5901 --output-dir out
    run sed -n '/^\[Pod\]/,/^\[Service\]/p' out/virt-launcher-a.pod
    [ "${lines[3]}" = "PublishPort=127.0.0.1:5901:5901" ]
    [ "${lines[4]}" = "PublishPort=127.0.0.1:2222:2222" ]
    [ "${lines[5]}" = "[Service]" ]
}

@test "immediately before [Install] where no section is between" {
    item a '.units[0].text |= gsub("\n\\[Service\\]\nTimeoutStopSec=200\n"; "")' |
        vmq fixup --vnc-proxy --output-dir out
    run grep -B 2 '^\[Install\]' out/virt-launcher-a.pod
    [ "${lines[0]}" = "PublishPort=127.0.0.1:5900:5900" ]
}

@test "a pod that does not start at boot has its port published too" {
    item a '.units[0].text |= sub("\n\\[Install\\](.|\n)*"; "")' | vmq fixup --vnc-proxy --output-dir out
    grep -q '^PublishPort=127.0.0.1:5900:5900$' out/virt-launcher-a.pod
    run ! grep -q '^\[Install\]' out/virt-launcher-a.pod
}

@test "no proxy, no port; other units stay as they are" {
    item a >a.json
    vmq fixup --output-dir out a.json
    jq -r '.units[] | select(.name | endswith(".pod")).text' a.json | head -c -1 >want
    cmp want out/virt-launcher-a.pod
    vmq fixup --vnc-proxy --passt-workarounds --output-dir out2 a.json
    cmp out/virt-launcher-a-init.container out2/virt-launcher-a-init.container
}

@test "options remembered by an earlier stage count" {
    item a '.options = {"vnc-proxy": "true", "vnc-port": "5907", "publish-address": "192.0.2.7"}' |
        vmq fixup --output-dir out
    grep -qx 'PublishPort=192.0.2.7:5907:5907' out/virt-launcher-a.pod
}

@test "--publish-address: IPv6 in brackets, no names, nothing that adds a line" {
    item a >a.json
    for address in ::1 '[::1]'; do
        vmq fixup --vnc-proxy --publish-address="$address" --output-dir out a.json
        grep -qx 'PublishPort=\[::1\]:5900:5900' out/virt-launcher-a.pod
    done
    for address in localhost '' 127.0.0.1:80 1.2.3 $'127.0.0.1\n[Service]' '::1%eth0'; do
        run --separate-stderr vmq fixup --vnc-proxy --publish-address="$address" a.json
        [ "$status" -ne 0 ]
        [ -z "$output" ]
    done
    run --separate-stderr vmq fixup --vnc-proxy --publish-address=localhost a.json
    refused 1 "'localhost' is no IP address" VMQ0954
}

@test "a proxy without a .pod unit is refused" {
    item a 'del(.units[0])' >a.json
    run --separate-stderr vmq fixup --vnc-proxy a.json
    refused 1 "no .pod unit" VMQ0955
}

@test "the host's network: a warning that everybody can connect" {
    item a '.units[0].text |= sub("Network=[^\n]*"; "Network=host")' >a.json
    run --separate-stderr vmq fixup --vnc-proxy a.json
    [ "$status" -eq 0 ]
    [[ $stderr == *"warning: with --network=host"*VMQ0958* ]]
}

@test "--passt-workarounds: PATH at the end of the compute container's section" {
    item a | vmq fixup --passt-workarounds --output-dir out
    run grep -B 2 '^\[Service\]' out/virt-launcher-a-compute.container
    [ "${lines[0]}" = "Environment=PATH=/passt-bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" ]
}

@test "--passt-workarounds without the container compute is refused" {
    item a 'del(.units[1, 2])' >a.json
    run --separate-stderr vmq fixup --passt-workarounds a.json
    refused 1 "no unit of the container compute" VMQ0955
}

@test "a unit to be changed that is no unit is refused" {
    item a '.units[0].text = "Foo"' >a.json
    run --separate-stderr vmq fixup --vnc-proxy a.json
    refused 1 "units[0].text: virt-launcher-a.pod" VMQ0956
}

@test "a unit that ends inside a line is refused: it would take in the one that is added" {
    item a '.units[0].text = "[Pod]\nPodName=a\\\\\n"' >a.json
    run --separate-stderr vmq fixup --vnc-proxy a.json
    refused 1 "the last line ends in a backslash" VMQ0956
}

# --- several VMs ---

@test "two VMs on one port are refused, and nothing is written" {
    { item a; item b; } >two.json
    run --separate-stderr vmq fixup --vnc-proxy --output-dir out two.json
    refused 1 "b.yaml:1: error:" "port 127.0.0.1:5900:5900 is published by a.yaml:1 too" VMQ0953
    [ ! -e out ]
    { item a; item b '.options["vnc-port"] = "5901"'; } | vmq fixup --vnc-proxy --output-dir out
}

@test "ports clash by address, range and protocol" {
    clash() { # VALUE VALUE
        { item a ".units[0].text |= sub(\"PodName\"; \"PublishPort=$1\nPodName\")"
          item b ".units[0].text |= sub(\"PodName\"; \"PublishPort=$2\nPodName\")"; } >two.json
        run --separate-stderr vmq fixup two.json
    }
    for pair in '80:80 0.0.0.0:80:81' '127.0.0.1:80:80 80:80' '[::]:80:80 1.2.3.4:80:80' '80-90:80-90 85:1/tcp' \
        '53:53/udp 53:5353/udp' '1-65535:1-65535 80:80' '80:80 1.2.3.4:1-65535:1-65535' '1.2.3.4:31-33:1-3 1.2.3.4:33:1' \
        '1.2.3.4:255-4099:255-4099 1.2.3.4:4098-5000:1-903' '[::1]:80:80 [0:0::1]:80:80' '1.2.3.4:17:1 1.2.3.4:16-31:1-16'; do
        # shellcheck disable=SC2086
        clash $pair
        refused 1 VMQ0953
    done
    for pair in '127.0.0.1:80:80 127.0.0.2:80:80' '80:80 81:80' '53:53/udp 53:53' '80 80' ':80 :80' '[::1]:80:80 127.0.0.1:80:80' \
        '1.2.3.4:1-79:1-79 80-65535:1-65456' '1.2.3.4:16-31:1-16 1.2.3.4:32-47:1-16' '1.2.3.4:1-65535:1-65535 1.2.3.5:80:80'; do
        # shellcheck disable=SC2086
        clash $pair
        [ "$status" -eq 0 ]
    done
}

@test "one VM with both proxies on one port is refused" {
    item a >a.json
    run --separate-stderr vmq fixup --vnc-proxy --console-proxy --console-port 5900 a.json
    refused 1 "--vnc-port and --console-port are both 5900" VMQ0953
}

@test "two VMs that write the same file are refused before anything is written" {
    { item other; item a; item a '.source.file = "second.yaml"'; } >three.json
    for out in --output-dir=out --tar --no-warn=VMQ0959; do
        run --separate-stderr vmq fixup "$out" three.json
        refused 1 "second.yaml:1: error: units[0].name: virt-launcher-a.pod is written by a.yaml:1 too" VMQ0952
    done
    [ ! -e out ]
}

@test "a volume with the same text is shared, one with another is not" {
    claim='.units += [{name: "claim.volume", text: "[Volume]\nVolumeName=claim\n"}]'
    { item a "$claim"; item b "$claim"; } >two.json
    vmq fixup --output-dir out two.json
    [ "$(grep -c claim.volume out/.vmq-units)" -eq 2 ]
    vmq fixup two.json | unbundle bundle
    [ -f bundle/claim.volume ]
    [ "$(vmq fixup two.json | grep -c 'FileName=claim$')" -eq 1 ]
    [ "$(vmq fixup --tar two.json | tar tf - | grep -c claim)" -eq 1 ]
    { item a "$claim"; item b "$claim | .units[-1].text += \"Driver=x\n\""; } >two.json
    run --separate-stderr vmq fixup --output-dir out2 two.json
    refused 1 "claim.volume is written by a.yaml:1 too"
}

@test "a refused VM is left out, the others are written" {
    { item a '.units = []'; item b; } >two.json
    run --separate-stderr vmq fixup --output-dir out two.json
    refused 1 "a.yaml:1: error: units: no units" VMQ0950
    [ ! -e out/virt-launcher-a.pod ]
    [ -e out/virt-launcher-b.pod ]
}

# --- names ---

@test "a name that is more than a file name is refused" {
    for name in '' . .. ../x.pod /etc/x.pod a/b.pod .x.container -x.pod 'x y.pod' 'x\n[Service].pod' 'x\u0007.pod' \
        'x\\\\y.pod' 'ü.pod' "$(printf 'a%.0s' {1..256})"; do
        item a ".units[5].name = \"$name\"" >a.json
        run --separate-stderr vmq fixup --output-dir out a.json
        refused 1 "units[5].name: '" "can't be the name of a unit" VMQ0951
        [ ! -e out ]
    done
    item a '.units[5].name = 7' >a.json
    run --separate-stderr vmq fixup a.json
    refused 1 VMQ0951
    item a 'del(.units[5].text)' >a.json
    run --separate-stderr vmq fixup a.json
    refused 1 "units[5].text: no text" VMQ0956
}

@test "a name of 255 bytes goes through every way out" {
    name=$(printf 'a%.0s' {1..248}).volume
    item a ".units[5].name = \"$name\"" >a.json
    vmq fixup --output-dir out a.json
    [ -f "out/$name" ]
    vmq fixup a.json | unbundle bundle
    [ -f "bundle/$name" ]
    mkdir untar
    vmq fixup --tar a.json | tar xf - -C untar
    [ -f "untar/$name" ]
}

@test "no units, another kind, no input: refused" {
    echo '{"vmq": 1}' >x.json
    run --separate-stderr vmq fixup x.json
    refused 1 "no units; run vmq-quadlet in front" VMQ0950
    echo '{"kind": "Pod"}' >x.json
    run --separate-stderr vmq fixup x.json
    refused 1 "'Pod' is not for this stage; it takes work items" VMQ0004
    run --separate-stderr vmq fixup </dev/null
    refused 1 "no work item in the input" VMQ0002
}

@test "options that contradict each other" {
    run --separate-stderr vmq fixup --tar --output-dir=out
    refused 2 "exclude each other"
    run --separate-stderr vmq fixup --prune
    refused 2 "--prune needs --output-dir"
    run --separate-stderr vmq fixup --output-dir=
    refused 2 "needs the name of a folder"
}

# --- the bundle ---

@test "the bundle has every unit and no other file, and Podman's generators take it" {
    need_generators
    item a '.units[1].text |= sub("Environment=A=unit\n"; "")' | vmq fixup --vnc-proxy | unbundle bundle
    run ls bundle
    [ "$output" = "virt-launcher-a-compute.container
virt-launcher-a-data.volume
virt-launcher-a-init.container
virt-launcher-a.network
virt-launcher-a.pod" ]
    for release in 5.4 5.8; do
        generator $release bundle >services
        grep -q -- '--publish 127.0.0.1:5900:5900' services
        grep -F -- '--env A=file' services
    done
}

@test "an .env is folded where it stood; the unit's own variables win" {
    item a | vmq fixup | unbundle bundle
    run grep -n Environment bundle/virt-launcher-a-compute.container
    [ "${lines[0]}" = "5:Environment=A=unit" ]
    # shellcheck disable=SC2016
    [ "${lines[1]}" = '6:Environment="B=it\x20is\x20\"so\",\x20100%%\x20$HOME\x20\\"' ]
    [ "${lines[2]}" = "7:Environment=C=" ]
    [ ${#lines[@]} -eq 3 ]
}

@test "a script is folded into the shell's arguments, with its \$0 and arguments" {
    item a | vmq fixup | unbundle bundle
    unit=bundle/virt-launcher-a-init.container
    run ! grep -q init.sh: $unit
    grep -q '^Volume=virt-launcher-a-data.volume:/data$' $unit
    run sed -n 's/^Exec=//p' $unit
    [[ $output == -c\ *\ "/init.sh one" ]]
    # What systemd makes of the word: C escapes, %% and $$.
    script=$(sed -e 's/^-c "//; s/" \/init.sh one$//; s/%%/%/g; s/\$\$/$/g; s/\\"/"/g' <<<"$output")
    run sh -c "$(printf '%b' "$script")" /init.sh one
    [ "$status" -eq 7 ]
    [ "$output" = "/init.sh one: 100% 'ok'" ]
}

@test "what can't be folded is refused, with the way out" {
    item a '.units += [{name: "notes.txt", text: "x"}]' >a.json
    run --separate-stderr vmq fixup a.json
    refused 1 "units[7]: notes.txt can't be part of a bundle; use --output-dir or --tar" VMQ0957
    vmq fixup --output-dir out a.json
    [ -f out/notes.txt ]
    item a '.units[3].text |= sub("Entrypoint=/bin/sh"; "Entrypoint=/usr/bin/python3")' >a.json
    run --separate-stderr vmq fixup a.json
    refused 1 "virt-launcher-a-init.sh is not what a shell of the unit runs" VMQ0957
    item a '.units[2].text = "A=" + ("x" * 131072) + "\n"' >a.json
    run --separate-stderr vmq fixup a.json
    [ "$status" -eq 0 ] # A is the unit's own
    item a '.units[2].text = "B=" + ("x" * 131072) + "\n"' >a.json
    run --separate-stderr vmq fixup a.json
    refused 1 "variable 'B' of virt-launcher-a-compute.env is longer than" VMQ0957
    item a '.units[4].text = ("x" * 131072)' >a.json
    run --separate-stderr vmq fixup a.json
    refused 1 "virt-launcher-a-init.sh is longer than" VMQ0957
}

@test "a unit that Podman would take for another type is refused in a bundle" {
    item a '.units[5].text = "[Pod]\n"' >a.json
    run --separate-stderr vmq fixup a.json
    refused 1 "virt-launcher-a-data.volume begins with no [Volume] section" VMQ0956
    item a '.units[5].text = "[Volume]\n---\n"' >a.json
    run --separate-stderr vmq fixup a.json
    refused 1 VMQ0956
}

@test "standard output that is full is a failure of the system" {
    item a >a.json
    # shellcheck disable=SC2317
    full() { vmq fixup "$@" >/dev/full; }
    run --separate-stderr full a.json
    refused 3 "standard output: No space left on device"
    run --separate-stderr full --tar a.json
    refused 3 "standard output: No space left on device"
}

# --- tar ---

@test "tar: the same files and modes, owner 0, time 0, the same bytes every time" {
    item a >a.json
    vmq fixup --tar a.json >a.tar
    run tar tvf a.tar --numeric-owner --utc
    [[ $output == *"-rw------- 0/0 "*" 1970-01-01 00:00 virt-launcher-a-compute.env"* ]]
    [[ $output == *"-rwxr-xr-x 0/0 "*" 1970-01-01 00:00 virt-launcher-a-init.sh"* ]]
    vmq fixup --output-dir out a.json
    mkdir untar
    tar xpf a.tar -C untar
    diff <(state out) <(state untar)
    (umask 077 && vmq fixup --tar a.json) | cmp - a.tar
}

# --- files ---

@test "modes do not depend on the umask" {
    item a >a.json
    for mask in 000 022 077 777; do
        rm -rf out && mkdir out
        (umask $mask && vmq fixup --output-dir out a.json)
        [ "$(stat -c %a out/virt-launcher-a-compute.env)" = 600 ]
        [ "$(stat -c %a out/virt-launcher-a-init.sh)" = 755 ]
        [ "$(stat -c %a out/virt-launcher-a.pod)" = 644 ]
    done
}

@test "a folder is made with those above it; the folder may be the current one" {
    item a | vmq fixup --output-dir deep/er/out/
    [ -f deep/er/out/virt-launcher-a.pod ]
    mkdir here && cd here
    item a | vmq fixup --output-dir .
    [ -f virt-launcher-a.pod ]
}

@test "a second run replaces, keeps other files, and leaves no temporary ones" {
    mkdir out && echo mine >out/mine.container
    item a | vmq fixup --output-dir out
    item a '.units[5].text += "Device=x\n"' | vmq fixup --output-dir out
    grep -q Device=x out/virt-launcher-a-data.volume
    [ "$(cat out/mine.container)" = mine ]
    run find out -name '.vmq-*'
    [ "$output" = out/.vmq-units ]
}

@test "what an earlier run left is told, and removed only with --prune" {
    { item a; item b; } | vmq fixup --output-dir out
    rm out/virt-launcher-b.network
    item a 'del(.units[5, 6])' >a.json
    for _ in 1 2; do
        run --separate-stderr vmq fixup --output-dir out a.json
        [ "$status" -eq 0 ]
        [[ $stderr == *"warning: left of an earlier run in out: virt-launcher-a-data.volume, virt-launcher-a.network; --prune"*VMQ0959* ]]
        [ -f out/virt-launcher-a-data.volume ]
    done
    run --separate-stderr vmq fixup --output-dir out --prune a.json
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    [ ! -e out/virt-launcher-a-data.volume ]
    [ ! -e out/virt-launcher-a.network ]
    [ -f out/virt-launcher-b-data.volume ]
    # What the user removed himself is no news.
    run --separate-stderr vmq fixup --output-dir out <(item b 'del(.units[6])')
    [ -z "$stderr" ]
}

@test "a file of another pod is not overwritten, nor pruned" {
    claim='.units += [{name: "claim.volume", text: "[Volume]\nVolumeName=claim\n"}]'
    { item a "$claim"; item b "$claim"; } | vmq fixup --output-dir out
    item c '.units[5].name = "virt-launcher-a-data.volume" | .units[5].text += "Device=x\n"' >c.json
    state out >before
    run --separate-stderr vmq fixup --output-dir out c.json
    refused 1 "virt-launcher-a-data.volume in out was written for virt-launcher-a, so nothing is written" VMQ0952
    state out | diff before -
    item a | vmq fixup --output-dir out --prune
    [ -f out/claim.volume ]
    item b | vmq fixup --output-dir out --prune
    [ ! -e out/claim.volume ]
}

@test "symbolic links in the folder are not followed" {
    echo precious >target
    mkdir out
    ln -s ../target out/virt-launcher-a.pod
    mkdir elsewhere
    echo precious >elsewhere/0
    ln -s ../elsewhere out/.vmq-new-0.d
    item a | vmq fixup --output-dir out
    [ "$(cat target elsewhere/0)" = $'precious\nprecious' ]
    [ ! -L out/virt-launcher-a.pod ]
    for own in .vmq-journal .vmq-units; do
        rm -f out/.vmq-*
        ln -s ../target out/$own
        run --separate-stderr vmq fixup --output-dir out <(item a)
        refused 3 "out/$own: Too many levels of symbolic links"
    done
    ln -s out link
    rm -f out/.vmq-*
    item a | vmq fixup --output-dir link
}

@test "a folder in the place of a file, or a file in the place of the folder: nothing changes" {
    mkdir -p out/virt-launcher-a.network
    run --separate-stderr vmq fixup --output-dir out <(item a)
    refused 3 "out/virt-launcher-a.network: Is a directory"
    [ "$(ls -A out)" = virt-launcher-a.network ]
    echo x >file
    run --separate-stderr vmq fixup --output-dir file <(item a)
    refused 3 "file: Not a directory"
    run --separate-stderr vmq fixup --output-dir file/below <(item a)
    refused 3 "Not a directory"
}

@test "a disk that is full leaves the folder as it was" {
    item a | vmq fixup --output-dir out
    state out >before
    item a '.units[5].text += ("#" * 5000)' >new.json
    full() { (trap '' XFSZ && ulimit -f 4 && vmq fixup --output-dir "$1" new.json); }
    [ -n "$VMQ_WRAP" ] || {
        run --separate-stderr full out
        refused 3 "File too large"
        state out | diff before -
        run --separate-stderr full other
        refused 3 "File too large"
        [ ! -e other ]
    }
}

@test "a damaged journal or record is not guessed at" {
    item a | vmq fixup --output-dir out
    mkdir out/.vmq-new-0.d
    echo new >out/.vmq-new-0.d/a.pod
    state out >before
    # shellcheck disable=SC1083 # the braces are meant
    for text in rubbish 'vmq-fixup journal 1' 'vmq-fixup journal 3' $'vmq-fixup journal 3\nfrom -1\nend' \
        $'vmq-fixup journal 3\nfrom 0 \nend' $'vmq-fixup journal 3\nfrom ../x\nend' \
        $'vmq-fixup journal 3\nfrom 0\nput '{../../x,.x,x/y}$'\nend' $'vmq-fixup journal 3\nfrom 0\nput a.pod' \
        $'vmq-fixup journal 3\nfrom 0\nput a.pod\nend\nput b.pod' \
        $'vmq-fixup journal 3\nfrom 0\nremove '{/etc/x,'a b',.vmq-journal,}$'\nend' $'vmq-fixup journal 3\nfrom 0\nput '{'x a.pod',,a.pod$'\t'}$'\nend' \
        $'vmq-fixup journal 3\nfrom 0\nput a.pod\nput\nend'; do
        echo "$text" >out/.vmq-journal
        run --separate-stderr vmq fixup --output-dir out <(item a)
        refused 3 "out/.vmq-journal is damaged; remove it"
    done
    # Not even what stood in front of the damage was done.
    state out | diff before -
    rm out/.vmq-journal
    echo 'virt-launcher-a ../../x' >out/.vmq-units
    run --separate-stderr vmq fixup --prune --output-dir out <(item a)
    refused 3 "out/.vmq-units is damaged; remove it"
}

# --- killed on the way ---

# interrupted K: a run for VM a was cut off behind the K-th of its steps after the journal.
interrupted() {
    rm -rf out
    cp -a old out
    mkdir out/.vmq-new-3.d
    printf 'vmq-fixup journal 3\nfrom 3\nput virt-launcher-a-data.volume\nput virt-launcher-a.network\nput virt-launcher-a.pod\nremove virt-launcher-a-init.sh\nend\n' \
        >out/.vmq-journal
    echo 0 >out/.vmq-new-3.d/virt-launcher-a-data.volume
    echo 1 >out/.vmq-new-3.d/virt-launcher-a.network
    echo 2 >out/.vmq-new-3.d/virt-launcher-a.pod
    [ "$1" -lt 1 ] || mv out/.vmq-new-3.d/virt-launcher-a-data.volume out
    [ "$1" -lt 2 ] || mv out/.vmq-new-3.d/virt-launcher-a.network out
    [ "$1" -lt 3 ] || mv out/.vmq-new-3.d/virt-launcher-a.pod out
    [ "$1" -lt 4 ] || rm out/virt-launcher-a-init.sh
}

@test "the next run completes what was decided, wherever it was cut off" {
    item a | vmq fixup --output-dir old
    for step in 0 1 2 3 4; do
        interrupted $step
        item b | vmq fixup --output-dir out
        [ "$(cat out/virt-launcher-a-data.volume out/virt-launcher-a.network out/virt-launcher-a.pod)" = $'0\n1\n2' ]
        [ ! -e out/virt-launcher-a-init.sh ]
        [ -f out/virt-launcher-b.pod ]
        [ "$(find out -name '.vmq-*')" = out/.vmq-units ]
    done
}

@test "the next run forgets what was not decided" {
    item a | vmq fixup --output-dir out
    state out >before
    mkdir out/.vmq-new-{0,9}.d
    echo x >out/.vmq-new-0.d/0
    echo 'vmq-fixup jour' >out/.vmq-new-9.d/.journal
    item a | vmq fixup --output-dir out
    state out | diff before -
    [ "$(find out -name '.vmq-*')" = out/.vmq-units ]
}

# bats test_tags=heavy
@test "kill -9 at any time leaves all old or all new files" {
    item a >old.json
    item a '.units[].text |= gsub("\n"; "\n# new\n") | .units[4].text = "new\n" | .units[2].text = "N=1\n"' >new.json
    vmq fixup --output-dir old old.json
    vmq fixup --output-dir new new.json
    state old >old.state
    state new >new.state
    new=0
    for i in {1..30}; do
        rm -rf out && cp -a old out
        # The process itself, not a shell around it.
        (exec "$VMQ_BIN/vmq-fixup" --output-dir out new.json 3>&-) &
        sleep "0.00$((RANDOM % 10))$((i % 10))"
        kill -9 $! 2>/dev/null || :
        wait $! 2>/dev/null || :
        # The process that makes the change has the lock.
        flock out true
        if state out | cmp -s - new.state; then
            new=$((new + 1))
        else
            state out | diff old.state -
        fi
        # What was decided is completed, the rest forgotten.
        vmq fixup --output-dir out <(item b)
        [ "$(find out -name '.vmq-*')" = out/.vmq-units ]
    done
    echo "new: $new of 30"
}

@test "two runs at once: each is whole" {
    item a >1.json
    item a '.units[].text |= gsub("\n"; "\n# new\n") | .units[4].text = "new\n" | .units[2].text = "N=1\n"' >2.json
    vmq fixup --output-dir one 1.json
    vmq fixup --output-dir two 2.json
    for _ in {1..5}; do
        for n in 1 2 1 2; do
            vmq fixup --output-dir out $n.json 3>&- &
        done
        wait
        state out | cmp -s - <(state one) || state out | diff - <(state two)
    done
    for vm in c d e f; do
        item $vm | vmq fixup --output-dir all 3>&- &
    done
    wait
    [ "$(find all -name '*.pod' | wc -l)" -eq 4 ]
    [ "$(cut -d' ' -f1 all/.vmq-units | sort -u | wc -l)" -eq 4 ]
}

# slowly DIR: a run that has got VM a and waits for more, until `go_on`, which has its status. wait_for FILE:
# it is there.
slowly() {
    mkfifo slow
    vmq fixup --output-dir "$1" <slow 2>said 3>&- &
    exec 7>slow
    item a >&7
}

go_on() {
    exec 7>&-
    rm slow
    wait $!
}

wait_for() {
    for _ in {1..100}; do [ ! -e "$1" ] || return 0; sleep 0.1; done
    return 1
}

@test "runs that read at the same time do not wait for each other, nor touch what the other has laid by" {
    mkdir out
    slowly out
    wait_for out/.vmq-new-0.d/virt-launcher-a.pod
    [ ! -e out/virt-launcher-a.pod ]
    item b | vmq fixup --output-dir out
    [ -e out/virt-launcher-b.pod ]
    [ -e out/.vmq-new-0.d/virt-launcher-a.pod ]
    go_on
    [ -e out/virt-launcher-a.pod ]
    [ "$(find out -name '.vmq-*')" = out/.vmq-units ]
    [ "$(wc -l <out/.vmq-units)" -eq 14 ]
}

@test "a folder that is not there appears in one step, whatever it is called" {
    umask 027
    for dir in new deep/er/new new2/ ./new3// "$PWD/new4" "$(printf '%0250d' 1)"; do
        item a | vmq fixup --output-dir "$dir"
        [ "$(find "$dir" -type f | wc -l)" -eq 8 ]
        [ "$(stat -c %a "$dir")" = 750 ]
        [ -z "$(find . -name '*vmq-new*')" ]
    done
    slowly out
    wait_for .out.vmq-new.d/virt-launcher-a.pod
    [ ! -e out ]
    go_on
    [ -e out/virt-launcher-a.pod ]
    [ ! -e .out.vmq-new.d ]
}

@test "a folder that another run has made meanwhile takes both" {
    slowly out
    wait_for .out.vmq-new.d/virt-launcher-a.pod
    item b | vmq fixup --output-dir out
    [ -e out/virt-launcher-b.pod ]
    go_on
    [ "$(find out -name '*.pod' | sort)" = $'out/virt-launcher-a.pod\nout/virt-launcher-b.pod' ]
    [ "$(find . -name '.*vmq-*')" = ./out/.vmq-units ]
    [ "$(wc -l <out/.vmq-units)" -eq 14 ]
}

@test "something that is no folder has appeared meanwhile: it stays" {
    slowly out
    wait_for .out.vmq-new.d/virt-launcher-a.pod
    echo precious >out
    status=0
    go_on || status=$?
    [ "$status" -eq 3 ]
    grep -F "out: Not a directory" said
    [ "$(cat out)" = precious ]
    [ ! -e .out.vmq-new.d ]
}

@test "what a killed run left of a new folder is taken over" {
    mkdir .out.vmq-new.d
    echo old >.out.vmq-new.d/virt-launcher-x.pod
    item a | vmq fixup --output-dir out
    [ ! -e .out.vmq-new.d ]
    [ ! -e out/virt-launcher-x.pod ]
    [ -e out/virt-launcher-a.pod ]
}

@test "what a killed run left of a folder that somebody has made since goes" {
    mkdir out .out.vmq-new.d
    echo old >.out.vmq-new.d/virt-launcher-x.pod
    flock .out.vmq-new.d sh -c '"$1" --output-dir out <"$2" && ls -A >left' sh \
        "$VMQ_BIN/vmq-fixup" <(item a)
    grep -qx '.out.vmq-new.d' left # somebody is at work in it
    item b | vmq fixup --output-dir out/
    [ ! -e .out.vmq-new.d ]
    [ -e out/virt-launcher-a.pod ] && [ -e out/virt-launcher-b.pod ]
}

@test "what is as it should be is left alone" {
    item a | vmq fixup --output-dir out
    state out >before
    touch -d '2001-02-03 04:05' out out/* out/.vmq-units
    item a | vmq fixup --output-dir out
    state out | diff before -
    [ -z "$(find out -newermt 2001-03-01)" ]
    # Only what has another content or mode is written, and nothing that is no plain file is taken for one.
    chmod 666 out/virt-launcher-a.pod
    echo '# mine' >>out/virt-launcher-a.network
    mv out/virt-launcher-a-data.volume elsewhere
    ln -s ../elsewhere out/virt-launcher-a-data.volume
    touch -d '2001-02-03 04:05' out/virt-launcher-a.{pod,network}
    item a | vmq fixup --output-dir out
    state out | diff before -
    [ "$(find out -type f -newermt 2001-03-01 -printf '%f\n' | sort)" = \
        $'virt-launcher-a-data.volume\nvirt-launcher-a.network\nvirt-launcher-a.pod' ]
}

@test "a file that was left alone and that another run has changed meanwhile" {
    item a | vmq fixup --output-dir out
    item a '.units[5].text += "# new\n"' >new.json
    slowly out
    item b >&7
    wait_for out/.vmq-new-0.d/virt-launcher-b.pod
    vmq fixup --output-dir out new.json
    state out >before
    status=0
    go_on || status=$?
    [ "$status" -eq 3 ]
    grep -F "was changed by somebody else meanwhile, so nothing is written; convert again" said
    state out | diff before -
}

# --- many ---

# many N [JQ]: work items of so many VMs. .i is the number of the VM.
many() {
    item NUMBER | jq -c --argjson n "$1" '. as $item | range($n) as $i | $item | '"${2:-.}"' |
        walk(if type == "string" then gsub("NUMBER"; "\($i)") else . end)'
}

@test "many VMs: each way out is what it is for one" {
    many 300 >many.json # 2100 files, and more than is kept in memory
    mkdir tmp
    TMPDIR=$PWD/tmp vmq fixup many.json >bundle
    TMPDIR=$PWD/tmp vmq fixup --tar many.json >tar
    vmq fixup --output-dir out many.json
    [ "$(stat -c %s bundle)" -gt 131072 ]
    [ -z "$(ls -A tmp)" ]
    split -l 100 many.json part.
    for part in part.*; do vmq fixup --output-dir want "$part"; done
    diff -r -x .vmq-units want out
    diff <(sort want/.vmq-units) <(sort out/.vmq-units)
    mkdir untar && tar -xf tar -C untar
    diff -r -x .vmq-units want untar
    { vmq fixup part.aa; echo ---; vmq fixup part.ab; echo ---; vmq fixup part.ac; } | cmp - bundle
}

@test "many VMs: who has a name is found however many were between" {
    { many 150; item 3; } >many.json
    for way in --tar --output-dir=out ''; do
        run --separate-stderr vmq fixup $way many.json
        refused 1 "3.yaml:1: error: units[0].name: virt-launcher-3.pod is written by 3.yaml:1 too, so nothing is written" VMQ0952
        [ ! -e out ]
    done
}

@test "many VMs: a run before them is known" {
    many 100 | vmq fixup --output-dir out
    many 100 'del(.units[6])' >less.json
    vmq fixup --output-dir out less.json 2>said
    [ "$(grep -c 'left of an earlier run' said)" -eq 100 ]
    vmq fixup --prune --output-dir out less.json
    [ -z "$(find out -name '*.network')" ]
    [ "$(wc -l <out/.vmq-units)" -eq 600 ]
    # One that would overwrite another's file is enough for nothing to happen.
    many 3 '.units[0].name = "virt-launcher-other-NUMBER.pod" | .units[5].name = "virt-launcher-1NUMBER-data.volume" |
        .units[5].text += "#\n" | del(.units[1,2,3,4])' >other.json
    state out >before
    run --separate-stderr vmq fixup --output-dir out other.json
    refused 1 "0.yaml:1: error: units[1].name: virt-launcher-10-data.volume in out was written for virt-launcher-10" VMQ0952
    state out | diff before -
}

# bats test_tags=heavy
@test "no room for what does not fit into memory is a failure of the system" {
    many 150 >many.json
    export TMPDIR=$PWD/none
    run --separate-stderr vmq fixup many.json
    refused 3 "temporary file: No such file or directory"
    item a | vmq fixup >/dev/null # needs none
}

# bats test_tags=heavy,plain
@test "memory does not grow with the number of VMs" {
    many 100 >100.json
    for way in --tar --output-dir=out ''; do
        [ "$(memory_growth 100.json virt-launcher- 2 12 "$VMQ_BIN/vmq-fixup" $way)" -lt 600 ]
    done
}
