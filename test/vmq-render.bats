#!/usr/bin/env bats
# vmq-render: what KubeVirt's controller makes of a VirtualMachineInstance. Expected values are
# worked out from KubeVirt's sources, not taken from this program.
load helper

# The smallest VMI, as vmq-prepare leaves it, changed by the jq program $1.
vmi() {
    jq -nc '{apiVersion: "kubevirt.io/v1", kind: "VirtualMachineInstance",
             metadata: {name: "vm", namespace: "default", uid: "default"},
             spec: {domain: {cpu: {cores: 1, sockets: 1, threads: 1, model: "host-model"},
                             memory: {guest: "1Gi"}, machine: {type: "q35"},
                             devices: {disks: [], interfaces: [{name: "default", passtBinding: {}}]}},
                    networks: [{name: "default", pod: {}}], volumes: []},
             status: {runtimeUser: 107}} | '"$1"
}

# render PROGRAM [OPTION]...: the Pod of the VMI that PROGRAM makes of the smallest one, in item.json.
render() {
    local program=$1
    shift
    vmi "$program" >vmi.json
    vmq render "$@" vmi.json >item.json 2>said || { cat said; return 1; }
}

# gives FILTER JSON: the Pod has it.
gives() {
    local compute='def compute: .spec.containers[0];
                   def amounts($n): compute.resources | [.requests[$n], .limits[$n]];'
    jq -e "$compute .pod | [$1] == [$2]" item.json >/dev/null ||
        { echo "$1 gives $(jq -c "$compute .pod | $1" item.json), not $2"; return 1; }
}

# refuses PROGRAM TEXT...: the VMI is refused with each text.
refuses() {
    local program=$1
    shift
    vmi "$program" >vmi.json
    run --separate-stderr vmq render vmi.json
    refused 1 "$@"
}

warns() {
    grep -qF "$1" said || { echo "not said: $1"; cat said; return 1; }
}

silent() {
    [ ! -s said ] || { cat said; return 1; }
}

# --- the Pod -------------------------------------------------------------------------------------

@test "the smallest VMI: metadata, security, names" {
    render .
    silent
    gives '.metadata.generateName' '"virt-launcher-vm-"'
    gives '.metadata.labels' '{"kubevirt.io": "virt-launcher", "kubevirt.io/created-by": "default",
        "vm.kubevirt.io/name": "vm", "vmi.kubevirt.io/id": "vm"}'
    gives '.metadata.annotations' '{"kubevirt.io/domain": "vm",
        "kubectl.kubernetes.io/default-container": "compute",
        "kubevirt.io/migrationTransportUnix": "true",
        "descheduler.alpha.kubernetes.io/request-evict-only": "",
        "kubevirt.io/memory-overhead-bytes": "281018368"}'
    gives '.metadata.ownerReferences' '[{apiVersion: "kubevirt.io/v1", kind: "VirtualMachineInstance",
        name: "vm", uid: "default", controller: true, blockOwnerDeletion: true}]'
    gives '.spec.securityContext' '{fsGroup: 107, runAsUser: 107, runAsGroup: 107, runAsNonRoot: true}'
    gives 'compute.securityContext' '{runAsUser: 107, runAsGroup: 107, runAsNonRoot: true,
        allowPrivilegeEscalation: false, capabilities: {add: ["NET_BIND_SERVICE"], drop: ["ALL"]}}'
    gives '.spec | [.restartPolicy, .enableServiceLinks, .automountServiceAccountToken, .hostname]' \
        '["Never", false, false, "vm"]'
    gives '.spec.readinessGates' '[{conditionType: "kubevirt.io/virtual-machine-unpaused"}]'
    gives '.spec.imagePullSecrets' '[{name: "pull-secret-1"}]'
    gives '.spec | has("initContainers")' false
}

@test "the command of 1.9" {
    render .
    gives compute.command '["/usr/bin/virt-launcher-monitor", "--qemu-timeout", "240s", "--name", "vm",
        "--uid", "default", "--namespace", "default", "--kubevirt-share-dir", "/var/run/kubevirt",
        "--ephemeral-disk-dir", "/var/run/kubevirt-ephemeral-disks", "--container-disk-dir",
        "/var/run/kubevirt/container-disks", "--grace-period-seconds", "45", "--hook-sidecars", "0",
        "--ovmf-path", "/usr/share/edk2/ovmf", "--disk-memory-limit", "2097152000", "--hypervisor",
        "kvm", "--run-as-nonroot", "--image-volume", "--libvirt-hook-server-and-client",
        "--upgrade-ordinal-ifaces"]'
    gives compute.image '"quay.io/kubevirt/virt-launcher:v1.9.0"'
}

@test "the command, image and annotations of 1.8" {
    render . --kubevirt=1.8
    gives 'compute.command[-8:]' '["--ovmf-path", "/usr/share/OVMF",
        "--disk-memory-limit", "2097152000", "--hypervisor", "kvm", "--run-as-nonroot",
        "--image-volume"]'
    gives compute.image '"quay.io/kubevirt/virt-launcher:v1.8.4"'
    gives '.metadata.annotations | has("kubevirt.io/memory-overhead-bytes")' false
}

@test "the launcher image decides about the release" {
    render . --launcher-image=registry.example.com:5000/virt-launcher:v1.8.1
    gives 'compute.command | index("--upgrade-ordinal-ifaces")' null
    gives compute.image '"registry.example.com:5000/virt-launcher:v1.8.1"'
    render . --launcher-image=registry.example.com/launcher@sha256:12
    gives 'compute.command | index("--upgrade-ordinal-ifaces") > 0' true
}

@test "firmware paths by architecture and release" {
    local arch path
    for arch in arm64:/usr/share/AAVMF s390x: amd64:/usr/share/edk2/ovmf; do
        path=${arch#*:} arch=${arch%%:*}
        render ".spec.architecture = \"$arch\""
        gives 'compute.command | .[index("--ovmf-path") + 1]' "\"$path\""
        gives '.spec.nodeSelector["kubernetes.io/arch"]' "\"$arch\""
        [ "$arch" = amd64 ] && path=/usr/share/OVMF
        render ".spec.architecture = \"$arch\"" --kubevirt=1.8
        gives 'compute.command | .[index("--ovmf-path") + 1]' "\"$path\""
    done
}

@test "a VMI that runs as root" {
    render '.status = {}'
    gives '.spec.securityContext' '{fsGroup: 107, runAsUser: 0}'
    gives compute.securityContext '{runAsUser: 0, runAsNonRoot: false,
        capabilities: {add: ["NET_BIND_SERVICE", "SYS_NICE"]}}'
    gives 'compute.env | map(.name)' '["POD_NAME"]'
    gives 'compute.command | index("--run-as-nonroot")' null
}

@test "the deprecated annotation makes a VMI non-root too" {
    render '.status = {} | .metadata.annotations["kubevirt.io/nonroot"] = ""'
    gives compute.securityContext.runAsUser 107
}

@test "grace periods: one padding for virt-launcher, two for the Pod" {
    render '.spec.terminationGracePeriodSeconds = 180'
    gives 'compute.command | .[index("--grace-period-seconds") + 1]' '"195"'
    gives .spec.terminationGracePeriodSeconds 210
    render '.spec.terminationGracePeriodSeconds = 0'
    gives .spec.terminationGracePeriodSeconds 30
}

@test "annotations that change the command" {
    render '.metadata.annotations = {"kubevirt.io/libvirt-log-filters": "3:remote 4:event",
        "kubevirt.io/keep-launcher-alive-after-failure": "", "kubevirt.io/func-test-virt-launcher-fail-fast": "no"}'
    gives 'compute.command[-4:]' '["--libvirt-log-filters", "3:remote 4:event", "--keep-after-failure",
        "--simulate-crash"]'
    render '.metadata.annotations["kubevirt.io/keep-launcher-alive-after-failure-x"] = "trueish"'
    gives 'compute.command[-1]' '"--keep-after-failure"'
    render '.metadata.annotations["kubevirt.io/keep-launcher-alive-after-failure"] = "false"'
    gives 'compute.command | index("--keep-after-failure")' null
}

@test "annotations: some stay out, the domain's may be the user's" {
    render '.metadata.annotations = {"kubectl.kubernetes.io/last-applied-configuration": "{}",
        "kubevirt.io/storage-observed-api-version": "v1", "kubevirt.io/latest-observed-api-version": "v1",
        "kubevirt.io/domain": "mine", "kubevirt.io/migrationTransportUnix": "false", "own": "x"}'
    gives '.metadata.annotations | del(.["kubevirt.io/memory-overhead-bytes"])' '{
        "kubevirt.io/domain": "mine", own: "x", "kubectl.kubernetes.io/default-container": "compute",
        "kubevirt.io/migrationTransportUnix": "true",
        "descheduler.alpha.kubernetes.io/request-evict-only": ""}'
}

