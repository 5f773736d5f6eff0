/* SPDX-License-Identifier: Apache-2.0 */
/*
 * volume_kinds - what each kind of a VMI's volumes is in the Pod.
 *
 * Restates the handle... and add... functions of pkg/virt-controller/services/rendervolumes.go.
 */
#ifndef VMQ_RENDER_VOLUME_KINDS_H
#define VMQ_RENDER_VOLUME_KINDS_H

#include "volumes.h"

/* Add a volume of the source {KIND: {...}}, consumed; a mount of the compute container; both, of
 * an emptyDir. */
void add_volume(struct volumes *v, const char *name, jv source);
void add_mount(struct volumes *v, jv mount);
void add_empty_dir(struct volumes *v, const char *name, const char *path);

/* Secret, configMap and downwardAPI: the volume, and the mount for a disk that shows it. */
void config_volume(struct volumes *v, struct ref volume);
void config_mount(struct volumes *v, struct ref volume);

/* All other kinds but images, which have a volume and a mount in one go. `at` is the volume's path
 * for messages. */
void vmi_volume(struct volumes *v, const struct vm *vm, struct ref volume, const struct path *at);

#endif
