/* SPDX-License-Identifier: Apache-2.0 */
/* metav1: k8s.io/apimachinery pkg/apis/meta/v1/types.go (v0.34.2) */
#include "schema.h"
#include "types.h"

/* clang-format off */

static const struct field owner_reference_fields[] = {
        TEXT("apiVersion", F_REQUIRED),
        TEXT("kind", F_REQUIRED),
        TEXT("name", F_REQUIRED),
        TEXT("uid", F_REQUIRED),
        BOOL("controller", F_POINTER),
        BOOL("blockOwnerDeletion", F_POINTER),
};
TYPE(owner_reference, "OwnerReference");

static const char *const managed_fields_operation_types[] = { "Apply", "Update", NULL };

static const struct field managed_fields_entry_fields[] = {
        TEXT("manager", 0),
        ONE_OF("operation", managed_fields_operation_types, F_LAX),
        TEXT("apiVersion", 0),
        TIME("time", F_POINTER),
        TEXT("fieldsType", 0),
        ANY("fieldsV1", F_POINTER),
        TEXT("subresource", 0),
};
TYPE(managed_fields_entry, "ManagedFieldsEntry");

static const struct field object_meta_fields[] = {
        TEXT("name", 0),
        TEXT("generateName", 0),
        TEXT("namespace", 0),
        TEXT("selfLink", F_SERVER),
        TEXT("uid", 0),
        TEXT("resourceVersion", F_SERVER),
        INT64("generation", F_SERVER),
        TIME("creationTimestamp", F_SERVER),
        TIME("deletionTimestamp", F_POINTER | F_SERVER),
        INT64("deletionGracePeriodSeconds", F_POINTER | F_SERVER),
        TEXT("labels", F_MAP | F_LOOSE),
        TEXT("annotations", F_MAP | F_LOOSE),
        OBJECT("ownerReferences", owner_reference, F_LIST),
        TEXT("finalizers", F_LIST | F_SERVER),
        OBJECT("managedFields", managed_fields_entry, F_LIST | F_SERVER),
};
SHARED_TYPE(object_meta, "ObjectMeta");

static const char *const label_selector_operators[] = {
        "In", "NotIn", "Exists", "DoesNotExist", NULL,
};

static const struct field label_selector_requirement_fields[] = {
        TEXT("key", F_REQUIRED),
        ONE_OF("operator", label_selector_operators, F_REQUIRED | F_RULED),
        TEXT("values", F_LIST),
};
TYPE(label_selector_requirement, "LabelSelectorRequirement");

static const struct field label_selector_fields[] = {
        TEXT("matchLabels", F_MAP),
        OBJECT("matchExpressions", label_selector_requirement, F_LIST),
};
SHARED_TYPE(label_selector, "LabelSelector");
