#!/usr/bin/env bats
# What vmq-adapt does to a Pod: a test for each row of step 5.
# shellcheck disable=SC2016,SC2154
load helper

# item [FILTER]: a work item as vmq-render leaves it, changed by the jq filter.
item() {
    jq -cn '{vmq: 1, source: {file: "vm.yaml", document: 1, line: 1}, mine: [1],
        vm: {spec: {runStrategy: "Always", template: {spec: {volumes: []}}}},
        vmi: {apiVersion: "kubevirt.io/v1", kind: "VirtualMachineInstance",
            metadata: {name: "web", namespace: "default", uid: "default"},
            spec: {domain: {devices: {}}, volumes: []}},
        pod: {metadata: {generateName: "virt-launcher-web-", ownerReferences: [{kind: "x"}],
                labels: {"kubevirt.io/created-by": "default"}},
            spec: {restartPolicy: "Never", readinessGates: [{conditionType: "x"}],
                securityContext: {runAsUser: 107},
                nodeSelector: {"kubevirt.io/schedulable": "true"},
                containers: [{name: "compute", image: "l", env: [{name: "A", value: "1"}],
                    resources: {limits: {"devices.kubevirt.io/kvm": "1"}, requests: {cpu: "100m", "x.com/y": "1"}},
                    volumeMounts: [{name: "private", mountPath: "/var/run/kubevirt-private"},
                        {name: "public", mountPath: "/var/run/kubevirt"}]}],
                volumes: [{name: "private", emptyDir: {}}, {name: "public", emptyDir: {}}]}}}' |
        jq -c "${1:-.}"
}

# adapt FILTER [OPTION]...: the item through vmq-adapt, into `out`.
adapt() {
    local filter=$1
    shift
    item "$filter" | vmq adapt --sysfs none "$@" >out
}

# is FILTER JSON: what the jq filter finds in `out`, which may use the functions below.
is() {
    local got want
    got=$(jq -cS "$defs $1" out) || return
    want=$(jq -cS . <<<"$2") || return
    [ "$got" = "$want" ] || { echo "$1: $got"; echo "not: $want"; return 1; }
}

defs='def compute: .pod.spec.containers[] | select(.name == "compute");
def container(n): .pod.spec.containers[] | select(.name == n);
def init(n): .pod.spec.initContainers[] | select(.name == n);
def volume(n): .pod.spec.volumes[] | select(.name == n);
def mount(n): compute | .volumeMounts[] | select(.name == n);
def names: [.[].name];'

blank='{metadata: {name: "d"}, spec: {source: {blank: {}}, storage: {resources: {requests: {storage: "1Gi"}}}}}'

