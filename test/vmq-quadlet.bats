#!/usr/bin/env bats
# A Pod as Quadlet units: what a VM's Pod becomes, the differences from the reference's units (each with
# a test that the reference's way of writing it fails), quoting, the stream. What becomes
# of each field of a Pod is in quadlet-pods/.
# shellcheck disable=SC2016,SC2154
load helper

# item [FILTER]: a work item as vmq-adapt leaves it, changed by the jq filter.
item() {
    jq -cn '{vmq: 1, source: {file: "vm.yaml", document: 1, line: 1}, mine: [1],
        vm: {spec: {runStrategy: "Always"}}, vmi: {},
        run: {main: "compute", again: ["virt-handler-dir-init"], optional: ["vhost-net"]},
        pod: {apiVersion: "v1", kind: "Pod", metadata: {name: "web"}, spec: {
            restartPolicy: "OnFailure", terminationGracePeriodSeconds: 60,
            securityContext: {runAsUser: 107, runAsNonRoot: true, fsGroup: 107},
            initContainers: [
                {name: "virt-handler-dir-init", image: "example.com/l:1", command: ["/bin/sh", "-c"],
                    args: ["echo $1\n", "name", "a b"], volumeMounts: [{name: "private", mountPath: "/p"}]},
                {name: "disk", image: "example.com/l:1", volumeMounts: [{name: "data", mountPath: "/d"}]}],
            containers: [
                {name: "compute", image: "example.com/l:1", command: ["/usr/bin/l", "--name", "web"],
                    env: [{name: "STANDALONE_VMI", value: "{\"a\": 1}"}],
                    volumeMounts: [{name: "private", mountPath: "/p"}, {name: "data", mountPath: "/d"},
                        {name: "kvm", mountPath: "/dev/kvm"}, {name: "vhost-net", mountPath: "/dev/vhost-net"}]},
                {name: "vnc-proxy", image: "example.com/s:1"}],
            volumes: [{name: "private", emptyDir: {}}, {name: "data", persistentVolumeClaim: {claimName: "disk-1"}},
                {name: "kvm", hostPath: {path: "/dev/kvm", type: "CharDevice"}},
                {name: "vhost-net", hostPath: {path: "/dev/vhost-net", type: "CharDevice"}}]}}}' |
        jq -c "${1:-.}"
}

# units FILTER [OPTION]...: the item's units as files in `out`.
units() {
    local filter=$1
    shift
    item "$filter" | vmq quadlet "$@" >items
    rm -rf out && mkdir out
    unpack items
}

# unpack FILE: the units of work items as files in `out`.
unpack() {
    local name text
    while IFS=$'\t' read -r name text; do
        base64 -d <<<"$text" >"out/$name"
    done < <(jq -r '.units[] | "\(.name)\t\(.text | @base64)"' "$1")
}

# section FILE SECTION: its lines.
section() {
    awk -v s="[$2]" '/^\[/ { inside = $0 == s; next } inside && NF' "out/$1"
}

# has FILE SECTION LINE, hasnt FILE SECTION PATTERN
has() {
    section "$1" "$2" | grep -qxF -- "$3" || { cat "out/$1"; echo "no such line: $3"; return 1; }
}

hasnt() {
    if section "$1" "$2" | grep -E -- "$3"; then
        return 1
    fi
}

# args RELEASE SERVICE [KEY]: what systemd would run, as JSON.
args() {
    generator "$1" out | "$VMQ_BIN/unit/execstart" - | jq -c --arg s "$2.service" --arg k "${3:-ExecStart}" '.[$s][$k][0]'
}

# a_pod SPEC [JQ]: a bare Pod.
a_pod() {
    jq -cn "{apiVersion: \"v1\", kind: \"Pod\", metadata: {name: \"p\"}, spec: {containers: [{name: \"c\", image: \"example.com/i:1\"}]}} | ${1:-.}"
}

