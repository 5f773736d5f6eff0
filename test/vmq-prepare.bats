# What vmq-prepare makes of a VM, branch by branch. The expected values are what KubeVirt's code
# gives (the function is named at each group), not what vmq-prepare printed once.

# shellcheck disable=SC2154 # bats sets stderr
load helper

# A test names VMs and what must come out of each; `verify` then prepares them all in one run.
#
# prepare SPEC: a VM with 1Gi of memory and the template's spec SPEC (jq notation, laid over it; null
# takes away). $vm: more of the VM, laid over it as well. The first is called t0, the next t1, ...
prepare() {
    vms+="vm(${n:=0}; $1; ${vm:-{\}}),"
    n=$((n + 1))
}

# is PATH WANT: in the last VM's item there is WANT at PATH (jq notation; null: nothing).
is() {
    checks+="check($((n - 1)); [.[$((n - 1))] | $1]; [$2]),"
}

domain() { is ".vmi.spec.domain.$1" "$2"; }

# verify [OPTION]...
verify() {
    jq -nc "def vm(n; spec; more): {apiVersion: \"kubevirt.io/v1\", kind: \"VirtualMachine\",
                metadata: {name: \"t\\(n)\"}, spec: {runStrategy: \"Always\",
                template: {spec: {domain: {devices: {}, memory: {guest: \"1Gi\"}}}}}}
            | .spec.template.spec *= spec | . * more;
            ${vms%,}" >vms.json || return
    vmq prepare --admission=warn "$@" vms.json >items.json 2>said || { cat said; return 1; }
    jq -sr "def check(n; got; want): if got == want then empty
                else \"t\\(n):  got \\(got)  want \\(want)\" end;
            ${checks}empty" items.json >differences || return
    [ ! -s differences ] || { cat differences; return 1; }
    vms='' checks='' n=0
}

# ---- SetVirtualMachineDefaults -------------------------------------------------------------------

@test "machine type by architecture, in the VM too (setVMDefaultMachineType)" {
    prepare '{}'
    domain machine '{type: "q35"}'
    is .vmi.spec.architecture null
    is .vm.spec.template.spec.domain.machine '{type: "q35"}'
    prepare '{architecture: "amd64"}'
    domain machine '{type: "q35"}'
    prepare '{architecture: "arm64"}'
    domain machine '{type: "virt"}'
    prepare '{architecture: "s390x"}'
    domain machine '{type: "s390-ccw-virtio"}'
    verify
}

@test "a machine type that is given stays" {
    prepare '{domain: {machine: {type: "pc-q35-rhel9.4.0"}}}'
    domain machine '{type: "pc-q35-rhel9.4.0"}'
    prepare '{domain: {machine: {}}}'
    domain machine '{type: "q35"}'
    prepare '{domain: {machine: {type: ""}}}'
    domain machine '{type: "q35"}'
    verify
}

@test "the namespace is default unless another is given" {
    prepare '{}'
    is .vm.metadata.namespace '"default"'
    is .vmi.metadata.namespace '"default"'
    is .vmi.metadata.uid '"default"'
    vm='{metadata: {namespace: ""}}' prepare '{}'
    is .vm.metadata.namespace '"default"'
    vm='{metadata: {namespace: "lab"}}' prepare '{}'
    is .vm.metadata.namespace '"lab"'
    is .vmi.metadata.namespace '"lab"'
    is .vmi.metadata.uid '"lab"'
    verify
}

# ---- SetupVMIFromVM ------------------------------------------------------------------------------

@test "the VMI has the VM's name and the template's metadata" {
    vm='{metadata: {labels: {of: "the VM"}, annotations: {of: "the VM"}},
         spec: {template: {metadata: {name: "other", generateName: "g-", namespace: "else",
                                      labels: {l: "1"}, annotations: {a: "2"},
                                      ownerReferences: [{apiVersion: "v1", kind: "Pod", name: "p", uid: "u"}]}}}}' \
        prepare '{}'
    is '.vmi | .apiVersion, .kind' '"kubevirt.io/v1", "VirtualMachineInstance"'
    is '.vmi.metadata | del(.ownerReferences, .creationTimestamp)' '{name: "t0", namespace: "default", uid: "default", labels: {l: "1"},
        annotations: {a: "2", "kubevirt.io/pci-topology-version": "v3"}}'
    is .vmi.metadata.ownerReferences '[{apiVersion: "kubevirt.io/v1", kind: "VirtualMachine", name: "t0", uid: "",
        controller: true, blockOwnerDeletion: true}]'
    verify
}

@test "an exported VM's UID is the owner's, a template's own UID stays" {
    vm='{metadata: {uid: "5ad7dd7c"}, spec: {template: {metadata: {uid: "mine"}}}}' prepare '{}'
    is '.vmi.metadata.ownerReferences[0].uid' '"5ad7dd7c"'
    is .vmi.metadata.uid '"mine"'
    verify
}

@test "firmware UUID: from the name, unless one is given (setupStableFirmwareUUID)" {
    prepare '{}'
    domain firmware "{uuid: \"$(uuid t0)\"}"
    vm='{metadata: {name: "kiosk"}}' prepare '{domain: {firmware: {serial: "s"}}}'
    domain firmware '{uuid: "a924bf87-3377-5479-88d4-f78eecb05efd", serial: "s"}'
    prepare '{domain: {firmware: {uuid: "11111111-2222-3333-4444-555555555555"}}}'
    domain firmware '{uuid: "11111111-2222-3333-4444-555555555555"}'
    prepare '{domain: {firmware: {uuid: ""}}}'
    domain firmware.uuid "\"$(uuid t3)\""
    verify
}

# The UUID of a name, by another implementation of SHA-1.
uuid() {
    local d
    d=$({ printf '\x6a\x1a\x24\xa1\x40\x61\x46\x07\x8b\xf4\xa3\x96\x3d\x0c\x58\x95'; printf %s "$1"; } | sha1sum)
    printf '%s-%s-5%s-%x%s-%s\n' "${d:0:8}" "${d:8:4}" "${d:13:3}" $((0x${d:16:1} & 3 | 8)) "${d:17:3}" "${d:20:12}"
}

@test "a volume that no disk and no filesystem names gets a disk (SetDefaultVolumeDisk)" {
    prepare '{volumes: [{name: "a", emptyDisk: {capacity: "1Gi"}}, {name: "b", emptyDisk: {capacity: "1Gi"}},
                        {name: "c", persistentVolumeClaim: {claimName: "c"}}],
              domain: {devices: {disks: [{name: "b", disk: {bus: "virtio"}}], filesystems: [{name: "c", virtiofs: {}}]}}}'
    domain devices.disks '[{name: "b", disk: {bus: "virtio"}}, {name: "a", disk: {bus: "sata"}}]'
    verify
}

