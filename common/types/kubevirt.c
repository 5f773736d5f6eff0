/* SPDX-License-Identifier: Apache-2.0 */
/* KubeVirt: staging/src/kubevirt.io/api/core/v1/types.go and schema.go (v1.9.0). */
#include "schema.h"
#include "types.h"

/* clang-format off */

static const char *const infer_from_volume_failure_policies[] = { "Reject", "Ignore", NULL };

static const struct field instancetype_matcher_fields[] = {
        TEXT("name", 0),
        TEXT("kind", 0),
        TEXT("revisionName", 0),
        TEXT("inferFromVolume", 0),
        ONE_OF("inferFromVolumeFailurePolicy", infer_from_volume_failure_policies, F_POINTER | F_RULED),
};
TYPE(instancetype_matcher, "InstancetypeMatcher");

static const struct field preference_matcher_fields[] = {
        TEXT("name", 0),
        TEXT("kind", 0),
        TEXT("revisionName", 0),
        TEXT("inferFromVolume", 0),
        ONE_OF("inferFromVolumeFailurePolicy", infer_from_volume_failure_policies, F_POINTER | F_RULED),
};
TYPE(preference_matcher, "PreferenceMatcher");

static const struct field resource_requirements_fields[] = {
        QUANTITY("requests", F_MAP),
        QUANTITY("limits", F_MAP),
        BOOL("overcommitGuestOverhead", 0),
};
TYPE(resource_requirements, "ResourceRequirements");

static const char *const cpu_feature_policies[] = {
        "force", "require", "optional", "disable", "forbid", NULL,
};

static const struct field cpu_feature_fields[] = {
        TEXT("name", F_REQUIRED),
        ONE_OF("policy", cpu_feature_policies, F_RULED),
};
TYPE(cpu_feature, "CPUFeature");

EMPTY_TYPE(numa_guest_mapping_passthrough, "NUMAGuestMappingPassthrough");

static const struct field numa_fields[] = {
        OBJECT("guestMappingPassthrough", numa_guest_mapping_passthrough, 0),
};
TYPE(numa, "NUMA");

static const struct field realtime_fields[] = {
        TEXT("mask", 0),
};
TYPE(realtime, "Realtime");

static const struct field cpu_fields[] = {
        UINT32("cores", 0),
        UINT32("sockets", 0),
        UINT32("maxSockets", 0),
        UINT32("threads", 0),
        TEXT("model", 0),
        OBJECT("features", cpu_feature, F_LIST),
        BOOL("dedicatedCpuPlacement", 0),
        OBJECT("numa", numa, 0),
        BOOL("isolateEmulatorThread", 0),
        OBJECT("realtime", realtime, 0),
};
TYPE(cpu, "CPU");

static const struct field hugepages_fields[] = {
        TEXT("pageSize", 0),
};
TYPE(hugepages, "Hugepages");

static const char *const mem_lock_requirements[] = { "NotRequired", "Required", NULL };

static const struct field reserved_overhead_fields[] = {
        QUANTITY("addedOverhead", F_POINTER),
        ONE_OF("memLock", mem_lock_requirements, F_POINTER),
};
TYPE(reserved_overhead, "ReservedOverhead");

static const struct field memory_fields[] = {
        OBJECT("hugepages", hugepages, 0),
        QUANTITY("guest", F_POINTER),
        QUANTITY("maxGuest", F_POINTER),
        OBJECT("reservedOverhead", reserved_overhead, 0),
};
TYPE(memory, "Memory");

static const struct field machine_fields[] = {
        TEXT("type", F_ALWAYS),
};
SHARED_TYPE(machine, "Machine");

static const struct field bios_fields[] = {
        BOOL("useSerial", F_POINTER),
};
TYPE(bios, "BIOS");

static const struct field efi_fields[] = {
        BOOL("secureBoot", F_POINTER),
        BOOL("persistent", F_POINTER),
};
TYPE(efi, "EFI");

static const struct field bootloader_fields[] = {
        OBJECT("bios", bios, 0),
        OBJECT("efi", efi, 0),
};
TYPE(bootloader, "Bootloader");

static const char *const pull_policies[] = { "Always", "Never", "IfNotPresent", NULL };

static const struct field kernel_boot_container_fields[] = {
        TEXT("image", F_REQUIRED),
        TEXT("imagePullSecret", 0),
        ONE_OF("imagePullPolicy", pull_policies, F_LAX),
        TEXT("kernelPath", 0),
        TEXT("initrdPath", 0),
};
TYPE(kernel_boot_container, "KernelBootContainer");

static const struct field kernel_boot_fields[] = {
        TEXT("kernelArgs", 0),
        OBJECT("container", kernel_boot_container, 0),
};
TYPE(kernel_boot, "KernelBoot");

static const struct field acpi_fields[] = {
        TEXT("slicNameRef", 0),
        TEXT("msdmNameRef", 0),
};
TYPE(acpi, "ACPI");