@test "a VM's Pod: which files, in which order, with which modes" {
    units .
    run jq -r '.units[] | "\(.name) \(.mode)"' items
    [ "$output" = "web-private-empty.volume 0644
web-data.volume 0644
web.pod 0644
web.network 0644
web-virt-handler-dir-init.sh 0755
web-virt-handler-dir-init.container 0644
web-disk.container 0644
web-compute.container 0644
web-vnc-proxy.container 0644
web-compute.env 0600" ]
}

@test "keys that the stage does not know stay, and its own are added" {
    item . | vmq quadlet >items
    jq -e '.mine == [1] and .pod.metadata.name == "web" and (.units | length) == 10' items
}

@test "an init container of vmq-adapt: its script is a file, its arguments are arguments" {
    units .
    [ "$(cat out/web-virt-handler-dir-init.sh)" = 'echo $1' ]
    has web-virt-handler-dir-init.container Container 'Entrypoint=/bin/sh'
    has web-virt-handler-dir-init.container Container 'Exec=/init.sh "a\x20b"'
    has web-virt-handler-dir-init.container Container 'Volume=./web-virt-handler-dir-init.sh:/init.sh:ro,z'
}

@test "the same text, whatever the time and the place" {
    item . | vmq quadlet >one
    mkdir elsewhere
    (cd elsewhere && item . | TZ=Asia/Tokyo LC_ALL=C HOME=/ vmq quadlet >../two)
    cmp one two
}

# --- differences --------------------------------------------------------------------------------------

@test "D1: a line break in an image or a host name is refused with its path" {
    need_generators
    for at in .containers[0].image .hostname .initContainers[1].image; do
        item ".pod.spec$at = \"x\\n[Service]\\nExecStartPre=/bin/evil\"" >in
        run --separate-stderr vmq quadlet in
        refused 1 "pod.spec$at: the text has a control character in it" VMQ0850
    done
    # The reference's way: the generator takes the lines for the unit's own.
    mkdir out
    printf '[Container]\nImage=%s\n' $'example.com/x\n[Service]\nExecStartPre=/bin/evil' >out/w.container
    generator 5.4 out 2>/dev/null | grep -qx 'ExecStartPre=/bin/evil'
}

@test "D17: an image that is mounted is pulled by a unit in front" {
    need_generators
    units '.pod.spec.volumes += [{name: "root", image: {reference: "example.com/d:1", pullPolicy: "IfNotPresent"}}]
        | .pod.spec.containers[0].volumeMounts += [{name: "root", mountPath: "/img"}]' --podman=5.8
    has web-root.image Image 'Image=example.com/d:1'
    has web-root.image Image 'Policy=missing'
    has web-compute.container Container 'Mount=type=image,source=web-root.image,destination=/img'
    generator 5.8 out | grep -qx 'Requires=web-root-image.service'
    # The reference's way: nothing orders a pull, and nothing pulls.
    sed -i 's/source=web-root.image/source=example.com\/d:1/' out/web-compute.container
    rm out/web-root.image
    run ! grep -q 'image.service\|"pull"' <<<"$(generator 5.8 out)"
}

@test "D17: a Podman without Policy= pulls only what is not there" {
    units '.pod.spec.volumes += [{name: "root", image: {reference: "example.com/d:1"}}]'
    hasnt web-root.image Image Policy
    has web-root.image Service 'ExecCondition=/bin/sh -c "!\x20podman\x20image\x20exists\x20\"$1\"" sh example.com/d:1'
}

@test "D21: volumes named after claims are shared" {
    need_generators
    two='.pod.spec.volumes += [{name: "again", persistentVolumeClaim: {claimName: "disk-1"}}]
        | .pod.spec.containers[1].volumeMounts = [{name: "again", mountPath: "/a"}]'
    units "$two" --volume-names=claim
    has disk-1.volume Volume 'VolumeName=disk-1'
    has web-compute.container Container 'Volume=disk-1.volume:/d'
    has web-vnc-proxy.container Container 'Volume=disk-1.volume:/a'
    [[ $(args 5.4 disk-1-volume) == *'"disk-1"]' ]]
    # Another VM with the claim has the same unit, to the letter.
    cp out/disk-1.volume first
    units "$two | .pod.metadata.name = \"other\"" --volume-names=claim
    cmp first out/disk-1.volume
    # The reference's way, and the default: named after the pod and its volume.
    units "$two"
    [[ $(args 5.4 web-data-volume) == *'"systemd-web-data"]' ]]
    [ ! -e out/disk-1.volume ]
}

@test "a claim that is read-only is so for the VM, and for every container of another Pod" {
    units '.pod.spec.volumes[1].persistentVolumeClaim.readOnly = true'
    has web-compute.container Container Volume=web-data.volume:/d:ro
    has web-disk.container Container Volume=web-data.volume:/d
    units '.pod.spec.volumes[1].persistentVolumeClaim.readOnly = true | del(.vm, .vmi, .run)'
    has web-compute.container Container Volume=web-data.volume:/d:ro
    has web-disk.container Container Volume=web-data.volume:/d:ro
}

@test "D22: the guest has time to shut down, and systemd waits longer than Podman" {
    need_generators
    units . --podman=5.8
    has web-compute.container Container StopTimeout=120
    has web-compute.container Service TimeoutStopSec=150
    has web.pod Pod StopTimeout=150
    has web.pod Service TimeoutStopSec=180
    hasnt web-vnc-proxy.container Container StopTimeout
    units '.pod.spec.terminationGracePeriodSeconds = 330' --podman=5.4
    has web-compute.container Container StopTimeout=330
    has web-compute.container Service TimeoutStopSec=360
    hasnt web.pod Pod StopTimeout
    has web.pod Service TimeoutStopSec=390
    args 5.4 web-compute | jq -e 'index(["--stop-timeout", "330"])'
    # The reference's way: nothing on compute, which stops first.
    sed -i '/^StopTimeout=/d' out/web-compute.container
    args 5.4 web-compute | jq -e 'index("--stop-timeout") == null'
}

@test "D23: emptyDirs go with the pod, claims stay" {
    units .
    has web-private-empty.volume Unit PartOf=web-pod.service
    has web-private-empty.volume Service 'ExecStop=/usr/bin/podman volume rm --force systemd-web-private-empty'
    hasnt web-data.volume Unit PartOf
    hasnt web-data.volume Service ExecStop
}

@test "D24: virt-handler-dir-init runs before every start of compute, and for nobody else" {
    units .
    has web-virt-handler-dir-init.container Service RemainAfterExit=no
    has web-disk.container Service RemainAfterExit=yes
    has web-compute.container Unit Requires=web-virt-handler-dir-init.service
    has web-compute.container Unit After=web-virt-handler-dir-init.service
    hasnt web-vnc-proxy.container Unit Requires=web-virt-handler-dir-init.service
}

@test "D25: an init container that failed is tried again" {
    units .
    for unit in web-disk web-virt-handler-dir-init; do
        has $unit.container Service Type=oneshot
        has $unit.container Service Restart=on-failure
        has $unit.container Service RestartMode=direct
        has $unit.container Service RestartSec=5
    done
}

@test "D26: when it starts and restarts is the VM's runStrategy" {
    # strategy, starts at boot, Restart=
    while read -r vm boot restart; do
        units ".vm.spec = $vm"
        if [ "$boot" = boot ]; then
            has web.pod Install WantedBy=default.target
        else
            hasnt web.pod Install .
        fi
        if [ "$restart" = none ]; then
            hasnt web-compute.container Service Restart
        else
            has web-compute.container Service "Restart=$restart"
        fi
        has web-compute.container Install WantedBy=web-pod.service
    done <<'END'
{"runStrategy":"Always"} boot always
{"running":true} boot always
{"runStrategy":"RerunOnFailure"} boot on-failure
{"runStrategy":"Once"} boot none
{"runStrategy":"Manual"} stay none
{"runStrategy":"Halted"} stay on-failure
{"running":false} stay on-failure
{} boot on-failure
END
}

@test "D27: a release is not given keys that it lacks" {
    need_generators
    local all='.pod.spec |= (.hostname = "box" | .containers[0].resources = {limits: {memory: "1Gi"}})'
    # release, then a key that it is the first to know and the option that stands for it before
    while read -r release section key option; do
        for podman in 5.4 5.5 5.6 5.7 5.8; do
            units "$all" --podman=$podman
            if [[ $podman < $release ]]; then
                ! grep -h "^$key=" out/*."$section"
                [ "$option" = - ] || grep -q "^PodmanArgs=$option" out/*."$section"
            else
                grep -q "^$key=" out/*."$section"
            fi
        done
    done <<'END'
5.5 container Memory --memory=1073741824
5.5 pod HostName --hostname=box
5.6 pod ExitPolicy --exit-policy=continue
5.7 pod StopTimeout -
END
    units "$all"
    generator 5.4 out >/dev/null
    # The reference's way: 5.4 refuses the set.
    units "$all" --podman=5.8
    run generator 5.4 out
    [[ $output == *"unsupported key"* ]]
}

@test "D29: a host without /dev/vhost-net starts the VM all the same" {
    need_generators
    [ ! -e /dev/vhost-net ] || skip "this host has /dev/vhost-net"
    units .
    has web-compute.container Container AddDevice=-/dev/vhost-net
    has web-compute.container Container AddDevice=/dev/kvm:/dev/kvm
    args 5.4 web-compute | jq -e 'index("/dev/vhost-net") == null and index(["--device", "/dev/kvm:/dev/kvm"])'
    # The reference's way: Podman is told to add what is not there.
    sed -i 's/^AddDevice=-.*/AddDevice=\/dev\/vhost-net:\/dev\/vhost-net/' out/web-compute.container
    args 5.4 web-compute | jq -e 'index("/dev/vhost-net:/dev/vhost-net")'
}

@test "D29: without hints, the name of the volume tells" {
    units 'del(.run)'
    has web-compute.container Container AddDevice=-/dev/vhost-net
}

@test "D30: the group of /dev/kvm" {
    units . --kvm-group=105
    has web-compute.container Container GroupAdd=105
    hasnt web-vnc-proxy.container Container GroupAdd
    units . --kvm-group=keep-groups
    has web-compute.container Container GroupAdd=keep-groups
    item . >in
    run --separate-stderr vmq quadlet --kvm-group=kvm in
    refused 2 "--kvm-group: 'kvm' is not a whole number or keep-groups"
    units .
    hasnt web-compute.container Container GroupAdd
}

@test "D31: huge pages are huge pages, and the host's part is told" {
    need_generators
    local huge='.pod.spec |= (.volumes += [{name: "huge", emptyDir: {medium: "HugePages"}}]
        | .containers[0].resources = {limits: {"hugepages-2Mi": "3Gi"}})'
    run --separate-stderr units "$huge"
    [ "$status" -eq 0 ]
    [[ $stderr == *"note: pod.spec.containers[0].resources.limits.hugepages-2Mi: the host must set aside 1536 huge pages of 2Mi"* ]]
    has web-huge-empty.volume Volume Type=hugetlbfs
    has web-huge-empty.volume Volume Device=hugetlbfs
    has web-huge-empty.volume Volume Options=pagesize=2M,mode=0777
    args 5.4 web-huge-empty-volume | jq -e 'index("type=hugetlbfs") and index("o=pagesize=2M,mode=0777")'
}