# ---- SetDefaultVirtualMachineInstanceSpec --------------------------------------------------------

@test "a CPU limit alone is the request too (setDefaultResourceRequests)" {
    prepare '{domain: {resources: {limits: {cpu: "1500m"}}}}'
    domain resources '{limits: {cpu: "1500m"}, requests: {cpu: "1500m"}}'
    prepare '{domain: {resources: {limits: {cpu: "2"}, requests: {cpu: "1", memory: "1Gi"}}}}'
    domain resources '{limits: {cpu: "2"}, requests: {cpu: "1", memory: "1Gi"}}'
    prepare '{domain: {resources: {requests: {cpu: "1"}}}}'
    domain resources '{requests: {cpu: "1"}}'
    prepare '{domain: {resources: {limits: {memory: "2Gi"}}}}'
    domain resources '{limits: {memory: "2Gi"}}'
    verify
}

@test "guest memory: given, request, limit, one huge page (setGuestMemory)" {
    prepare '{domain: {resources: {requests: {memory: "2Gi"}}}}'
    domain memory '{guest: "1Gi"}'
    prepare '{domain: {memory: null, resources: {requests: {memory: "2048Mi"}, limits: {memory: "4Gi"}}}}'
    domain memory '{guest: "2Gi"}'
    prepare '{domain: {memory: null, resources: {limits: {memory: "3G"}}}}'
    domain memory '{guest: "3G"}'
    prepare '{domain: {memory: {guest: null, hugepages: {pageSize: "1Gi"}}, resources: {limits: {memory: "4Gi"}}}}'
    domain memory '{guest: "4Gi", hugepages: {pageSize: "1Gi"}}'
    prepare '{domain: {memory: {guest: null, hugepages: {pageSize: "2048Ki"}}}}'
    domain memory '{guest: "2Mi", hugepages: {pageSize: "2048Ki"}}'
    verify
}

@test "guest memory is in the status three times (setGuestMemoryStatus)" {
    prepare '{domain: {memory: {guest: "1536Mi"}}}'
    is .vmi.status.memory '{guestAtBoot: "1536Mi", guestCurrent: "1536Mi", guestRequested: "1536Mi"}'
    verify
}

# topology SPEC.DOMAIN WANT: sockets, cores, threads, maxSockets; 0 where there is none.
topology() {
    prepare "{domain: $1}"
    is '.vmi.spec.domain.cpu | [.sockets, .cores, .threads, .maxSockets | . // 0]' "$2"
        is '.vmi.status.currentCPUTopology | [.sockets, .cores, .threads | . // 0]' "$2[:3]"
}

@test "CPU topology from limits, else requests, rounded up (SetDefaultGuestCPUTopology)" {
    topology '{}' '[1, 1, 1, 4]'
    topology '{cpu: {}}' '[1, 1, 1, 4]'
    topology '{cpu: {model: "Haswell"}}' '[1, 1, 1, 4]'
    topology '{cpu: {cores: 0, sockets: 0, threads: 0}}' '[1, 1, 1, 4]'
    topology '{resources: {requests: {cpu: "2500m"}}}' '[3, 1, 1, 12]'
    topology '{resources: {requests: {cpu: "1"}, limits: {cpu: "2.1"}}}' '[3, 1, 1, 12]'
    topology '{resources: {requests: {cpu: "1m"}}}' '[1, 1, 1, 4]'
    verify
}

@test "one number of the topology keeps the others away, and CPU resources too" {
    topology '{cpu: {cores: 2}, resources: {limits: {cpu: "8"}}}' '[0, 2, 0, 0]'
    topology '{cpu: {sockets: 2}}' '[2, 0, 0, 8]'
    topology '{cpu: {threads: 2}}' '[0, 0, 2, 0]'
    topology '{cpu: {sockets: 3, threads: 2}}' '[3, 0, 2, 12]'
    verify
}

@test "sockets that can be plugged: four times, 512 vCPUs in all, never fewer than there are (setupCPUHotplug)" {
    topology '{cpu: {sockets: 2, cores: 4, threads: 2}}' '[2, 4, 2, 8]'
    topology '{cpu: {sockets: 64, cores: 2, threads: 1}}' '[64, 2, 1, 256]'
    topology '{cpu: {sockets: 65, cores: 2, threads: 1}}' '[65, 2, 1, 256]'
    topology '{cpu: {sockets: 200, cores: 4, threads: 1}}' '[200, 4, 1, 200]'
    topology '{cpu: {sockets: 3, cores: 100, threads: 1}}' '[3, 100, 1, 5]'
    topology '{cpu: {sockets: 2, cores: 1, threads: 1, maxSockets: 3}}' '[2, 1, 1, 3]'
    verify
}

