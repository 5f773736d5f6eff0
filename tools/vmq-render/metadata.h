/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metadata - the Pod's metadata, and the names that are made from the VMI's.
 *
 * Restates podLabels, generatePodAnnotations and filterVMIAnnotationsForPod of template.go.
 */
#ifndef VMQ_RENDER_METADATA_H
#define VMQ_RENDER_METADATA_H

#include "vm.h"

jv pod_metadata(const struct vm *vm);

/* pkg/util/net/dns/sanitize.go, SanitizeHostname: the VMI's own, or its name up to the first dot,
 * at most 63 characters */
jv pod_hostname(const struct vm *vm);

#endif
