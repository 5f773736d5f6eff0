/* SPDX-License-Identifier: Apache-2.0 */
/* KubeVirt: staging/src/kubevirt.io/api/core/v1/types.go (v1.9.0): the status. */
#include "schema.h"
#include "types.h"

/* clang-format off */

static const char *const virtual_machine_condition_types[] = {
        "Failure", "Ready", "Paused", "RestartRequired", "ManualRecoveryRequired", NULL,
};
static const char *const condition_statuses[] = { "True", "False", "Unknown", NULL };

static const struct field virtual_machine_condition_fields[] = {
        ONE_OF("type", virtual_machine_condition_types, F_REQUIRED | F_LAX),
        ONE_OF("status", condition_statuses, F_REQUIRED | F_LAX),
        TIME("lastProbeTime", 0),
        TIME("lastTransitionTime", 0),
        TEXT("reason", 0),
        TEXT("message", 0),
};
TYPE(virtual_machine_condition, "VirtualMachineCondition");

static const char *const state_change_request_actions[] = { "Start", "Stop", NULL };

static const struct field virtual_machine_state_change_request_fields[] = {
        ONE_OF("action", state_change_request_actions, F_REQUIRED | F_LAX),
        TEXT("data", F_MAP),
        TEXT("uid", F_POINTER),
};
TYPE(virtual_machine_state_change_request, "VirtualMachineStateChangeRequest");

static const struct field hotplug_volume_source_fields[] = {
        OBJECT("persistentVolumeClaim", persistent_volume_claim_volume_source, 0),
        OBJECT("dataVolume", data_volume_source, 0),
};
TYPE(hotplug_volume_source, "HotplugVolumeSource");

static const struct field add_volume_options_fields[] = {
        TEXT("name", F_REQUIRED),
        OBJECT("disk", disk, F_REQUIRED),
        OBJECT("volumeSource", hotplug_volume_source, F_REQUIRED),
        TEXT("dryRun", F_LIST),
};
TYPE(add_volume_options, "AddVolumeOptions");

static const struct field remove_volume_options_fields[] = {
        TEXT("name", F_REQUIRED),
        TEXT("dryRun", F_LIST),
};
TYPE(remove_volume_options, "RemoveVolumeOptions");

static const struct field virtual_machine_volume_request_fields[] = {
        OBJECT("addVolumeOptions", add_volume_options, 0),
        OBJECT("removeVolumeOptions", remove_volume_options, 0),
};
TYPE(virtual_machine_volume_request, "VirtualMachineVolumeRequest");

static const struct field volume_snapshot_status_fields[] = {
        TEXT("name", F_REQUIRED),
        BOOL("enabled", F_REQUIRED),
        TEXT("reason", 0),
};
TYPE(volume_snapshot_status, "VolumeSnapshotStatus");

static const struct field virtual_machine_start_failure_fields[] = {
        INT64("consecutiveFailCount", 0),
        TEXT("lastFailedVMIUID", 0),
        TIME("retryAfterTimestamp", F_POINTER),
};
TYPE(virtual_machine_start_failure, "VirtualMachineStartFailure");

static const char *const memory_dump_phases[] = {
        "Associating", "InProgress", "Unmounting", "Completed", "Dissociating", "Failed", NULL,
};

static const struct field virtual_machine_memory_dump_request_fields[] = {
        TEXT("claimName", F_REQUIRED),
        ONE_OF("phase", memory_dump_phases, F_REQUIRED | F_LAX),
        BOOL("remove", 0),
        TIME("startTimestamp", F_POINTER),
        TIME("endTimestamp", F_POINTER),
        TEXT("fileName", F_POINTER),
        TEXT("message", 0),
};
TYPE(virtual_machine_memory_dump_request, "VirtualMachineMemoryDumpRequest");

static const char *const persistent_volume_access_modes[] = {
        "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod", NULL,
};
static const char *const persistent_volume_modes[] = { "Block", "Filesystem", NULL };

static const struct field persistent_volume_claim_info_fields[] = {
        TEXT("claimName", 0),
        ONE_OF("accessModes", persistent_volume_access_modes, F_LIST | F_LAX),
        ONE_OF("volumeMode", persistent_volume_modes, F_POINTER | F_LAX),
        QUANTITY("capacity", F_MAP),
        QUANTITY("requests", F_MAP),
        BOOL("preallocated", 0),
        TEXT("filesystemOverhead", F_POINTER),
};
TYPE(persistent_volume_claim_info, "PersistentVolumeClaimInfo");