static const struct field firmware_fields[] = {
        TEXT("uuid", 0),
        OBJECT("bootloader", bootloader, 0),
        TEXT("serial", 0),
        OBJECT("kernelBoot", kernel_boot, 0),
        OBJECT("acpi", acpi, 0),
};
TYPE(firmware, "Firmware");

static const struct field clock_offset_utc_fields[] = {
        INT64("offsetSeconds", F_POINTER),
};
TYPE(clock_offset_utc, "ClockOffsetUTC");

static const char *const hpet_tick_policies[] = { "delay", "catchup", "merge", "discard", NULL };

static const struct field hpet_timer_fields[] = {
        ONE_OF("tickPolicy", hpet_tick_policies, F_LAX),
        BOOL("present", F_POINTER),
};
TYPE(hpet_timer, "HPETTimer");

static const struct field kvm_timer_fields[] = {
        BOOL("present", F_POINTER),
};
TYPE(kvm_timer, "KVMTimer");

static const char *const pit_tick_policies[] = { "delay", "catchup", "discard", NULL };

static const struct field pit_timer_fields[] = {
        ONE_OF("tickPolicy", pit_tick_policies, F_LAX),
        BOOL("present", F_POINTER),
};
TYPE(pit_timer, "PITTimer");

static const char *const rtc_tick_policies[] = { "delay", "catchup", NULL };
static const char *const rtc_timer_tracks[] = { "guest", "wall", NULL };

static const struct field rtc_timer_fields[] = {
        ONE_OF("tickPolicy", rtc_tick_policies, F_LAX),
        BOOL("present", F_POINTER),
        ONE_OF("track", rtc_timer_tracks, F_LAX),
};
TYPE(rtc_timer, "RTCTimer");

static const struct field hyperv_timer_fields[] = {
        BOOL("present", F_POINTER),
};
TYPE(hyperv_timer, "HypervTimer");

static const struct field timer_fields[] = {
        OBJECT("hpet", hpet_timer, 0),
        OBJECT("kvm", kvm_timer, 0),
        OBJECT("pit", pit_timer, 0),
        OBJECT("rtc", rtc_timer, 0),
        OBJECT("hyperv", hyperv_timer, 0),
};
TYPE(timer, "Timer");

static const struct field clock_fields[] = {
        /* ClockOffset */
        OBJECT("utc", clock_offset_utc, 0),
        TEXT("timezone", F_POINTER),
        OBJECT("timer", timer, 0),
};
TYPE(clock, "Clock");

static const struct field feature_state_fields[] = {
        BOOL("enabled", F_POINTER),
};
TYPE(feature_state, "FeatureState");

static const struct field feature_apic_fields[] = {
        /* FeatureState */
        BOOL("enabled", F_POINTER),
        BOOL("endOfInterrupt", 0),
};
TYPE(feature_apic, "FeatureAPIC");

static const struct field hyperv_passthrough_fields[] = {
        BOOL("enabled", F_POINTER),
};
TYPE(hyperv_passthrough, "HyperVPassthrough");

static const struct field feature_spinlocks_fields[] = {
        /* FeatureState */
        BOOL("enabled", F_POINTER),
        UINT32("spinlocks", F_POINTER),
};
TYPE(feature_spinlocks, "FeatureSpinlocks");

static const struct field synic_timer_fields[] = {
        /* FeatureState */
        BOOL("enabled", F_POINTER),
        OBJECT("direct", feature_state, 0),
};
TYPE(synic_timer, "SyNICTimer");

static const struct field feature_vendor_id_fields[] = {
        /* FeatureState */
        BOOL("enabled", F_POINTER),
        TEXT("vendorid", 0),
};
TYPE(feature_vendor_id, "FeatureVendorID");

static const struct field tlb_flush_fields[] = {
        /* FeatureState */
        BOOL("enabled", F_POINTER),
        OBJECT("direct", feature_state, 0),
        OBJECT("extended", feature_state, 0),
};
TYPE(tlb_flush, "TLBFlush");

static const struct field feature_hyperv_fields[] = {
        OBJECT("relaxed", feature_state, 0),
        OBJECT("vapic", feature_state, 0),
        OBJECT("spinlocks", feature_spinlocks, 0),
        OBJECT("vpindex", feature_state, 0),
        OBJECT("runtime", feature_state, 0),
        OBJECT("synic", feature_state, 0),
        OBJECT("synictimer", synic_timer, 0),
        OBJECT("reset", feature_state, 0),
        OBJECT("vendorid", feature_vendor_id, 0),
        OBJECT("frequencies", feature_state, 0),
        OBJECT("reenlightenment", feature_state, 0),
        OBJECT("tlbflush", tlb_flush, 0),
        OBJECT("ipi", feature_state, 0),
        OBJECT("evmcs", feature_state, 0),
};
TYPE(feature_hyperv, "FeatureHyperv");

