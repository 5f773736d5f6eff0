/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts - what vmq-adapt does to a Pod, by subject. adapt.c has the order.
 *
 * Each takes a Pod that is open (pod.h), reports its problems on p->diag, and does what it can.
 */
#ifndef VMQ_ADAPT_PARTS_H
#define VMQ_ADAPT_PARTS_H

#include "pod.h"

/* proxies.c: --console-proxy and --vnc-proxy, socat that connects a port to virt-launcher's sockets
 * of the VM (console.go, graphics.go in pkg/virt-launcher/virtwrap/converter/compute). */
void adapt_proxies(struct pod *p);

/* proxies.c: the name that virt-launcher's folder of sockets has, if proxies are on and look for
 * it under another (a link must lead there); else NULL. Borrowed from the Pod. */
const char *adapt_socket_folder(const struct pod *p);

/* devices.c: what virt-handler and the device plugins give: kvm, tun, vhost-net, the cgroups, the
 * devices of GPUs, and of hostDevices all that is bound to vfio-pci under --sysfs. */
void adapt_devices(struct pod *p);

/* disks.c: what CDI does. An init container for each volume with a DataVolume template. */
void adapt_data_volumes(struct pod *p);

/* hostdisks.c: of a hostDisk of type Disk the file alone is mounted; of DiskOrCreate the folder, as
 * in KubeVirt, which must be one for disks (differences D19). */
void adapt_host_disks(struct pod *p);

/* cleanup.c: take out what only a cluster resolves, and let passt forward every port. */
void adapt_cleanup(struct pod *p);

/* cleanup.c: the annotation that says which data stays on this host. */
void adapt_persistence_note(struct pod *p);

/* state.c: the volume vm-state for EFI variables and TPM, as KubeVirt's backend storage
 * (withBackendStorage, pkg/virt-controller/services/rendervolumes.go) has it. */
void adapt_state(struct pod *p);

/* state.c: the init container that does virt-handler's part before every start of compute: it
 * empties the emptyDirs, makes the folders for QEMU's user, and the files of DiskOrCreate. Comes
 * after everything that adds volumes or init containers. */
void adapt_dir_init(struct pod *p);

/* passt.c: --passt-workarounds, a patched passt in a volume passt-bin. */
void adapt_passt(struct pod *p);

/* launcher.c: the health check of compute, the VM itself and the address of libvirt in its
 * environment. */
void adapt_launcher(struct pod *p);

#endif