@test "labels: the VMI's, then KubeVirt's; istio's from its annotation" {
    render '.metadata.labels = {app: "shop", "kubevirt.io": "x"} |
        .metadata.annotations["sidecar.istio.io/inject"] = "True"'
    gives '.metadata.labels' '{app: "shop", "kubevirt.io": "virt-launcher",
        "kubevirt.io/created-by": "default", "vm.kubevirt.io/name": "vm", "vmi.kubevirt.io/id": "vm",
        "sidecar.istio.io/inject": "True"}'
    gives '.spec.automountServiceAccountToken' true
    render '.metadata.annotations["sidecar.istio.io/inject"] = "false"'
    gives '.spec.automountServiceAccountToken' false
}

@test "names that are too long for a label" {
    local name
    name=$(printf 'a%.0s' {1..64})
    render ".metadata.name = \"$name\""
    # 54 characters, and the first 8 digits of the name's SHA-1
    gives '.metadata.labels["vmi.kubevirt.io/id"]' \
        "\"${name:0:54}-$(printf %s "$name" | sha1sum | head -c 8)\""
    gives .spec.hostname "\"${name:0:63}\""
    render ".metadata.name = \"${name:0:63}\""
    gives '.metadata.labels["vmi.kubevirt.io/id"]' "\"${name:0:63}\""
}

@test "host names: the VMI's own, else the name up to the first dot" {
    render '.metadata.name = "a.b.c"'
    gives '[.spec.hostname, .metadata.labels["vm.kubevirt.io/name"]]' '["a", "a"]'
    render '.metadata.name = "a.b.c" | .spec.hostname = "box" | .spec.subdomain = "sub"'
    gives '[.spec.hostname, .spec.subdomain, .metadata.labels["vm.kubevirt.io/name"]]' '["box", "sub", "box"]'
}

@test "log verbosity and debug labels" {
    render '.metadata.labels.logVerbosity = "3"'
    gives 'compute.env | map(select(.name | test("LOG"))) ' '[{name: "VIRT_LAUNCHER_LOG_VERBOSITY", value: "3"}]'
    render '.metadata.labels.logVerbosity = "+6"'
    gives 'compute.env[3:-1]' '[{name: "VIRT_LAUNCHER_LOG_VERBOSITY", value: "+6"},
        {name: "LIBVIRT_DEBUG_LOGS", value: "1"}, {name: "VIRTIOFSD_DEBUG_LOGS", value: "1"}]'
    render '.metadata.labels = {debugLogs: "TRUE", virtiofsdDebugLogs: "no"}'
    gives 'compute.env[3:-1]' '[{name: "LIBVIRT_DEBUG_LOGS", value: "1"}]'
    render '.metadata.labels = {debugLogs: "1", virtiofsdDebugLogs: "True"}'
    gives 'compute.env[3:-1]' '[{name: "VIRTIOFSD_DEBUG_LOGS", value: "1"}]'
    # a negative level is a very large unsigned one
    render '.metadata.labels.logVerbosity = "-1" | .spec.domain.devices.logSerialConsole = true'
    gives 'compute.env[4:-1] | map(.name)' '["LIBVIRT_DEBUG_LOGS", "VIRTIOFSD_DEBUG_LOGS"]'
    gives '.spec.initContainers[0].env[0].value' '"18446744073709551615"'
}

@test "a log verbosity that is no number" {
    local bad=(high 2.5 "" " 3" 3x 99999999999999999999 +-1) text said=()
    for text in "${bad[@]}"; do
        vmi ".metadata.labels.logVerbosity = \"$text\""
        said+=("metadata.labels.logVerbosity: '$text' is no whole number")
    done >vmi.json
    run --separate-stderr vmq render vmi.json
    refused 1 "${said[@]}" "${#bad[@]} errors"
}

@test "what is taken over as it is" {
    render '.spec += {dnsPolicy: "None", dnsConfig: {nameservers: ["192.0.2.1"]}, schedulerName: "own",
        priorityClassName: "high", tolerations: [{key: "a", operator: "Exists"}],
        topologySpreadConstraints: [{maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule"}],
        resourceClaims: [{name: "c", resourceClaimName: "n", hotpluggable: true}, {name: "t", resourceClaimTemplateName: "m"}]}'
    gives '.spec | [.dnsPolicy, .dnsConfig, .schedulerName, .priorityClassName, .tolerations]' \
        '["None", {nameservers: ["192.0.2.1"]}, "own", "high", [{key: "a", operator: "Exists"}]]'
    gives .spec.topologySpreadConstraints '[{maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule"}]'
    gives .spec.resourceClaims '[{name: "c", resourceClaimName: "n"}, {name: "t", resourceClaimTemplateName: "m"}]'
}

@test "service accounts: the VMI's own before a volume's" {
    render '.spec.volumes = [{name: "t", serviceAccount: {serviceAccountName: "reader"}}]'
    gives '.spec | [.serviceAccountName, .automountServiceAccountToken]' '["reader", true]'
    render '.spec.volumes = [{name: "t", serviceAccount: {serviceAccountName: "reader"}}] | .spec.serviceAccountName = "own"'
    gives '.spec | [.serviceAccountName, .automountServiceAccountToken]' '["own", true]'
    render '.spec.serviceAccountName = "own"'
    gives '.spec | [.serviceAccountName, .automountServiceAccountToken]' '["own", false]'
}

# --- resources -----------------------------------------------------------------------------------

@test "resources of the smallest VMI" {
    render .
    gives compute.resources '{requests: {cpu: "100m", memory: "1292Mi", "ephemeral-storage": "50M"},
        limits: {"devices.kubevirt.io/kvm": "1", "devices.kubevirt.io/tun": "1",
                 "devices.kubevirt.io/vhost-net": "1"}}'
}

@test "network devices: vhost-net for virtio, tun but without a network" {
    render '.spec.domain.devices.interfaces[0].model = "e1000e"'
    gives 'compute.resources.limits | keys' '["devices.kubevirt.io/kvm", "devices.kubevirt.io/tun"]'
    render '.spec.domain.devices.interfaces[0].model = "virtio"'
    gives 'compute.resources.limits | has("devices.kubevirt.io/vhost-net")' true
    render '.spec.domain.devices.interfaces = []'
    gives 'compute.resources.limits | keys' '["devices.kubevirt.io/kvm", "devices.kubevirt.io/tun"]'
    render '.spec.domain.devices = {autoattachPodInterface: false}'
    gives 'compute.resources.limits | keys' '["devices.kubevirt.io/kvm"]'
    render '.spec.domain.devices.autoattachPodInterface = false'
    gives 'compute.resources.limits | has("devices.kubevirt.io/tun")' true
    render '.spec.domain.devices.autoattachVSOCK = true'
    gives 'compute.resources.limits["devices.kubevirt.io/vhost-vsock"]' '"1"'
}

@test "CPU requests: a tenth of a CPU for each vCPU and I/O thread" {
    render '.spec.domain.cpu = {cores: 2, sockets: 3, threads: 2}'
    gives compute.resources.requests.cpu '"1200m"'
    render '.spec.domain.cpu = {sockets: 20}'
    gives compute.resources.requests.cpu '"2"'
    render '.spec.domain.cpu = {cores: 7}'
    gives compute.resources.requests.cpu '"700m"'
    render '.spec.domain.ioThreads.supplementalPoolThreadCount = 4'
    gives compute.resources.requests.cpu '"500m"'
    render 'del(.spec.domain.cpu)'
    gives compute.resources.requests.cpu '"100m"'
    render '.spec.domain.cpu = {}'
    gives 'compute.resources.requests | has("cpu")' false
    render '.spec.domain.resources.requests.cpu = "1500m"'
    gives compute.resources.requests.cpu '"1500m"'
    # a million CPUs are written as %g does
    render '.spec.domain.cpu = {cores: 10000, sockets: 1000}'
    gives compute.resources.requests.cpu '"1e6"'
    # 65536 * 65537 in 32 bits
    render '.spec.domain.cpu = {cores: 65536, sockets: 65537}'
    gives compute.resources.requests.cpu '"6553600m"'
}