@test "vCPU numbers wrap around at 32 bits as KubeVirt's do" {
    topology '{cpu: {sockets: 1073741824, cores: 1, threads: 1}}' '[1073741824, 1, 1, 0]'
    topology '{cpu: {sockets: 2, cores: 65536, threads: 65536}}' '[2, 65536, 65536, 8]'
    topology '{resources: {limits: {cpu: "4294967297"}}}' '[1, 1, 1, 4]'
    verify
}

@test "pull policy of containerDisks by the image's tag (setDefaultPullPoliciesOnContainerDisks)" {
    local image
    while read -r image policy; do
        prepare "{volumes: [{name: \"d\", containerDisk: {image: \"$image\"}}]}"
        is '.vmi.spec.volumes[0].containerDisk.imagePullPolicy' "\"$policy\""
    done <<'END'
quay.io/a/b Always
quay.io/a/b:latest Always
quay.io/a/b:1.0 IfNotPresent
quay.io/a/b:latest-1 IfNotPresent
quay.io/a/b@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa IfNotPresent
localhost:5000/b IfNotPresent
localhost:5000/b:latest Always
END
    prepare '{volumes: [{name: "d", containerDisk: {image: "a:latest", imagePullPolicy: "Never"}}]}'
    is '.vmi.spec.volumes[0].containerDisk.imagePullPolicy' '"Never"'
    verify
}

@test "eviction strategy: None unless given (setDefaultEvictionStrategy)" {
    prepare '{}'
    is .vmi.spec.evictionStrategy '"None"'
    prepare '{evictionStrategy: "LiveMigrate"}'
    is .vmi.spec.evictionStrategy '"LiveMigrate"'
    verify
}

@test "grace period, start strategy and hostname have no default" {
    prepare '{}'
    is '.vmi.spec | .terminationGracePeriodSeconds, .startStrategy, .hostname' 'null, null, null'
    prepare '{terminationGracePeriodSeconds: 0, startStrategy: "Paused"}'
    is '.vmi.spec | .terminationGracePeriodSeconds, .startStrategy' '0, "Paused"'
    verify
}

# ---- SetObjectDefaults_VirtualMachineInstance ----------------------------------------------------

@test "features that are mentioned are on, unless they are off" {
    prepare '{}'
    domain features '{acpi: {enabled: true}}'
    prepare '{domain: {features: {acpi: {}, apic: {}, smm: {}, pvspinlock: {}, kvm: {hidden: true}}}}'
    domain features '{acpi: {enabled: true}, apic: {enabled: true}, smm: {enabled: true},
                      pvspinlock: {enabled: true}, kvm: {hidden: true}}'
    prepare '{domain: {features: {acpi: {enabled: false}, apic: {enabled: false, endOfInterrupt: true},
                                  smm: {enabled: false}, pvspinlock: {enabled: false}}}}'
    domain features '{acpi: {enabled: false}, apic: {enabled: false, endOfInterrupt: true},
                      smm: {enabled: false}, pvspinlock: {enabled: false}}'
    verify
}

@test "hypervPassthrough has no default" {
    prepare '{domain: {features: {hypervPassthrough: {}}}}'
    domain features '{acpi: {enabled: true}, hypervPassthrough: {}}'
    verify
}

@test "every Hyper-V enlightenment that is mentioned is on" {
    local f=(relaxed vapic vpindex runtime synic reset frequencies reenlightenment ipi)
    prepare "{domain: {features: {hyperv: {$(printf '%s: {},' "${f[@]}") vendorid: {vendorid: \"v\"}}}}}"
    domain features.hyperv "{$(printf '%s: {enabled: true},' "${f[@]}") vendorid: {enabled: true, vendorid: \"v\"}}"
    prepare "{domain: {features: {hyperv: {$(printf '%s: {enabled: false},' "${f[@]}") vendorid: {enabled: false}}}}}"
    domain features.hyperv "{$(printf '%s: {enabled: false},' "${f[@]}") vendorid: {enabled: false}}"
    verify
}

@test "Hyper-V sub-options that are mentioned are on" {
    prepare '{domain: {features: {hyperv: {vpindex: {}, synic: {}, synictimer: {direct: {}}, tlbflush: {direct: {}, extended: {}}}}}}'
    domain features.hyperv '{vpindex: {enabled: true}, synic: {enabled: true},
        synictimer: {enabled: true, direct: {enabled: true}},
        tlbflush: {enabled: true, direct: {enabled: true}, extended: {enabled: true}}}'
    prepare '{domain: {features: {hyperv: {synictimer: {enabled: false, direct: {enabled: false}},
                                           tlbflush: {enabled: false, direct: {}}}}}}'
    domain features.hyperv '{synictimer: {enabled: false, direct: {enabled: false}},
        tlbflush: {enabled: false, direct: {enabled: true}}}'
    verify
}

@test "spinlocks: 4096 tries where they are on (SetDefaults_FeatureSpinlocks)" {
    prepare '{domain: {features: {hyperv: {spinlocks: {}}}}}'
    domain features.hyperv '{spinlocks: {enabled: true, spinlocks: 4096}}'
    prepare '{domain: {features: {hyperv: {spinlocks: {spinlocks: 8191}}}}}'
    domain features.hyperv '{spinlocks: {enabled: true, spinlocks: 8191}}'
    prepare '{domain: {features: {hyperv: {spinlocks: {enabled: false}}}}}'
    domain features.hyperv '{spinlocks: {enabled: false}}'
    prepare '{domain: {features: {hyperv: {spinlocks: {spinlocks: 0}}}}}'
    domain features.hyperv '{spinlocks: {enabled: true, spinlocks: 0}}'
    verify
}

