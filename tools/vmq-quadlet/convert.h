/* SPDX-License-Identifier: Apache-2.0 */
/*
 * convert - what the files of vmq-quadlet share: the Pod at hand and the files made of it.
 *
 *   quadlet.c    the order of things; which Pods are a VM's
 *   pod.c        the .pod and .network units
 *   container.c  the .container units: image, command, ports, lifecycle
 *   env.c        environment variables and $(NAME) references
 *   security.c   security contexts
 *   resources.c  CPU and memory
 *   probes.c     health checks
 *   volumes.c    the table of volumes; the .volume and .image units
 *   mounts.c     what a container mounts
 *   fields.c     the table of a Pod's fields: what is honoured, and why the rest is not
 *   walk.c       a Pod held against that table; the table as a page
 *   keys.c       the table of Quadlet's keys: which Podman knows them, and how they are quoted
 *   files.c      file names, service names, the list of units
 */
#ifndef VMQ_CONVERT_H
#define VMQ_CONVERT_H

#include <jv.h>
#include <stdbool.h>

#include "buf.h"
#include "diag.h"
#include "path.h"
#include "ref.h"
#include "unit.h"

/* What the settings say, for one item. */
struct choices {
        int podman;            /* the minor release: 4 to 8 */
        const char *network;   /* NULL: a .network unit of its own */
        const char *kvm_group; /* NULL: none */
        bool claim_names;      /* volumes are named after their claims */
};

/* How a VM wants to be run (KubeVirt's runStrategy); RUN_POD for Pods that are no VM's. */
enum run_strategy {
        RUN_POD,
        RUN_ALWAYS,
        RUN_RERUN_ON_FAILURE,
        RUN_ONCE,
        RUN_MANUAL,
        RUN_HALTED,
};

enum volume_kind {
        VOLUME_EMPTY, /* emptyDir, and a volume of no kind, which the API takes for one */
        VOLUME_CLAIM, /* persistentVolumeClaim, ephemeral */
        VOLUME_HOST,  /* hostPath */
        VOLUME_IMAGE, /* image */
        VOLUME_FILES, /* configMap, secret, downwardAPI, projected */
        VOLUME_NFS,   /* nfs */
        VOLUME_OTHER, /* what has no meaning on one host; fields.c reports it */
};

/* A volume of the Pod, and what is known of it. Texts are the Pod's but for unit, stem and files.
 */
struct volume {
        struct ref ref;
        struct path at;
        const char *name;
        enum volume_kind kind;
        struct ref source; /* the member that says so: its emptyDir, hostPath, ... */
        const char *claim; /* the claim's name; "" if it has none */
        bool read_only;    /* the claim is */
        char *unit;        /* the unit that it is, "x-data.volume"; NULL if it is none */
        char *stem;        /* its name without .volume or .image */
        struct buf files; /* of VOLUME_FILES, when its unit is made: the paths, a NUL behind each */
};

struct volume_table {
        struct volume *list; /* as in spec.volumes */
        size_t n;
        const struct volume **by_name; /* the same, in order of their names */
};

/* A service that systemd will have, and the file that the generator makes it of; both are owned. */
struct service {
        char *name, *file;
};

struct convert {
        struct ref pod, spec;
        const struct path *at; /* the Pod's, for messages; NULL: it is the document */
        const struct path *at_spec, *at_volumes;
        const struct choices *choices;
        struct ref hints;   /* what vmq-adapt says about its Pod, the item's `run` */
        struct ref configs; /* {ConfigMap: {NAME: object}, Secret: {NAME: object}} */
        struct diag *d;
        const char *name; /* of the Pod, which all files begin with */
        bool launcher;    /* KubeVirt's Pod of a VM */
        enum run_strategy run;

        struct volume_table volumes;
        size_t file_bytes; /* that the units of volumes carry so far, headers too */
        jv units;          /* the files so far: [{name, text, mode}] */
        jv late;           /* those that come last: .env */
        struct service *services;
        size_t n_services, services_cap;
};

/* A variable of a container's environment, resolved; its texts are owned. */
struct variable {
        char *name, *value;
        bool secret; /* goes into no file that others may read */
};

/* A container of the Pod, and what is known of it. */
enum role {
        ROLE_INIT,    /* runs to its end before the others */
        ROLE_SIDECAR, /* an init container that stays (restartPolicy: Always) */
        ROLE_MAIN,
};

struct container {
        struct ref ref;
        const struct path *at;
        const char *name;
        enum role role;
        int index;            /* in its list */
        struct variable *env; /* the last of a name */
        size_t n_env, env_cap;
        size_t variables, variable_bytes; /* that were set, also those beyond the bounds of env.c */
        bool raw;    /* a VM's: its command is written for Podman, without $(NAME) */
        bool is_vm;  /* the one that is the VM */
        bool resets; /* before every start of that one (virt-handler-dir-init) */
        bool beside; /* was a sidecar: starts before the VM, and again with it */
};

/* ---- files.c ----------------------------------------------------------------------------------
 */

/* May the text be part of a file's name? Reports if not. */
bool file_name_ok(struct convert *c, const char *text, const struct path *at);