@test "memory requests: the VMI's, a limit, the guest's, a huge page" {
    render '.spec.domain.resources.requests.memory = "2Gi"'
    # 2Gi is 2147484 kB, of which a 512th is 4Mi
    gives 'amounts("memory")[0]' '"2320Mi"'
    render '.spec.domain.resources.limits.memory = "2Gi"'
    gives 'amounts("memory")' '["2316Mi", "2316Mi"]'
    render '.spec.domain.resources = {requests: {memory: "0"}}'
    gives 'amounts("memory")[0]' '"268Mi"'
    render '.spec.domain.resources = {requests: {memory: "0"}, limits: {memory: "1Gi"}}'
    gives 'amounts("memory")' '["1292Mi", "1292Mi"]'
    render '.spec.domain.memory = {hugepages: {pageSize: "2Mi"}}'
    gives 'amounts("hugepages-2Mi")' '["2Mi", "2Mi"]'
    gives 'amounts("memory")' '["268Mi", null]'
    render '.spec.domain.memory = {}'
    gives 'amounts("memory")[0]' '"268Mi"'
}

@test "overcommitGuestOverhead leaves the overhead out of the request" {
    render '.spec.domain.resources = {overcommitGuestOverhead: true, limits: {memory: "2Gi"}}'
    gives 'amounts("memory")' '["2Gi", "2316Mi"]'
    render '.spec.domain.resources.overcommitGuestOverhead = true | del(.spec.domain.memory)'
    gives 'amounts("memory")[0]' '"0"'
}

@test "huge pages: the guest on them, the rest is memory" {
    # asked for more than the guest has: the difference and the overhead, in the request's notation
    render '.spec.domain.memory = {guest: "1Gi", hugepages: {pageSize: "1Gi"}} |
        .spec.domain.resources = {requests: {memory: "1088Mi"}, limits: {memory: "1152Mi"}}'
    gives 'amounts("hugepages-1Gi")' '["1Gi", "1Gi"]'
    # page tables of 1088Mi: 1140851 kB * 1000 / 512 = 2228224 bytes
    gives 'amounts("memory")' "[\"$(((64 * 1048576 + 281018368 + 1140851000 / 512) / 1024))Ki\",
                                \"$(((128 * 1048576 + 281018368 + 1140851000 / 512) / 1024))Ki\"]"
    # less than the guest
    render '.spec.domain.memory = {guest: "4Gi", hugepages: {pageSize: "2Mi"}} |
        .spec.domain.resources = {requests: {memory: "1Gi"}}'
    gives 'amounts("hugepages-2Mi")' '["1Gi", "1Gi"]'
    gives 'amounts("memory")' "[\"$((281018368 + 1073742000 / 512))\", null]"
}

@test "dedicated CPUs: whole CPUs, limits equal requests" {
    render '.spec.domain.cpu = {cores: 4, dedicatedCpuPlacement: true}'
    gives 'amounts("cpu")' '["4", "4"]'
    # 4 vCPUs, and 100Mi since nothing may be reclaimed
    gives 'amounts("memory")' '["1416Mi", "1416Mi"]'
    gives '.spec.nodeSelector["kubevirt.io/cpumanager"]' '"true"'
    render '.spec.domain.cpu = {cores: 4, dedicatedCpuPlacement: true} |
        .spec.domain.ioThreads.supplementalPoolThreadCount = 2 | .spec.domain.resources.requests.cpu = "1"'
    gives 'amounts("cpu")' '["6", "6"]'
}

@test "dedicated CPUs without a topology: what was asked for, and the I/O threads" {
    render '.spec.domain.cpu = {dedicatedCpuPlacement: true} | .spec.domain.resources = {requests: {cpu: "3"}, limits: {cpu: "3"}} |
        .spec.domain.ioThreads.supplementalPoolThreadCount = 2'
    gives 'amounts("cpu")' '["5", "5"]'
    render '.spec.domain.cpu = {dedicatedCpuPlacement: true}'
    gives 'amounts("cpu")' '[null, null]'
}

@test "isolated emulator thread: one CPU, or two to keep the number even" {
    local even='.metadata.annotations["alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity"] = ""'
    local isolated='.spec.domain.cpu = {cores: 4, dedicatedCpuPlacement: true, isolateEmulatorThread: true}'
    render "$isolated"
    gives 'amounts("cpu")' '["5", "5"]'
    render "$isolated | $even"
    gives 'amounts("cpu")' '["6", "6"]'
    render "$isolated | $even | .spec.domain.cpu.cores = 3"
    gives 'amounts("cpu")' '["4", "4"]'
    # threads of the pool count twice in the parity, once in the sum
    render "$isolated | $even | .spec.domain += {ioThreadsPolicy: \"supplementalPool\", ioThreads: {supplementalPoolThreadCount: 1}}"
    gives 'amounts("cpu")' '["7", "7"]'
    render "$isolated | $even | .spec.domain += {ioThreadsPolicy: \"auto\", ioThreads: {supplementalPoolThreadCount: 1}}"
    gives 'amounts("cpu")' '["6", "6"]'
    render '.spec.domain.cpu = {dedicatedCpuPlacement: true, isolateEmulatorThread: true}'
    gives 'amounts("cpu")' '[null, "1"]'
}

@test "ephemeral storage: 50M on top of the VMI's" {
    render '.spec.domain.resources = {requests: {"ephemeral-storage": "1Gi"}, limits: {"ephemeral-storage": "2G"}}'
    gives 'amounts("ephemeral-storage")' '["1123741824", "2050M"]'
}

@test "other resources are taken over, in canonical form" {
    render '.spec.domain.resources = {requests: {"example.com/fpga": 1, "hugepages-2Mi": "1024Ki"}, limits: {"example.com/fpga": "1000m"}}'
    gives 'amounts("example.com/fpga")' '["1", "1"]'
    gives 'amounts("hugepages-2Mi")[0]' '"1Mi"'
}

@test "an amount that is no quantity" {
    refuses '.spec.domain.resources.requests.memory = "2 GB"' 'spec.domain.resources.requests.memory: not a quantity'
    refuses '.spec.domain.resources.limits["x.com/y"] = {}' 'spec.domain.resources.limits[x.com/y]: not a quantity'
}

@test "GPUs and host devices of device plugins" {
    render '.spec.domain.devices += {gpus: [{name: "a", deviceName: "nvidia.com/T4"}, {name: "b", deviceName: "nvidia.com/T4"}],
        hostDevices: [{name: "c", deviceName: "nvidia.com/T4"}, {name: "d", deviceName: "intel.com/qat"}]}'
    silent
    gives 'amounts("nvidia.com/T4")' '["3", "3"]'
    gives 'amounts("intel.com/qat")' '["1", "1"]'
    # locked memory
    gives 'amounts("memory")[0]' '"2316Mi"'
    # what the VMI says of the same name counts
    render '.spec.domain.devices.gpus = [{name: "a", deviceName: "nvidia.com/T4"}] | .spec.domain.resources.limits["nvidia.com/T4"] = "5"'
    gives 'amounts("nvidia.com/T4")' '["1", "5"]'
}

@test "GPUs and host devices of resource claims: from 1.9 on" {
    local claims='.spec.domain.devices += {gpus: [{name: "a", claimName: "c", requestName: "r"}],
        hostDevices: [{name: "b", claimName: "d"}]}'
    render "$claims"
    silent
    gives compute.resources.claims '[{name: "c", request: "r"}, {name: "d"}]'
    render "$claims" --kubevirt=1.8
    gives 'compute.resources | has("claims")' false
    warns 'spec.domain.devices.gpus[0]: KubeVirt 1.8 gives the Pod nothing for this device'
    warns 'spec.domain.devices.hostDevices[0]: KubeVirt 1.8'
    render '.spec.domain.devices.gpus = [{name: "a", claimName: "c", deviceName: "x.com/y"}, {name: "b"}]'
    warns 'spec.domain.devices.gpus[0]: KubeVirt 1.9'
    warns 'spec.domain.devices.gpus[1]: KubeVirt 1.9'
    gives 'compute.resources | has("claims")' false
    render '.spec.networks[0] = {name: "default", resourceClaim: {claimName: "n"}}'
    warns 'spec.networks[0].resourceClaim: KubeVirt 1.9 gives the Pod nothing for this claim'
}