static const struct field storage_migrated_volume_info_fields[] = {
        TEXT("volumeName", F_REQUIRED),
        OBJECT("sourcePVCInfo", persistent_volume_claim_info, 0),
        OBJECT("destinationPVCInfo", persistent_volume_claim_info, 0),
};
TYPE(storage_migrated_volume_info, "StorageMigratedVolumeInfo");

static const struct field volume_migration_state_fields[] = {
        OBJECT("migratedVolumes", storage_migrated_volume_info, F_LIST),
};
TYPE(volume_migration_state, "VolumeMigrationState");

static const struct field volume_update_state_fields[] = {
        OBJECT("volumeMigrationState", volume_migration_state, 0),
};
TYPE(volume_update_state, "VolumeUpdateState");

static const struct field backup_volume_info_fields[] = {
        TEXT("volumeName", F_REQUIRED),
        TEXT("diskTarget", F_REQUIRED),
        TEXT("dataEndpoint", 0),
        TEXT("mapEndpoint", 0),
};
TYPE(backup_volume_info, "BackupVolumeInfo");

static const struct field virtual_machine_instance_backup_status_fields[] = {
        TEXT("backupName", 0),
        TIME("startTimestamp", F_POINTER),
        TIME("endTimestamp", F_POINTER),
        BOOL("completed", 0),
        BOOL("failed", 0),
        TEXT("backupMsg", F_POINTER),
        TEXT("checkpointName", F_POINTER),
        OBJECT("volumes", backup_volume_info, F_LIST),
        TEXT("quiesceStatus", F_SINCE(9)),
};
TYPE(virtual_machine_instance_backup_status, "VirtualMachineInstanceBackupStatus");

static const char *const changed_block_tracking_states[] = {
        "PendingRestart", "Initializing", "Enabled", "Disabled",
        "IncrementalBackupFeatureGateDisabled", NULL,
};

static const struct field changed_block_tracking_status_fields[] = {
        ONE_OF("state", changed_block_tracking_states, F_REQUIRED | F_LAX),
        OBJECT("backupStatus", virtual_machine_instance_backup_status, 0),
};
TYPE(changed_block_tracking_status, "ChangedBlockTrackingStatus");

static const struct field controller_revision_ref_fields[] = {
        TEXT("name", 0),
};
TYPE(controller_revision_ref, "ControllerRevisionRef");

static const char *const infer_from_volume_failure_policies[] = { "Reject", "Ignore", NULL };

static const struct field instancetype_status_ref_fields[] = {
        TEXT("name", 0),
        TEXT("kind", 0),
        OBJECT("controllerRevisionRef", controller_revision_ref, 0),
        TEXT("inferFromVolume", 0),
        ONE_OF("inferFromVolumeFailurePolicy", infer_from_volume_failure_policies, F_POINTER | F_LAX),
};
TYPE(instancetype_status_ref, "InstancetypeStatusRef");

static const char *const virtual_machine_printable_statuses[] = {
        "Stopped", "Provisioning", "Starting", "Running", "Paused", "Stopping", "Terminating",
        "CrashLoopBackOff", "Migrating", "Unknown", "ErrorUnschedulable", "ErrImagePull",
        "ImagePullBackOff", "ErrorPvcNotFound", "DataVolumeError", "WaitingForVolumeBinding",
        "WaitingForReceiver", NULL,
};
static const char *const virtual_machine_run_strategies[] = {
        "Always", "Halted", "Manual", "RerunOnFailure", "Once", "WaitAsReceiver", NULL,
};

static const struct field virtual_machine_status_fields[] = {
        TEXT("snapshotInProgress", F_POINTER),
        TEXT("restoreInProgress", F_POINTER),
        BOOL("created", 0),
        BOOL("ready", 0),
        ONE_OF("printableStatus", virtual_machine_printable_statuses, F_LAX),
        OBJECT("conditions", virtual_machine_condition, F_LIST),
        OBJECT("stateChangeRequests", virtual_machine_state_change_request, F_LIST),
        OBJECT("volumeRequests", virtual_machine_volume_request, F_LIST),
        OBJECT("volumeSnapshotStatuses", volume_snapshot_status, F_LIST),
        OBJECT("startFailure", virtual_machine_start_failure, 0),
        OBJECT("memoryDumpRequest", virtual_machine_memory_dump_request, 0),
        INT64("observedGeneration", 0),
        INT64("desiredGeneration", 0),
        ONE_OF("runStrategy", virtual_machine_run_strategies, F_LAX),
        OBJECT("volumeUpdateState", volume_update_state, 0),
        OBJECT("changedBlockTracking", changed_block_tracking_status, 0),
        OBJECT("instancetypeRef", instancetype_status_ref, 0),
        OBJECT("preferenceRef", instancetype_status_ref, 0),
};
SHARED_TYPE(virtual_machine_status, "VirtualMachineStatus");