@test "D32: what is secret is for the owner alone, and scripts can be run" {
    units .
    jq -e '[.units[] | select(.name | endswith(".env")) | .mode] == ["0600"]
        and [.units[] | select(.name | endswith(".sh")) | .mode] == ["0755"]' items
}

@test "D33: what systemd would expand arrives as it was" {
    need_generators
    units '.pod.spec |= (.containers[0].args = ["100%d", "%h/x", "${HOME}", "$USER", "a$$b"]
        | .containers[0].volumeMounts += [{name: "h", mountPath: "/m%n"}]
        | .volumes += [{name: "h", hostPath: {path: "/srv/%h$x${HOME}"}}]
        | .containers[0].readinessProbe = {exec: {command: ["test", "%h", "${HOME}"]}})'
    for podman in 5.4 5.8; do
        args $podman web-compute | jq -e '.[-5:] == ["100%d", "%h/x", "${HOME}", "$USER", "a$$b"]
            and index("/srv/%h$x${HOME}:/m%n:z") and (.[index("--health-cmd") + 1] | fromjson == ["test", "%h", "${HOME}"])'
    done
    # The reference's way: '%' as it is, which systemd takes for a specifier.
    grep -q '%%h' out/web-compute.container
    sed -i 's/%%/%/g; s/\$\$/$/g' out/web-compute.container
    args 5.8 web-compute | jq -e '.[-3:] != ["${HOME}", "$USER", "a$$b"] and index("/srv/%h$x${HOME}:/m%n:z") == null
        and index("100<%d>") and index("<%h>/x")'
}