@test "launch security: devices, nodes and bounce buffers" {
    render '.spec.domain.launchSecurity.sev = {}'
    gives 'amounts("devices.kubevirt.io/sev")' '["1", "1"]'
    gives 'amounts("memory")[0]' '"1548Mi"'
    gives '.spec.nodeSelector | keys | map(select(test("sev")))' '["kubevirt.io/sev"]'
    render '.spec.domain.launchSecurity.sev.policy.encryptedState = true'
    gives '.spec.nodeSelector | keys | map(select(test("sev")))' '["kubevirt.io/sev", "kubevirt.io/sev-es"]'
    render '.spec.domain.launchSecurity.snp = {}'
    gives 'amounts("devices.kubevirt.io/sev")' '["1", "1"]'
    gives 'amounts("memory")[0]' '"1548Mi"'
    gives '.spec.nodeSelector | keys | map(select(test("sev")))' '["kubevirt.io/sev", "kubevirt.io/sev-snp"]'
    render '.spec.domain.launchSecurity.tdx = {}'
    gives 'amounts("devices.kubevirt.io/tdx")' '["1", "1"]'
    gives 'amounts("memory")[0]' '"1292Mi"'
    gives '.spec.nodeSelector["kubevirt.io/tdx"]' '"true"'
    render '.spec.domain.launchSecurity.tdx = {}' --kubevirt=1.8
    gives 'amounts("devices.kubevirt.io/tdx")' '[null, null]'
    gives '.spec.nodeSelector["kubevirt.io/tdx"]' '"true"'
    render '.spec.domain.launchSecurity = {} | .spec.architecture = "s390x"'
    gives '.spec.nodeSelector["kubevirt.io/s390-pv"]' '"true"'
    render '.spec.domain.launchSecurity = {} | .spec.architecture = "amd64"'
    gives '.spec.nodeSelector | has("kubevirt.io/s390-pv")' false
}

@test "memory overhead, part by part" {
    local program mebibytes want=()
    while read -r mebibytes program; do
        vmi "$program"
        want+=("$mebibytes")
    done >vmi.json <<'EOF'
276 .spec.domain.cpu.cores = 2
236 .spec.domain.devices.autoattachGraphicsDevice = false
268 .spec.domain.devices.autoattachGraphicsDevice = true
396 .spec.architecture = "arm64"
268 .spec.architecture = "s390x"
1292 .spec.domain.devices.interfaces[0].sriov = {}
269 .spec.volumes = [{name: "m", downwardMetrics: {}}]
378 .spec.livenessProbe = {exec: {command: ["a"]}}
378 .spec.readinessProbe = {exec: {}}
388 .spec.readinessProbe = {exec: {}} | .spec.livenessProbe = {exec: {}}
268 .spec.readinessProbe = {guestAgentPing: {}}
524 .spec.domain.launchSecurity = {sev: {policy: {encryptedState: true}}}
321 .spec.domain.devices.tpm = {}
268 .spec.domain.devices.tpm = {enabled: false, persistent: true}
308 .spec.domain.memory.reservedOverhead = {addedOverhead: "40Mi"}
276 del(.spec.domain.cpu) | .spec.domain.resources.limits.cpu = "1500m"
284 del(.spec.domain.cpu) | .spec.domain.resources.requests.cpu = "3"
268 del(.spec.domain.cpu)
268 .spec.domain.cpu = {} | .spec.domain.resources.limits.cpu = "3"
EOF
    run --separate-stderr vmq render vmi.json
    [ "$status" -eq 0 ]
    [ "$(jq -r '.pod.metadata.annotations["kubevirt.io/memory-overhead-bytes"] | tonumber / 1048576' <<<"$output" | xargs)" = "${want[*]}" ]
}

@test "guaranteed QoS: memory and CPU requests equal their limits" {
    local image='.spec.volumes = [{name: "d", containerDisk: {image: "i"}}]'
    local r='.spec.domain.resources ='
    render "$image | $r {requests: {cpu: \"2\", memory: \"1Gi\"}, limits: {cpu: 2, memory: \"1024Mi\"}}"
    gives '.spec.initContainers[0].resources' '{limits: {cpu: "10m", memory: "40M"},
        requests: {cpu: "10m", memory: "40M", "ephemeral-storage": "50M"}}'
    # 100 MiB more, and the page tables of 1 GiB
    gives '.metadata.annotations["kubevirt.io/memory-overhead-bytes"]' "\"$((368 * 1048576 + 1073742000 / 512))\""
    # the memory limit alone counts as a request, the CPU limit does not
    render "$image | $r {requests: {cpu: \"2\"}, limits: {cpu: \"2\", memory: \"1Gi\"}}"
    gives '.spec.initContainers[0].resources.requests.cpu' '"10m"'
    render "$image | $r {requests: {memory: \"1Gi\"}, limits: {cpu: \"2\", memory: \"1Gi\"}}"
    gives '.spec.initContainers[0].resources.requests.cpu' '"1m"'
    render "$image | $r {requests: {cpu: \"2\", memory: \"1Gi\"}, limits: {cpu: \"2\", memory: \"2Gi\"}}"
    gives '.spec.initContainers[0].resources.requests.cpu' '"1m"'
}

# --- volumes -------------------------------------------------------------------------------------

# volumes JSON [OPTION]...: render a VMI with these volumes.
volumes() {
    local list=$1
    shift
    render ".spec.volumes = $list" "$@"
}

# What the volume of the name $1 is, and where the compute container mounts it.
volume() {
    gives ".spec.volumes | map(select(.name == \"$1\") | del(.name))" "[$2]"
    gives "[compute.volumeMounts[] | select(.name == \"$1\") | del(.name)]" "${3:-[]}"
}

@test "volumes and mounts that every Pod has, in order" {
    render .
    gives .spec.volumes '["private", "public", "sockets", "virt-bin-share-dir", "libvirt-runtime",
        "ephemeral-disks", "hotplug-disks"] | map({name: ., emptyDir: {}})'
    gives compute.volumeMounts '[{name: "private", mountPath: "/var/run/kubevirt-private"},
        {name: "public", mountPath: "/var/run/kubevirt"},
        {name: "ephemeral-disks", mountPath: "/var/run/kubevirt-ephemeral-disks"},
        {name: "libvirt-runtime", mountPath: "/var/run/libvirt"},
        {name: "sockets", mountPath: "/var/run/kubevirt/sockets"},
        {name: "hotplug-disks", mountPath: "/var/run/kubevirt/hotplug-disks/", mountPropagation: "HostToContainer"}]'
    render '.spec.domain.devices.disableHotplug = true'
    gives '.spec.volumes[-1].name' '"ephemeral-disks"'
    gives 'compute.volumeMounts[-1].name' '"sockets"'
}

@test "claims: persistentVolumeClaim, dataVolume, ephemeral" {
    volumes '[{name: "a", persistentVolumeClaim: {claimName: "c", readOnly: true}},
        {name: "b", dataVolume: {name: "c"}}, {name: "e", ephemeral: {persistentVolumeClaim: {claimName: "base", readOnly: false}}}]'
    silent
    volume a '{persistentVolumeClaim: {claimName: "c", readOnly: true}}' '[{mountPath: "/var/run/kubevirt-private/vmi-disks/a"}]'
    volume b '{persistentVolumeClaim: {claimName: "c"}}' '[{mountPath: "/var/run/kubevirt-private/vmi-disks/b"}]'
    volume e '{persistentVolumeClaim: {claimName: "base"}}' '[{mountPath: "/var/run/kubevirt-private/vmi-disks/e"}]'
    gives 'compute | has("volumeDevices")' false
    # stubs, one a claim
    [ "$(jq -cS .pvcs item.json)" = "$(jq -ncS '["c", "base"] | map({metadata: {name: ., namespace: "default"},
        spec: {accessModes: ["ReadWriteOnce"], volumeMode: "Filesystem"}})')" ]
}

# An item with the claims $2.
render_with() {
    vmi "$1" | jq -c "{vmq: 1, source: {file: \"vm.yaml\", document: 1, line: 1}, vmi: ., pvcs: $2, own: {kept: 1}}" >in.json
    vmq render in.json >item.json 2>said || { cat said; return 1; }
}

@test "claims as they are: block devices, and folders that several nodes write" {
    render_with '.spec.volumes = [{name: "a", persistentVolumeClaim: {claimName: "block"}},
            {name: "b", persistentVolumeClaim: {claimName: "many"}}, {name: "c", dataVolume: {name: "many"}},
            {name: "d", dataVolume: {name: "plain"}}]' \
        '[{metadata: {name: "block", namespace: "default"}, spec: {volumeMode: "Block", accessModes: ["ReadWriteMany"]}},
          {metadata: {name: "many"}, spec: {accessModes: ["ReadWriteOnce", "ReadWriteMany"]}},
          {metadata: {name: "plain", namespace: "default"}, spec: {accessModes: ["ReadOnlyMany"]}}]'
    gives compute.volumeDevices '[{name: "a", devicePath: "/dev/a"}]'
    volume a '{persistentVolumeClaim: {claimName: "block"}}'
    gives 'compute.env[3]' '{name: "SHARED_FILESYSTEM_PATHS",
        value: "/var/run/kubevirt-private/vmi-disks/b:/var/run/kubevirt-private/vmi-disks/c"}'
    # keys that are not ours stay
    [ "$(jq -c .own item.json)" = '{"kept":1}' ]
}