static const char *const virtual_machine_instance_condition_types[] = {
        "Provisioning", "Ready", "Synchronized", "Paused", "AgentConnected",
        "AccessCredentialsSynchronized", "AgentVersionNotSupported", "LiveMigratable",
        "HotVCPUChange", "HotMemoryChange", "VolumesChange", "DataVolumesReady",
        "StorageLiveMigratable", "DecentralizedLiveMigrationFailure", "MigrationRequired",
        "EvictionRequested", "SoftwareEmulation", NULL,
};

static const struct field virtual_machine_instance_condition_fields[] = {
        ONE_OF("type", virtual_machine_instance_condition_types, F_REQUIRED | F_LAX),
        ONE_OF("status", condition_statuses, F_REQUIRED | F_LAX),
        TIME("lastProbeTime", 0),
        TIME("lastTransitionTime", 0),
        TEXT("reason", 0),
        TEXT("message", 0),
};
TYPE(virtual_machine_instance_condition, "VirtualMachineInstanceCondition");

static const char *const virtual_machine_instance_phases[] = {
        "Pending", "Scheduling", "Scheduled", "Running", "Succeeded", "Failed", "WaitingForSync",
        "Unknown", NULL,
};

static const struct field virtual_machine_instance_phase_transition_timestamp_fields[] = {
        ONE_OF("phase", virtual_machine_instance_phases, F_LAX),
        TIME("phaseTransitionTimestamp", 0),
};
TYPE(virtual_machine_instance_phase_transition_timestamp, "VirtualMachineInstancePhaseTransitionTimestamp");

static const struct field virtual_machine_instance_network_interface_fields[] = {
        TEXT("ipAddress", 0),
        TEXT("mac", 0),
        TEXT("name", 0),
        TEXT("ipAddresses", F_LIST),
        TEXT("podInterfaceName", 0),
        TEXT("interfaceName", 0),
        TEXT("infoSource", 0),
        INT32("queueCount", 0),
        TEXT("linkState", 0),
};
TYPE(virtual_machine_instance_network_interface, "VirtualMachineInstanceNetworkInterface");

static const struct field virtual_machine_instance_guest_os_info_fields[] = {
        TEXT("name", 0),
        TEXT("kernelRelease", 0),
        TEXT("version", 0),
        TEXT("prettyName", 0),
        TEXT("versionId", 0),
        TEXT("kernelVersion", 0),
        TEXT("machine", 0),
        TEXT("id", 0),
};
TYPE(virtual_machine_instance_guest_os_info, "VirtualMachineInstanceGuestOSInfo");

static const struct field stall_detector_options_fields[] = {
        INT64("stallMargin", F_POINTER),
        TEXT("ewmaAlpha", F_POINTER),
        UINT64("stallProgressTimeout", F_POINTER),
        UINT64("switchoverTimeout", F_POINTER),
        TEXT("precopyPossibleFactor", F_POINTER),
        TEXT("patienceWindowDecayFactor", F_POINTER),
        BOOL("searchLocalMinima", F_POINTER),
        TEXT("completionTimeoutFactor", F_POINTER),
};
TYPE(stall_detector_options, "StallDetectorOptions");

static const char *const migration_compressions[] = { "none", "zstd", NULL };

static const struct field experimental_migration_options_fields[] = {
        OBJECT("stallDetector", stall_detector_options, 0),
        ONE_OF("compression", migration_compressions, F_POINTER),
};
TYPE(experimental_migration_options, "ExperimentalMigrationOptions");

static const struct field vmim_configuration_options_fields[] = {
        TEXT("nodeDrainTaintKey", F_POINTER),
        UINT32("parallelOutboundMigrationsPerNode", F_POINTER),
        UINT32("parallelMigrationsPerCluster", F_POINTER),
        BOOL("allowAutoConverge", F_POINTER),
        QUANTITY("bandwidthPerMigration", F_POINTER),
        INT64("completionTimeoutPerGiB", F_POINTER),
        UINT64("maxDowntimeMs", F_POINTER | F_SINCE(9)),
        INT64("progressTimeout", F_POINTER),
        INT64("utilityVolumesTimeout", F_POINTER),
        BOOL("unsafeMigrationOverride", F_POINTER),
        BOOL("allowPostCopy", F_POINTER),
        BOOL("allowWorkloadDisruption", F_POINTER),
        BOOL("disableTLS", F_POINTER),
        TEXT("network", F_POINTER),
        BOOL("matchSELinuxLevelOnMigration", F_POINTER),
        OBJECT("experimental", experimental_migration_options, F_SINCE(9)),
};
TYPE(vmim_configuration_options, "VMIMConfigurationOptions");