static const struct field feature_kvm_fields[] = {
        BOOL("hidden", 0),
};
TYPE(feature_kvm, "FeatureKVM");

static const struct field features_fields[] = {
        STRUCT("acpi", feature_state, 0),
        OBJECT("apic", feature_apic, 0),
        OBJECT("hypervPassthrough", hyperv_passthrough, 0),
        OBJECT("hyperv", feature_hyperv, 0),
        OBJECT("smm", feature_state, 0),
        OBJECT("kvm", feature_kvm, 0),
        OBJECT("pvspinlock", feature_state, 0),
};
TYPE(features, "Features");

static const char *const disk_buses[] = { "scsi", "sata", "virtio", "usb", NULL };

static const struct field disk_target_fields[] = {
        ONE_OF("bus", disk_buses, F_RULED),
        BOOL("readonly", 0),
        TEXT("pciAddress", 0),
};
TYPE(disk_target, "DiskTarget");

static const struct field lun_target_fields[] = {
        ONE_OF("bus", disk_buses, F_RULED),
        BOOL("readonly", 0),
        BOOL("reservation", 0),
};
TYPE(lun_target, "LunTarget");

static const char *const tray_states[] = { "open", "closed", NULL };

static const struct field cdrom_target_fields[] = {
        ONE_OF("bus", disk_buses, F_RULED),
        BOOL("readonly", F_POINTER),
        ONE_OF("tray", tray_states, F_LAX),
};
TYPE(cdrom_target, "CDRomTarget");

static const struct field custom_block_size_fields[] = {
        UINT64("logical", 0),
        UINT64("physical", 0),
        UINT64("discardGranularity", F_POINTER),
};
TYPE(custom_block_size, "CustomBlockSize");

static const struct field block_size_fields[] = {
        OBJECT("custom", custom_block_size, 0),
        OBJECT("matchVolume", feature_state, 0),
};
TYPE(block_size, "BlockSize");

static const char *const driver_caches[] = { "none", "writethrough", "writeback", NULL };
static const char *const driver_ios[] = { "threads", "native", NULL };
static const char *const disk_error_policies[] = { "stop", "ignore", "report", "enospace", NULL };

static const struct field disk_fields[] = {
        TEXT("name", F_REQUIRED),
        /* DiskDevice */
        OBJECT("disk", disk_target, 0),
        OBJECT("lun", lun_target, 0),
        OBJECT("cdrom", cdrom_target, 0),
        UINT64("bootOrder", F_POINTER),
        TEXT("serial", 0),
        BOOL("dedicatedIOThread", F_POINTER),
        ONE_OF("cache", driver_caches, F_RULED),
        ONE_OF("io", driver_ios, F_RULED),
        TEXT("tag", 0),
        OBJECT("blockSize", block_size, 0),
        BOOL("shareable", F_POINTER),
        ONE_OF("errorPolicy", disk_error_policies, F_POINTER | F_RULED),
        BOOL("changedBlockTracking", F_POINTER),
};
SHARED_TYPE(disk, "Disk");

static const char *const watchdog_actions[] = { "poweroff", "reset", "shutdown", NULL };

static const struct field i6300_esb_watchdog_fields[] = {
        ONE_OF("action", watchdog_actions, F_LAX),
};
TYPE(i6300_esb_watchdog, "I6300ESBWatchdog");

static const struct field diag288_watchdog_fields[] = {
        ONE_OF("action", watchdog_actions, F_LAX),
};
TYPE(diag288_watchdog, "Diag288Watchdog");

static const struct field watchdog_fields[] = {
        TEXT("name", F_REQUIRED),
        /* WatchdogDevice */
        OBJECT("i6300esb", i6300_esb_watchdog, 0),
        OBJECT("diag288", diag288_watchdog, 0),
};
TYPE(watchdog, "Watchdog");

EMPTY_TYPE(interface_bridge, "InterfaceBridge");
EMPTY_TYPE(deprecated_interface_slirp, "DeprecatedInterfaceSlirp");
EMPTY_TYPE(interface_masquerade, "InterfaceMasquerade");
EMPTY_TYPE(interface_sriov, "InterfaceSRIOV");
EMPTY_TYPE(deprecated_interface_macvtap, "DeprecatedInterfaceMacvtap");
EMPTY_TYPE(deprecated_interface_passt, "DeprecatedInterfacePasst");
EMPTY_TYPE(interface_passt_binding, "InterfacePasstBinding");

static const struct field plugin_binding_fields[] = {
        TEXT("name", F_REQUIRED),
};
TYPE(plugin_binding, "PluginBinding");

static const char *const port_protocols[] = { "TCP", "UDP", NULL };

static const struct field port_fields[] = {
        TEXT("name", 0),
        ONE_OF("protocol", port_protocols, F_RULED),
        INT32("port", F_REQUIRED),
};
TYPE(port, "Port");

