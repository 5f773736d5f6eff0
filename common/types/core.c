/* SPDX-License-Identifier: Apache-2.0 */
/* Kubernetes: k8s.io/api core/v1/types.go (v0.34.2), what a VirtualMachine takes from it. */
#include "schema.h"
#include "types.h"

/* clang-format off */

static const char *const node_selector_operators[] = {
        "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", NULL,
};

static const struct field node_selector_requirement_fields[] = {
        TEXT("key", F_REQUIRED),
        ONE_OF("operator", node_selector_operators, F_REQUIRED | F_RULED),
        TEXT("values", F_LIST),
};
TYPE(node_selector_requirement, "NodeSelectorRequirement");

static const struct field node_selector_term_fields[] = {
        OBJECT("matchExpressions", node_selector_requirement, F_LIST),
        OBJECT("matchFields", node_selector_requirement, F_LIST),
};
TYPE(node_selector_term, "NodeSelectorTerm");

static const struct field node_selector_fields[] = {
        OBJECT("nodeSelectorTerms", node_selector_term, F_LIST | F_REQUIRED),
};
TYPE(node_selector, "NodeSelector");

static const struct field preferred_scheduling_term_fields[] = {
        INT32("weight", F_REQUIRED),
        STRUCT("preference", node_selector_term, F_REQUIRED),
};
TYPE(preferred_scheduling_term, "PreferredSchedulingTerm");

static const struct field node_affinity_fields[] = {
        OBJECT("requiredDuringSchedulingIgnoredDuringExecution", node_selector, 0),
        OBJECT("preferredDuringSchedulingIgnoredDuringExecution", preferred_scheduling_term, F_LIST),
};
TYPE(node_affinity, "NodeAffinity");

static const struct field pod_affinity_term_fields[] = {
        OBJECT("labelSelector", label_selector, 0),
        TEXT("namespaces", F_LIST),
        TEXT("topologyKey", F_REQUIRED),
        OBJECT("namespaceSelector", label_selector, 0),
        TEXT("matchLabelKeys", F_LIST),
        TEXT("mismatchLabelKeys", F_LIST),
};
TYPE(pod_affinity_term, "PodAffinityTerm");

static const struct field weighted_pod_affinity_term_fields[] = {
        INT32("weight", F_REQUIRED),
        STRUCT("podAffinityTerm", pod_affinity_term, F_REQUIRED),
};
TYPE(weighted_pod_affinity_term, "WeightedPodAffinityTerm");

static const struct field pod_affinity_fields[] = {
        OBJECT("requiredDuringSchedulingIgnoredDuringExecution", pod_affinity_term, F_LIST),
        OBJECT("preferredDuringSchedulingIgnoredDuringExecution", weighted_pod_affinity_term, F_LIST),
};
TYPE(pod_affinity, "PodAffinity");

static const struct field pod_anti_affinity_fields[] = {
        OBJECT("requiredDuringSchedulingIgnoredDuringExecution", pod_affinity_term, F_LIST),
        OBJECT("preferredDuringSchedulingIgnoredDuringExecution", weighted_pod_affinity_term, F_LIST),
};
TYPE(pod_anti_affinity, "PodAntiAffinity");

static const struct field affinity_fields[] = {
        OBJECT("nodeAffinity", node_affinity, 0),
        OBJECT("podAffinity", pod_affinity, 0),
        OBJECT("podAntiAffinity", pod_anti_affinity, 0),
};
SHARED_TYPE(affinity, "Affinity");

static const char *const toleration_operators[] = { "Exists", "Equal", NULL };
static const char *const taint_effects[] = { "NoSchedule", "PreferNoSchedule", "NoExecute", NULL };

static const struct field toleration_fields[] = {
        TEXT("key", 0),
        ONE_OF("operator", toleration_operators, F_LAX),
        TEXT("value", 0),
        ONE_OF("effect", taint_effects, F_LAX),
        INT64("tolerationSeconds", F_POINTER),
};
SHARED_TYPE(toleration, "Toleration");

static const char *const unsatisfiable_constraint_actions[] = {
        "DoNotSchedule", "ScheduleAnyway", NULL,
};
static const char *const node_inclusion_policies[] = { "Ignore", "Honor", NULL };

static const struct field topology_spread_constraint_fields[] = {
        INT32("maxSkew", F_REQUIRED),
        TEXT("topologyKey", F_REQUIRED),
        ONE_OF("whenUnsatisfiable", unsatisfiable_constraint_actions, F_REQUIRED | F_RULED),
        OBJECT("labelSelector", label_selector, 0),
        INT32("minDomains", F_POINTER),
        ONE_OF("nodeAffinityPolicy", node_inclusion_policies, F_POINTER | F_LAX),
        ONE_OF("nodeTaintsPolicy", node_inclusion_policies, F_POINTER | F_LAX),
        TEXT("matchLabelKeys", F_LIST),
};
SHARED_TYPE(topology_spread_constraint, "TopologySpreadConstraint");