static const struct field virtual_machine_instance_migration_source_state_fields[] = {
        /* VirtualMachineInstanceCommonMigrationState */
        TEXT("node", 0),
        TEXT("pod", 0),
        TEXT("migrationUID", 0),
        TEXT("domainName", F_POINTER),
        TEXT("domainNamespace", F_POINTER),
        TEXT("syncAddress", F_POINTER),
        TEXT("persistentStatePVCName", F_POINTER),
        TEXT("selinuxContext", 0),
        TEXT("virtualMachineInstanceUID", F_POINTER),
        TEXT("nodeSelectors", F_MAP),
};
TYPE(virtual_machine_instance_migration_source_state, "VirtualMachineInstanceMigrationSourceState");

static const struct field virtual_machine_instance_migration_target_state_fields[] = {
        /* VirtualMachineInstanceCommonMigrationState */
        TEXT("node", 0),
        TEXT("pod", 0),
        TEXT("migrationUID", 0),
        TEXT("domainName", F_POINTER),
        TEXT("domainNamespace", F_POINTER),
        TEXT("syncAddress", F_POINTER),
        TEXT("persistentStatePVCName", F_POINTER),
        TEXT("selinuxContext", 0),
        TEXT("virtualMachineInstanceUID", F_POINTER),
        TIME("domainReadyTimestamp", F_POINTER),
        BOOL("domainDetected", 0),
        TEXT("nodeAddress", F_POINTER),
        INT64("directMigrationNodePorts", F_MAP),
        TEXT("attachmentPodUID", F_POINTER),
        INT64("cpuSet", F_LIST),
        TEXT("nodeTopology", F_POINTER),
};
TYPE(virtual_machine_instance_migration_target_state, "VirtualMachineInstanceMigrationTargetState");

static const char *const migration_abort_statuses[] = { "Succeeded", "Failed", "Aborting", NULL };
static const char *const migration_modes[] = { "PreCopy", "PostCopy", "Paused", NULL };
static const char *const migration_network_types[] = { "Pod", "Migration", NULL };

static const struct field virtual_machine_instance_migration_state_fields[] = {
        TIME("startTimestamp", F_POINTER),
        TIME("endTimestamp", F_POINTER),
        TIME("targetNodeDomainReadyTimestamp", F_POINTER),
        BOOL("targetNodeDomainDetected", 0),
        TEXT("targetNodeAddress", 0),
        INT64("targetDirectMigrationNodePorts", F_MAP),
        TEXT("targetNode", 0),
        TEXT("targetPod", 0),
        TEXT("targetAttachmentPodUID", 0),
        TEXT("sourceNode", 0),
        TEXT("sourcePod", 0),
        BOOL("completed", 0),
        BOOL("failed", 0),
        BOOL("abortRequested", 0),
        ONE_OF("abortStatus", migration_abort_statuses, F_LAX),
        TEXT("failureReason", 0),
        TEXT("migrationUid", 0),
        ONE_OF("mode", migration_modes, F_LAX),
        TEXT("migrationPolicyName", F_POINTER),
        OBJECT("migrationConfiguration", vmim_configuration_options, 0),
        INT64("targetCPUSet", F_LIST),
        TEXT("targetNodeTopology", 0),
        TEXT("sourcePersistentStatePVCName", 0),
        TEXT("targetPersistentStatePVCName", 0),
        OBJECT("sourceState", virtual_machine_instance_migration_source_state, 0),
        OBJECT("targetState", virtual_machine_instance_migration_target_state, 0),
        ONE_OF("migrationNetworkType", migration_network_types, F_LAX),
        QUANTITY("targetMemoryOverhead", F_POINTER),
};
TYPE(virtual_machine_instance_migration_state, "VirtualMachineInstanceMigrationState");

static const struct field hotplug_volume_status_fields[] = {
        TEXT("attachPodName", 0),
        TEXT("attachPodUID", 0),
};
TYPE(hotplug_volume_status, "HotplugVolumeStatus");

static const struct field domain_memory_dump_info_fields[] = {
        TIME("startTimestamp", F_POINTER),
        TIME("endTimestamp", F_POINTER),
        TEXT("claimName", 0),
        TEXT("targetFileName", 0),
};
TYPE(domain_memory_dump_info, "DomainMemoryDumpInfo");