@test "an empty argument arrives, but for the VM's container, where the reference leaves it out" {
    local empty='.pod.spec.containers |= map(.command = ["/usr/bin/l", "--ovmf-path", "", "--next"])'
    units "$empty" 2>said
    grep -F 'pod.spec.containers[0].command[2]: empty, and left out of the unit as in the reference' said
    [ "$(grep -c 'left out of the unit' said)" -eq 1 ]
    has web-compute.container Container 'Exec=--ovmf-path  --next'
    hasnt web-compute.container Service VMQ_EMPTY
    has web-vnc-proxy.container Container 'Exec=--ovmf-path ${VMQ_EMPTY} --next'
    has web-vnc-proxy.container Service Environment=VMQ_EMPTY=
    args 5.4 web-compute | jq -e '.[-3:] == ["example.com/l:1", "--ovmf-path", "--next"]'
}

@test "D34: a ':' in the source of a bind mount" {
    need_generators
    units '.pod.spec |= (.containers[0].volumeMounts += [{name: "h", mountPath: "/m"}]
        | .volumes += [{name: "h", hostPath: {path: "/srv/x:y,ro"}}])'
    has web-compute.container Container 'Mount="type=bind,\"source=/srv/x:y,ro\",destination=/m,relabel=shared"'
    args 5.4 web-compute | jq -e 'index(["--mount", "type=bind,\"source=/srv/x:y,ro\",destination=/m,relabel=shared"])'
    # The reference's way: Podman reads four fields, "incorrect volume format".
    sed -i 's/^Mount="type=bind.*/Volume=\/srv\/x:y,ro:\/m:z/' out/web-compute.container
    args 5.4 web-compute | jq -e '.[index("-v") + 1:] | any(.[]; . == "/srv/x:y,ro:/m:z") and (map(select(. == "/srv/x:y,ro:/m:z"))[0] | split(":") | length) > 3'
}

