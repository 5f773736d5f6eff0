/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rules - what is refused and warned about in a VirtualMachine.
 *
 * A rule is a function rule_NAME() with a row in rules.def, which says where the rule comes from.
 * To add one: the row, the function in the file of its subject, the message in codes/admission.def
 * or codes/host.def, a case in test/rules/cases.
 *
 * KubeVirt holds its rules against the VM with some defaults filled in
 * (pkg/defaults/defaults.go SetDefaultVirtualMachineInstanceSpec). struct subject has those
 * defaults beside the VM, so that messages point at what the user wrote.
 *
 * Feature gates: those that 1.9 turns on by itself are on, and those for what one host can do:
 * HostDisk, HostDevices, DownwardMetrics, VSOCK, EnableVirtioFsStorageVolumes,
 * PersistentReservation. The rest are off. That goes for 1.8 too, though a cluster of 1.8 leaves
 * its Beta gates off.
 */
#ifndef VMQ_RULES_H
#define VMQ_RULES_H

#include <jv.h>
#include <stdbool.h>

#include "diag.h"
#include "path.h"
#include "quantity.h"
#include "ref.h"
#include "settings.h"

/* The VM that is held against the rules. */
struct subject {
        struct diag *d;
        const struct settings *settings;

        struct ref vm, spec, template, vmi, domain, cpu, memory, resources, devices;
        struct ref volumes, disks, filesystems, interfaces, networks, templates;

        /* Where in its list the first of a name is. */
        jv volume_at, disk_at, filesystem_at, interface_at, network_at, template_at;

        const char *name; /* metadata.name, "" if there is none */

        /* After KubeVirt's defaults. */
        const char *arch;
        struct quantity request_memory, limit_memory, request_cpu, limit_cpu;
        struct quantity guest; /* domain.memory.guest */
        bool has_guest;
        unsigned sockets, cores, threads;
        bool pod_network; /* a pod network is there, or is added because nothing is */
};

struct rule {
        const char *name;
        const char *origin; /* KubeVirt's function, or the section of the decision document */
        void (*check)(const struct subject *s);
};

extern const struct rule rules[];
extern const int n_rules;

#define RULE(name, origin) void rule_##name(const struct subject *s);
#include "rules/rules.def"
#undef RULE

/* Hold item.vm against every rule. */
void rules_check(struct ref item, const struct settings *settings, struct diag *d);

/* Paths of where most rules look. */
#define AT_SPEC(fields)    AT(NULL, "spec." fields)
#define AT_VMI(fields)     AT(NULL, "spec.template.spec." fields)
#define AT_DOMAIN(fields)  AT(NULL, "spec.template.spec.domain." fields)
#define AT_DEVICES(fields) AT(NULL, "spec.template.spec.domain.devices." fields)
#define AT_VOLUME(i)       AT_INDEX(AT(NULL, "spec.template.spec.volumes"), i)
#define AT_DISK(i)         AT_INDEX(AT(NULL, "spec.template.spec.domain.devices.disks"), i)
#define AT_INTERFACE(i)    AT_INDEX(AT(NULL, "spec.template.spec.domain.devices.interfaces"), i)
#define AT_NETWORK(i)      AT_INDEX(AT(NULL, "spec.template.spec.networks"), i)
#define AT_TEMPLATE(i)     AT_INDEX(AT(NULL, "spec.dataVolumeTemplates"), i)

/* --- helpers -------------------------------------------------------------------------------- */

/* Look at item.vm from all sides; the item must outlive the subject. */
void subject_open(struct subject *s, struct ref item);
void subject_close(struct subject *s);

/* name -> index of the first element of the list that has it (the text of its `field`); owned by
 * the caller. In place of a search for every name, which a long list would make slow. */
jv index_by(struct ref list, const char *field);

/* The index in such a table, -1 if the name is not there. */
int index_of(const jv *table, const char *name);

/* The element of that name, absent if there is none. */
struct ref named(const jv *table, struct ref list, const char *name);

/* A switch of KubeVirt's FeatureState: there, and not turned off. */
bool feature_on(struct ref state);

/* Report unless the value is empty or one of the words. */
void one_of(const struct subject *s, enum diag_code code, const struct path *at, const char *value,
            const char *const words[]);

/* The guest only reads the disk of that name: a CD-ROM, or one that says so. */
bool disk_is_read_only(const struct subject *s, const char *name);

/* The claim that the volume stands on; NULL if it is no claim. */
const char *claim_of(struct ref vol);

/* The text as it stands in the VM, number or string, for a message; released by the caller. */
char *shown(struct ref value);

/* Report what follows from a value that is not there, unless decoding has refused the value: then
 * it is there, and was dropped. */
void report_missing(const struct subject *s, enum diag_code code, const struct path *at,
                    const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Report unless the text is a DNS label or subdomain; report_missing(). */
void want_label(const struct subject *s, enum diag_code code, const struct path *at,
                const char *text);
void want_subdomain(const struct subject *s, enum diag_code code, const struct path *at,
                    const char *text);

/* The first control character of the UTF-8 text, C1 controls and the Unicode line and paragraph
 * separators among them; -1 if there is none. */
long control_of(const char *text);

/* Report unless the text names an image, or is empty, or has control characters, which are
 * reported elsewhere. */
void check_image(const struct subject *s, const char *image, const struct path *at);

/* How many of the members named are set. */
int count_set(struct ref r, const char *const members[]);

/* An absolute path without "." or ".." or doubled slashes, and not "/" (ValidatePath in
 * pkg/storage/admitters/disks.go); NULL, or what is wrong with it. */
const char *path_fault(const char *path);

#endif