# with_disk TEMPLATE [VOLUME]: a filter that gives the VM a volume d with a template.
with_disk() {
    printf '%s' ".vm.spec.dataVolumeTemplates = [$1]
        | .vmi.spec.volumes += [${2:-{name: \"d\", dataVolume: {name: \"d\"\}\}}]
        | .pod.spec.volumes += [{name: \"d\", persistentVolumeClaim: {claimName: \"d\"}}]
        | .pod.spec.containers[0].volumeMounts += [{name: \"d\", mountPath: \"/var/run/kubevirt-private/vmi-disks/d\"}]"
}

host_disk() {
    printf '%s' ".vmi.spec.volumes += [{name: \"h\", hostDisk: $1}]
        | .pod.spec.volumes += [{name: \"h\", hostPath: {path: \"/x\", type: \"Directory\"}}]
        | .pod.spec.containers[0].volumeMounts += [{name: \"h\", mountPath: \"/var/run/kubevirt-private/vmi-disks/h\"}]"
}

@test "keys that belong to nobody stay" {
    adapt .
    is '[.mine, .vm.spec.runStrategy, .vmi.metadata.name]' '[[1], "Always", "web"]'
}

@test "type and name" {
    adapt .
    is '[.pod.apiVersion, .pod.kind, .pod.metadata.name, .pod.metadata.generateName]' \
        '["v1", "Pod", "virt-launcher-web", null]'
    adapt '.pod.metadata.name = "own"'
    is '[.pod.metadata.name, .pod.metadata.generateName]' '["own", "virt-launcher-web-"]'
    adapt '.pod.metadata.generateName = "no-dash"'
    is .pod.metadata.name '"no-dash"'
    adapt 'del(.pod.metadata)'
    is .pod.metadata null
}

@test "no proxy unless asked for" {
    adapt .
    is '.pod.spec.containers | names' '["compute"]'
}

@test "proxies: one container each, that connects the port to the socket" {
    adapt . --vnc-proxy --console-proxy
    is '.pod.spec.containers | names' '["compute", "console-proxy", "vnc-proxy"]'
    is 'container("vnc-proxy")' '{"name": "vnc-proxy", "image": "docker.io/alpine/socat:latest",
        "command": ["socat", "TCP-LISTEN:5900,fork,reuseaddr", "UNIX:/var/run/kubevirt-private/default/virt-vnc"],
        "volumeMounts": [{"name": "private", "mountPath": "/var/run/kubevirt-private"}]}'
    is 'container("console-proxy").command' '["socat", "TCP-LISTEN:2222,fork,reuseaddr",
        "UNIX:/var/run/kubevirt-private/default/virt-serial0"]'
}

@test "proxies: port and image are options, also when an earlier stage remembered them" {
    adapt . --vnc-proxy --vnc-port 5910 --vnc-image example.com/socat:1
    is 'container("vnc-proxy") | [.image, .command[1]]' '["example.com/socat:1", "TCP-LISTEN:5910,fork,reuseaddr"]'
    adapt '.options = {"console-proxy": "true", "console-port": "2300", "console-image": "i"}'
    is 'container("console-proxy") | [.image, .command[1]]' '["i", "TCP-LISTEN:2300,fork,reuseaddr"]'
}

@test "proxies: the path to the socket follows the VM's UID, through a link (D13)" {
    local links='[.pod.spec.initContainers[0].args | index("--link") as $i | .[$i + 1:$i + 4]]'
    adapt '.vmi.metadata |= (.namespace = "prod" | .uid = "prod")' --vnc-proxy
    is 'container("vnc-proxy").command[2]' '"UNIX:/var/run/kubevirt-private/default/virt-vnc"'
    is "$links" '[["/emptydir/private", "default", "prod"]]'
    adapt 'del(.vmi) | .pod.metadata.labels["kubevirt.io/created-by"] = "u-1"' --vnc-proxy 2>err
    is "$links" '[["/emptydir/private", "default", "u-1"]]'
    adapt . --vnc-proxy
    is '[.pod.spec.initContainers[0].args[] | select(. == "--link")]' '[]'
}

@test "proxies: a UID that would be more than a folder's name is refused" {
    local uid
    for uid in '../x' 'a,exec=x' 'a b' '.'; do
        adapt ".vmi.metadata.uid = \"$uid\"" --vnc-proxy 2>err && return 1
        grep -q 'error: metadata.uid: cannot be part' err
        [ ! -s out ]
    done
}

@test "proxies: without the private folder there is none, with a warning" {
    adapt '.pod.spec.containers[0].volumeMounts |= .[1:]' --vnc-proxy 2>err
    is '.pod.spec.containers | names' '["compute"]'
    grep -q 'warning: .*nothing is mounted at /var/run/kubevirt-private' err
}

@test "proxies: a VM without the device is a warning" {
    adapt '.vmi.spec.domain.devices.autoattachGraphicsDevice = false' --vnc-proxy 2>err
    grep -q 'autoattachGraphicsDevice: the VM has no VNC console' err
    adapt '.vmi.spec.domain.devices.autoattachSerialConsole = false' --console-proxy 2>err
    grep -q 'autoattachSerialConsole: the VM has no serial console' err
}

@test "proxies: in the host's network they listen on the address that is asked for" {
    adapt . --vnc-proxy --network host
    is 'container("vnc-proxy").command[1]' '"TCP-LISTEN:5900,fork,reuseaddr,bind=127.0.0.1"'
    adapt . --vnc-proxy --network host --publish-address ::1
    is 'container("vnc-proxy").command[1]' '"TCP6-LISTEN:5900,fork,reuseaddr,bind=[::1]"'
}

@test "proxies: what is no address is refused" {
    adapt . --vnc-proxy --publish-address '1.2.3.4,exec=sh' 2>err && return 1
    grep -q "error: --publish-address: '1.2.3.4,exec=sh' is no address" err
    [ ! -s out ]
}

@test "proxies: two on one port are refused, in a VM and in a stream (D28)" {
    adapt . --vnc-proxy --console-proxy --console-port 5900 2>err && return 1
    grep -q 'error: port 5900 is published by the other proxy already' err
    { item .; item '.pod.metadata.generateName = "virt-launcher-db-"'; } | {
        run --separate-stderr vmq adapt --sysfs none --vnc-proxy
        [ "$status" -eq 1 ]
        [ "$(jq -r .pod.metadata.name <<<"$output")" = virt-launcher-web ]
        [[ $stderr == *"port 5900 is published by virt-launcher-web already"* ]]
    }
    { item .; item '.options = {"publish-address": "127.0.0.2"}'; } | vmq adapt --sysfs none --vnc-proxy >out
    [ "$(wc -l <out)" -eq 2 ]
    { item .; item '.options = {"publish-address": "0.0.0.0"}'; } | vmq adapt --sysfs none --vnc-proxy >out 2>err && return 1
    grep -q 'port 5900' err
}

@test "devices: kvm, tun, vhost-net and the cgroups, always" {
    adapt .
    is '[.pod.spec.volumes[] | select(.hostPath)]' '[
        {"name": "kvm", "hostPath": {"path": "/dev/kvm", "type": "CharDevice"}},
        {"name": "tun", "hostPath": {"path": "/dev/net/tun", "type": "CharDevice"}},
        {"name": "vhost-net", "hostPath": {"path": "/dev/vhost-net", "type": "CharDevice"}},
        {"name": "cgroup", "hostPath": {"path": "/sys/fs/cgroup", "type": "Directory"}}]'
    is '[mount("kvm", "tun", "vhost-net", "cgroup")]' '[{"name": "kvm", "mountPath": "/dev/kvm"},
        {"name": "tun", "mountPath": "/dev/net/tun"}, {"name": "vhost-net", "mountPath": "/dev/vhost-net"},
        {"name": "cgroup", "mountPath": "/sys/fs/cgroup", "readOnly": true}]'
}

@test "devices: a host without vhost-net will do, and the units are told so (D29)" {
    adapt .
    is .run.optional '["vhost-net"]'
}

@test "GPUs: the devices of each maker, by the name in any case" {
    adapt '.vmi.spec.domain.devices.gpus = [{name: "a", deviceName: "NVIDIA.com/TU104"},
        {name: "b", deviceName: "amd.com/gpu"}, {name: "c", deviceName: "x/Radeon"},
        {name: "d", deviceName: "gpu.intel.com/i915"}, {name: "e", deviceName: "nvidia.com/A10"}]' 2>err
    is '[.pod.spec.volumes[] | select(.hostPath) | .hostPath.path] | .[4:]' '["/dev/nvidia0", "/dev/nvidiactl",
        "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-modeset",
        "/dev/dri/card1", "/dev/dri/renderD129", "/dev/dri/card2", "/dev/dri/renderD130",
        "/dev/dri/card3", "/dev/dri/renderD131", "/dev/nvidia4"]'
    is '[.pod.spec.volumes[] | select(.hostPath) | .name] | .[4:]' '["nvidia0", "nvidiactl", "nvidia-uvm",
        "nvidia-uvm-tools", "nvidia-modeset", "dri-card1", "dri-render1", "dri-card2", "dri-render2",
        "dri-card3", "dri-render3", "nvidia4"]'
    is 'mount("nvidia0")' '{"name": "nvidia0", "mountPath": "/dev/nvidia0"}'
    [ ! -s err ]
}

@test "GPUs: one of unknown make gets a card, with a warning" {
    adapt '.vmi.spec.domain.devices.gpus = [{name: "a", deviceName: "example.com/accelerator"}]' 2>err
    is '[.pod.spec.volumes[] | select(.hostPath) | .hostPath.path] | .[4:]' '["/dev/dri/card0"]'
    grep -q "warning: spec.template.spec.domain.devices.gpus\[0\].deviceName: .*'example.com/accelerator'" err
}

@test "GPUs: an NVIDIA behind another make has no control device, with a warning" {
    adapt '.vmi.spec.domain.devices.gpus = [{name: "a", deviceName: "amd.com/x"}, {name: "b", deviceName: "nvidia.com/y"}]' 2>err
    is '[.pod.spec.volumes[] | select(.name | test("nvidia"))] | names' '["nvidia1"]'
    grep -q 'warning: .*gpus\[1\].deviceName: the first GPU is no NVIDIA' err
}

# vfio ADDRESS:GROUP...: a sysfs where these devices are bound to vfio-pci.
vfio() {
    local d
    mkdir -p sys/bus/pci/drivers/vfio-pci/module
    for d; do
        mkdir -p "sys/bus/pci/drivers/vfio-pci/${d%=*}" "sys/groups/${d#*=}"
        ln -sfn "../../../../../groups/${d#*=}" "sys/bus/pci/drivers/vfio-pci/${d%=*}/iommu_group"
    done
}

@test "hostDevices: every group that is bound to vfio-pci, once and in order" {
    vfio 0000:03:00.0=9 0000:03:00.1=9 0000:04:00.0=10 0000:05:00.0=2
    ln -s nowhere sys/bus/pci/drivers/vfio-pci/iommu_group
    mkdir sys/bus/pci/drivers/vfio-pci/0000:06:00.0
    adapt '.vmi.spec.domain.devices.hostDevices = [{name: "a", deviceName: "x/y"}]' --sysfs sys 2>err
    is '[.pod.spec.volumes[] | select(.name | test("vfio")) | [.name, .hostPath.path, .hostPath.type]]' '[
        ["vfio", "/dev/vfio/vfio", "CharDevice"], ["vfio-group-10", "/dev/vfio/10", "CharDevice"],
        ["vfio-group-2", "/dev/vfio/2", "CharDevice"], ["vfio-group-9", "/dev/vfio/9", "CharDevice"]]'
    is 'mount("vfio-group-9")' '{"name": "vfio-group-9", "mountPath": "/dev/vfio/9"}'
    [ ! -s err ]
}

@test "hostDevices: a group that is no number is not taken" {
    vfio 0000:03:00.0=9
    ln -sfn '../../../../../groups/x,y' sys/bus/pci/drivers/vfio-pci/0000:03:00.0/iommu_group
    adapt '.vmi.spec.domain.devices.hostDevices = [{name: "a", deviceName: "x/y"}]' --sysfs sys 2>err
    is '[.pod.spec.volumes[] | select(.name | test("vfio"))] | names' '["vfio"]'
}

@test "hostDevices: with nothing bound there is a warning for each, and /dev/vfio/vfio" {
    adapt '.vmi.spec.domain.devices.hostDevices = [{name: "a"}, {name: "b"}]' 2>err
    is '[.pod.spec.volumes[] | select(.name | test("vfio"))] | names' '["vfio"]'
    grep -q "warning: .*hostDevices\[0\]: no device for 'a' is bound to vfio-pci" err
    grep -q "warning: .*hostDevices\[1\]: no device for 'b'" err
}

@test "hostDevices: a folder that can't be read is a warning" {
    mkdir -p sys/bus/pci/drivers
    : >sys/bus/pci/drivers/vfio-pci
    adapt '.vmi.spec.domain.devices.hostDevices = [{name: "a"}]' --sysfs sys 2>err
    grep -q 'warning: sys/bus/pci/drivers/vfio-pci: Not a directory' err
}

@test "hostDevices: without any the host is not looked at" {
    vfio 0000:03:00.0=9
    adapt . --sysfs sys
    is '[.pod.spec.volumes[] | select(.name | test("vfio"))]' '[]'
}

@test "DataVolume: blank and no source at all make an empty disk" {
    local source
    for source in 'source: {blank: {}},' '' 'source: {},' 'source: {blank: {}, http: null},'; do
        adapt "$(with_disk "{metadata: {name: \"d\"}, spec: {$source storage: {resources: {requests: {storage: \"1Gi\"}}}}}")"
        is '.pod.spec.initContainers | names' '["virt-handler-dir-init", "init-disk-d"]'
        is 'init("init-disk-d") | .args[1:]' '["init-disk-d",
            "/var/run/kubevirt-private/vmi-disks/d/disk.img", "1073741824", "107:107"]'
        is 'init("init-disk-d") | [.image, .command, .volumeMounts]' '["quay.io/kubevirt/virt-launcher:v1.9.0",
            ["/bin/sh", "-c"], [{"name": "d", "mountPath": "/var/run/kubevirt-private/vmi-disks/d"}]]'
    done
}

@test "DataVolume: init containers run as root with little more than chown" {
    adapt "$(with_disk "$blank")"
    is 'init("init-disk-d").securityContext' '{"runAsUser": 0, "runAsGroup": 0, "runAsNonRoot": false,
        "allowPrivilegeEscalation": false,
        "capabilities": {"drop": ["ALL"], "add": ["CHOWN", "DAC_OVERRIDE", "FOWNER"]}}'
    is '[.pod.spec.initContainers[] | .securityContext.runAsUser, .env] | unique' '[null, 0]'
}

@test "DataVolume: registry is imported from an image volume (D17)" {
    local url
    for url in docker://example.com/i:1 oci://example.com/i:1 example.com/i:1 docker://oci://example.com/i:1; do
        adapt "$(with_disk "{metadata: {name: \"d\"}, spec: {source: {registry: {url: \"$url\"}},
            storage: {resources: {requests: {storage: \"1500M\"}}}}}")"
        is 'volume("import-src-d")' '{"name": "import-src-d",
            "image": {"reference": "example.com/i:1", "pullPolicy": "IfNotPresent"}}'
        is 'init("import-disk-d") | .args[1:]' '["import-disk-d",
            "/var/run/kubevirt-private/vmi-disks/d/disk.img", "1500000000", "107:107", "/var/run/import-source/d"]'
        is 'init("import-disk-d").volumeMounts' '[{"name": "d", "mountPath": "/var/run/kubevirt-private/vmi-disks/d"},
            {"name": "import-src-d", "mountPath": "/var/run/import-source/d", "readOnly": true}]'
    done
}

@test "DataVolume: its image is pulled where it is missing, whatever the release of Podman" {
    adapt "$(with_disk '{metadata: {name: "d"}, spec: {source: {registry: {url: "docker://example.com/i:1"}},
        storage: {resources: {requests: {storage: "1Gi"}}}}}')"
    image='.units[] | select(.name == "virt-launcher-web-import-src-d.image") | .text'
    new=$(vmq quadlet --podman 5.6 out | jq -r "$image")
    old=$(vmq quadlet --podman 5.4 out | jq -r "$image")
    [[ $new == *$'\nPolicy=missing\n'* ]] && [[ $new != *ExecCondition=* ]]
    [[ $old != *Policy=* ]] && [[ $old == *ExecCondition=/bin/sh*" sh example.com/i:1"* ]]
    [[ $old == *Restart=on-failure* ]] && [[ $new == *Restart=on-failure* ]]
}

