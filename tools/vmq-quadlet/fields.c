/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fields of a Pod (kubernetes/api core/v1/types.go), each with the type of its value and what
 * becomes of it. What is in no table is reported as unknown, so nothing is dropped in silence.
 */
#include "fields.h"

#include <stddef.h>

#define END                                                                                        \
        {                                                                                          \
                .name = NULL                                                                       \
        }

static const struct field metadata_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        { "namespace", TEXT, QUIET, NULL, NULL },
        { "labels", MAP, GOOD, NULL, NULL },
        { "annotations", MAP, QUIET, NULL, NULL },
        { "generateName", TEXT, LOST, NULL, "Podman makes no names; set metadata.name" },
        { "uid", TEXT, QUIET, NULL, NULL },
        { "creationTimestamp", ANY, QUIET, NULL, NULL },
        { "deletionTimestamp", ANY, QUIET, NULL, NULL },
        { "deletionGracePeriodSeconds", ANY, QUIET, NULL, NULL },
        { "resourceVersion", TEXT, QUIET, NULL, NULL },
        { "generation", INT, QUIET, NULL, NULL },
        { "selfLink", TEXT, QUIET, NULL, NULL },
        { "managedFields", ANY, QUIET, NULL, NULL },
        { "ownerReferences", ANY, CLUSTER, NULL, NULL },
        { "finalizers", TEXTS, CLUSTER, NULL, NULL },
        END,
};