static const struct field port_range_fields[] = {
        TEXT("protocol", F_REQUIRED),
        INT32("start", F_REQUIRED),
        INT32("end", F_REQUIRED),
};
TYPE(port_range, "PortRange");

static const struct field dhcp_private_options_fields[] = {
        INT64("option", F_REQUIRED),
        TEXT("value", F_REQUIRED),
};
TYPE(dhcp_private_options, "DHCPPrivateOptions");

static const struct field dhcp_options_fields[] = {
        TEXT("bootFileName", 0),
        TEXT("tftpServerName", 0),
        TEXT("ntpServers", F_LIST | F_IP),
        OBJECT("privateOptions", dhcp_private_options, F_LIST),
};
TYPE(dhcp_options, "DHCPOptions");

static const char *const interface_models[] = {
        "e1000", "e1000e", "igb", "ne2k_pci", "pcnet", "rtl8139", "virtio", NULL,
};
static const char *const interface_states[] = { "absent", "up", "down", NULL };

static const struct field interface_fields[] = {
        TEXT("name", F_REQUIRED),
        ONE_OF("model", interface_models, F_RULED),
        /* InterfaceBindingMethod */
        OBJECT("bridge", interface_bridge, 0),
        OBJECT("slirp", deprecated_interface_slirp, 0),
        OBJECT("masquerade", interface_masquerade, 0),
        OBJECT("sriov", interface_sriov, 0),
        OBJECT("macvtap", deprecated_interface_macvtap, 0),
        OBJECT("passt", deprecated_interface_passt, 0),
        OBJECT("passtBinding", interface_passt_binding, 0),
        OBJECT("binding", plugin_binding, 0),
        OBJECT("ports", port, F_LIST),
        OBJECT("portRanges", port_range, F_LIST | F_SINCE(9)),
        TEXT("macAddress", 0),
        UINT64("bootOrder", F_POINTER),
        TEXT("pciAddress", 0),
        OBJECT("dhcpOptions", dhcp_options, 0),
        TEXT("tag", 0),
        INT64("acpiIndex", 0),
        ONE_OF("state", interface_states, F_RULED),
};
TYPE(interface, "Interface");

static const char *const input_buses[] = { "usb", "virtio", NULL };
static const char *const input_types[] = { "tablet", "keyboard", NULL };

static const struct field input_fields[] = {
        ONE_OF("bus", input_buses, F_RULED),
        ONE_OF("type", input_types, F_REQUIRED | F_RULED),
        TEXT("name", F_REQUIRED),
};
TYPE(input, "Input");

EMPTY_TYPE(rng, "Rng");

static const struct field vgpu_display_options_fields[] = {
        BOOL("enabled", F_POINTER),
        OBJECT("ramFB", feature_state, 0),
};
TYPE(vgpu_display_options, "VGPUDisplayOptions");

static const struct field vgpu_options_fields[] = {
        OBJECT("display", vgpu_display_options, 0),
};
TYPE(vgpu_options, "VGPUOptions");

static const struct field gpu_fields[] = {
        TEXT("name", F_REQUIRED),
        TEXT("deviceName", 0),
        /* ClaimRequest */
        TEXT("claimName", 0),
        TEXT("requestName", 0),
        OBJECT("virtualGPUOptions", vgpu_options, 0),
        TEXT("tag", 0),
};
TYPE(gpu, "GPU");

EMPTY_TYPE(downward_metrics, "DownwardMetrics");

static const char *const panic_device_models[] = { "hyperv", "isa", "pvpanic", NULL };

static const struct field panic_device_fields[] = {
        ONE_OF("model", panic_device_models, F_POINTER | F_RULED),
};
TYPE(panic_device, "PanicDevice");

EMPTY_TYPE(filesystem_virtiofs, "FilesystemVirtiofs");

static const struct field filesystem_fields[] = {
        TEXT("name", F_REQUIRED),
        OBJECT("virtiofs", filesystem_virtiofs, F_REQUIRED),
};
TYPE(filesystem, "Filesystem");

static const struct field host_device_fields[] = {
        TEXT("name", F_REQUIRED),
        TEXT("deviceName", 0),
        /* ClaimRequest */
        TEXT("claimName", 0),
        TEXT("requestName", 0),
        TEXT("tag", 0),
};
TYPE(host_device, "HostDevice");

EMPTY_TYPE(client_passthrough_devices, "ClientPassthroughDevices");

static const char *const sound_models[] = { "ich9", "ac97", NULL };

static const struct field sound_device_fields[] = {
        TEXT("name", F_REQUIRED),
        ONE_OF("model", sound_models, F_RULED),
};
TYPE(sound_device, "SoundDevice");

static const struct field tpm_device_fields[] = {
        BOOL("enabled", F_POINTER),
        BOOL("persistent", F_POINTER),
};
TYPE(tpm_device, "TPMDevice");

static const struct field video_device_fields[] = {
        TEXT("type", 0),
};
TYPE(video_device, "VideoDevice");