@test "a claim that is not there" {
    local item
    item=$(vmi '.spec.volumes = [{name: "a", dataVolume: {name: "gone"}}, {name: "b", persistentVolumeClaim: {claimName: "c"}},
            {name: "e", ephemeral: {}}]' |
        jq -c '{vmq: 1, vmi: ., pvcs: [{metadata: {name: "gone", namespace: "other"}}]}')
    run --separate-stderr vmq render - <<<"$item"
    refused 1 "spec.volumes[0].dataVolume.name: there is no PersistentVolumeClaim 'gone' in pvcs" \
        "spec.volumes[1].persistentVolumeClaim.claimName: there is no PersistentVolumeClaim 'c'" \
        "spec.volumes[2].ephemeral.persistentVolumeClaim.claimName"
}

@test "messages name the VirtualMachine's field where the item has one" {
    local item
    item=$(vmi '.metadata.labels.logVerbosity = "x" | .spec.volumes = [{name: "a", dataVolume: {name: "gone"}}]' |
        jq -c '{vmq: 1, vm: {kind: "VirtualMachine"}, vmi: ., pvcs: []}')
    run --separate-stderr vmq render - <<<"$item"
    refused 1 "spec.template.spec.volumes[0].dataVolume.name:" "spec.template.metadata.labels.logVerbosity:"
}

@test "hotplugged volumes are left out, with a warning" {
    volumes '[{name: "a", persistentVolumeClaim: {claimName: "c", hotpluggable: true}}, {name: "b", dataVolume: {name: "c", hotpluggable: true}}]'
    gives '.spec.volumes | length' 7
    gives 'compute.volumeMounts | length' 6
    warns 'spec.volumes[0]: a hotplugged volume is no part of the Pod'
    warns 'spec.volumes[1]: a hotplugged volume is no part of the Pod'
    render '.spec.volumes = [{name: "a", dataVolume: {name: "c"}}] | .status.volumeStatus = [{name: "a", hotplugVolume: {}}]'
    gives '.spec.volumes | length' 7
    render '.spec.volumes = [{name: "a", dataVolume: {name: "c"}}] | .status.volumeStatus = [{name: "a"}]'
    gives '.spec.volumes | length' 8
}

@test "host disks: the folder they are in" {
    volumes '[{name: "a", hostDisk: {path: "/srv/vm/a.img", type: "Disk"}}, {name: "b", hostDisk: {path: "/b.img", type: "DiskOrCreate"}},
        {name: "c", hostDisk: {path: "c.img", type: "other"}}, {name: "d", hostDisk: {path: "/srv//x/../d/", type: "Disk"}}]'
    volume a '{hostPath: {path: "/srv/vm", type: "Directory"}}' '[{mountPath: "/var/run/kubevirt-private/vmi-disks/a"}]'
    volume b '{hostPath: {path: "/", type: "DirectoryOrCreate"}}' '[{mountPath: "/var/run/kubevirt-private/vmi-disks/b"}]'
    volume c '{hostPath: {path: ".", type: ""}}' '[{mountPath: "/var/run/kubevirt-private/vmi-disks/c"}]'
    volume d '{hostPath: {path: "/srv/d", type: "Directory"}}' '[{mountPath: "/var/run/kubevirt-private/vmi-disks/d"}]'
}

@test "cloud-init: data in secrets only" {
    local kind
    for kind in cloudInitNoCloud cloudInitConfigDrive; do
        volumes "[{name: \"i\", $kind: {userData: \"x\", secretRef: {name: \"u\"}, networkDataSecretRef: {name: \"n\"}}}]"
        volume i-udata '{secret: {secretName: "u"}}' '["userdata", "userData"] |
            map({mountPath: "/var/run/kubevirt-private/secret/i/\(.)", subPath: ., readOnly: true})'
        volume i-ndata '{secret: {secretName: "n"}}' '["networkdata", "networkData"] |
            map({mountPath: "/var/run/kubevirt-private/secret/i/\(.)", subPath: ., readOnly: true})'
        volumes "[{name: \"i\", $kind: {userData: \"x\", networkData: \"y\"}}]"
        gives '.spec.volumes | length' 7
        volumes "[{name: \"i\", $kind: {secretRef: {}}}]"
        volume i-udata '{secret: {}}' '["userdata", "userData"] |
            map({mountPath: "/var/run/kubevirt-private/secret/i/\(.)", subPath: ., readOnly: true})'
    done
}

@test "sysprep: a Secret before a ConfigMap" {
    volumes '[{name: "s", sysprep: {secret: {name: "x"}, configMap: {name: "y"}}}, {name: "t", sysprep: {configMap: {name: "y"}}}]'
    volume s '{secret: {secretName: "x"}}' '[{mountPath: "/var/run/kubevirt-private/sysprep/s", readOnly: true}]'
    volume t '{configMap: {name: "y"}}' '[{mountPath: "/var/run/kubevirt-private/sysprep/t", readOnly: true}]'
    refuses '.spec.volumes = [{name: "s", sysprep: {}}]' 'spec.volumes[0].sysprep: names neither a Secret nor a ConfigMap'
}

@test "configuration: a volume each, mounted where a disk shows it" {
    local kinds='[{name: "s", secret: {secretName: "x", optional: false}}, {name: "m", configMap: {name: "y", optional: true}},
        {name: "d", downwardAPI: {fields: [{path: "labels", fieldRef: {fieldPath: "metadata.labels"}}]}}]'
    volumes "$kinds"
    volume s '{secret: {secretName: "x", optional: false}}'
    volume m '{configMap: {name: "y", optional: true}}'
    volume d '{downwardAPI: {items: [{path: "labels", fieldRef: {fieldPath: "metadata.labels"}}]}}'
    render ".spec.volumes = $kinds | .spec.domain.devices.disks = [{name: \"d\"}, {name: \"none\"}, {name: \"s\"}, {name: \"m\"}]"
    gives 'compute.volumeMounts[5:8]' '[{name: "d", mountPath: "/var/run/kubevirt-private/downwardapi/d", readOnly: true},
        {name: "s", mountPath: "/var/run/kubevirt-private/secret/s", readOnly: true},
        {name: "m", mountPath: "/var/run/kubevirt-private/config-map/m", readOnly: true}]'
}

@test "downward metrics, and kinds without a volume of their own" {
    volumes '[{name: "m", downwardMetrics: {}}, {name: "e", emptyDisk: {capacity: "1Gi"}}, {name: "d", memoryDump: {claimName: "c"}},
        {name: "t", serviceAccount: {serviceAccountName: "a"}}, {name: "p", containerPath: {path: "/x"}}]'
    volume m '{emptyDir: {medium: "Memory", sizeLimit: "1Mi"}}' '[{mountPath: "/var/run/kubevirt-private/downwardmetric-disk"}]'
    gives '.spec.volumes | length' 8
}

@test "access credentials" {
    render '.spec.accessCredentials = [{sshPublicKey: {source: {secret: {secretName: "k"}}, propagationMethod: {}}},
        {userPassword: {source: {secret: {secretName: "p"}}}}, {sshPublicKey: {source: {}}}]'
    volume k-access-cred '{secret: {secretName: "k"}}' '[{mountPath: "/var/run/kubevirt-private/secret/k-access-cred", readOnly: true}]'
    volume p-access-cred '{secret: {secretName: "p"}}' '[{mountPath: "/var/run/kubevirt-private/secret/p-access-cred", readOnly: true}]'
    gives '.spec.volumes | length' 9
}

@test "persistent state: one claim, mounted in parts" {
    render '.spec.domain.devices.tpm = {persistent: true} | .spec.domain.firmware.bootloader.efi = {persistent: true}'
    silent
    volume vm-state '{persistentVolumeClaim: {claimName: "vm-vm-state"}}' '[
        {mountPath: "/run/kubevirt-private/backend-storage-meta", subPath: "meta"},
        {mountPath: "/var/run/kubevirt-private/libvirt/qemu/swtpm", subPath: "swtpm"},
        {mountPath: "/var/run/kubevirt-private/var/lib/swtpm-localca", subPath: "swtpm-localca"},
        {mountPath: "/var/run/kubevirt-private/libvirt/qemu/nvram", subPath: "nvram"}]'
    volume private-libvirt '{emptyDir: {}}' '[{mountPath: "/var/run/kubevirt-private/libvirt"}]'
    volume private-libvirt-qemu '{emptyDir: {}}' '[{mountPath: "/var/run/kubevirt-private/libvirt/qemu"}]'
}