@test "timers that are mentioned are there" {
    prepare '{domain: {clock: {utc: {}, timer: {hpet: {}, kvm: {}, pit: {tickPolicy: "delay"}, rtc: {track: "guest"}, hyperv: {}}}}}'
    domain clock '{utc: {}, timer: {hpet: {present: true}, kvm: {present: true}, pit: {present: true, tickPolicy: "delay"},
                                    rtc: {present: true, track: "guest"}, hyperv: {present: true}}}'
    prepare '{domain: {clock: {timer: {hpet: {present: false}, hyperv: {present: false}}}}}'
    domain clock.timer '{hpet: {present: false}, hyperv: {present: false}}'
    prepare '{domain: {clock: {timezone: "Europe/Prague"}}}'
    domain clock '{timezone: "Europe/Prague"}'
    verify
}

# disks DISK... : a VM with these disks, each named after its place, and a volume for each.
disks() {
    local arch=$1 list='' volumes='' i=0 d
    shift
    for d; do
        list+="({name: \"d$i\"} + ($d)),"
        volumes+="{name: \"d$i\", emptyDisk: {capacity: \"1Gi\"}},"
        i=$((i + 1))
    done
    prepare "{$arch volumes: [${volumes%,}], domain: {devices: {disks: [${list%,}]}}}"
}

@test "disk targets: a plain disk unless one is named; a CD-ROM is read-only and closed" {
    disks '' '{}' '{cdrom: {}}' '{cdrom: {readonly: false, tray: "open", bus: "scsi"}}' '{lun: {}}' \
        '{disk: {readonly: true}}' '{disk: {}, cdrom: {}}'
    is '[.vmi.spec.domain.devices.disks[] | del(.name)]' '[
        {disk: {bus: "sata"}},
        {cdrom: {bus: "sata", readonly: true, tray: "closed"}},
        {cdrom: {bus: "scsi", readonly: false, tray: "open"}},
        {lun: {bus: "sata"}},
        {disk: {bus: "sata", readonly: true}},
        {disk: {bus: "sata"}, cdrom: {bus: "sata", readonly: true, tray: "closed"}}]'
    verify
}

@test "disk buses by architecture (setDefault...DisksBus)" {
    local arch
    for arch in arm64 s390x; do
        disks "architecture: \"$arch\"," '{}' '{cdrom: {}}' '{lun: {}}' '{disk: {bus: "scsi"}}'
        is '[.vmi.spec.domain.devices.disks[] | .disk, .cdrom, .lun | select(.).bus]' '["virtio", "virtio", "virtio", "scsi"]'
    done
    disks 'architecture: "amd64",' '{}'
    is '.vmi.spec.domain.devices.disks[0].disk.bus' '"sata"'
    verify
}

@test "a block size of the volume's is on" {
    disks '' '{blockSize: {matchVolume: {}}}' '{blockSize: {matchVolume: {enabled: false}}}' \
        '{blockSize: {custom: {logical: 4096, physical: 4096}}}'
    is '[.vmi.spec.domain.devices.disks[].blockSize]' '[{matchVolume: {enabled: true}}, {matchVolume: {enabled: false}},
        {custom: {logical: 4096, physical: 4096}}]'
    verify
}

@test "a vGPU's ramFB is on where it is mentioned" {
    prepare '{domain: {devices: {gpus: [
        {name: "a", deviceName: "nvidia.com/x", virtualGPUOptions: {display: {ramFB: {}}}},
        {name: "b", deviceName: "nvidia.com/x", virtualGPUOptions: {display: {ramFB: {enabled: false}, enabled: true}}},
        {name: "c", deviceName: "nvidia.com/x", virtualGPUOptions: {display: {}}},
        {name: "d", deviceName: "nvidia.com/x"}]}}}'
    is '[.vmi.spec.domain.devices.gpus[].virtualGPUOptions.display]' '[{ramFB: {enabled: true}},
        {ramFB: {enabled: false}, enabled: true}, {}, null]'
    verify
}

@test "inputs: a USB tablet unless said otherwise (setDefaults_Input)" {
    prepare '{domain: {devices: {inputs: [{name: "a"}, {name: "b", bus: "virtio"}, {name: "c", type: "keyboard", bus: "virtio"}]}}}'
    domain devices.inputs '[{name: "a", bus: "usb", type: "tablet"}, {name: "b", bus: "virtio", type: "tablet"},
                            {name: "c", bus: "virtio", type: "keyboard"}]'
    verify
}

@test "an attached input comes too late for defaults (AutoAttachInputDevice)" {
    prepare '{domain: {devices: {autoattachInputDevice: true}}}'
    domain devices.inputs '[{name: "default-0", type: ""}]'
    prepare '{domain: {devices: {autoattachInputDevice: false}}}'
    domain devices.inputs null
    prepare '{domain: {devices: {autoattachInputDevice: true, inputs: [{name: "a", bus: "usb", type: "tablet"}]}}}'
    domain devices.inputs '[{name: "a", bus: "usb", type: "tablet"}]'
    verify
}

@test "probes: the four numbers, wherever less than 1 is given (SetDefaults_Probe)" {
    prepare '{readinessProbe: {exec: {command: ["true"]}}, livenessProbe: {tcpSocket: {port: 22}, initialDelaySeconds: 5,
              timeoutSeconds: 2, periodSeconds: 3, successThreshold: 0, failureThreshold: -1}}'
    is .vmi.spec.readinessProbe '{exec: {command: ["true"]}, timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3}'
    is .vmi.spec.livenessProbe '{tcpSocket: {port: 22}, initialDelaySeconds: 5, timeoutSeconds: 2, periodSeconds: 3,
                                 successThreshold: 1, failureThreshold: 3}'
    verify
}