static const struct field devices_fields[] = {
        BOOL("useVirtioTransitional", F_POINTER),
        BOOL("disableHotplug", 0),
        OBJECT("disks", disk, F_LIST | F_MAX_256),
        OBJECT("watchdog", watchdog, 0),
        OBJECT("interfaces", interface, F_LIST | F_MAX_256),
        OBJECT("inputs", input, F_LIST),
        BOOL("autoattachPodInterface", F_POINTER),
        BOOL("autoattachGraphicsDevice", F_POINTER),
        BOOL("autoattachSerialConsole", F_POINTER),
        BOOL("logSerialConsole", F_POINTER),
        BOOL("autoattachMemBalloon", F_POINTER),
        BOOL("autoattachInputDevice", F_POINTER),
        BOOL("autoattachVSOCK", F_POINTER),
        OBJECT("rng", rng, 0),
        BOOL("blockMultiQueue", F_POINTER),
        BOOL("networkInterfaceMultiqueue", F_POINTER),
        OBJECT("gpus", gpu, F_LIST),
        OBJECT("downwardMetrics", downward_metrics, 0),
        OBJECT("panicDevices", panic_device, F_LIST),
        OBJECT("filesystems", filesystem, F_LIST),
        OBJECT("hostDevices", host_device, F_LIST),
        OBJECT("clientPassthrough", client_passthrough_devices, 0),
        OBJECT("sound", sound_device, 0),
        OBJECT("tpm", tpm_device, 0),
        OBJECT("video", video_device, 0),
};
TYPE(devices, "Devices");

static const struct field disk_iothreads_fields[] = {
        UINT32("supplementalPoolThreadCount", F_POINTER),
};
TYPE(disk_iothreads, "DiskIOThreads");

static const struct field chassis_fields[] = {
        TEXT("manufacturer", 0),
        TEXT("version", 0),
        TEXT("serial", 0),
        TEXT("asset", 0),
        TEXT("sku", 0),
};
TYPE(chassis, "Chassis");

static const struct field sev_policy_fields[] = {
        BOOL("encryptedState", F_POINTER),
};
TYPE(sev_policy, "SEVPolicy");

EMPTY_TYPE(sev_attestation, "SEVAttestation");

static const struct field sev_fields[] = {
        OBJECT("policy", sev_policy, 0),
        OBJECT("attestation", sev_attestation, 0),
        TEXT("session", 0),
        TEXT("dhCert", 0),
};
TYPE(sev, "SEV");

EMPTY_TYPE(sev_snp, "SEVSNP");
EMPTY_TYPE(tdx, "TDX");

static const struct field launch_security_fields[] = {
        OBJECT("sev", sev, 0),
        OBJECT("snp", sev_snp, 0),
        OBJECT("tdx", tdx, 0),
};
TYPE(launch_security, "LaunchSecurity");

static const char *const iothreads_policies[] = { "shared", "auto", "supplementalPool", NULL };
static const char *const reboot_policies[] = { "Reboot", "Terminate", NULL };

static const struct field domain_spec_fields[] = {
        STRUCT("resources", resource_requirements, 0),
        OBJECT("cpu", cpu, 0),
        OBJECT("memory", memory, 0),
        OBJECT("machine", machine, 0),
        OBJECT("firmware", firmware, 0),
        OBJECT("clock", clock, 0),
        OBJECT("features", features, 0),
        STRUCT("devices", devices, F_REQUIRED),
        ONE_OF("ioThreadsPolicy", iothreads_policies, F_POINTER | F_RULED),
        OBJECT("ioThreads", disk_iothreads, 0),
        OBJECT("chassis", chassis, 0),
        OBJECT("launchSecurity", launch_security, 0),
        ONE_OF("rebootPolicy", reboot_policies, F_POINTER),
};
TYPE(domain_spec, "DomainSpec");

static const char *const host_disk_types[] = { "DiskOrCreate", "Disk", NULL };

static const struct field host_disk_fields[] = {
        TEXT("path", F_REQUIRED),
        ONE_OF("type", host_disk_types, F_REQUIRED | F_RULED),
        QUANTITY("capacity", 0),
        BOOL("shared", F_POINTER),
};
TYPE(host_disk, "HostDisk");

static const struct field persistent_volume_claim_volume_source_fields[] = {
        /* PersistentVolumeClaimVolumeSource */
        TEXT("claimName", F_REQUIRED),
        BOOL("readOnly", 0),
        BOOL("hotpluggable", 0),
};
SHARED_TYPE(persistent_volume_claim_volume_source, "PersistentVolumeClaimVolumeSource");

static const struct field cloud_init_nocloud_source_fields[] = {
        OBJECT("secretRef", local_object_reference, 0),
        TEXT("userDataBase64", 0),
        TEXT("userData", 0),
        OBJECT("networkDataSecretRef", local_object_reference, 0),
        TEXT("networkDataBase64", 0),
        TEXT("networkData", 0),
};
TYPE(cloud_init_nocloud_source, "CloudInitNoCloudSource");