@test "persistent state as root, and of changed blocks" {
    render '.status = {changedBlockTracking: {state: "Initializing"}} | .spec.domain.devices.tpm = {persistent: true, enabled: true} |
        .spec.domain.firmware.bootloader.efi.persistent = true'
    volume vm-state '{persistentVolumeClaim: {claimName: "vm-vm-state"}}' '[
        {mountPath: "/run/kubevirt-private/backend-storage-meta", subPath: "meta"},
        {mountPath: "/var/lib/libvirt/swtpm", subPath: "swtpm"},
        {mountPath: "/var/lib/swtpm-localca", subPath: "swtpm-localca"},
        {mountPath: "/var/lib/libvirt/qemu/nvram", subPath: "nvram"},
        {mountPath: "/var/lib/libvirt/qemu/cbt", subPath: "cbt"}]'
    gives '.spec.volumes | map(.name) | index("private-libvirt")' null
    render '.status.changedBlockTracking.state = "Enabled"'
    gives '[compute.volumeMounts[] | select(.subPath == "cbt").mountPath]' '["/var/run/kubevirt-private/libvirt/qemu/cbt"]'
    render '.status.changedBlockTracking.state = "Disabled" | .spec.domain.devices.tpm = {enabled: false, persistent: true} |
        .spec.domain.firmware.bootloader.efi.persistent = false'
    gives '.spec.volumes | map(.name) | index("vm-state")' null
}

@test "container disks: image volumes, and init containers that have them pulled" {
    volumes '[{name: "e", emptyDisk: {}}, {name: "a", containerDisk: {image: "r/a:1", imagePullPolicy: "Always"}},
        {name: "b", containerDisk: {image: "r/b:2", path: "/disk/x.qcow2"}}]' --launcher-image=r/launcher:v1.9.3
    volume a '{image: {reference: "r/a:1", pullPolicy: "Always"}}' '[{mountPath: "/var/run/kubevirt-image-volume/disk_1", readOnly: true}]'
    volume b '{image: {reference: "r/b:2"}}' '[{mountPath: "/var/run/kubevirt-image-volume/disk_2", readOnly: true}]'
    volume launcher-volume '{image: {reference: "r/launcher:v1.9.3", pullPolicy: "IfNotPresent"}}'
    gives '.spec.initContainers | map([.name, .image, .imagePullPolicy])' \
        '[["volumea", "r/a:1", "Always"], ["volumeb", "r/b:2", null]]'
    gives '.spec.initContainers[0] | del(.name, .image, .imagePullPolicy)' '{
        command: ["/container-disk-binary/usr/bin/container-disk"], args: ["--no-op"],
        resources: {limits: {cpu: "10m", memory: "40M"}, requests: {cpu: "1m", memory: "1M", "ephemeral-storage": "50M"}},
        securityContext: {runAsUser: 107, runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: {drop: ["ALL"]}},
        volumeMounts: [{name: "launcher-volume", mountPath: "/container-disk-binary", readOnly: true}]}'
    render '.spec.volumes = [{name: "a", containerDisk: {image: "i"}}] | .spec.domain.cpu.dedicatedCpuPlacement = true'
    gives '.spec.initContainers[0].resources.requests' '{cpu: "10m", memory: "40M", "ephemeral-storage": "50M"}'
}

@test "kernel boot from an image" {
    render '.spec.domain.firmware.kernelBoot = {kernelArgs: "quiet", container: {image: "r/k:1", imagePullPolicy: "Never",
        imagePullSecret: "ks", kernelPath: "/k"}} | .spec.volumes = [{name: "a", containerDisk: {image: "r/a", imagePullSecret: "as"}},
        {name: "b", containerDisk: {image: "r/b", imagePullSecret: "as"}}]'
    volume kernel-boot-volume '{image: {reference: "r/k:1", pullPolicy: "Never"}}' '[{mountPath: "/var/run/kubevirt-kernel-boot", readOnly: true}]'
    gives '.spec.initContainers | map(.name)' '["volumea", "volumeb", "volumekernel-boot-volume"]'
    gives .spec.imagePullSecrets '["as", "ks", "pull-secret-1"] | map({name: .})'
    render '.spec.domain.firmware.kernelBoot = {container: {image: "r/k:1", imagePullSecret: "pull-secret-1"}}'
    gives '.spec.initContainers[0] | [.name, .imagePullPolicy]' '["volumekernel-boot-volume", null]'
    gives '.spec.volumes | map(.name) | index("launcher-volume") > 0' true
    gives .spec.imagePullSecrets '[{name: "pull-secret-1"}]'
    render '.spec.domain.firmware.kernelBoot = {kernelArgs: "quiet"}'
    gives '.spec | has("initContainers")' false
}

@test "huge pages have two volumes" {
    render '.spec.domain.memory.hugepages = {pageSize: "2Mi"}'
    volume hugepages '{emptyDir: {medium: "HugePages"}}' '[{mountPath: "/dev/hugepages"}]'
    volume hugetblfs-dir '{emptyDir: {}}' '[{mountPath: "/dev/hugepages/libvirt/qemu"}]'
}

@test "SR-IOV: the network's annotation as a volume" {
    render '.spec.domain.devices.interfaces[0] = {name: "default", sriov: {}}'
    volume network-info-annotation '{downwardAPI: {items: [{path: "network-info",
        fieldRef: {fieldPath: "metadata.annotations['"'kubevirt.io/network-info'"']"}}]}}' '[{mountPath: "/etc/podinfo"}]'
}

@test "names that walk up are taken as Go's filepath.Join takes them" {
    volumes '[{name: "../../etc", hostDisk: {path: "../a/./b.img", type: "Disk"}}, {name: "../../..//../x/..", sysprep: {secret: {name: "s"}}}]'
    volume ../../etc '{hostPath: {path: "../a", type: "Directory"}}' '[{mountPath: "/var/run/etc"}]'
    gives 'compute.volumeMounts[6].mountPath' '"/"'
}

# --- virtiofs, console log, ports, probes --------------------------------------------------------

@test "virtiofs: a container for each volume that a file system shows" {
    render '.spec.volumes = [{name: "c", persistentVolumeClaim: {claimName: "c"}}, {name: "m", configMap: {name: "m"}}, {name: "s", secret: {secretName: "s"}},
        {name: "t", serviceAccount: {serviceAccountName: "a"}}, {name: "d", downwardAPI: {fields: []}}, {name: "no", configMap: {name: "m"}}] |
        .spec.domain.devices.filesystems = (["t", "d", "c", "m", "s", "none"] | map({name: ., virtiofs: {}}))'
    gives '.spec.containers | map(.name)' '["compute", "virtiofs-c", "virtiofs-m", "virtiofs-s", "virtiofs-t", "virtiofs-d"]'
    gives '.spec.containers[1]' '{name: "virtiofs-c", image: "quay.io/kubevirt/virt-launcher:v1.9.0", imagePullPolicy: "IfNotPresent",
        command: ["/usr/libexec/virtiofsd"],
        args: ["--socket-path=/var/run/kubevirt/virtiofs-containers/c.sock", "--shared-dir=/c", "--sandbox=none", "--cache=auto",
               "--migration-on-error=guest-error", "--migration-mode=find-paths"],
        volumeMounts: [{name: "virtiofs-containers", mountPath: "/var/run/kubevirt/virtiofs-containers"}, {name: "c", mountPath: "/c"}],
        resources: {requests: {cpu: "10m", memory: "1M"}, limits: {cpu: "100m", memory: "80M"}},
        securityContext: {runAsUser: 107, runAsGroup: 107, runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: {drop: ["ALL"]}}}'
    gives '.spec.containers[2:] | map(.args[1])' '["--shared-dir=/var/run/kubevirt-private/config-map/m",
        "--shared-dir=/var/run/kubevirt-private/secret/s", "--shared-dir=/var/run/secrets/kubernetes.io/serviceaccount/",
        "--shared-dir=/var/run/kubevirt-private/downwardapi/d"]'
    gives '.spec.containers[4] | [.args[6], (.volumeMounts | length)]' '["--translate-uid=host:107:0:1", 1]'
    gives '.spec.containers[3].volumeMounts[1]' '{name: "s", mountPath: "/var/run/kubevirt-private/secret/s"}'
    volume virtiofs-containers '{emptyDir: {}}' '[{mountPath: "/var/run/kubevirt/virtiofs-containers"}]'
}