static const struct field container_disk_info_fields[] = {
        UINT32("checksum", 0),
};
TYPE(container_disk_info, "ContainerDiskInfo");

static const char *const volume_phases[] = {
        "Pending", "Bound", "AttachedToNode", "MountedToPod", "Ready", "Detaching",
        "UnMountedFromPod", "MemoryDumpCompleted", "MemoryDumpInProgress", "MemoryDumpFailed", NULL,
};

static const struct field volume_status_fields[] = {
        TEXT("name", F_REQUIRED),
        TEXT("target", F_REQUIRED),
        ONE_OF("phase", volume_phases, F_LAX),
        TEXT("reason", 0),
        TEXT("message", 0),
        OBJECT("persistentVolumeClaimInfo", persistent_volume_claim_info, 0),
        OBJECT("hotplugVolume", hotplug_volume_status, 0),
        INT64("size", 0),
        OBJECT("memoryDumpVolume", domain_memory_dump_info, 0),
        OBJECT("containerDiskVolume", container_disk_info, 0),
};
TYPE(volume_status, "VolumeStatus");

static const struct field kernel_info_fields[] = {
        UINT32("checksum", 0),
};
TYPE(kernel_info, "KernelInfo");

static const struct field initrd_info_fields[] = {
        UINT32("checksum", 0),
};
TYPE(initrd_info, "InitrdInfo");

static const struct field kernel_boot_status_fields[] = {
        OBJECT("kernelInfo", kernel_info, 0),
        OBJECT("initrdInfo", initrd_info, 0),
};
TYPE(kernel_boot_status, "KernelBootStatus");

static const struct field topology_hints_fields[] = {
        INT64("tscFrequency", F_POINTER),
};
TYPE(topology_hints, "TopologyHints");

static const struct field cpu_topology_fields[] = {
        UINT32("cores", 0),
        UINT32("sockets", 0),
        UINT32("threads", 0),
};
TYPE(cpu_topology, "CPUTopology");

static const struct field memory_status_fields[] = {
        QUANTITY("guestAtBoot", F_POINTER),
        QUANTITY("guestCurrent", F_POINTER),
        QUANTITY("guestRequested", F_POINTER),
        QUANTITY("memoryOverhead", F_POINTER),
};
TYPE(memory_status, "MemoryStatus");

static const char *const virtual_machine_instance_migration_methods[] = {
        "BlockMigration", "LiveMigration", NULL,
};
static const char *const virtual_machine_instance_migration_transports[] = { "Unix", NULL };
static const char *const pod_qos_classes[] = { "Guaranteed", "Burstable", "BestEffort", NULL };

static const struct field virtual_machine_instance_status_fields[] = {
        TEXT("nodeName", 0),
        TEXT("reason", 0),
        OBJECT("conditions", virtual_machine_instance_condition, F_LIST),
        ONE_OF("phase", virtual_machine_instance_phases, F_LAX),
        OBJECT("phaseTransitionTimestamps", virtual_machine_instance_phase_transition_timestamp, F_LIST),
        OBJECT("interfaces", virtual_machine_instance_network_interface, F_LIST),
        STRUCT("guestOSInfo", virtual_machine_instance_guest_os_info, 0),
        OBJECT("migrationState", virtual_machine_instance_migration_state, 0),
        ONE_OF("migrationMethod", virtual_machine_instance_migration_methods, F_LAX),
        ONE_OF("migrationTransport", virtual_machine_instance_migration_transports, F_LAX),
        ONE_OF("qosClass", pod_qos_classes, F_POINTER | F_LAX),
        TEXT("launcherContainerImageVersion", 0),
        TEXT("evacuationNodeName", 0),
        TEXT("activePods", F_MAP),
        OBJECT("volumeStatus", volume_status, F_LIST),
        OBJECT("kernelBootStatus", kernel_boot_status, 0),
        TEXT("fsFreezeStatus", 0),
        OBJECT("topologyHints", topology_hints, 0),
        TEXT("virtualMachineRevisionName", 0),
        UINT64("runtimeUser", F_ALWAYS),
        UINT32("VSOCKCID", F_POINTER),
        TEXT("selinuxContext", 0),
        OBJECT("machine", machine, 0),
        OBJECT("currentCPUTopology", cpu_topology, 0),
        OBJECT("memory", memory_status, 0),
        OBJECT("migratedVolumes", storage_migrated_volume_info, F_LIST),
        OBJECT("changedBlockTracking", changed_block_tracking_status, 0),
};
SHARED_TYPE(virtual_machine_instance_status, "VirtualMachineInstanceStatus");