@test "D35: long variables: a line of the file, then the unit, then no more" {
    need_generators
    vmi() { item | jq -c --argjson n "$1" '.pod.spec.containers[0].env[0].value = "x" * $n'; }
    # "STANDALONE_VMI=" and the value in one line of Go's scanner
    for n in 1025 65520; do
        vmi $n | vmq quadlet >items
        jq -e --argjson n $n '[.units[] | select(.name == "web-compute.env") | .text] == ["STANDALONE_VMI=" + "x" * $n + "\n"]' items
    done
    # "STANDALONE_VMI=", the value and the NUL in one argument of a process
    for n in 65521 131056; do
        vmi $n | vmq quadlet >items
        rm -rf out && mkdir out
        unpack items
        [ ! -e out/web-compute.env ]
        args 5.4 web-compute | jq -e --argjson n $n 'index("STANDALONE_VMI=" + "x" * $n)'
    done
    vmi 131057 >in
    run --separate-stderr vmq quadlet in
    refused 1 "131073 bytes, and Linux passes at most 131072 to a process; put the value in a file and mount that" VMQ0858
    # The reference's way: any length in the file, whose reader gives up beyond 64 KiB.
    head -c 131056 /dev/zero | tr '\0' x >value
    ! { printf 'STANDALONE_VMI='; cat value; echo; } | awk '{ exit length($0) > 65535 }'
}

@test "D36: two things that would be one service are refused" {
    item '.pod.spec.volumes += [{name: "private", emptyDir: {}}]' >in
    run --separate-stderr vmq quadlet in
    refused 1 "pod.spec.volumes[4].name: web-private-empty.volume and web-private-empty.volume would both be web-private-empty-volume.service; rename one of them" VMQ0852
}

@test "what was a sidecar starts before compute, and again with it" {
    units '.run.beside = ["fs"] | .pod.spec.containers += [{name: "fs", image: "example.com/l:1"}]'
    has web-compute.container Unit After=web-fs.service
    has web-fs.container Unit PartOf=web-compute.service
    has web-fs.container Unit After=web-virt-handler-dir-init.service
    hasnt web-fs.container Unit Requires=web-virt-handler-dir-init.service
}

# --- options ------------------------------------------------------------------------------------------

@test "--network: the pod's network is somebody else's" {
    units . --network=shared
    has web.pod Pod Network=shared
    [ ! -e out/web.network ]
    units .
    has web.pod Pod Network=web.network
    [ "$(cat out/web.network)" = '[Network]' ]
    item . >in
    run --separate-stderr vmq quadlet --network=$'a\nb' in
    refused 2 "is not a text without control characters"
}