static const struct field cloud_init_config_drive_source_fields[] = {
        OBJECT("secretRef", local_object_reference, 0),
        TEXT("userDataBase64", 0),
        TEXT("userData", 0),
        OBJECT("networkDataSecretRef", local_object_reference, 0),
        TEXT("networkDataBase64", 0),
        TEXT("networkData", 0),
};
TYPE(cloud_init_config_drive_source, "CloudInitConfigDriveSource");

static const struct field sysprep_source_fields[] = {
        OBJECT("secret", local_object_reference, 0),
        OBJECT("configMap", local_object_reference, 0),
};
TYPE(sysprep_source, "SysprepSource");

static const struct field container_disk_source_fields[] = {
        TEXT("image", F_REQUIRED),
        TEXT("imagePullSecret", 0),
        TEXT("path", 0),
        ONE_OF("imagePullPolicy", pull_policies, F_LAX),
};
TYPE(container_disk_source, "ContainerDiskSource");

static const struct field ephemeral_volume_source_fields[] = {
        OBJECT("persistentVolumeClaim", core_persistent_volume_claim_volume_source, 0),
};
TYPE(ephemeral_volume_source, "EphemeralVolumeSource");

static const struct field empty_disk_source_fields[] = {
        QUANTITY("capacity", F_REQUIRED),
};
TYPE(empty_disk_source, "EmptyDiskSource");

static const struct field data_volume_source_fields[] = {
        TEXT("name", F_REQUIRED),
        BOOL("hotpluggable", 0),
};
SHARED_TYPE(data_volume_source, "DataVolumeSource");

static const struct field config_map_volume_source_fields[] = {
        /* LocalObjectReference */
        TEXT("name", 0),
        BOOL("optional", F_POINTER),
        TEXT("volumeLabel", 0),
};
TYPE(config_map_volume_source, "ConfigMapVolumeSource");

static const struct field secret_volume_source_fields[] = {
        TEXT("secretName", 0),
        BOOL("optional", F_POINTER),
        TEXT("volumeLabel", 0),
};
TYPE(secret_volume_source, "SecretVolumeSource");

static const struct field downward_api_volume_source_fields[] = {
        OBJECT("fields", downward_api_volume_file, F_LIST),
        TEXT("volumeLabel", 0),
};
TYPE(downward_api_volume_source, "DownwardAPIVolumeSource");

static const struct field service_account_volume_source_fields[] = {
        TEXT("serviceAccountName", 0),
};
TYPE(service_account_volume_source, "ServiceAccountVolumeSource");

EMPTY_TYPE(downward_metrics_volume_source, "DownwardMetricsVolumeSource");

static const struct field memory_dump_volume_source_fields[] = {
        /* PersistentVolumeClaimVolumeSource */
        TEXT("claimName", F_REQUIRED),
        BOOL("readOnly", 0),
        /* PersistentVolumeClaimVolumeSource */
        BOOL("hotpluggable", 0),
};
TYPE(memory_dump_volume_source, "MemoryDumpVolumeSource");

static const struct field container_path_volume_source_fields[] = {
        TEXT("path", F_REQUIRED),
        BOOL("readOnly", F_POINTER),
};
TYPE(container_path_volume_source, "ContainerPathVolumeSource");

static const struct field volume_fields[] = {
        TEXT("name", F_REQUIRED),
        /* VolumeSource */
        OBJECT("hostDisk", host_disk, 0),
        OBJECT("persistentVolumeClaim", persistent_volume_claim_volume_source, 0),
        OBJECT("cloudInitNoCloud", cloud_init_nocloud_source, 0),
        OBJECT("cloudInitConfigDrive", cloud_init_config_drive_source, 0),
        OBJECT("sysprep", sysprep_source, 0),
        OBJECT("containerDisk", container_disk_source, 0),
        OBJECT("ephemeral", ephemeral_volume_source, 0),
        OBJECT("emptyDisk", empty_disk_source, 0),
        OBJECT("dataVolume", data_volume_source, 0),
        OBJECT("configMap", config_map_volume_source, 0),
        OBJECT("secret", secret_volume_source, 0),
        OBJECT("downwardAPI", downward_api_volume_source, 0),
        OBJECT("serviceAccount", service_account_volume_source, 0),
        OBJECT("downwardMetrics", downward_metrics_volume_source, 0),
        OBJECT("memoryDump", memory_dump_volume_source, 0),
        OBJECT("containerPath", container_path_volume_source, 0),
};
TYPE(volume, "Volume");

EMPTY_TYPE(guest_agent_ping, "GuestAgentPing");

