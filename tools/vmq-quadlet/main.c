/* SPDX-License-Identifier: Apache-2.0 */
/* vmq-quadlet - the Pod of a work item, or any Pod, as Quadlet units. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "intake.h"
#include "jvx.h"
#include "mem.h"
#include "quadlet.h"
#include "stage.h"

/* An item that waits for the end of the input, since it names a ConfigMap that has not come yet;
 * and all behind it, so that the order stays. */
struct held {
        jv item;
        bool bare;
        struct choices choices; /* the texts are owned */
};

struct quadlet {
        struct vmq_list configmaps, secrets; /* files */
        jv configs; /* {ConfigMap: {NAME: object}, Secret: {NAME: object}} */
        struct held *held;
        size_t n, cap;
        bool list_fields;
};

/* ---- ConfigMaps and Secrets -------------------------------------------------------------------
 */

static bool keep(const jv *object, struct quadlet *self)
{
        struct ref r = ref_of(object);
        const char *kind = ref_text(r, "kind"), *name = ref_text(r, "metadata.name");
        jv objects;

        if (!*name || (strcmp(kind, "ConfigMap") != 0 && strcmp(kind, "Secret") != 0))
                return false;
        objects = jvx_detach(&self->configs, kind);
        jvx_set(&objects, name, jv_copy(*object));
        jvx_set(&self->configs, kind, objects);
        return true;
}

static bool other(const jv *object, struct vmq_run *run)
{
        return keep(object, run->self);
}

/* Take all objects of the kind from a file. Returns a status, -1 to go on. */
static int read_configs(struct vmq_run *run, const char *file, const char *kind)
{
        int fd = open(file, O_RDONLY | O_CLOEXEC), status = -1;
        enum intake_result got = INTAKE_ITEM;
        struct intake intake;

        if (fd < 0) {
                vmq_fail(run, "%s: %s", file, strerror(errno));
                return VMQ_EXIT_SYSTEM;
        }
        intake_open(&intake, fd, file, true, kind, "object");
        while (got != INTAKE_END && got != INTAKE_BROKEN) {
                JVX_AUTO jv item = jv_invalid();

                got = intake_next(&intake, &item, run->diag);
                if (got == INTAKE_ITEM) {
                        JVX_AUTO jv object = jvx_get(&item, "object");

                        (void)keep(&object, run->self);
                }
                if (diag_failed(run->diag))
                        status = VMQ_EXIT_REFUSED;
                diag_flush(run->diag);
        }
        if (intake.in.error) {
                vmq_fail(run, "%s: %s", file, strerror(intake.in.error));
                status = VMQ_EXIT_SYSTEM;
        }
        intake_close(&intake);
        (void)close(fd);
        return status;
}

/* docs/pod.md. */
static int list_fields(void)
{
        BUF_AUTO struct buf page = BUF_INIT;

        fields_print(&page);
        (void)fwrite(page.s, 1, page.len, stdout);
        return VMQ_EXIT_OK;
}

static int start(struct vmq_run *run)
{
        struct quadlet *self = run->self;
        int status = -1;

        if (self->list_fields)
                return list_fields();
        for (size_t i = 0; i < self->configmaps.n && status < 0; i++)
                status = read_configs(run, self->configmaps.values[i], "ConfigMap");
        for (size_t i = 0; i < self->secrets.n && status < 0; i++)
                status = read_configs(run, self->secrets.values[i], "Secret");
        return status;
}

/* ---- items ------------------------------------------------------------------------------------
 */

static char *copy_of(const char *text)
{
        return text ? mem_strdup(text) : NULL;
}

static void hold(struct quadlet *self, const jv *item, bool bare, const struct choices *choices)
{
        struct held h = { .item = jv_copy(*item), .bare = bare, .choices = *choices };

        h.choices.network = copy_of(choices->network);
        h.choices.kvm_group = copy_of(choices->kvm_group);
        MEM_GROW(self->held, self->n, self->cap);
        self->held[self->n++] = h;
}

static void each(jv *item, struct vmq_run *run)
{
        struct quadlet *self = run->self;
        bool bare = run->diag->places != NULL;
        struct ref pod = ref_get(ref_with(item, run->keys), "pod");
        struct choices choices;

        quadlet_choose(run->settings, &choices);
        bool waits = self->n || quadlet_misses(pod, &self->configs);

        run->held = waits && !diag_failed(run->diag); /* what is refused needs no more */
        if (run->held)
                hold(self, item, bare, &choices);
        else if (!waits)
                quadlet_convert(item, bare, &self->configs, &choices, run->keys, run->diag);
}

/* Convert what was held, with everything that the input had. */
static void finish(struct vmq_run *run)
{
        struct quadlet *self = run->self;

        for (size_t i = 0; i < self->n && run->status < VMQ_EXIT_SYSTEM; i++) {
                struct held *h = &self->held[i];
                struct ref source = ref_get(ref_of(&h->item), "source");

                diag_begin(run->diag, ref_text(source, "file"),
                           (unsigned)ref_int(ref_get(source, "line"), 0), NULL, NULL);
                quadlet_convert(&h->item, h->bare, &self->configs, &h->choices, run->keys,
                                run->diag);
                if (diag_failed(run->diag))
                        vmq_worsen(run, VMQ_EXIT_REFUSED);
                else
                        vmq_hand_on(run, &h->item);
                diag_flush(run->diag);
        }
}

static void open_self(void *self)
{
        ((struct quadlet *)self)->configs = jv_object();
}

static void close_self(void *of)
{
        struct quadlet *self = of;

        for (size_t i = 0; i < self->n; i++) {
                jv_free(self->held[i].item);
                free((void *)self->held[i].choices.network);
                free((void *)self->held[i].choices.kvm_group);
        }
        free(self->held);
        free(self->configmaps.values);
        free(self->secrets.values);
        jv_free(self->configs);
}

static const struct vmq_option options[] = {
        { .name = "configmap",
          .arg = "FILE",
          .help = "take ConfigMaps that the Pods name from FILE",
          .at = offsetof(struct quadlet, configmaps),
          .many = true },
        { .name = "secret",
          .arg = "FILE",
          .help = "take Secrets that the Pods name from FILE",
          .at = offsetof(struct quadlet, secrets),
          .many = true },
        { .name = "list-fields",
          .help = "print every field of a Pod and what becomes of it, and exit",
          .at = offsetof(struct quadlet, list_fields) },
};

static const char *const unread[] = { "vmi", "pvcs", NULL };

const struct vmq_stage stage_quadlet = {
        .name = "vmq-quadlet",
        .summary = "Turn Pods into Quadlet units.",
        .options = options,
        .n_options = ARRAY_LEN(options),
        .size = sizeof(struct quadlet),
        .open = open_self,
        .close = close_self,
        .unread = unread,
        .first = true,
        .kind = "Pod",
        .key = "pod",
        .start = start,
        .each = each,
        .other = other,
        .finish = finish,
};