@test "--configmap and --secret: from files, of which others are taken no notice" {
    a_pod '.spec.containers[0].env = [{name: "A", valueFrom: {configMapKeyRef: {name: "cm", key: "k"}}},
        {name: "B", valueFrom: {secretKeyRef: {name: "s", key: "p"}}}]' >pod
    printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {k: v}\n' >cm.yaml
    printf 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {p: "aGk="}\n' >s.yaml
    vmq quadlet --configmap=cm.yaml --secret=s.yaml pod >items
    mkdir out && unpack items
    has p-c.container Container Environment=A=v
    [ "$(cat out/p-c.env)" = B=hi ]
    run --separate-stderr vmq quadlet --configmap=nowhere pod
    refused 3 "nowhere: No such file or directory"
    echo '{' >broken
    run --separate-stderr vmq quadlet --secret=broken pod
    refused 1 "broken:2:1: error: the text ends inside a value"
}

# --- the stream ---------------------------------------------------------------------------------------

@test "YAML and JSON, Pods in Lists, and ConfigMaps anywhere; the order stays" {
    {
        printf 'apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: a}\n'
        printf '  spec: {containers: [{name: c, image: example.com/i, envFrom: [{configMapRef: {name: late}}]}]}\n---\n'
        a_pod '.metadata.name = "b"'
        printf -- '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: late}\ndata: {K: v}\n'
    } >in
    vmq quadlet in >items
    [ "$(jq -r '.pod.metadata.name' items | xargs)" = 'a b' ]
    jq -es '.[0].units[] | select(.name == "a-c.container") | .text | contains("Environment=K=v")' items
}

@test "wherever a Pod names a ConfigMap or a Secret, it waits for it" {
    local place late='{kind: "%s", metadata: {name: "late"}, data: {k: "aGk="}}'
    for place in 'ConfigMap.volumes = [{name: "v", configMap: {name: "late"}}]' \
        'ConfigMap.volumes = [{name: "v", projected: {sources: [{configMap: {name: "late"}}]}}]' \
        'ConfigMap.containers[0].env = [{name: "A", valueFrom: {configMapKeyRef: {name: "late", key: "k"}}}]' \
        'ConfigMap.initContainers = [{name: "i", image: "example.com/i:1", envFrom: [{configMapRef: {name: "late"}}]}]' \
        'Secret.volumes = [{name: "v", secret: {secretName: "late"}}]' \
        'Secret.volumes = [{name: "v", projected: {sources: [{secret: {name: "late"}}]}}]' \
        'Secret.initContainers = [{name: "i", image: "example.com/i:1", env:
            [{name: "A", valueFrom: {secretKeyRef: {name: "late", key: "k"}}}]}]' \
        'Secret.containers[0].envFrom = [{secretRef: {name: "late"}}]'; do
        # shellcheck disable=SC2059
        { a_pod ".spec.${place#*.}"; jq -cn "$(printf "$late" "${place%%.*}")"; } >in
        vmq quadlet in >items || { echo "$place"; return 1; }
        [ "$(jq '.units | length' items)" -gt 2 ]
    done
}

@test "of two volumes of one name the first is mounted" {
    a_pod '.spec.volumes = [{name: "v", hostPath: {path: "/one"}}, {name: "v", hostPath: {path: "/two"}}]
        | .spec.containers[0].volumeMounts = [{name: "v", mountPath: "/m"}]' >in
    vmq quadlet in >items
    mkdir out && unpack items
    has p-c.container Container Volume=/one:/m:z
}

@test "a Pod that is refused is left out, the others go through" {
    { a_pod '.spec.containers[0].image = ""'; a_pod '.metadata.name = "good"'; } >in
    run --separate-stderr vmq quadlet in
    [ "$status" -eq 1 ]
    [ "$(jq -r .pod.metadata.name <<<"$output")" = good ]
    [[ $stderr == *"in:1:"*"error: spec.containers[0].image: '' is no image"* ]]
}

@test "an item without a pod" {
    run --separate-stderr vmq quadlet <<<'{"vmq": 1}'
    refused 1 "there is no pod in the item; run vmq-render and vmq-adapt first" VMQ0005
}