static const struct field probe_fields[] = {
        /* Handler */
        OBJECT("exec", exec_action, 0),
        OBJECT("guestAgentPing", guest_agent_ping, 0),
        OBJECT("httpGet", http_get_action, 0),
        OBJECT("tcpSocket", tcp_socket_action, 0),
        INT32("initialDelaySeconds", 0),
        INT32("timeoutSeconds", 0),
        INT32("periodSeconds", 0),
        INT32("successThreshold", 0),
        INT32("failureThreshold", 0),
};
TYPE(probe, "Probe");

static const struct field pod_network_fields[] = {
        TEXT("vmNetworkCIDR", F_CIDR),
        TEXT("vmIPv6NetworkCIDR", 0),
};
TYPE(pod_network, "PodNetwork");

static const struct field multus_network_fields[] = {
        TEXT("networkName", F_REQUIRED),
        BOOL("default", 0),
};
TYPE(multus_network, "MultusNetwork");

static const struct field claim_request_fields[] = {
        TEXT("claimName", 0),
        TEXT("requestName", 0),
};
TYPE(claim_request, "ClaimRequest");

static const struct field network_fields[] = {
        TEXT("name", F_REQUIRED),
        /* NetworkSource */
        OBJECT("pod", pod_network, 0),
        OBJECT("multus", multus_network, 0),
        OBJECT("resourceClaim", claim_request, F_SINCE(9)),
};
TYPE(network, "Network");

static const struct field access_credential_secret_source_fields[] = {
        TEXT("secretName", F_REQUIRED),
};
TYPE(access_credential_secret_source, "AccessCredentialSecretSource");

static const struct field ssh_public_key_access_credential_source_fields[] = {
        OBJECT("secret", access_credential_secret_source, 0),
};
TYPE(ssh_public_key_access_credential_source, "SSHPublicKeyAccessCredentialSource");

EMPTY_TYPE(config_drive_ssh_public_key_access_credential_propagation, "ConfigDriveSSHPublicKeyAccessCredentialPropagation");
EMPTY_TYPE(nocloud_ssh_public_key_access_credential_propagation, "NoCloudSSHPublicKeyAccessCredentialPropagation");

static const struct field qemu_guest_agent_ssh_public_key_access_credential_propagation_fields[] = {
        TEXT("users", F_LIST | F_REQUIRED),
};
TYPE(qemu_guest_agent_ssh_public_key_access_credential_propagation, "QemuGuestAgentSSHPublicKeyAccessCredentialPropagation");

static const struct field ssh_public_key_access_credential_propagation_method_fields[] = {
        OBJECT("configDrive", config_drive_ssh_public_key_access_credential_propagation, 0),
        OBJECT("noCloud", nocloud_ssh_public_key_access_credential_propagation, 0),
        OBJECT("qemuGuestAgent", qemu_guest_agent_ssh_public_key_access_credential_propagation, 0),
};
TYPE(ssh_public_key_access_credential_propagation_method, "SSHPublicKeyAccessCredentialPropagationMethod");

static const struct field ssh_public_key_access_credential_fields[] = {
        STRUCT("source", ssh_public_key_access_credential_source, F_REQUIRED),
        STRUCT("propagationMethod", ssh_public_key_access_credential_propagation_method, F_REQUIRED),
};
TYPE(ssh_public_key_access_credential, "SSHPublicKeyAccessCredential");

static const struct field user_password_access_credential_source_fields[] = {
        OBJECT("secret", access_credential_secret_source, 0),
};
TYPE(user_password_access_credential_source, "UserPasswordAccessCredentialSource");

EMPTY_TYPE(qemu_guest_agent_user_password_access_credential_propagation, "QemuGuestAgentUserPasswordAccessCredentialPropagation");

static const struct field user_password_access_credential_propagation_method_fields[] = {
        OBJECT("qemuGuestAgent", qemu_guest_agent_user_password_access_credential_propagation, 0),
};
TYPE(user_password_access_credential_propagation_method, "UserPasswordAccessCredentialPropagationMethod");

static const struct field user_password_access_credential_fields[] = {
        STRUCT("source", user_password_access_credential_source, F_REQUIRED),
        STRUCT("propagationMethod", user_password_access_credential_propagation_method, F_REQUIRED),
};
TYPE(user_password_access_credential, "UserPasswordAccessCredential");

static const struct field access_credential_fields[] = {
        OBJECT("sshPublicKey", ssh_public_key_access_credential, 0),
        OBJECT("userPassword", user_password_access_credential, 0),
};
TYPE(access_credential, "AccessCredential");

static const struct field virtual_machine_instance_resource_claim_fields[] = {
        TEXT("name", F_REQUIRED),
        TEXT("resourceClaimName", F_POINTER),
        TEXT("resourceClaimTemplateName", F_POINTER),
};
TYPE(virtual_machine_instance_resource_claim, "VirtualMachineInstanceResourceClaim");

static const char *const utility_volume_types[] = { "MemoryDump", "Backup", NULL };