@test "virtiofs: of several sources of a volume, the folder is that of the first in KubeVirt's order" {
    render '.spec.volumes = [{name: "a", serviceAccount: {serviceAccountName: "a"}, downwardAPI: {fields: []}},
        {name: "s", serviceAccount: {serviceAccountName: "a"}, secret: {secretName: "s"}, downwardAPI: {fields: []}},
        {name: "m", secret: {secretName: "s"}, configMap: {name: "m"}}] |
        .spec.domain.devices.filesystems = (["a", "s", "m"] | map({name: ., virtiofs: {}}))'
    gives '.spec.containers[1:] | map(.args[1])' '["--shared-dir=/var/run/secrets/kubernetes.io/serviceaccount/",
        "--shared-dir=/var/run/kubevirt-private/secret/s", "--shared-dir=/var/run/kubevirt-private/config-map/m"]'
    gives '.spec.containers[1:] | map(.volumeMounts | length)' '[1, 1, 2]'
}

@test "virtiofs: requests are limits with dedicated CPUs; 1.8 translates no owner; containerPath" {
    local fs='.spec.volumes = [{name: "t", serviceAccount: {serviceAccountName: "a"}}] | .spec.domain.devices.filesystems = [{name: "t", virtiofs: {}}]'
    render "$fs | .spec.domain.cpu.dedicatedCpuPlacement = true" --kubevirt=1.8
    gives '.spec.containers[1].resources' '{requests: {cpu: "100m", memory: "80M"}, limits: {cpu: "100m", memory: "80M"}}'
    gives '.spec.containers[1].args | length' 6
    render '.spec.volumes = [{name: "p", containerPath: {path: "/x"}}] | .spec.domain.devices.filesystems = [{name: "p", virtiofs: {}}]'
    gives '.spec.containers | length' 1
    warns 'spec.volumes[0].containerPath: the guest gets no file system of it'
    gives '.spec.volumes | map(.name) | index("virtiofs-containers") > 0' true
}

@test "console log: only where the VMI asks for it" {
    local on='.spec.domain.devices.logSerialConsole = true'
    render "$on | .metadata.uid = \"u-1\""
    gives '.spec.initContainers' '[{name: "guest-console-log", image: "quay.io/kubevirt/virt-launcher:v1.9.0", imagePullPolicy: "IfNotPresent",
        command: ["/usr/bin/virt-tail"], args: ["--logfile", "/var/run/kubevirt-private/u-1/virt-serial0-log"],
        env: [{name: "VIRT_LAUNCHER_LOG_VERBOSITY", value: "2"}],
        volumeMounts: [{name: "private", mountPath: "/var/run/kubevirt-private", readOnly: true}],
        resources: {requests: {cpu: "5m", memory: "35M"}, limits: {cpu: "15m", memory: "60M"}},
        securityContext: {runAsUser: 107, runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: {drop: ["ALL"]}},
        restartPolicy: "Always"}]'
    render "$on | .metadata.labels.logVerbosity = \"07\" | .spec.domain.cpu.dedicatedCpuPlacement = true"
    gives '.spec.initContainers[0] | [.env[0].value, .resources.requests]' '["7", {cpu: "15m", memory: "60M"}]'
    render "$on | .spec.domain.devices.autoattachSerialConsole = false"
    gives '.spec | has("initContainers")' false
    render '.spec.domain.devices.logSerialConsole = false'
    gives '.spec | has("initContainers")' false
    # before the container disks
    render "$on | .spec.volumes = [{name: \"a\", containerDisk: {image: \"i\"}}]"
    gives '.spec.initContainers | map(.name)' '["guest-console-log", "volumea"]'
}

@test "ports of all interfaces" {
    render '.spec.domain.devices.interfaces = [{name: "a", ports: [{port: 80}, {name: "dns", port: 53, protocol: "UDP"}]}, {name: "b", ports: []},
        {name: "c", ports: [{port: 443, protocol: ""}]}]'
    gives compute.ports '[{containerPort: 80, protocol: "TCP"}, {name: "dns", containerPort: 53, protocol: "UDP"}, {containerPort: 443, protocol: "TCP"}]'
}

@test "probes: http, tcp, commands, the guest's agent" {
    render '.spec += {livenessProbe: {httpGet: {port: 80, path: "/x"}, initialDelaySeconds: 5, timeoutSeconds: 3, periodSeconds: 7, successThreshold: 2, failureThreshold: 9},
        readinessProbe: {tcpSocket: {port: "http"}}}'
    gives compute.livenessProbe '{httpGet: {port: 80, path: "/x"}, initialDelaySeconds: 15, timeoutSeconds: 3, periodSeconds: 7, successThreshold: 2, failureThreshold: 9}'
    gives compute.readinessProbe '{tcpSocket: {port: "http"}, initialDelaySeconds: 10, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3}'
    render '.spec += {livenessProbe: {exec: {command: ["/bin/check", "-a", "b c"]}, timeoutSeconds: 4}, readinessProbe: {guestAgentPing: {}, periodSeconds: 0}}'
    gives compute.livenessProbe '{exec: {command: ["virt-probe", "--domainName", "default_vm", "--timeoutSeconds", "4", "--command", "/bin/check", "--", "-a", "b c"]},
        initialDelaySeconds: 10, timeoutSeconds: 5, periodSeconds: 10, successThreshold: 1, failureThreshold: 3}'
    gives compute.readinessProbe '{exec: {command: ["virt-probe", "--domainName", "default_vm", "--timeoutSeconds", "1", "--guestAgentPing"]},
        initialDelaySeconds: 10, timeoutSeconds: 2, periodSeconds: 10, successThreshold: 1, failureThreshold: 3}'
    # one that goes through virt-probe already, and one without a command
    render '.spec += {livenessProbe: {exec: {command: ["virt-probe", "x"]}}, readinessProbe: {exec: {}, initialDelaySeconds: -10}}'
    gives 'compute.livenessProbe | [.exec.command, .timeoutSeconds]' '[["virt-probe", "x"], 1]'
    gives compute.readinessProbe '{exec: {}, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3}'
}

# --- scheduling ----------------------------------------------------------------------------------

@test "node selector: the VMI's, then what the guest needs" {
    render '.spec.nodeSelector = {zone: "a", "kubevirt.io/schedulable": "maybe", "machine-type.node.kubevirt.io/q35": "x"} | .spec.architecture = "AMD64"'
    gives .spec.nodeSelector '{zone: "a", "kubevirt.io/schedulable": "maybe", "machine-type.node.kubevirt.io/q35": "true", "kubernetes.io/arch": "amd64"}'
    render '.status.machine.type = "pc-q35-rhel9.6.0"'
    gives .spec.nodeSelector '{"kubevirt.io/schedulable": "true", "machine-type.node.kubevirt.io/pc-q35-rhel9.6.0": "true"}'
    render 'del(.spec.domain.machine)'
    gives .spec.nodeSelector '{"kubevirt.io/schedulable": "true"}'
    render '.spec.domain.cpu.realtime = {}'
    gives '.spec.nodeSelector["kubevirt.io/realtime"]' '"true"'
}

@test "CPU models and features" {
    local features='features: [{name: "a"}, {name: "b", policy: "require"}, {name: "c", policy: "optional"}, {name: "d", policy: "force"}]'
    render ".spec.domain.cpu = {model: \"Haswell\", $features}"
    gives '.spec.nodeSelector | keys | map(select(startswith("cpu")))' \
        '["cpu-feature.node.kubevirt.io/a", "cpu-feature.node.kubevirt.io/b", "cpu-model.node.kubevirt.io/Haswell"]'
    gives '.spec | has("affinity")' false
    render ".spec.domain.cpu = {model: \"host-passthrough\", $features}"
    gives '.spec.nodeSelector | keys | map(select(startswith("cpu")))' '["cpu-feature.node.kubevirt.io/a", "cpu-feature.node.kubevirt.io/b"]'
    gives '.spec | has("affinity")' false
    # without a model, features select nothing
    render ".spec.domain.cpu = {$features}"
    gives '.spec.nodeSelector | keys | map(select(startswith("cpu")))' '[]'
}

@test "time stamp counter: a frequency that the guest needs and the status knows" {
    local hint='.status.topologyHints.tscFrequency = 2400000000' label='"scheduling.node.kubevirt.io/tsc-frequency-2400000000"'
    render "$hint | .spec.domain.cpu.features = [{name: \"invtsc\", policy: \"require\"}]"
    gives ".spec.nodeSelector[$label]" '"true"'
    render "$hint | .spec.domain.cpu.features = [{name: \"invtsc\", policy: \"force\"}]"
    gives ".spec.nodeSelector[$label]" '"true"'
    render "$hint | .spec.domain.cpu.features = [{name: \"invtsc\"}]"
    gives ".spec.nodeSelector[$label]" null
    render "$hint | .spec.domain.features.hyperv.reenlightenment = {enabled: true}"
    gives ".spec.nodeSelector[$label]" '"true"'
    render "$hint | .spec.domain.features.hyperv.reenlightenment = {}"
    gives ".spec.nodeSelector[$label]" null
    render '.status.topologyHints.tscFrequency = 0 | .spec.domain.features.hyperv.reenlightenment = {enabled: true}'
    gives '.spec.nodeSelector | keys | map(select(test("tsc")))' '[]'
}