@test "a name is needed, and must be one of a file" {
    a_pod 'del(.metadata)' >in
    run --separate-stderr vmq quadlet in
    refused 1 "a Pod needs a name"
    for name in .hidden a/b -x 'a b' x@y ../x; do
        a_pod ".metadata.name = \"$name\"" >in
        run --separate-stderr vmq quadlet in
        refused 1 "'$name' cannot be part of a unit's name" VMQ0851
    done
}

@test "names of 255 bytes with all that is appended, and not one more" {
    # p-NAME-empty-volume.service
    a_pod '.spec.volumes = [{name: ("v" * 232), emptyDir: {}}]' | sed 's/"p"/"x"/' >in
    vmq quadlet in >items
    a_pod '.spec.volumes = [{name: ("v" * 233), emptyDir: {}}]' >in
    run --separate-stderr vmq quadlet in
    refused 1 "would be 256 bytes long, and 255 are allowed"
}

# --- text ---------------------------------------------------------------------------------------------

# bats test_tags=heavy
@test "random text in every field comes out as it went in" {
    need_generators
    for seed in 1 2 3 4 5 6; do
        "$VMQ_BIN/unit/randompod" $seed >case
        for podman in 5.4 5.8; do
            jq -c .pod case | vmq quadlet --podman=$podman >items 2>/dev/null
            rm -rf out && mkdir out
            unpack items
            generator $podman out | "$VMQ_BIN/unit/execstart" - >services
            jq -c --slurpfile s services --slurpfile i items '{services: $s[0], wants, envs:
                ([$i[0].units[] | select(.name | endswith(".env")) | {key: .name, value: .text}] | from_entries)}' case |
                jq -cf "$TOP/test/quadlet-pods/random.jq" >bad
            [ ! -s bad ] || { echo "seed $seed, Podman $podman"; head -3 bad; return 1; }
        done
    done
}

@test "NUL and bytes that are no UTF-8 do not get in" {
    printf '{"kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "a\\u0000b"}]}}' >in
    run --separate-stderr vmq quadlet in
    refused 1 "in:1:"
    printf 'kind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: "a\xffb"}]}\n' >in
    run --separate-stderr vmq quadlet in
    refused 1 "in:"
    jq -cn '{apiVersion: "v1", kind: "Secret", metadata: {name: "s"}, data: {nul: "YQBi", bad: "Yf9i", good: "YWI="}}' >secret
    a_pod '.spec.containers[0].envFrom = [{secretRef: {name: "s"}}]' >in
    run --separate-stderr vmq quadlet --secret secret in
    [ "$status" -eq 0 ]
    [[ "$stderr" = *"the value of 'nul' is no text; it is left out"*"the value of 'bad' is no text; it is left out"* ]]
    [ "$(jq -r '.units[] | select(.name == "p-c.env").text' <<<"$output")" = good=ab ]
    a_pod '.spec.containers[0].env = [{name: "A", valueFrom: {secretKeyRef: {name: "s", key: "bad"}}}]' >in
    run --separate-stderr vmq quadlet --secret secret in
    refused 1 "spec.containers[0].env" VMQ0850
}

@test "a name that no file can have is refused before anything is made of it" {
    a_pod '.metadata.name = "a" * 1000000 | .spec.volumes = [range(500) | {name: "v\(.)", emptyDir: {}}]' >in
    run --separate-stderr vmq quadlet in
    refused 1 "is 1000000 bytes long, and a unit's name has 255 at most" VMQ0851
    [ "${#stderr}" -lt 1000 ]
}

@test "more files than a unit can carry are refused" {
    jq -cn '{apiVersion: "v1", kind: "ConfigMap", metadata: {name: "m"}, data: ([range(2049) | {key: "k\(.)", value: "x"}] | from_entries)}' >map
    a_pod '.spec.volumes = [{name: "v", configMap: {name: "m"}}]' >in
    run --separate-stderr vmq quadlet --configmap map in
    refused 1 "spec.volumes[0]: more than 2048 files in one volume" VMQ0853
    jq -cn '{apiVersion: "v1", kind: "ConfigMap", metadata: {name: "m"}, data: {k: ("x" * 1000000)}}' >map
    a_pod '.spec.volumes = [range(9) | {name: "v\(.)", configMap: {name: "m"}}]' >in
    run --separate-stderr vmq quadlet --configmap map in
    refused 1 "spec.volumes[8]: with the volumes before it more than 8 MiB of files" VMQ0853
    a_pod '.spec.volumes = [range(8) | {name: "v\(.)", configMap: {name: "m"}}]' >in
    vmq quadlet --configmap map in | jq -e '[.units[].text | length] | add > 8000000'
}