static const struct field utility_volume_fields[] = {
        TEXT("name", F_REQUIRED),
        /* PersistentVolumeClaimVolumeSource */
        TEXT("claimName", F_REQUIRED),
        BOOL("readOnly", 0),
        ONE_OF("type", utility_volume_types, F_POINTER | F_LAX),
};
TYPE(utility_volume, "UtilityVolume");

static const char *const eviction_strategies[] = {
        "None", "LiveMigrate", "LiveMigrateIfPossible", "External", NULL,
};
static const char *const start_strategies[] = { "Paused", NULL };
static const char *const dns_policies[] = {
        "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None", NULL,
};
static const char *const architectures[] = { "amd64", "arm64", "s390x", NULL };

static const struct field virtual_machine_instance_spec_fields[] = {
        TEXT("priorityClassName", 0),
        STRUCT("domain", domain_spec, F_REQUIRED),
        TEXT("nodeSelector", F_MAP),
        OBJECT("affinity", affinity, 0),
        TEXT("schedulerName", 0),
        TEXT("serviceAccountName", F_SINCE(9)),
        OBJECT("tolerations", toleration, F_LIST),
        OBJECT("topologySpreadConstraints", topology_spread_constraint, F_LIST),
        ONE_OF("evictionStrategy", eviction_strategies, F_POINTER | F_RULED),
        ONE_OF("startStrategy", start_strategies, F_POINTER | F_RULED),
        INT64("terminationGracePeriodSeconds", F_POINTER),
        OBJECT("volumes", volume, F_LIST | F_MAX_256),
        OBJECT("livenessProbe", probe, 0),
        OBJECT("readinessProbe", probe, 0),
        TEXT("hostname", 0),
        TEXT("subdomain", 0),
        OBJECT("networks", network, F_LIST | F_MAX_256),
        ONE_OF("dnsPolicy", dns_policies, F_RULED),
        OBJECT("dnsConfig", pod_dns_config, 0),
        OBJECT("accessCredentials", access_credential, F_LIST | F_MAX_256),
        ONE_OF("architecture", architectures, F_RULED),
        OBJECT("resourceClaims", virtual_machine_instance_resource_claim, F_LIST),
        OBJECT("utilityVolumes", utility_volume, F_LIST | F_MAX_256),
};
TYPE(virtual_machine_instance_spec, "VirtualMachineInstanceSpec");

static const struct field virtual_machine_instance_template_spec_fields[] = {
        STRUCT("metadata", object_meta, 0),
        STRUCT("spec", virtual_machine_instance_spec, 0),
};
TYPE(virtual_machine_instance_template_spec, "VirtualMachineInstanceTemplateSpec");

EMPTY_TYPE(data_volume_template_dummy_status, "DataVolumeTemplateDummyStatus");

static const struct field data_volume_template_spec_fields[] = {
        /* TypeMeta */
        TEXT("kind", 0),
        TEXT("apiVersion", 0),
        STRUCT("metadata", object_meta, 0),
        STRUCT("spec", data_volume_spec, F_REQUIRED),
        OBJECT("status", data_volume_template_dummy_status, 0),
};
TYPE(data_volume_template_spec, "DataVolumeTemplateSpec");

static const char *const virtual_machine_run_strategies[] = {
        "Always", "Halted", "Manual", "RerunOnFailure", "Once", "WaitAsReceiver", NULL,
};
static const char *const update_volumes_strategies[] = { "Migration", "Replacement", NULL };

static const struct field virtual_machine_spec_fields[] = {
        BOOL("running", F_POINTER),
        ONE_OF("runStrategy", virtual_machine_run_strategies, F_POINTER | F_RULED),
        OBJECT("instancetype", instancetype_matcher, 0),
        OBJECT("preference", preference_matcher, 0),
        OBJECT("template", virtual_machine_instance_template_spec, F_REQUIRED),
        OBJECT("dataVolumeTemplates", data_volume_template_spec, F_LIST),
        ONE_OF("updateVolumesStrategy", update_volumes_strategies, F_POINTER | F_LAX),
};
TYPE(virtual_machine_spec, "VirtualMachineSpec");

static const struct field virtual_machine_fields[] = {
        /* TypeMeta */
        TEXT("kind", 0),
        TEXT("apiVersion", 0),
        STRUCT("metadata", object_meta, 0),
        STRUCT("spec", virtual_machine_spec, F_REQUIRED),
        STRUCT("status", virtual_machine_status, F_SERVER),
};
SHARED_TYPE(virtual_machine, "VirtualMachine");

static const struct field virtual_machine_instance_fields[] = {
        /* TypeMeta */
        TEXT("kind", 0),
        TEXT("apiVersion", 0),
        STRUCT("metadata", object_meta, 0),
        STRUCT("spec", virtual_machine_instance_spec, F_REQUIRED),
        STRUCT("status", virtual_machine_instance_status, 0),
};
SHARED_TYPE(virtual_machine_instance, "VirtualMachineInstance");
