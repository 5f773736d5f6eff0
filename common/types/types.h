/* SPDX-License-Identifier: Apache-2.0 */
/* types - the tables that another file of common/types/ refers to. */
#ifndef VMQ_TYPES_H
#define VMQ_TYPES_H

#include "schema.h"

/* meta.c */
extern const struct type type_object_meta;
extern const struct type type_label_selector;

/* core.c */
extern const struct type type_affinity;
extern const struct type type_toleration;
extern const struct type type_topology_spread_constraint;
extern const struct type type_local_object_reference;
extern const struct type type_core_persistent_volume_claim_volume_source;
extern const struct type type_downward_api_volume_file;
extern const struct type type_exec_action;
extern const struct type type_http_get_action;
extern const struct type type_tcp_socket_action;
extern const struct type type_pod_dns_config;
extern const struct type type_volume_resource_requirements;
extern const struct type type_typed_local_object_reference;
extern const struct type type_typed_object_reference;
extern const struct type type_persistent_volume_claim_spec;

/* cdi.c */
extern const struct type type_data_volume_spec;

/* kubevirt.c */
extern const struct type type_machine;
extern const struct type type_disk;
extern const struct type type_persistent_volume_claim_volume_source;
extern const struct type type_data_volume_source;

/* status.c */
extern const struct type type_virtual_machine_status;
extern const struct type type_virtual_machine_instance_status;

#endif