@test "Hyper-V features select no nodes" {
    render '.spec.domain.features.hyperv = {vpindex: {enabled: true}, synic: {enabled: true}, evmcs: {}}'
    gives '.spec.nodeSelector | keys | map(select(test("hyperv|vendor")))' '[]'
}

@test "affinity: obsolete host models and forbidden features are rejected in every term" {
    local obsolete='{key: "node-labeller.kubevirt.io/obsolete-host-model", operator: "DoesNotExist"}'
    local forbidden='{key: "cpu-feature.node.kubevirt.io/vmx", operator: "DoesNotExist"}'
    local required=.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms
    render .
    gives .spec.affinity "{nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [$obsolete]}]}}}"
    render '.spec.domain.cpu.features = [{name: "vmx", policy: "forbid"}]'
    gives $required "[{matchExpressions: [$obsolete, $forbidden]}]"
    render '.spec.domain.cpu = {model: "host-passthrough", features: [{name: "vmx", policy: "forbid"}]} |
        .spec.affinity = {podAffinity: {x: 1}, nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [],
            requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: [1]}, {matchExpressions: [{key: "k", operator: "Exists"}]}]}}}'
    gives $required "[{matchFields: [1], matchExpressions: [$forbidden]}, {matchExpressions: [{key: \"k\", operator: \"Exists\"}, $forbidden]}]"
    gives .spec.affinity.podAffinity '{x: 1}'
    render '.spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution = [1]'
    gives $required "[{matchExpressions: [$obsolete]}]"
    render '.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms = []'
    gives $required '[]'
    render 'del(.spec.domain.cpu) | .spec.affinity.podAffinity = {x: 1}'
    gives $required "[{matchExpressions: [$obsolete]}]"
}

@test "affinity: more requirements than can be meant" {
    refuses '.spec.domain.cpu.features = [range(400) | {name: "f\(.)", policy: "forbid"}] |
        .spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms = [range(400) | {}]' \
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution: 401 forbidden features in each of 400 terms'
}

@test "thousands of everything take no more than their time" {
    render '.spec.volumes = [range(9000) | {name: "d\(.)", dataVolume: {name: "c\(.)"}}] |
        .spec.domain.devices += {disks: (.spec.volumes | map({name, lun: {reservation: true}})),
            filesystems: (.spec.volumes | map({name, virtiofs: {}})), gpus: [range(9000) | {deviceName: "g/\(.)"}]}'
    gives '.spec.containers | length' 9001
    gives 'compute.volumeMounts | length' 9007
    gives 'compute.resources.limits | length' 9004
}

@test "persistent reservations: a device; from 1.9 on Pods of one claim are kept apart" {
    local disks='.spec.domain.devices.disks = [{name: "a", lun: {reservation: true}}, {name: "b", lun: {reservation: true}}, {name: "c", lun: {}}, {name: "e", lun: {reservation: true}}] |
        .spec.volumes = [{name: "a", persistentVolumeClaim: {claimName: "ca"}}, {name: "b", dataVolume: {name: "cb"}}, {name: "c", dataVolume: {name: "cc"}}, {name: "e", emptyDisk: {}}]'
    local claims='["a", "b", "c"] | map({metadata: {name: ("c" + .), uid: ("u" + .)}, spec: {}})'
    render_with "$disks" "($claims)"
    gives 'amounts("devices.kubevirt.io/pr-helper")' '["1", "1"]'
    gives '.metadata.labels | with_entries(select(.key | startswith("pr")))' '{"pr.kubevirt.io/ua": "", "pr.kubevirt.io/ub": ""}'
    gives '.spec.affinity.podAntiAffinity' '{requiredDuringSchedulingIgnoredDuringExecution: (["ua", "ub"] | map(
        {labelSelector: {matchExpressions: [{key: ("pr.kubevirt.io/" + .), operator: "Exists"}]}, topologyKey: "kubernetes.io/hostname"}))}'
    render "$disks" --kubevirt=1.8
    gives 'amounts("devices.kubevirt.io/pr-helper")' '["1", "1"]'
    gives '.spec.affinity | has("podAntiAffinity")' false
    render '.spec.domain.devices.disks = [{name: "a", lun: {reservation: false}}]'
    gives 'amounts("devices.kubevirt.io/pr-helper")' '[null, null]'
}

# --- the program ---------------------------------------------------------------------------------

@test "hook sidecars are dropped with a warning (D8)" {
    render '.metadata.annotations["hooks.kubevirt.io/hookSidecars"] = "[{}]"'
    warns 'metadata.annotations[hooks.kubevirt.io/hookSidecars]: hook sidecars are dropped'
    gives '.spec.containers | length' 1
    gives 'compute.command | .[index("--hook-sidecars") + 1]' '"0"'
}

@test "a bare VMI without namespace and UID" {
    render 'del(.metadata.namespace, .metadata.uid) | .spec.volumes = [{name: "a", dataVolume: {name: "d"}}]'
    gives 'compute.command | [.[index("--uid") + 1], .[index("--namespace") + 1]]' '["default", "default"]'
    render '.metadata.namespace = "ns" | .metadata.uid = "" | .spec.volumes = [{name: "a", dataVolume: {name: "d"}}]'
    gives 'compute.command | .[index("--namespace") + 1]' '"ns"'
    [ "$(jq -r '.pvcs[0].metadata.namespace' item.json)" = ns ]
}

@test "an item without a VMI" {
    run --separate-stderr vmq render <<<'{"vmq": 1, "vm": {}, "vmi": 3}'
    refused 1 "vmi: there is no vmi in the item; run vmq-prepare first"
}

@test "what vmq-prepare warns of is said once" {
    vmi '.metadata.annotations["hooks.kubevirt.io/hookSidecars"] = "[]" | .spec.networks[0].resourceClaim = {}
            | .spec.volumes = [{name: "a", dataVolume: {name: "c", hotpluggable: true}}]' |
        jq -c '{vmq: 1, vm: {kind: "VirtualMachine"}, vmi: .}' | vmq render >/dev/null 2>said
    silent
}

@test "a VMI without a name" {
    refuses 'del(.metadata.name)' 'metadata.name: the VirtualMachineInstance has no name'
}

@test "another launcher image than the release's" {
    render . --kubevirt=1.9 --launcher-image=x:v1.8.4
    warns "the rules are KubeVirt 1.9's, the launcher image is 1.8's"
}

@test "a refused item is left out, the others go on" {
    { vmi '.metadata.labels.logVerbosity = "x"'; vmi '.metadata.name = "b"'; } >two.json
    run --separate-stderr vmq render two.json
    [ "$status" -eq 1 ]
    [ "$(jq -r .vmi.metadata.name <<<"$output")" = b ]
}

@test "hostile VMIs: fields of the wrong kind make no Pod and no crash" {
    local program
    for program in '.spec = 1' '.spec.domain = []' '.spec.volumes = {}' '.spec.volumes = [1, null, [], {}]' '.spec.domain.devices = "x"' \
        '.spec.domain.devices.interfaces = [1, {ports: 3}, {ports: [2]}]' '.metadata.labels = []' '.metadata.annotations = "x"' \
        '.spec.nodeSelector = []' '.spec.affinity = 4' '.spec.affinity = {nodeAffinity: 3}' \
        '.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution = {nodeSelectorTerms: [3, {matchExpressions: 1}]}' \
        '.spec.livenessProbe = {exec: {command: "x"}}' '.spec.readinessProbe = []' '.spec.domain.resources = {limits: 3, requests: [1]}' \
        '.spec.domain.cpu = {cores: -1, features: [1, {}]}' '.spec.terminationGracePeriodSeconds = 9223372036854775807' \
        '.spec.domain.ioThreads.supplementalPoolThreadCount = 1e300' '.spec.domain.memory = {guest: {}, hugepages: 1}' \
        '.spec.resourceClaims = [1]' '.spec.domain.devices.gpus = [1]' '.spec.accessCredentials = [1, {sshPublicKey: 1}]' '.metadata.uid = {}' \
        'del(.spec.domain.cpu) | .spec.domain.resources.limits.cpu = "8E"' '.spec.domain.resources.requests.memory = "8E"'; do
        vmi "$program"
    done >vmi.json
    run --separate-stderr vmq render vmi.json
    [ "$status" -le 1 ] || { echo "status $status: $stderr"; return 1; }
    [ "$(jq -n '[inputs] | length' <<<"$output")" -gt 15 ]
}
