/* SPDX-License-Identifier: Apache-2.0 */
/*
 * defaults - what KubeVirt fills in where a VM says nothing.
 *
 * Every function takes the VirtualMachineInstance and edits it in place. It is normal as far as
 * check_vm() makes it so: what Go leaves out when it prints (zero numbers, empty texts, nil
 * pointers) is not there, and what a default would make such a value is left out as well.
 *
 * The cluster's configuration is that of the decision document: everything is KubeVirt's own
 * default (pkg/virt-config/configuration.go, defaultClusterConfig). There is no default
 * architecture: where the VM names none, "" stays, which the code takes for amd64 in most places
 * but not in all (memory hotplug).
 */
#ifndef VMQ_PREPARE_DEFAULTS_H
#define VMQ_PREPARE_DEFAULTS_H

#include <jv.h>
#include <stdbool.h>
#include <stdint.h>

#include "ref.h"
#include "release.h"

/* All of SetDefaultVirtualMachineInstance (pkg/defaults/defaults.go), in its order. */
void set_defaults(jv *vmi);

/* All of ApplyNewVMIMutations (mutators/vmi-mutator.go) that goes beyond the above. */
void set_mutations(jv *vmi, const struct release *release);

/* The parts, by subject. */
enum arch { ARCH_AMD64, ARCH_ARM64, ARCH_S390X };

enum arch arch_of(struct ref spec);
const char *default_machine(struct ref spec);

void set_stable_uuid(jv *vmi, const char *name); /* firmware.c */
void set_arm64_bootloader(jv *vmi);

void set_guest_memory(jv *vmi); /* memory.c */
void set_memory_status(jv *vmi);
void set_max_guest(jv *vmi);

void set_cpu_topology(jv *vmi); /* cpu.c */
void set_cpu_model(jv *vmi);
void set_cpu_status(jv *vmi);
void set_max_sockets(jv *vmi);
void require_cpu_feature(jv *vmi, const char *name);

void set_feature_states(jv *vmi); /* features.c */
void set_hyperv_dependencies(jv *vmi);

void set_volume_disks(jv *vmi); /* devices.c */
void set_disk_targets(jv *vmi);
void set_disk_buses(jv *vmi, const char *bus);
void set_watchdog(jv *vmi, const char *device);
void set_inputs(jv *vmi);
void attach_input(jv *vmi);

/* obj.key = text unless a text other than "" is there. */
void set_text_default(jv *obj, const char *key, const char *text);

/* obj.path = n, or nothing there for 0, as Go's omitempty has it. */
void set_count_at(jv *obj, const char *path, uint32_t n);

#endif