# ---- SetHypervFeatureDependencies ----------------------------------------------------------------

@test "an enlightenment turns on what it needs" {
    local on='{enabled: true}'
    prepare '{domain: {features: {hyperv: {synic: {}}}}}'
    domain features.hyperv "{synic: $on, vpindex: $on}"
    prepare '{domain: {features: {hyperv: {ipi: {}}}}}'
    domain features.hyperv "{ipi: $on, vpindex: $on}"
    prepare '{domain: {features: {hyperv: {tlbflush: {}}}}}'
    domain features.hyperv "{tlbflush: $on, vpindex: $on}"
    prepare '{domain: {features: {hyperv: {synictimer: {}}}}}'
    domain features.hyperv "{synictimer: $on, synic: $on, vpindex: $on}"
    prepare '{domain: {features: {hyperv: {synic: {enabled: false}, ipi: {enabled: false}, vapic: {}}}}}'
    domain features.hyperv "{synic: {enabled: false}, ipi: {enabled: false}, vapic: $on}"
    verify
}

@test "a need that is off stays off, and so does all that comes after" {
    prepare '{domain: {features: {hyperv: {evmcs: {}, ipi: {}, synictimer: {}, vpindex: {enabled: false}}}}}'
    domain features.hyperv '{evmcs: {enabled: true}, vapic: {enabled: true}, ipi: {enabled: true},
                             synictimer: {enabled: true}, vpindex: {enabled: false}}'
    domain cpu.features null
    prepare '{domain: {features: {hyperv: {evmcs: {}, ipi: {}, vapic: {enabled: false}}}}}'
    domain features.hyperv '{evmcs: {enabled: true}, ipi: {enabled: true}, vapic: {enabled: false}}'
    domain cpu.features null
    verify
}

@test "evmcs requires the CPU feature vmx (setEVMCSDependency)" {
    local hv='features: {hyperv: {evmcs: {}}}'
    prepare "{domain: {$hv}}"
    domain cpu.features '[{name: "vmx", policy: "require"}]'
    prepare "{domain: {$hv, cpu: {features: []}}}"
    domain cpu.features '[{name: "vmx", policy: "require"}]'
    prepare "{domain: {$hv, cpu: {features: [{name: \"apic\", policy: \"force\"}]}}}"
    domain cpu.features '[{name: "apic", policy: "force"}, {name: "vmx", policy: "require"}]'
    prepare "{domain: {$hv, cpu: {features: [{name: \"vmx\", policy: \"disable\"}, {name: \"x\"}, {name: \"vmx\"}]}}}"
    domain cpu.features '[{name: "vmx", policy: "require"}, {name: "x"}, {name: "vmx"}]'
    prepare '{domain: {features: {hyperv: {evmcs: {enabled: false}}}}}'
    domain cpu.features null
    verify
}

# ---- setDefaultCPUArch ---------------------------------------------------------------------------

@test "CPU model by architecture, unless given (setDefaultCPUModel, setDefaultArm64CPUModel)" {
    prepare '{}'
    domain cpu.model '"host-model"'
    prepare '{architecture: "s390x"}'
    domain cpu.model '"host-model"'
    prepare '{architecture: "arm64"}'
    domain cpu.model '"host-passthrough"'
    prepare '{architecture: "arm64", domain: {cpu: {cores: 1, model: "cortex-a72"}}}'
    domain cpu.model '"cortex-a72"'
    verify
}

@test "arm64 boots with EFI without secure boot (setDefaultArm64Bootloader)" {
    local off='{efi: {secureBoot: false}}'
    prepare '{architecture: "arm64"}'
    domain firmware.bootloader "$off"
    prepare '{architecture: "arm64", domain: {firmware: {bootloader: {efi: {}}}}}'
    domain firmware.bootloader "$off"
    prepare '{architecture: "arm64", domain: {firmware: {bootloader: {efi: {secureBoot: true, persistent: true}}}}}'
    domain firmware.bootloader '{efi: {secureBoot: true, persistent: true}}'
    prepare '{architecture: "arm64", domain: {firmware: {bootloader: {bios: {}}}}}'
    domain firmware.bootloader '{bios: {}}'
    prepare '{architecture: "arm64", domain: {firmware: {bootloader: {}}}}'
    domain firmware.bootloader '{}'
    prepare '{architecture: "amd64", domain: {firmware: {bootloader: {efi: {}}}}}'
    domain firmware.bootloader '{efi: {}}'
    prepare '{}'
    domain firmware.bootloader null
    verify
}

@test "arm64 has nothing to plug: no maxSockets, no maxGuest (SetDefaultVirtualMachineInstance)" {
    prepare '{architecture: "arm64"}'
    domain cpu '{sockets: 1, cores: 1, threads: 1, model: "host-passthrough"}'
    domain memory '{guest: "1Gi"}'
    prepare '{architecture: "s390x"}'
    domain cpu.maxSockets 4
    domain memory '{guest: "1Gi"}'
    verify
}

@test "s390x is without ACPI unless it is asked for (setS390xDefaultFeatures)" {
    prepare '{architecture: "s390x"}'
    domain features '{acpi: {enabled: false}}'
    prepare '{architecture: "s390x", domain: {features: {pvspinlock: {}}}}'
    domain features '{acpi: {enabled: false}, pvspinlock: {enabled: true}}'
    prepare '{architecture: "s390x", domain: {features: {acpi: {}}}}'
    domain features '{acpi: {enabled: false}}'
    prepare '{architecture: "s390x", domain: {features: {acpi: {enabled: true}}}}'
    domain features '{acpi: {enabled: true}}'
    prepare '{architecture: "arm64"}'
    domain features '{acpi: {enabled: true}}'
    verify
}