@test "DataVolume: pvc in place of storage, and volumes that name the claim, get the same disk (D15)" {
    adapt "$(with_disk '{metadata: {name: "d"}, spec: {pvc: {resources: {requests: {storage: "1Gi"}}}}}')"
    is 'init("init-disk-d").args[3]' '"1073741824"'
    adapt "$(with_disk "$blank" '{name: "d", persistentVolumeClaim: {claimName: "d"}}')"
    is 'init("init-disk-d").args[3]' '"1073741824"'
    adapt "$(with_disk "$blank" '{name: "d", ephemeral: {persistentVolumeClaim: {claimName: "d"}}}')"
    is 'init("init-disk-d").args[3]' '"1073741824"'
}

@test "DataVolume: without a template, or not in the Pod, nothing is made" {
    adapt "$(with_disk '{metadata: {name: "other"}, spec: {}}')"
    is '.pod.spec.initContainers | names' '["virt-handler-dir-init"]'
    adapt "$(with_disk "$blank") | .pod.spec.volumes |= map(select(.name != \"d\"))"
    is '.pod.spec.initContainers | names' '["virt-handler-dir-init"]'
}

@test "DataVolume: without a size nothing is made, with a warning" {
    local size
    for size in '{}' '{storage: {}}' '{storage: {resources: {requests: {storage: "0"}}}}'; do
        adapt "$(with_disk "{metadata: {name: \"d\"}, spec: $size}")" 2>err
        is '.pod.spec.initContainers | names' '["virt-handler-dir-init"]'
        grep -q 'warning: spec.dataVolumeTemplates\[0\].*no size is asked for' err
    done
}

@test "DataVolume: every other source is refused by name (D14, D16)" {
    local source
    for source in 'source: {http: {url: "http://x"}}' 'source: {pvc: {name: "x"}}' 'source: {s3: {}}' \
        'source: {upload: {}}' 'source: {registry: {}}' 'source: {registry: {imageStream: "x"}}' \
        'source: {registry: {url: "oci-archive://x"}}' 'sourceRef: {kind: "DataSource", name: "x"}'; do
        adapt "$(with_disk "{metadata: {name: \"d\"}, spec: {$source,
            storage: {resources: {requests: {storage: \"1Gi\"}}}}}")" 2>err && return 1
        [ ! -s out ]
        grep -q 'error: spec.dataVolumeTemplates\[0\].spec.source' err
    done
}

@test "DataVolume: several come in the order of the volumes, before other init containers" {
    adapt "$(with_disk "$blank, ({metadata: {name: \"a\"}, spec: $blank.spec})")
        | .vmi.spec.volumes += [{name: \"a\", dataVolume: {name: \"a\"}}]
        | .pod.spec.volumes += [{name: \"a\", persistentVolumeClaim: {claimName: \"a\"}}]
        | .pod.spec.initContainers = [{name: \"volumeroot\"}]"
    is '.pod.spec.initContainers | names' '["virt-handler-dir-init", "init-disk-d", "init-disk-a", "volumeroot"]'
}

@test "DataVolume: no text of the VM is in a script" {
    local evil='x$(touch pwned)'
    adapt "$(with_disk "$blank" | sed 's/\\"d\\"/"d"/g')"
    jq -r '.pod.spec.initContainers[].args[0]' out >one
    adapt "$(with_disk "{metadata: {name: \"d\"}, spec: {source: {blank: {}}, storage: {resources: {requests: {storage: \"7Gi\"}}}}}")
        | .vmi.metadata.annotations.x = \"$evil\""
    jq -r '.pod.spec.initContainers[].args[0]' out >two
    cmp one two
}

@test "hostDisk Disk: the file alone is mounted (D19)" {
    adapt "$(host_disk '{type: "Disk", path: "/srv//vms/./a b.img"}')"
    is 'volume("h")' '{"name": "h", "hostPath": {"path": "/srv/vms/a b.img", "type": "File"}}'
    is 'mount("h")' '{"name": "h", "mountPath": "/var/run/kubevirt-private/vmi-disks/h/a b.img"}'
    is '.pod.spec.initContainers | names' '["virt-handler-dir-init"]'
    adapt "$(host_disk '{type: "Disk", path: "/disk.img"}')"
    is 'volume("h").hostPath.path' '"/disk.img"'
}

@test "hostDisk DiskOrCreate: compute sees the folder, where dir-init makes the file" {
    adapt "$(host_disk '{type: "DiskOrCreate", path: "/srv//vms/./a.img", capacity: "2Gi"}')"
    is 'volume("h")' '{"name": "h", "hostPath": {"path": "/srv/vms", "type": "DirectoryOrCreate"}}'
    is 'mount("h").mountPath' '"/var/run/kubevirt-private/vmi-disks/h"'
    is '.pod.spec.initContainers | names' '["virt-handler-dir-init"]'
    is 'init("virt-handler-dir-init") | [.args[-3:], (.volumeMounts[] | select(.name == "h"))]' \
        '[["--disk", "/host-disk/h/a.img", "2147483648"], {"name": "h", "mountPath": "/host-disk/h"}]'
}

@test "hostDisk: paths that are relative or climb are refused" {
    local path
    for path in disk.img ./disk.img /srv/../etc/x / /.. '//' ''; do
        adapt "$(host_disk "{type: \"Disk\", path: \"$path\"}")" 2>err && return 1
        grep -q 'error: spec.template.spec.volumes\[0\].hostDisk.path: not the absolute path' err
        [ ! -s out ]
    done
}

@test "hostDisk DiskOrCreate: / and folders of the system are refused" {
    local path
    for path in /disk.img /etc/x.img /usr/lib/x/y.img /var/lib/x.img /dev/x /proc/1/x /home/x; do
        adapt "$(host_disk "{type: \"DiskOrCreate\", path: \"$path\"}")" 2>err && return 1
        grep -q 'is a folder of the system' err
    done
    for path in /var/lib/vms/x.img /home/me/x.img /etcetera/x.img; do
        adapt "$(host_disk "{type: \"DiskOrCreate\", path: \"$path\"}")"
    done
}

@test "cleanup: the sysctl for low ports, once" {
    adapt .
    is .pod.spec.securityContext '{"runAsUser": 107, "sysctls": [{"name": "net.ipv4.ip_unprivileged_port_start", "value": "0"}]}'
    adapt 'del(.pod.spec.securityContext)'
    is .pod.spec.securityContext '{"sysctls": [{"name": "net.ipv4.ip_unprivileged_port_start", "value": "0"}]}'
    adapt '.pod.spec.securityContext.sysctls = [{name: "net.ipv4.ip_unprivileged_port_start", value: "80"}]'
    is '.pod.spec.securityContext.sysctls | length' 1
}

@test "cleanup: gates, owners and the cluster's restart policy" {
    adapt .
    is '[.pod.spec.readinessGates, .pod.metadata.ownerReferences, .pod.spec.restartPolicy]' '[null, null, "OnFailure"]'
}

@test "cleanup: node labels of CPU managers, with a warning for pinned CPUs" {
    adapt '.pod.spec.nodeSelector = {"kubevirt.io/cpumanager": "true", cpumanager: "true"}'
    is '.pod.spec | has("nodeSelector")' false
    adapt '.pod.spec.nodeSelector.cpumanager = "true" | .vmi.spec.domain.cpu.dedicatedCpuPlacement = true' 2>err
    is .pod.spec.nodeSelector '{"kubevirt.io/schedulable": "true"}'
    grep -q 'warning: spec.template.spec.domain.cpu.dedicatedCpuPlacement: .*--cpuset-cpus' err
}

@test "cleanup: resources of device plugins, in every container" {
    adapt '.pod.spec.initContainers = [{name: "i", resources: {limits: {cpu: "1", "a/b": "1"}}}]
        | .pod.spec.containers += [{name: "c", resources: {limits: {"a/b": "1"}, claims: [{name: "x"}]}}]'
    is 'compute.resources' '{"requests": {"cpu": "100m"}}'
    is 'init("i").resources' '{"limits": {"cpu": "1"}}'
    is 'container("c").resources' '{"claims": [{"name": "x"}]}'
}

@test "cleanup: sidecars among the init containers become containers, behind the others" {
    adapt '.pod.spec.initContainers = [{name: "a"}, {name: "log", restartPolicy: "Always", image: "i"}, {name: "b"}]' --vnc-proxy
    is '.pod.spec.initContainers | names' '["virt-handler-dir-init", "a", "b"]'
    is '.pod.spec.containers | names' '["compute", "vnc-proxy", "log"]'
    is 'container("log")' '{"name": "log", "image": "i"}'
    is .run.beside '["log"]'
}

@test "state: one vm-state with its parts, and the folders between" {
    adapt .
    is '[volume("vm-state", "private-libvirt", "private-libvirt-qemu")]' '[
        {"name": "vm-state", "persistentVolumeClaim": {"claimName": "web-vm-state"}},
        {"name": "private-libvirt", "emptyDir": {}}, {"name": "private-libvirt-qemu", "emptyDir": {}}]'
    is '[compute.volumeMounts[] | select(.name | test("vm-state|private-"))]' '[
        {"name": "private-libvirt", "mountPath": "/var/run/kubevirt-private/libvirt"},
        {"name": "private-libvirt-qemu", "mountPath": "/var/run/kubevirt-private/libvirt/qemu"},
        {"name": "vm-state", "mountPath": "/var/run/kubevirt-private/libvirt/qemu/nvram", "subPath": "nvram"},
        {"name": "vm-state", "mountPath": "/var/run/kubevirt-private/libvirt/qemu/swtpm", "subPath": "swtpm"},
        {"name": "vm-state", "mountPath": "/var/run/kubevirt-private/var/lib/swtpm-localca", "subPath": "swtpm-localca"}]'
}

rendered='.pod.spec.volumes += [{name: "vm-state", persistentVolumeClaim: {claimName: "persistent-state-for-web"}},
    {name: "private-libvirt", emptyDir: {}}, {name: "private-libvirt-qemu", emptyDir: {}}]
    | .pod.spec.containers[0].volumeMounts += [
        {name: "vm-state", mountPath: "/run/kubevirt-private/backend-storage-meta", subPath: "meta"},
        {name: "private-libvirt", mountPath: "/var/run/kubevirt-private/libvirt"},
        {name: "private-libvirt-qemu", mountPath: "/var/run/kubevirt-private/libvirt/qemu"},
        {name: "vm-state", mountPath: "/var/run/kubevirt-private/libvirt/qemu/nvram", subPath: "nvram"}]'

@test "state: the vm-state of a persistent EFI or TPM is the same one (D11)" {
    adapt "$rendered"
    is '[.pod.spec.volumes[] | select(.name | test("vm-state|private-"))] | names | sort' \
        '["private-libvirt", "private-libvirt-qemu", "vm-state"]'
    is 'volume("vm-state").persistentVolumeClaim.claimName' '"web-vm-state"'
    is '[mount("vm-state").subPath] | sort' '["meta", "nvram", "swtpm", "swtpm-localca"]'
    is '[compute.volumeMounts[].mountPath] | length == (unique | length)' true
    is 'init("virt-handler-dir-init").args | join(" ") | test("--make /vm-state-init meta")' true
}

@test "dir-init: first, as root, and again before every start of compute (D24)" {
    adapt '.pod.spec.initContainers = [{name: "volumeroot"}]' --passt-workarounds
    is '.pod.spec.initContainers | names' '["virt-handler-dir-init", "volumeroot", "passt-binary-patcher"]'
    is 'init("virt-handler-dir-init").securityContext.runAsUser' 0
    is '[.run.again, .run.main]' '[["virt-handler-dir-init"], "compute"]'
}

@test "dir-init: clears every emptyDir but passt-bin, and makes the folders" {
    adapt . --passt-workarounds
    is 'init("virt-handler-dir-init").args[1:]' '["virt-handler-dir-init", "107:107",
        "--clear", "/emptydir/private",
        "--make", "/emptydir/private", "libvirt/qemu", "--make", "/emptydir/private", "var/lib/swtpm-localca",
        "--clear", "/emptydir/public",
        "--clear", "/emptydir/private-libvirt", "--clear", "/emptydir/private-libvirt-qemu",
        "--make", "/vm-state-init", "nvram", "--make", "/vm-state-init", "swtpm", "--make", "/vm-state-init", "swtpm-localca"]'
    is 'init("virt-handler-dir-init").volumeMounts' '[
        {"name": "private", "mountPath": "/emptydir/private"}, {"name": "public", "mountPath": "/emptydir/public"},
        {"name": "private-libvirt", "mountPath": "/emptydir/private-libvirt"},
        {"name": "private-libvirt-qemu", "mountPath": "/emptydir/private-libvirt-qemu"},
        {"name": "vm-state", "mountPath": "/vm-state-init"}]'
}

@test "dir-init: what another container writes is left to it; the proxies only connect" {
    adapt '.pod.spec.volumes += [{name: "filled", emptyDir: {}}, {name: "sock", emptyDir: {}}, {name: "read", emptyDir: {}}]
        | .pod.spec.initContainers = [{name: "a", volumeMounts: [{name: "filled", mountPath: "/f"}]},
            {name: "virtiofs", restartPolicy: "Always", volumeMounts: [{name: "sock", mountPath: "/s"}]},
            {name: "log", restartPolicy: "Always", volumeMounts: [{name: "read", mountPath: "/r", readOnly: true}]}]' --vnc-proxy
    is 'init("virt-handler-dir-init").args | [.[indices("--clear")[] + 1]]' '["/emptydir/private",
        "/emptydir/public", "/emptydir/read", "/emptydir/private-libvirt", "/emptydir/private-libvirt-qemu"]'
}

@test "dir-init: a container that mounts a volume twice writes to it if one of the mounts does" {
    adapt '.pod.spec.volumes += [{name: "twice", emptyDir: {}}]
        | .pod.spec.containers += [{name: "c2", volumeMounts: [{name: "twice", mountPath: "/r", readOnly: true},
            {name: "twice", mountPath: "/w"}]}]'
    is 'init("virt-handler-dir-init").args | index("/emptydir/twice")' null
}

@test "dir-init: a part of vm-state that leads out of it is left alone" {
    adapt "$rendered | .pod.spec.containers[0].volumeMounts += [{name: \"vm-state\", mountPath: \"/x\", subPath: \"../../etc\"}]"
    is 'init("virt-handler-dir-init").args | join(" ") | test("etc")' false
}

@test "passt: the patcher comes last, compute can read its folder" {
    adapt .
    is '[.pod.spec.volumes[] | select(.name == "passt-bin")]' '[]'
    adapt . --passt-workarounds
    is 'volume("passt-bin")' '{"name": "passt-bin", "emptyDir": {}}'
    is 'init("passt-binary-patcher") | [.args[1:], .volumeMounts, .securityContext.runAsUser]' '[["passt-binary-patcher",
        "/usr/bin/passt.avx2", "/passt-bin"], [{"name": "passt-bin", "mountPath": "/passt-bin"}], 0]'
    is 'mount("passt-bin")' '{"name": "passt-bin", "mountPath": "/passt-bin", "readOnly": true}'
}

@test "the launcher image is that of all our init containers" {
    adapt "$(with_disk "$blank")" --passt-workarounds --launcher-image example.com/l:v1.8.4
    is '[.pod.spec.initContainers[].image] | unique' '["example.com/l:v1.8.4"]'
}

@test "health check: asks libvirt, unless there is a probe" {
    adapt '.vmi.metadata.namespace = "prod"'
    is 'compute.readinessProbe' '{"exec": {"command": ["/bin/sh", "-c", "test \"$(virsh domstate prod_web)\" = \"running\""]},
        "initialDelaySeconds": 120, "periodSeconds": 30, "timeoutSeconds": 10, "failureThreshold": 3}'
    adapt '.pod.spec.containers[0].livenessProbe = {periodSeconds: 1}'
    is 'compute | has("readinessProbe")' false
    adapt '.pod.spec.containers[0].readinessProbe = {periodSeconds: 1}'
    is 'compute.readinessProbe' '{"periodSeconds": 1}'
}

@test "health check: a name that a shell would act on is refused" {
    adapt '.vmi.metadata.name = "x; reboot"' 2>err && return 1
    grep -q 'error: metadata.name: name and namespace cannot be part of a command' err
    [ ! -s out ]
}

@test "environment: the VM has the commands of the rendered probes" {
    adapt '.vmi.spec += {livenessProbe: {exec: {command: ["a"]}, timeoutSeconds: 1},
            readinessProbe: {exec: {command: ["a"]}, guestAgentPing: {}}}
        | .pod.spec.containers[0] += {livenessProbe: {exec: {command: ["virt-probe", "a"]}, timeoutSeconds: 2},
            readinessProbe: {exec: {command: ["virt-probe", "--guestAgentPing"]}}}'
    is 'compute.env[] | select(.name == "STANDALONE_VMI").value | fromjson.spec | [.livenessProbe, .readinessProbe]' \
        '[{"exec": {"command": ["virt-probe", "a"]}, "timeoutSeconds": 1}, {"exec": {"command": ["a"]}, "guestAgentPing": {}}]'
    is '.vmi.spec.livenessProbe.exec.command' '["a"]'
}

@test "environment: the VM and the address of libvirt, behind what is there" {
    # jq itself would round the number.
    item '.vmi.spec.n = 12345' | sed 's/12345/9007199254740993/' | vmq adapt --sysfs none >out
    is '[compute.env[].name]' '["A", "STANDALONE_VMI", "VIRSH_DEFAULT_CONNECT_URI"]'
    is 'compute.env[2].value' '"qemu+unix:///session?socket=/var/run/libvirt/virtqemud-sock"'
    is '(compute.env[1].value | fromjson) == .vmi' true
    jq -r '.pod.spec.containers[0].env[1].value' out | grep -q '"n":9007199254740993'
}

@test "environment: no part of the VM looks like a reference to a variable" {
    adapt '.vmi.spec.text = "$(A) $$ $HOME $"'
    [ "$(jq -r '.pod.spec.containers[0].env[1].value | fromjson | .spec.text' out)" = '$(A) $$ $HOME $' ]
    run ! grep -E '\$[($]' <(jq -r '.pod.spec.containers[0].env[1].value' out)
}

@test "persistence: claims and hostDisks are noted in an annotation" {
    adapt '.vm.spec.template.spec.volumes = [{name: "a", dataVolume: {name: "a"}}]'
    is '.pod.metadata.annotations' null
    adapt '.vm.spec.template.spec.volumes = [{name: "b", hostDisk: {}}, {name: "a", persistentVolumeClaim: {claimName: "a"}}]
        | .pod.metadata.annotations.own = "x"'
    is '[.pod.metadata.annotations | .own, (.["kubevirt-vm-to-pod/persistence-warning"] | test("^PVC volumes: .* [|] hostDisk volumes: "))]' '["x", true]'
}

@test "names of ours that the VM has are refused, with the volume's place (D36)" {
    local name
    for name in kvm tun vhost-net cgroup vm-state private-libvirt private-libvirt-qemu; do
        adapt ".vmi.spec.volumes = [{name: \"$name\"}] | .pod.spec.volumes += [{name: \"$name\", persistentVolumeClaim: {claimName: \"x\"}}]" 2>err && return 1
        grep -q "error: spec.template.spec.volumes\[0\].name: '$name' is the name of a volume that is added" err
        [ ! -s out ]
    done
    adapt '.pod.spec.volumes += [{name: "passt-bin"}]' --passt-workarounds 2>err && return 1
    grep -q "error: pod.spec: there is a volume 'passt-bin' already" err
    adapt '.pod.spec.containers += [{name: "vnc-proxy"}]' --vnc-proxy 2>err && return 1
    grep -q "error: pod.spec: there is a container 'vnc-proxy' already" err
}

@test "a Pod that was adapted before is refused, not adapted twice" {
    adapt .
    run --separate-stderr vmq adapt --sysfs none out
    refused 1 "there is a volume 'kvm' already"
}

@test "a bare Pod is adapted as far as it goes, with a warning" {
    item .pod | jq -c '. + {apiVersion: "v1", kind: "Pod"}' | vmq adapt --sysfs none --vnc-proxy --passt-workarounds >out 2>err
    grep -q 'warning: .*the VM of this Pod is not known' err
    is '[.pod.metadata.name, .pod.spec.restartPolicy]' '["virt-launcher-web", "OnFailure"]'
    is '.pod.spec.volumes | names' '["private", "public", "kvm", "tun", "vhost-net", "cgroup", "passt-bin"]'
    is '.pod.spec.initContainers | names' '["virt-handler-dir-init", "passt-binary-patcher"]'
    is '[compute.env[].name]' '["A"]'
    is 'compute | has("readinessProbe")' false
}

@test "a Pod without compute gets only what is for any Pod, with a warning" {
    jq -cn '{apiVersion: "v1", kind: "Pod", metadata: {name: "nginx"}, spec: {containers: [{name: "nginx", image: "n"}],
        volumes: [{name: "e", emptyDir: {}}]}}' | vmq adapt --sysfs none --passt-workarounds >out 2>err
    grep -q 'warning: pod.spec.containers: no container is called compute' err
    is '.pod.spec' '{"containers": [{"name": "nginx", "image": "n"}], "volumes": [{"name": "e", "emptyDir": {}}],
        "restartPolicy": "OnFailure", "securityContext": {"sysctls": [{"name": "net.ipv4.ip_unprivileged_port_start", "value": "0"}]}}'
    is .run '{"again": [], "beside": [], "optional": []}'
}

@test "what is no Pod is refused with the place" {
    local filter
    for filter in 'del(.pod)' '.pod = 1' '.pod.spec = []' '.pod.spec.volumes = {}' '.pod.spec.containers = "x"' \
        '.pod.spec.volumes += [1]' '.pod.spec.volumes += [{}]' '.pod.spec.initContainers = [{name: "a/b"}]' \
        '.pod.spec.volumes += [{name: "-x"}]' '.pod.spec.volumes += [{name: ".."}]' '.pod.spec.containers += [{name: "a\nb"}]'; do
        adapt "$filter" 2>err && return 1
        grep -q 'error: pod.spec' err
        [ ! -s out ]
    done
}

@test "a Pod with another shape than Kubernetes' is refused, not repaired" {
    local filter
    for filter in '.pod.metadata = []' '.pod.metadata.annotations = 1' '.pod.spec.containers[0].volumeMounts = 1' \
        '.pod.spec.containers[0].env = {}' '.pod.spec.containers[0].resources = []' \
        '.pod.spec.containers[0].resources.limits = "x"' '.pod.spec.initContainers = [{name: "i", volumeMounts: {}}]' \
        '.pod.spec.securityContext = "x"' '.pod.spec.securityContext.sysctls = {}' '.pod.spec.nodeSelector = 3'; do
        adapt "$filter" 2>err && return 1
        grep -qE 'error: pod\.(metadata|spec).*: not an? (list|object)' err
        [ ! -s out ]
    done
}

@test "a Pod with more of everything than any has is refused at once" {
    adapt '.pod.spec.volumes += [range(20000) | {name: "v\(.)", emptyDir: {}}] |
        .pod.spec.containers[0].volumeMounts += [range(20000) | {name: "v\(.)", mountPath: "/x\(.)"}]' 2>err && return 1
    grep -q 'error: pod.spec.volumes: 200[0-9][0-9] elements; have 512 at most \[VMQ0853\]' err
    adapt '.pod.spec.containers[0].volumeMounts = [range(513) | {name: "v", mountPath: "/x\(.)"}]' 2>err && return 1
    grep -q 'error: pod.spec.containers\[0\].volumeMounts: 513 elements; have 512 at most \[VMQ0853\]' err
}

@test "odd shapes of the VM do no harm" {
    local filter
    for filter in '.vmi = 1' '.vm = []' '.vmi.spec.volumes = {}' '.vmi.spec.volumes = [1, null, {}]' \
        '.vmi.spec.domain.devices.gpus = [1]' '.vmi.spec.domain.devices.hostDevices = [null]' \
        '.vm.spec.dataVolumeTemplates = "x"' '.vm.spec.template = []' \
        '.vmi.spec.volumes = [{name: 1, dataVolume: {name: "a"}}]' '.vmi.metadata = "x"'; do
        rc=0
        adapt "$filter" --passt-workarounds 2>err || rc=$?
        [ "$rc" -le 1 ] || { echo "$filter: $rc"; return 1; }
    done
}
