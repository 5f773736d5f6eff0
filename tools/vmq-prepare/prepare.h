/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prepare - from a VirtualMachine to the VirtualMachineInstance that is rendered.
 *
 * Reads item.vm, writes item.vmi and item.pvcs. item.vm is left as KubeVirt's API would hold it,
 * with its namespace and machine type.
 *
 * The steps are those of PrepareForRendering in the decision document, one file a subject:
 *
 *      check_vm, check_together          common/check.h
 *      SetVirtualMachineDefaults,
 *      SetupVMIFromVM                    prepare.c, firmware.c
 *      SetDefaultVirtualMachineInstance  defaults.c, memory.c, cpu.c, features.c, devices.c
 *      ApplyNewVMIMutations              mutations.c
 *      the standalone steps              standalone.c
 *
 * KubeVirt runs SetDefaultVirtualMachineInstance, SetDefaultNetworkInterface and
 * SetDefaultVolumeDisk two and three times over. Each changes nothing the second time, so each is
 * done once here, in SetDefaultVirtualMachineInstance's order; that SetupVMIFromVM calls
 * SetDefaultVolumeDisk before it makes no difference. docs/kubevirt.md has their files.
 */
#ifndef VMQ_PREPARE_H
#define VMQ_PREPARE_H

#include <jv.h>

#include "stage.h"

/* run->self is a struct check_stream. */
void prepare_each(jv *item, struct vmq_run *run);

#endif