/* Add a file. A unit's service name must be free and short enough; reports if not. */
void file_add_unit(struct convert *c, const char *name, const struct unit *u,
                   const struct path *at);
/* The same for a unit that holds a secret: for its owner alone. */
void file_add_secret_unit(struct convert *c, const char *name, const struct unit *u,
                          const struct path *at);
/* A file that is no unit; text, a string value, is taken over. late: behind all others. */
void file_add_text(struct convert *c, const char *name, jv text, const char *mode, bool late);

/* Was a unit of that name added? */
bool file_has_unit(const struct convert *c, const char *name);
void files_release(struct convert *c);

/* Is it a VM's Pod and the name one of those that vmq-adapt lists (or has always been one)? */
bool hint_has(const struct convert *c, const char *list, const char *name);

/* ---- keys.c -----------------------------------------------------------------------------------
 */

enum key {
#define KEY(name, section, key, since, reader, list, option) KEY_##name,
#include "keys.def"
#undef KEY
        N_KEYS
};

/* Add KEY=value, as the releases that are asked for read it: by its key, or by PodmanArgs= where a
 * release lacks the key or the key can't carry the value. Reports at `at` what can't be said. */
void key_add(struct convert *c, struct unit *u, enum key key, const char *value,
             const struct path *at);
void key_addf(struct convert *c, struct unit *u, enum key key, const struct path *at,
              const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* PodmanArgs= with an option and its value as one word, OPTION=VALUE, or the option alone (NULL).
 */
void key_podman_arg(struct convert *c, struct unit *u, const char *option, const char *value,
                    const struct path *at);

/* An entry of systemd's own sections, of words that are ours. */
void systemd_add(struct unit *u, const char *section, const char *key, const char *value);
void systemd_addf(struct unit *u, const char *section, const char *key, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));

/* Report a flaw of a text, if it has one. True if it has none. */
bool text_ok(struct convert *c, enum unit_flaw flaw, const struct path *at);

/* ---- payload.c ---------------------------------------------------------------------------------
 */

/* The .volume unit of a configMap, secret, downwardAPI or projected volume, with its files in it.
 */
void files_unit(struct convert *c, struct volume *v);

/* Has such a volume, whose unit is made, a file or folder of that path? */
bool files_has(const struct volume *v, const char *path);

/* ---- the rest ---------------------------------------------------------------------------------
 */

/* Hold the Pod against the table of fields: wrong types, what is not honoured, what is unknown. */
void fields_check(struct convert *c);
/* Append docs/pod.md. */
void fields_print(struct buf *out);

/* Seconds that the containers have to stop in; -1: Podman's own. */
long long pod_grace(const struct convert *c);
void pod_units(struct convert *c);

void container_units(struct convert *c);

void env_resolve(struct convert *c, struct container *k);
void env_add(struct convert *c, struct container *k, struct unit *u);
/* Append text with its $(NAME) references expanded, as the kubelet does for commands; of a text
 * that gets longer than UNIT_ARG_MAX only so much that it is too long. */
void env_expand(const struct container *k, const char *text, struct buf *out);
void env_release(struct container *k);

/* The value of a fieldRef; false, after a report, if it is not known here. */
bool env_field(struct convert *c, struct ref reference, const struct path *at, struct buf *out);
/* The value of a resourceFieldRef; of container k unless it names another. */
bool env_resource(struct convert *c, const struct container *k, struct ref reference,
                  const struct path *at, struct buf *out);

/* ---- configs.c --------------------------------------------------------------------------------
 */

/* The ConfigMap or Secret that reference.FIELD names; absent, after a report unless it is optional,
 * if it is not known. */
struct ref config_find(struct convert *c, const char *kind, struct ref reference, const char *field,
                       const struct path *at);

/* Append the bytes of a key of it. False if there is no such key, or it is no base64. */
bool config_bytes(struct ref object, const char *key, struct buf *out);

/* Call `each` with every key of it, in order. */
void config_each(struct ref object, void (*each)(const char *key, void *self), void *self);

/* Podman's word for the pull policy of.FIELD; NULL if there is none, or (with a report) no such. */
const char *pull_policy(struct convert *c, struct ref of, const char *field, const struct path *at);
bool image_ok(struct convert *c, const char *image, const struct path *at);
void security_add(struct convert *c, const struct container *k, struct unit *u);
void resources_add(struct convert *c, const struct container *k, struct unit *u);
void resources_add_pod(struct convert *c, struct unit *u);
void probes_add(struct convert *c, const struct container *k, struct unit *u);

/* Look at the Pod's volumes, once for all that asks for them. */
void volume_table_make(struct convert *c);
void volume_table_release(struct volume_table *v);

/* The volume of that name, of several the first; NULL if there is none. */
const struct volume *volume_named(const struct volume_table *v, const char *name);

/* The .volume and .image units of the Pod's volumes. */
void volume_units(struct convert *c);

/* Let the volume go when the pod stops. */
void volume_add_removal(const struct convert *c, struct unit *u, const struct volume *v);

void mounts_add(struct convert *c, const struct container *k, struct unit *u);

#endif