static const struct field local_object_reference_fields[] = {
        TEXT("name", 0),
};
SHARED_TYPE(local_object_reference, "LocalObjectReference");

static const struct field core_persistent_volume_claim_volume_source_fields[] = {
        TEXT("claimName", F_REQUIRED),
        BOOL("readOnly", 0),
};
SHARED_TYPE(core_persistent_volume_claim_volume_source, "k8sv1.PersistentVolumeClaimVolumeSource");

static const struct field object_field_selector_fields[] = {
        TEXT("apiVersion", 0),
        TEXT("fieldPath", F_REQUIRED),
};
TYPE(object_field_selector, "ObjectFieldSelector");

static const struct field resource_field_selector_fields[] = {
        TEXT("containerName", 0),
        TEXT("resource", F_REQUIRED),
        QUANTITY("divisor", 0),
};
TYPE(resource_field_selector, "ResourceFieldSelector");

static const struct field downward_api_volume_file_fields[] = {
        TEXT("path", F_REQUIRED),
        OBJECT("fieldRef", object_field_selector, 0),
        OBJECT("resourceFieldRef", resource_field_selector, 0),
        INT32("mode", F_POINTER),
};
SHARED_TYPE(downward_api_volume_file, "DownwardAPIVolumeFile");

static const struct field exec_action_fields[] = {
        TEXT("command", F_LIST),
};
SHARED_TYPE(exec_action, "ExecAction");

static const struct field http_header_fields[] = {
        TEXT("name", F_REQUIRED),
        TEXT("value", F_REQUIRED),
};
TYPE(http_header, "HTTPHeader");

static const char *const uri_schemes[] = { "HTTP", "HTTPS", NULL };

static const struct field http_get_action_fields[] = {
        TEXT("path", 0),
        INT_OR_STRING("port", F_REQUIRED),
        TEXT("host", 0),
        ONE_OF("scheme", uri_schemes, F_LAX),
        OBJECT("httpHeaders", http_header, F_LIST),
};
SHARED_TYPE(http_get_action, "HTTPGetAction");

static const struct field tcp_socket_action_fields[] = {
        INT_OR_STRING("port", F_REQUIRED),
        TEXT("host", 0),
};
SHARED_TYPE(tcp_socket_action, "TCPSocketAction");

static const struct field pod_dns_config_option_fields[] = {
        TEXT("name", 0),
        TEXT("value", F_POINTER),
};
TYPE(pod_dns_config_option, "PodDNSConfigOption");

static const struct field pod_dns_config_fields[] = {
        TEXT("nameservers", F_LIST | F_IP),
        TEXT("searches", F_LIST),
        OBJECT("options", pod_dns_config_option, F_LIST),
};
SHARED_TYPE(pod_dns_config, "PodDNSConfig");

static const struct field volume_resource_requirements_fields[] = {
        QUANTITY("limits", F_MAP),
        QUANTITY("requests", F_MAP),
};
SHARED_TYPE(volume_resource_requirements, "VolumeResourceRequirements");

static const struct field typed_local_object_reference_fields[] = {
        TEXT("apiGroup", F_POINTER),
        TEXT("kind", F_REQUIRED),
        TEXT("name", F_REQUIRED),
};
SHARED_TYPE(typed_local_object_reference, "TypedLocalObjectReference");

static const struct field typed_object_reference_fields[] = {
        TEXT("apiGroup", F_POINTER),
        TEXT("kind", F_REQUIRED),
        TEXT("name", F_REQUIRED),
        TEXT("namespace", F_POINTER),
};
SHARED_TYPE(typed_object_reference, "TypedObjectReference");

static const char *const persistent_volume_access_modes[] = {
        "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod", NULL,
};
static const char *const persistent_volume_modes[] = { "Block", "Filesystem", NULL };

static const struct field persistent_volume_claim_spec_fields[] = {
        ONE_OF("accessModes", persistent_volume_access_modes, F_LIST | F_LAX),
        OBJECT("selector", label_selector, 0),
        STRUCT("resources", volume_resource_requirements, 0),
        TEXT("volumeName", 0),
        TEXT("storageClassName", F_POINTER),
        ONE_OF("volumeMode", persistent_volume_modes, F_POINTER | F_LAX),
        OBJECT("dataSource", typed_local_object_reference, 0),
        OBJECT("dataSourceRef", typed_object_reference, 0),
        TEXT("volumeAttributesClassName", F_POINTER),
};
SHARED_TYPE(persistent_volume_claim_spec, "PersistentVolumeClaimSpec");