@test "a document that only looks like a work item has its places, and its keys are looked at" {
    echo '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"x"}]},"vmi":{"a":1,"a":2}}' >in
    run --separate-stderr vmq quadlet in
    refused 1 "in:1:119: error: vmi.a: given twice" VMQ0007
    echo '{"vmq":1,"vmq":null,"apiVersion":"v1","kind":"List","items":[1,2,3]}' >in
    run --separate-stderr vmq quadlet in
    refused 1 "in:1:10: error: vmq: given twice" VMQ0007
    echo '{"vmq":1,"vmq":1,"vmi":{}}' >in
    run --separate-stderr vmq render in
    refused 1 "'vmq' is given twice" VMQ0001
}

@test "a Pod that is refused does not come out at the end because it waited" {
    a_pod '.spec.volumes = [{name: "v", configMap: {name: "m"}}]' | sed 's/"name":"p"/"name":"p","name":"p"/' >in
    jq -cn '{apiVersion: "v1", kind: "ConfigMap", metadata: {name: "m"}, data: {a: "b"}}' >>in
    run --separate-stderr vmq quadlet in
    refused 1 "metadata.name: given twice" VMQ0007
}

@test "a command line beyond what systemd reads is refused" {
    a_pod '.spec.containers[0].args = [range(10) | "x" * 130000]' >in
    run --separate-stderr vmq quadlet in
    refused 1 "spec.containers[0]: the container's command line would have" VMQ0862
    a_pod '.spec.containers[0].args = ["x" * 131072]' >in
    run --separate-stderr vmq quadlet in
    refused 1 "spec.containers[0].args[0]: the text is longer than Linux passes to a process" VMQ0850
}

@test "references to references do not grow without bound" {
    a_pod '.spec.containers[0].env = [{name: "a0", value: "xxxxxxxx"}] +
        [range(1; 60) | {name: "a\(.)", value: "$(a\(. - 1))$(a\(. - 1))"}]' >in
    run --separate-stderr vmq quadlet in
    refused 1 "spec.containers[0].env.a14: 1310" VMQ0858
    a_pod '.spec.containers[0] |= (.env = [{name: "a", value: ("x" * 60000)}] |
        .args = [range(1000) | "$(a)" * 1000])' >in
    run --separate-stderr vmq quadlet in
    refused 1 "spec.containers[0].args[0]: the text is longer than Linux passes to a process" VMQ0850
    a_pod '.spec.containers[0] |= (.env = [{name: "a", value: ("x" * 60000)}] |
        .command = ["sh", "-c", "$(a)" * 1000])' >in
    run --separate-stderr vmq quadlet in
    refused 1 "spec.containers[0]: the text is longer than Linux passes to a process" VMQ0850
}

@test "a Pod with more of everything than any has is refused at once" {
    a_pod '.spec.containers = [range(30000) | {name: "c\(.)", image: "x"}]' >in
    run --separate-stderr vmq quadlet in
    refused 1 "spec.containers: 30000 elements; have 256 at most" VMQ0853
    a_pod '.spec |= (.volumes = [range(20000) | {name: "v\(.)", emptyDir: {}}] |
        .containers[0].volumeMounts = [range(20000) | {name: "v\(.)", mountPath: "/a\(.)"}])' >in
    run --separate-stderr vmq quadlet in
    refused 1 "spec.volumes: 20000 elements; have 512 at most" VMQ0853
    a_pod '.spec.containers[0].volumeMounts = [range(513) | {name: "v", mountPath: "/a\(.)"}]' >in
    run --separate-stderr vmq quadlet in
    refused 1 "spec.containers[0].volumeMounts: 513 elements; have 512 at most" VMQ0853
    a_pod '.spec.containers[0].env = [range(50000) | {name: "c\(.)", value: "$(c\(. - 1))"}]' >in
    run --separate-stderr vmq quadlet in
    refused 1 "spec.containers[0].env: more than 1024 variables" VMQ0858
}