@test "a watchdog gets its architecture's device and resets (SetAmd64Watchdog, SetS390xWatchdog)" {
    local reset='{action: "reset"}'
    prepare '{domain: {devices: {watchdog: {name: "w"}}}}'
    domain devices.watchdog "{name: \"w\", i6300esb: $reset}"
    prepare '{domain: {devices: {watchdog: {name: "w", i6300esb: {}}}}}'
    domain devices.watchdog "{name: \"w\", i6300esb: $reset}"
    prepare '{domain: {devices: {watchdog: {name: "w", i6300esb: {action: "poweroff"}}}}}'
    domain devices.watchdog '{name: "w", i6300esb: {action: "poweroff"}}'
    prepare '{domain: {devices: {watchdog: {name: "w", diag288: {action: "shutdown"}}}}}'
    domain devices.watchdog "{name: \"w\", diag288: {action: \"shutdown\"}, i6300esb: $reset}"
    prepare '{architecture: "s390x", domain: {devices: {watchdog: {name: "w"}}}}'
    domain devices.watchdog "{name: \"w\", diag288: $reset}"
    prepare '{architecture: "s390x", domain: {devices: {watchdog: {name: "w", diag288: {action: "shutdown"}}}}}'
    domain devices.watchdog '{name: "w", diag288: {action: "shutdown"}}'
    prepare '{architecture: "arm64", domain: {devices: {watchdog: {name: "w"}}}}'
    domain devices.watchdog '{name: "w"}'
    verify
}

# ---- setupMemoryHotplug --------------------------------------------------------------------------

# grows DOMAIN WANT: maxGuest on amd64.
grows() {
    prepare "{architecture: \"amd64\", domain: $1}"
    domain memory.maxGuest "$2"
}

@test "memory grows to four times, where amd64 is said" {
    grows '{memory: {guest: "1Gi"}}' '"4Gi"'
    grows '{memory: {guest: "1536Mi"}}' '"6Gi"'
    grows '{memory: {guest: "1026Mi"}}' '"4104Mi"'
    grows '{memory: {guest: "1073741824"}}' '"4Gi"'
    grows '{memory: {guest: "2Gi", maxGuest: "3Gi"}}' '"3Gi"'
    prepare '{domain: {memory: {guest: "4Gi"}}}'
    domain memory.maxGuest null
    verify
}

@test "memory that can not grow (ValidateLiveUpdateMemory)" {
    grows '{memory: {guest: "1022Mi"}}' null
    grows '{memory: {guest: "1025Mi"}}' null
    grows '{memory: {guest: "2G"}}' null
    grows '{memory: {guest: "3Gi", hugepages: {pageSize: "1Gi"}}}' '"12Gi"'
    grows '{memory: {guest: "1536Mi", hugepages: {pageSize: "1Gi"}}}' null
    grows '{memory: {guest: "1536Mi", hugepages: {pageSize: "2Mi"}}}' '"6Gi"'
    grows '{memory: {guest: "1Gi"}, cpu: {realtime: {}}}' null
    grows '{memory: {guest: "1Gi"}, cpu: {numa: {guestMappingPassthrough: {}}}}' null
    grows '{memory: {guest: "1Gi"}, cpu: {numa: {}}}' '"4Gi"'
    grows '{memory: {guest: "1Gi"}, launchSecurity: {sev: {}}}' null
    grows '{memory: {guest: "1Gi"}, launchSecurity: {}}' null
    verify
}

@test "memory beyond what four times 63 bits hold does not grow" {
    grows '{memory: {guest: "3Ei"}}' null
    grows '{memory: {guest: "4Ei"}}' null
    grows '{memory: {guest: "5Ei"}}' null
    grows '{memory: {guest: "1Ei"}}' '"4Ei"'
    verify
}

# ---- ApplyNewVMIMutations ------------------------------------------------------------------------

@test "PCI topology v3 for machines with PCIe, unless said (setDefaultPciTopologyVersion)" {
    local key='.vmi.metadata.annotations["kubevirt.io/pci-topology-version"]'
    prepare '{}'
    is "$key" '"v3"'
    prepare '{architecture: "arm64"}'
    is "$key" '"v3"'
    prepare '{architecture: "s390x"}'
    is .vmi.metadata.annotations null
    prepare '{domain: {machine: {type: "pc-q35-rhel9.4.0"}}}'
    is "$key" '"v3"'
    prepare '{domain: {machine: {type: "virt-rhel9.4.0"}}}'
    is "$key" '"v3"'
    prepare '{domain: {machine: {type: "pc-i440fx-9.0"}}}'
    is "$key" null
    vm='{spec: {template: {metadata: {annotations: {"kubevirt.io/pci-topology-version": "v2"}}}}}' prepare '{}'
    is "$key" '"v2"'
    vm='{spec: {template: {metadata: {annotations: {"kubevirt.io/pci-topology-version": ""}}}}}' prepare '{}'
    is "$key" '""'
    verify
}

@test "TDX guests know the quote socket since 1.9" {
    local key='.vmi.metadata.annotations["kubevirt.io/qgs-socket-path"]' path='"/var/run/tdx-qgs/qgs.socket"' option
    prepare '{domain: {launchSecurity: {tdx: {}}}}'
    is "$key" "$path"
    prepare '{domain: {launchSecurity: {snp: {}}}}'
    is "$key" null
    vm='{spec: {template: {metadata: {annotations: {"kubevirt.io/qgs-socket-path": "/else"}}}}}' \
        prepare '{domain: {launchSecurity: {tdx: {}}}}'
    is "$key" "$path"
    verify
    for option in --kubevirt=1.8 --launcher-image=quay.io/kubevirt/virt-launcher:v1.8.4; do
        prepare '{domain: {launchSecurity: {tdx: {}}}}'
        is "$key" null
        verify "$option"
    done
}

