/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hints - what a Pod cannot say and the units must know: the item's key `run`.
 *
 * vmq-adapt writes it, vmq-quadlet reads it where it is there. A Pod without it is converted by the
 * rules for any Pod.
 *
 *      "run": {
 *              "main": "compute",
 *              "again": ["virt-handler-dir-init"],
 *              "beside": ["guest-console-log"],
 *              "optional": ["vhost-net"]
 *      }
 *
 * main        The container that is the VM. If it fails, it is started again with fresh state.
 * again       Init containers that run before every start of `main`, not only before the first
 *             (RemainAfterExit=no).
 * beside      Containers that were sidecars (init containers with restartPolicy Always): started
 * behind `again` and before `main`, and started again with it (PartOf=). optional    Volumes of the
 * Pod whose host path need not be there: AddDevice=-PATH.
 *
 * Scripts: the command of an init container of ours is ["/bin/sh", "-c"], its args are
 * [SCRIPT, NAME, ARGUMENT...]. The script is the same text for every VM; what belongs to the VM is
 * in the arguments ($1 ...). As a companion file it is run as `/bin/sh /init.sh ARGUMENT...`: $0 is
 * not used. These containers have no environment, so that nothing in them is expanded.
 */
#ifndef VMQ_HINTS_H
#define VMQ_HINTS_H

#define HINTS_KEY      "run"
#define HINTS_MAIN     "main"
#define HINTS_AGAIN    "again"
#define HINTS_BESIDE   "beside"
#define HINTS_OPTIONAL "optional"

#endif