static const struct field selinux_fields[] = {
        { "user", TEXT, GOOD, NULL, NULL },
        { "role", TEXT, GOOD, NULL, NULL },
        { "type", TEXT, GOOD, NULL, NULL },
        { "level", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field profile_fields[] = {
        { "type", TEXT, GOOD, NULL, NULL },
        { "localhostProfile", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field sysctl_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        { "value", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field pod_security_fields[] = {
        { "seLinuxOptions", OBJECT, GOOD, selinux_fields, NULL },
        { "windowsOptions", ANY, LOST, NULL, "containers run on Linux" },
        { "runAsUser", INT, GOOD, NULL, NULL },
        { "runAsGroup", INT, GOOD, NULL, NULL },
        { "runAsNonRoot", BOOL, GOOD, NULL, NULL },
        { "supplementalGroups", INTS, GOOD, NULL, NULL },
        { "supplementalGroupsPolicy", TEXT, LOST, NULL,
          "Podman always adds the groups that the image's /etc/group has for the user" },
        { "fsGroup", INT, GOOD, NULL, NULL },
        { "fsGroupChangePolicy", TEXT, QUIET, NULL, NULL },
        { "sysctls", LIST, GOOD, sysctl_fields, NULL },
        { "seccompProfile", OBJECT, GOOD, profile_fields, NULL },
        { "appArmorProfile", OBJECT, GOOD, profile_fields, NULL },
        { "seLinuxChangePolicy", TEXT, LOST, NULL,
          "volumes are relabelled where they are mounted" },
        END,
};

static const struct field capability_fields[] = {
        { "add", TEXTS, GOOD, NULL, NULL },
        { "drop", TEXTS, GOOD, NULL, NULL },
        END,
};

static const struct field security_fields[] = {
        { "capabilities", OBJECT, GOOD, capability_fields, NULL },
        { "privileged", BOOL, GOOD, NULL, NULL },
        { "seLinuxOptions", OBJECT, GOOD, selinux_fields, NULL },
        { "windowsOptions", ANY, LOST, NULL, "containers run on Linux" },
        { "runAsUser", INT, GOOD, NULL, NULL },
        { "runAsGroup", INT, GOOD, NULL, NULL },
        { "runAsNonRoot", BOOL, GOOD, NULL, NULL },
        { "readOnlyRootFilesystem", BOOL, GOOD, NULL, NULL },
        { "allowPrivilegeEscalation", BOOL, GOOD, NULL, NULL },
        { "procMount", TEXT, GOOD, NULL, NULL },
        { "seccompProfile", OBJECT, GOOD, profile_fields, NULL },
        { "appArmorProfile", OBJECT, GOOD, profile_fields, NULL },
        END,
};

static const struct field port_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },         { "hostPort", INT, GOOD, NULL, NULL },
        { "containerPort", INT, GOOD, NULL, NULL }, { "protocol", TEXT, GOOD, NULL, NULL },
        { "hostIP", TEXT, GOOD, NULL, NULL },       END,
};

static const struct field object_reference_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        { "optional", BOOL, GOOD, NULL, NULL },
        END,
};

static const struct field key_reference_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        { "key", TEXT, GOOD, NULL, NULL },
        { "optional", BOOL, GOOD, NULL, NULL },
        END,
};

static const struct field env_from_fields[] = {
        { "prefix", TEXT, GOOD, NULL, NULL },
        { "configMapRef", OBJECT, GOOD, object_reference_fields, NULL },
        { "secretRef", OBJECT, GOOD, object_reference_fields, NULL },
        END,
};

static const struct field field_reference_fields[] = {
        { "apiVersion", TEXT, QUIET, NULL, NULL },
        { "fieldPath", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field resource_reference_fields[] = {
        { "containerName", TEXT, GOOD, NULL, NULL },
        { "resource", TEXT, GOOD, NULL, NULL },
        { "divisor", AMOUNT, GOOD, NULL, NULL },
        END,
};

static const struct field value_from_fields[] = {
        { "fieldRef", OBJECT, GOOD, field_reference_fields, NULL },
        { "resourceFieldRef", OBJECT, GOOD, resource_reference_fields, NULL },
        { "configMapKeyRef", OBJECT, GOOD, key_reference_fields, NULL },
        { "secretKeyRef", OBJECT, GOOD, key_reference_fields, NULL },
        { "fileKeyRef", ANY, LOST, NULL, "the file is only written when the pod runs" },
        END,
};

static const struct field env_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        { "value", TEXT, GOOD, NULL, NULL },
        { "valueFrom", OBJECT, GOOD, value_from_fields, NULL },
        END,
};

static const struct field resources_fields[] = {
        { "limits", AMOUNTS, GOOD, NULL, NULL },
        { "requests", AMOUNTS, GOOD, NULL, NULL },
        { "claims", ANY, CLUSTER, NULL, NULL },
        END,
};

static const struct field mount_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        { "readOnly", BOOL, GOOD, NULL, NULL },
        { "recursiveReadOnly", TEXT, LOST, NULL, "only the mount itself becomes read-only" },
        { "mountPath", TEXT, GOOD, NULL, NULL },
        { "subPath", TEXT, GOOD, NULL, NULL },
        { "mountPropagation", TEXT, GOOD, NULL, NULL },
        { "subPathExpr", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field exec_fields[] = {
        { "command", TEXTS, GOOD, NULL, NULL },
        END,
};

static const struct field header_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        { "value", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field http_fields[] = {
        { "path", TEXT, GOOD, NULL, NULL },
        { "port", INT_OR_TEXT, GOOD, NULL, NULL },
        { "host", TEXT, GOOD, NULL, NULL },
        { "scheme", TEXT, GOOD, NULL, NULL },
        { "httpHeaders", LIST, GOOD, header_fields, NULL },
        END,
};

static const struct field tcp_fields[] = {
        { "port", INT_OR_TEXT, GOOD, NULL, NULL },
        { "host", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field grpc_fields[] = {
        { "port", INT, GOOD, NULL, NULL },
        { "service", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field probe_fields[] = {
        { "exec", OBJECT, GOOD, exec_fields, NULL },
        { "httpGet", OBJECT, GOOD, http_fields, NULL },
        { "tcpSocket", OBJECT, GOOD, tcp_fields, NULL },
        { "grpc", OBJECT, GOOD, grpc_fields, NULL },
        { "initialDelaySeconds", INT, GOOD, NULL, NULL },
        { "timeoutSeconds", INT, GOOD, NULL, NULL },
        { "periodSeconds", INT, GOOD, NULL, NULL },
        { "successThreshold", INT, GOOD, NULL, NULL },
        { "failureThreshold", INT, GOOD, NULL, NULL },
        { "terminationGracePeriodSeconds", INT, LOST, NULL,
          "a container that is restarted gets the time of spec.terminationGracePeriodSeconds" },
        END,
};

static const struct field lifecycle_fields[] = {
        { "postStart", ANY, LOST, NULL, "Quadlet runs nothing in a container that has started" },
        { "preStop", ANY, LOST, NULL, "Quadlet runs nothing in a container that is to stop" },
        { "stopSignal", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field container_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        { "image", TEXT, GOOD, NULL, NULL },
        { "command", TEXTS, GOOD, NULL, NULL },
        { "args", TEXTS, GOOD, NULL, NULL },
        { "workingDir", TEXT, GOOD, NULL, NULL },
        { "ports", LIST, GOOD, port_fields, NULL },
        { "envFrom", LIST, GOOD, env_from_fields, NULL },
        { "env", LIST, GOOD, env_fields, NULL },
        { "resources", OBJECT, GOOD, resources_fields, NULL },
        { "resizePolicy", ANY, CLUSTER, NULL, NULL },
        { "restartPolicy", TEXT, GOOD, NULL, NULL },
        { "restartPolicyRules", ANY, LOST, NULL, "systemd restarts by the pod's restartPolicy" },
        { "volumeMounts", LIST, GOOD, mount_fields, NULL },
        { "volumeDevices", ANY, LOST, NULL,
          "a volume of Podman is a folder; give the device as a hostPath of type BlockDevice" },
        { "livenessProbe", OBJECT, GOOD, probe_fields, NULL },
        { "readinessProbe", OBJECT, GOOD, probe_fields, NULL },
        { "startupProbe", OBJECT, GOOD, probe_fields, NULL },
        { "lifecycle", OBJECT, GOOD, lifecycle_fields, NULL },
        { "terminationMessagePath", TEXT, CLUSTER, NULL, NULL },
        { "terminationMessagePolicy", TEXT, CLUSTER, NULL, NULL },
        { "imagePullPolicy", TEXT, GOOD, NULL, NULL },
        { "securityContext", OBJECT, GOOD, security_fields, NULL },
        { "stdin", BOOL, GOOD, NULL, NULL },
        { "stdinOnce", BOOL, LOST, NULL, "standard input stays open" },
        { "tty", BOOL, GOOD, NULL, NULL },
        END,
};

static const struct field item_fields[] = {
        { "key", TEXT, GOOD, NULL, NULL },
        { "path", TEXT, GOOD, NULL, NULL },
        { "mode", INT, GOOD, NULL, NULL },
        END,
};

static const struct field config_map_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        { "items", LIST, GOOD, item_fields, NULL },
        { "defaultMode", INT, GOOD, NULL, NULL },
        { "optional", BOOL, GOOD, NULL, NULL },
        END,
};

#define OF_SECRET(name)                                                                            \
        { name, TEXT, GOOD, NULL, NULL }, { "items", LIST, GOOD, item_fields, NULL },              \
                { "defaultMode", INT, GOOD, NULL, NULL }, { "optional", BOOL, GOOD, NULL, NULL },  \
                END

static const struct field secret_fields[] = { OF_SECRET("secretName") };
static const struct field projected_secret_fields[] = { OF_SECRET("name") };

#undef OF_SECRET

static const struct field downward_item_fields[] = {
        { "path", TEXT, GOOD, NULL, NULL },
        { "fieldRef", OBJECT, GOOD, field_reference_fields, NULL },
        { "resourceFieldRef", OBJECT, GOOD, resource_reference_fields, NULL },
        { "mode", INT, GOOD, NULL, NULL },
        END,
};

static const struct field downward_fields[] = {
        { "items", LIST, GOOD, downward_item_fields, NULL },
        { "defaultMode", INT, GOOD, NULL, NULL },
        END,
};

static const struct field projection_fields[] = {
        { "configMap", OBJECT, GOOD, config_map_fields, NULL },
        { "secret", OBJECT, GOOD, projected_secret_fields, NULL },
        { "downwardAPI", OBJECT, GOOD, downward_fields, NULL },
        { "serviceAccountToken", ANY, LOST, NULL, "only a cluster issues tokens" },
        { "clusterTrustBundle", ANY, LOST, NULL, "only a cluster has it" },
        { "podCertificate", ANY, LOST, NULL, "only a cluster issues it" },
        END,
};

static const struct field projected_fields[] = {
        { "sources", LIST, GOOD, projection_fields, NULL },
        { "defaultMode", INT, GOOD, NULL, NULL },
        END,
};

static const struct field host_path_fields[] = {
        { "path", TEXT, GOOD, NULL, NULL },
        { "type", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field empty_dir_fields[] = {
        { "medium", TEXT, GOOD, NULL, NULL },
        { "sizeLimit", AMOUNT, GOOD, NULL, NULL },
        END,
};

static const struct field claim_fields[] = {
        { "claimName", TEXT, GOOD, NULL, NULL },
        { "readOnly", BOOL, GOOD, NULL, NULL },
        END,
};

static const struct field image_volume_fields[] = {
        { "reference", TEXT, GOOD, NULL, NULL },
        { "pullPolicy", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field ephemeral_fields[] = {
        { "volumeClaimTemplate", ANY, LOST, NULL,
          "the volume is a folder on the host's disk, whatever its size and class" },
        END,
};

static const struct field nfs_fields[] = {
        { "server", TEXT, GOOD, NULL, NULL },
        { "path", TEXT, GOOD, NULL, NULL },
        { "readOnly", BOOL, GOOD, NULL, NULL },
        END,
};

/* Kinds that a row does not name are reported by volumes.c as well, where they are mounted. */
static const struct field volume_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        { "hostPath", OBJECT, GOOD, host_path_fields, NULL },
        { "emptyDir", OBJECT, GOOD, empty_dir_fields, NULL },
        { "persistentVolumeClaim", OBJECT, GOOD, claim_fields, NULL },
        { "ephemeral", OBJECT, GOOD, ephemeral_fields, NULL },
        { "configMap", OBJECT, GOOD, config_map_fields, NULL },
        { "secret", OBJECT, GOOD, secret_fields, NULL },
        { "downwardAPI", OBJECT, GOOD, downward_fields, NULL },
        { "projected", OBJECT, GOOD, projected_fields, NULL },
        { "image", OBJECT, GOOD, image_volume_fields, NULL },
        { "nfs", OBJECT, GOOD, nfs_fields, NULL },
#define NOT_HERE(kind)                                                                             \
        {                                                                                          \
                kind, ANY, LOST, NULL, "mount it on the host and use a hostPath"                   \
        }
        NOT_HERE("awsElasticBlockStore"),
        NOT_HERE("azureDisk"),
        NOT_HERE("azureFile"),
        NOT_HERE("cephfs"),
        NOT_HERE("cinder"),
        NOT_HERE("csi"),
        NOT_HERE("fc"),
        NOT_HERE("flexVolume"),
        NOT_HERE("flocker"),
        NOT_HERE("gcePersistentDisk"),
        NOT_HERE("gitRepo"),
        NOT_HERE("glusterfs"),
        NOT_HERE("iscsi"),
        NOT_HERE("photonPersistentDisk"),
        NOT_HERE("portworxVolume"),
        NOT_HERE("quobyte"),
        NOT_HERE("rbd"),
        NOT_HERE("scaleIO"),
        NOT_HERE("storageos"),
        NOT_HERE("vsphereVolume"),
#undef NOT_HERE
        END,
};

static const struct field host_alias_fields[] = {
        { "ip", TEXT, GOOD, NULL, NULL },
        { "hostnames", TEXTS, GOOD, NULL, NULL },
        END,
};

static const struct field dns_option_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        { "value", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field dns_fields[] = {
        { "nameservers", TEXTS, GOOD, NULL, NULL },
        { "searches", TEXTS, GOOD, NULL, NULL },
        { "options", LIST, GOOD, dns_option_fields, NULL },
        END,
};

static const struct field pull_secret_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field os_fields[] = {
        { "name", TEXT, GOOD, NULL, NULL },
        END,
};

static const struct field spec_fields[] = {
        { "volumes", LIST, GOOD, volume_fields, NULL },
        { "initContainers", LIST, GOOD, container_fields, NULL },
        { "containers", LIST, GOOD, container_fields, NULL },
        { "ephemeralContainers", ANY, LOST, NULL, "they are for debugging; use podman exec" },
        { "restartPolicy", TEXT, GOOD, NULL, NULL },
        { "terminationGracePeriodSeconds", INT, GOOD, NULL, NULL },
        { "activeDeadlineSeconds", INT, LOST, NULL,
          "systemd would restart the pod; stop it with a timer" },
        { "dnsPolicy", TEXT, GOOD, NULL, NULL },
        { "nodeSelector", MAP, CLUSTER, NULL, NULL },
        { "serviceAccountName", TEXT, CLUSTER, NULL, NULL },
        { "serviceAccount", TEXT, CLUSTER, NULL, NULL },
        { "automountServiceAccountToken", BOOL, CLUSTER, NULL, NULL },
        { "nodeName", TEXT, CLUSTER, NULL, NULL },
        { "hostNetwork", BOOL, GOOD, NULL, NULL },
        { "hostPID", BOOL, GOOD, NULL, NULL },
        { "hostIPC", BOOL, GOOD, NULL, NULL },
        { "shareProcessNamespace", BOOL, GOOD, NULL, NULL },
        { "securityContext", OBJECT, GOOD, pod_security_fields, NULL },
        { "imagePullSecrets", LIST, GOOD, pull_secret_fields, NULL },
        { "hostname", TEXT, GOOD, NULL, NULL },
        { "hostnameOverride", TEXT, GOOD, NULL, NULL },
        { "subdomain", TEXT, LOST, NULL, "there is no cluster domain" },
        { "affinity", ANY, CLUSTER, NULL, NULL },
        { "schedulerName", TEXT, CLUSTER, NULL, NULL },
        { "tolerations", ANY, CLUSTER, NULL, NULL },
        { "hostAliases", LIST, GOOD, host_alias_fields, NULL },
        { "priorityClassName", TEXT, CLUSTER, NULL, NULL },
        { "priority", INT, CLUSTER, NULL, NULL },
        { "dnsConfig", OBJECT, GOOD, dns_fields, NULL },
        { "readinessGates", ANY, CLUSTER, NULL, NULL },
        { "runtimeClassName", TEXT, LOST, NULL,
          "set the runtime of the host in containers.conf(5)" },
        { "enableServiceLinks", BOOL, CLUSTER, NULL, NULL },
        { "preemptionPolicy", TEXT, CLUSTER, NULL, NULL },
        { "overhead", AMOUNTS, CLUSTER, NULL, NULL },
        { "topologySpreadConstraints", ANY, CLUSTER, NULL, NULL },
        { "setHostnameAsFQDN", BOOL, LOST, NULL, "there is no cluster domain" },
        { "os", OBJECT, GOOD, os_fields, NULL },
        { "hostUsers", BOOL, GOOD, NULL, NULL },
        { "schedulingGates", ANY, CLUSTER, NULL, NULL },
        { "resourceClaims", ANY, CLUSTER, NULL, NULL },
        { "resources", OBJECT, GOOD, resources_fields, NULL },
        { "workloadRef", ANY, CLUSTER, NULL, NULL },
        END,
};

const struct field pod_fields[] = {
        { "apiVersion", TEXT, GOOD, NULL, NULL },
        { "kind", TEXT, GOOD, NULL, NULL },
        { "metadata", OBJECT, GOOD, metadata_fields, NULL },
        { "spec", OBJECT, GOOD, spec_fields, NULL },
        { "status", ANY, QUIET, NULL, NULL },
        END,
};