@test "TDX with secure boot needs no SMM since 1.9 (validateDomainSpec)" {
    prepare '{domain: {launchSecurity: {tdx: {}}, firmware: {bootloader: {efi: {}}}}}'
    verify
    run ! grep -F 'Secure Boot' said
    prepare '{domain: {launchSecurity: {tdx: {}}, firmware: {bootloader: {efi: {}}}}}'
    verify --kubevirt=1.8
    grep -F 'Secure Boot (on unless secureBoot: false) needs SMM' said
}

@test "a field that came after the release is dropped with a warning" {
    prepare '{serviceAccountName: "sa", networks: [{name: "n", pod: {}}],
              domain: {devices: {interfaces: [{name: "n", masquerade: {}, portRanges: [{protocol: "TCP", start: 1, end: 2}]}]}}}'
    is .vmi.spec.serviceAccountName null
    domain devices.interfaces '[{name: "n", passtBinding: {}}]'
    verify --kubevirt=1.8
    grep -F 'warning: spec.template.spec.serviceAccountName:' said
    grep -F 'warning: spec.template.spec.domain.devices.interfaces[0].portRanges:' said
    prepare '{serviceAccountName: "sa"}'
    is .vmi.spec.serviceAccountName '"sa"'
    verify
}

@test "the launcher runs as user 107 (markAsNonroot)" {
    prepare '{}'
    is .vmi.status.runtimeUser 107
    verify
}

# ---- networks ------------------------------------------------------------------------------------

@test "one interface where nothing is said (SetDefaultNetworkInterface)" {
    prepare '{}'
    domain devices.interfaces '[{name: "default", passtBinding: {}}]'
    is .vmi.spec.networks '[{name: "default", pod: {}}]'
    is .vmi.status.interfaces '[{name: "default", podInterfaceName: "eth0"}]'
    verify
}

@test "no interface where none is wanted; the pod network is there even so" {
    prepare '{domain: {devices: {autoattachPodInterface: false}}}'
    domain devices.interfaces null
    is .vmi.status.interfaces null
    is .vmi.spec.networks '[{name: "default", pod: {}}]'
    prepare '{networks: [{name: "p", pod: {}}]}'
    domain devices.interfaces null
    is .vmi.spec.networks '[{name: "p", pod: {}}]'
    verify
}

@test "every binding gives way to passt; all else of an interface stays" {
    local b
    for b in bridge masquerade sriov slirp macvtap passt passtBinding; do
        prepare "{networks: [{name: \"n\", pod: {}}], domain: {devices: {interfaces: [{name: \"n\", $b: {},
                  model: \"e1000e\", macAddress: \"02:00:00:00:00:01\", ports: [{port: 80}], bootOrder: 1}]}}}"
        domain devices.interfaces '[{name: "n", passtBinding: {}, model: "e1000e", macAddress: "02:00:00:00:00:01",
                                     ports: [{port: 80}], bootOrder: 1}]'
    done
    prepare '{networks: [{name: "n", pod: {}}], domain: {devices: {interfaces: [{name: "n", binding: {name: "plug"}}]}}}'
    domain devices.interfaces '[{name: "n", passtBinding: {}, binding: {name: "plug"}}]'
    verify
}

@test "an interface's network becomes the pod's, whatever it was" {
    prepare '{networks: [{name: "a", multus: {networkName: "x"}}, {name: "b", pod: {vmNetworkCIDR: "10.11.0.0/24"}},
                         {name: "c", multus: {networkName: "y"}}],
              domain: {devices: {interfaces: [{name: "a", bridge: {}}, {name: "b", masquerade: {}}]}}}'
    is .vmi.spec.networks '[{name: "a", pod: {}}, {name: "b", pod: {}}, {name: "c", multus: {networkName: "y"}}]'
    is .vmi.status.interfaces '[{name: "a", podInterfaceName: "eth0"}, {name: "b", podInterfaceName: "eth1"}]'
    verify
}

@test "without a pod network one is put first" {
    prepare '{networks: [{name: "a", multus: {networkName: "x"}}], domain: {devices: {interfaces: [{name: "a", sriov: {}}]}}}'
    is .vmi.spec.networks '[{name: "default", pod: {}}, {name: "a", pod: {}}]'
    domain devices.interfaces '[{name: "a", passtBinding: {}}]'
    verify
}

@test "an interface without its network is renamed to default" {
    prepare '{networks: [{name: "p", pod: {}}], domain: {devices: {interfaces: [{name: "x", bridge: {}}, {name: "y", bridge: {}}]}}}'
    domain devices.interfaces '[{name: "default", passtBinding: {}}, {name: "default", passtBinding: {}}]'
    is .vmi.spec.networks '[{name: "p", pod: {}}, {name: "default", pod: {}}]'
    is .vmi.status.interfaces '[{name: "default", podInterfaceName: "eth0"}, {name: "default", podInterfaceName: "eth1"}]'
    prepare '{domain: {devices: {interfaces: [{name: "x", bridge: {}}]}}}'
    domain devices.interfaces '[{name: "default", passtBinding: {}}]'
    is .vmi.spec.networks '[{name: "default", pod: {}}]'
    verify
}

@test "a network from a resource claim stays one, beside the pod's (1.9)" {
    prepare '{networks: [{name: "f", resourceClaim: {claimName: "c", requestName: "r"}}], resourceClaims: [{name: "c", resourceClaimName: "c"}],
              domain: {devices: {interfaces: [{name: "f", sriov: {}}]}}}'
    is .vmi.spec.networks '[{name: "default", pod: {}}, {name: "f", pod: {}, resourceClaim: {claimName: "c", requestName: "r"}}]'
    verify
}

