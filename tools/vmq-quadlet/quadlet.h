/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quadlet - item.pod becomes item.units.
 *
 * The units of a Pod, all named after it:
 *
 *      x.pod               the pod: network, host name, ports, shared namespaces
 *      x-NAME.container    a container; init containers are oneshot services in front of the others
 *      x-NAME.volume       a persistent volume
 *      x-NAME-empty.volume an emptyDir, which goes with the pod
 *      x-NAME.image        an image that is mounted: Mount=type=image does not pull
 *      x.network           its own network, unless --network names one
 *      x-NAME.env          environment of a container: what is long, or secret (mode 0600)
 *      x-NAME.sh           the script of a container whose command is sh -c SCRIPT (mode 0755)
 *
 * They restate what `podman kube quadlet` of the reference converter writes (its files convert.go,
 * container.go, ...), with the differences that `docs/pipeline.md` names.
 */
#ifndef VMQ_QUADLET_H
#define VMQ_QUADLET_H

#include <jv.h>

#include "convert.h"
#include "diag.h"
#include "settings.h"

/* Read the settings that matter here. The texts are borrowed. */
void quadlet_choose(const struct settings *s, struct choices *choices);

/* Does the Pod name a ConfigMap or a Secret that is not in configs? */
bool quadlet_misses(struct ref pod, const jv *configs);

/* item.pod -> item.units. bare: the Pod was a document of its own, which messages are about.
 * configs: the ConfigMaps and Secrets that are known, {kind: {name: object}}. What is wrong is
 * reported on d. */
void quadlet_convert(jv *item, bool bare, const jv *configs, const struct choices *choices,
                     struct keys *keys, struct diag *d);

#endif
