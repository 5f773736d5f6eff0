/* SPDX-License-Identifier: Apache-2.0 */
/* Containerized Data Importer: pkg/apis/core/v1beta1/types.go, as vendored by KubeVirt v1.9.0. */
#include "schema.h"
#include "types.h"

/* clang-format off */

static const struct field data_volume_source_http_fields[] = {
        TEXT("url", F_REQUIRED),
        TEXT("secretRef", 0),
        TEXT("certConfigMap", 0),
        TEXT("extraHeaders", F_LIST),
        TEXT("secretExtraHeaders", F_LIST),
};
TYPE(data_volume_source_http, "DataVolumeSourceHTTP");

static const struct field data_volume_source_s3_fields[] = {
        TEXT("url", F_REQUIRED),
        TEXT("secretRef", 0),
        TEXT("certConfigMap", 0),
};
TYPE(data_volume_source_s3, "DataVolumeSourceS3");

static const struct field data_volume_source_gcs_fields[] = {
        TEXT("url", F_REQUIRED),
        TEXT("secretRef", 0),
};
TYPE(data_volume_source_gcs, "DataVolumeSourceGCS");

static const struct field platform_options_fields[] = {
        TEXT("architecture", 0),
};
TYPE(platform_options, "PlatformOptions");

static const char *const registry_pull_methods[] = { "pod", "node", NULL };

static const struct field data_volume_source_registry_fields[] = {
        TEXT("url", F_POINTER),
        TEXT("imageStream", F_POINTER),
        ONE_OF("pullMethod", registry_pull_methods, F_POINTER | F_LAX),
        TEXT("secretRef", F_POINTER),
        TEXT("certConfigMap", F_POINTER),
        OBJECT("platform", platform_options, 0),
};
TYPE(data_volume_source_registry, "DataVolumeSourceRegistry");

static const struct field data_volume_source_pvc_fields[] = {
        TEXT("namespace", F_REQUIRED),
        TEXT("name", F_REQUIRED),
};
TYPE(data_volume_source_pvc, "DataVolumeSourcePVC");

EMPTY_TYPE(data_volume_source_upload, "DataVolumeSourceUpload");
EMPTY_TYPE(data_volume_blank_image, "DataVolumeBlankImage");

static const struct field data_volume_source_image_io_fields[] = {
        TEXT("url", F_REQUIRED),
        TEXT("diskId", F_REQUIRED),
        TEXT("secretRef", 0),
        TEXT("certConfigMap", 0),
        BOOL("insecureSkipVerify", F_POINTER),
};
TYPE(data_volume_source_image_io, "DataVolumeSourceImageIO");

static const struct field data_volume_source_vddk_fields[] = {
        TEXT("url", 0),
        TEXT("uuid", 0),
        TEXT("backingFile", 0),
        TEXT("thumbprint", 0),
        TEXT("secretRef", 0),
        TEXT("initImageURL", 0),
        TEXT("extraArgs", 0),
};
TYPE(data_volume_source_vddk, "DataVolumeSourceVDDK");

static const struct field data_volume_source_snapshot_fields[] = {
        TEXT("namespace", F_REQUIRED),
        TEXT("name", F_REQUIRED),
};
TYPE(data_volume_source_snapshot, "DataVolumeSourceSnapshot");

static const struct field cdi_data_volume_source_fields[] = {
        OBJECT("http", data_volume_source_http, 0),
        OBJECT("s3", data_volume_source_s3, 0),
        OBJECT("gcs", data_volume_source_gcs, 0),
        OBJECT("registry", data_volume_source_registry, 0),
        OBJECT("pvc", data_volume_source_pvc, 0),
        OBJECT("upload", data_volume_source_upload, 0),
        OBJECT("blank", data_volume_blank_image, 0),
        OBJECT("imageio", data_volume_source_image_io, 0),
        OBJECT("vddk", data_volume_source_vddk, 0),
        OBJECT("snapshot", data_volume_source_snapshot, 0),
};
TYPE(cdi_data_volume_source, "cdiv1.DataVolumeSource");

static const struct field data_volume_source_ref_fields[] = {
        TEXT("kind", F_REQUIRED),
        TEXT("namespace", F_POINTER),
        TEXT("name", F_REQUIRED),
};
TYPE(data_volume_source_ref, "DataVolumeSourceRef");

static const char *const persistent_volume_access_modes[] = {
        "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod", NULL,
};
static const char *const persistent_volume_modes[] = { "Block", "Filesystem", NULL };

static const struct field storage_spec_fields[] = {
        ONE_OF("accessModes", persistent_volume_access_modes, F_LIST | F_LAX),
        OBJECT("selector", label_selector, 0),
        STRUCT("resources", volume_resource_requirements, 0),
        TEXT("volumeName", 0),
        TEXT("storageClassName", F_POINTER),
        ONE_OF("volumeMode", persistent_volume_modes, F_POINTER | F_LAX),
        OBJECT("dataSource", typed_local_object_reference, 0),
        OBJECT("dataSourceRef", typed_object_reference, 0),
};
TYPE(storage_spec, "StorageSpec");

static const struct field data_volume_checkpoint_fields[] = {
        TEXT("previous", F_REQUIRED),
        TEXT("current", F_REQUIRED),
};
TYPE(data_volume_checkpoint, "DataVolumeCheckpoint");

static const char *const data_volume_content_types[] = { "kubevirt", "archive", NULL };

static const struct field data_volume_spec_fields[] = {
        OBJECT("source", cdi_data_volume_source, 0),
        OBJECT("sourceRef", data_volume_source_ref, 0),
        OBJECT("pvc", persistent_volume_claim_spec, 0),
        OBJECT("storage", storage_spec, 0),
        TEXT("priorityClassName", 0),
        ONE_OF("contentType", data_volume_content_types, 0),
        OBJECT("checkpoints", data_volume_checkpoint, F_LIST),
        BOOL("finalCheckpoint", 0),
        BOOL("preallocation", F_POINTER),
};
SHARED_TYPE(data_volume_spec, "DataVolumeSpec");