@test "addresses are tidied up as the API does (sanitizers.go)" {
    prepare '{dnsPolicy: "None", dnsConfig: {nameservers: ["010.0.0.001", "2001:DB8::0:1"]},
              networks: [{name: "p", pod: {vmNetworkCIDR: "010.11.0.001/24"}}, {name: "q", pod: {}}],
              domain: {devices: {interfaces: [{name: "q", masquerade: {}, dhcpOptions: {ntpServers: ["010.001.002.003", "ntp.example.com"]}}]}}}'
    is .vmi.spec.dnsConfig.nameservers '["10.0.0.1", "2001:db8::1"]'
    is '.vmi.spec.networks[0].pod.vmNetworkCIDR' '"10.11.0.1/24"'
    is '.vmi.spec.domain.devices.interfaces[0].dhcpOptions.ntpServers' '["10.1.2.3", "ntp.example.com"]'
    verify
}

# ---- claims --------------------------------------------------------------------------------------

@test "a stub for every claim, once" {
    vm='{metadata: {namespace: "lab"}}' prepare '{volumes: [
        {name: "a", persistentVolumeClaim: {claimName: "data"}}, {name: "b", dataVolume: {name: "dv"}},
        {name: "c", ephemeral: {persistentVolumeClaim: {claimName: "base"}}}, {name: "d", persistentVolumeClaim: {claimName: "data"}},
        {name: "e", emptyDisk: {capacity: "1Gi"}}, {name: "f", hostDisk: {path: "/srv/x.img", type: "Disk"}}]}'
    is '[.pvcs[].metadata]' '[{name: "data", namespace: "lab"}, {name: "dv", namespace: "lab"}, {name: "base", namespace: "lab"}]'
    is '[.pvcs[].spec] | unique' '[{accessModes: ["ReadWriteOnce"], volumeMode: "Filesystem"}]'
    prepare '{}'
    is .pvcs '[]'
    verify
}

# ---- the stage -----------------------------------------------------------------------------------

@test "run strategy and templates stay with the VM" {
    vm='{spec: {dataVolumeTemplates: [{metadata: {name: "dv"}, spec: {storage: {resources: {requests: {storage: "1Gi"}}}, source: {blank: {}}}}]}}' \
        prepare '{volumes: [{name: "d", dataVolume: {name: "dv"}}]}'
    is '.vm.spec | .runStrategy, .dataVolumeTemplates[0].metadata.name' '"Always", "dv"'
    verify
}

@test "an item keeps the keys that are not ours, and a second run changes nothing" {
    prepare '{domain: {features: {hyperv: {synictimer: {}, evmcs: {}}}}, volumes: [{name: "d", containerDisk: {image: "x"}}]}'
    verify
    jq -c '.mine = {a: [1]}' items.json >first.json
    vmq prepare --admission=warn first.json >second.json
    diff <(jq -S . first.json) <(jq -S . second.json)
}

@test "the bare VM out of an item gives the same VMI" {
    prepare '{architecture: "arm64", volumes: [{name: "d", containerDisk: {image: "x"}}]}'
    verify
    jq .vm items.json | vmq prepare --admission=warn >again.json
    diff <(jq -S .vmi items.json) <(jq -S .vmi again.json)
}

@test "a launcher image of an unknown or another release is warned about" {
    local image=quay.io/kubevirt/virt-launcher
    prepare '{}'
    verify --launcher-image=$image:v1.7.0
    grep -F 'warning: KubeVirt 1.7' said | grep -F 'VMQ0700'
    prepare '{}'
    verify --launcher-image=$image:v1.8.4 --kubevirt=1.9
    grep -F 'warning: the rules are' said | grep -F 'VMQ0701'
    prepare '{}'
    verify --launcher-image=$image:v1.8.4
    run ! grep -F 'VMQ07' said
}

@test "a refused VM is left out, the others go through" {
    prepare '{}'
    prepare '{}'
    verify
    jq -c 'if .vm.metadata.name == "t0" then del(.vm.spec.template) else . end | .vm' items.json >two.json
    run --separate-stderr vmq prepare two.json
    [ "$status" -eq 1 ]
    [ "$(jq -c .vmi.metadata.name <<<"$output")" = '"t1"' ]
    [[ $stderr == *spec.template* ]]
}

@test "numbers beyond what 64 bits and floats hold" {
    local long
    long=$(printf '9%.0s' {1..400})
    cat >vm.yaml <<END
{apiVersion: kubevirt.io/v1, kind: VirtualMachine, metadata: {name: a}, spec: {runStrategy: Always, template: {
  metadata: {annotations: {x: $long, e: 1e400, z: 12345678901234567890123}},
  spec: {domain: {devices: {}, memory: {guest: 1Gi}}}}}}
END
    vmq prepare --admission=warn vm.yaml >items.json
    [ "$(jq -r .vmi.metadata.annotations.x items.json)" = "$long" ]
    [ "$(jq -r '.vmi.metadata.annotations | .e, .z' items.json)" = $'1e400\n1.2345678901234568e+22' ]
    sed 's/memory: {/memory: {hugepages: {pageSize: "18446744073709551616"}, /' vm.yaml >huge.yaml
    run --separate-stderr vmq prepare --admission=warn huge.yaml
    refused 1 "'18446744073709551616' is not a page size"
}

@test "a broken item is refused, not prepared" {
    local text
    for text in '{"vmq":1}' '{"vmq":1,"vm":null}' '{"vmq":1,"vm":[]}' '{"vmq":1,"vm":{}}' '{"vmq":1,"vm":{"spec":{"template":[]}}}'; do
        printf '%s' "$text" >item.json
        run --separate-stderr vmq prepare item.json
        refused 1 "error:"
    done
}
