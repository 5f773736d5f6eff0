/* SPDX-License-Identifier: Apache-2.0 */
#include "pod.h"

#include <string.h>

#include "jvx.h"
#include "pod_size.h"

bool pod_plain(const char *name)
{
        static const char plain[] =
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";

        return *name && *name != '.' && *name != '-' && strspn(name, plain) == strlen(name);
}

/* What is edited, and what it must be if it is there. */
struct shape {
        const char *field;
        jv_kind kind;
};

static const struct shape of_pod[] = {
        { "metadata", JV_KIND_OBJECT },
        { "metadata.annotations", JV_KIND_OBJECT },
        { "spec.securityContext", JV_KIND_OBJECT },
        { "spec.securityContext.sysctls", JV_KIND_ARRAY },
        { "spec.nodeSelector", JV_KIND_OBJECT },
};

static const struct shape of_container[] = {
        { "volumeMounts", JV_KIND_ARRAY },        { "env", JV_KIND_ARRAY },
        { "resources", JV_KIND_OBJECT },          { "resources.limits", JV_KIND_OBJECT },
        { "resources.requests", JV_KIND_OBJECT },
};

/* Has the object these shapes? Reports each that it has not. */
static bool shapes_hold(const struct pod *p, struct ref object, const struct path *at,
                        const struct shape *shapes, size_t n)
{
        bool good = true;

        for (size_t i = 0; i < n; i++) {
                struct ref value = ref_at(object, shapes[i].field);

                if (!ref_is_set(value) || ref_kind(value) == shapes[i].kind)
                        continue;
                diag_report(p->diag, VMQ_ADAPT_POD, AT(at, shapes[i].field),
                            "not %s; give it as Kubernetes' Pod has it",
                            shapes[i].kind == JV_KIND_ARRAY ? "a list" : "an object");
                good = false;
        }
        return good;
}

/* A list of volumes or containers: each has a name that can be part of a path or a unit's name. */
static bool list_holds(const struct pod *p, struct ref list, const struct path *at)
{
        bool good = true;

        if (ref_is_set(list) && ref_kind(list) != JV_KIND_ARRAY) {
                diag_report(p->diag, VMQ_ADAPT_POD, at,
                            "not a list; give it as Kubernetes' Pod has it");
                return false;
        }
        REF_EACH(c, list) {
                if (!pod_plain(ref_text(c.item, "name"))) {
                        diag_report(p->diag, VMQ_ADAPT_POD, AT_INDEX(at, c.i),
                                    "has no usable name; use a-z, 0-9 and '-'");
                        good = false;
                }
                good &= shapes_hold(p, c.item, AT_INDEX(at, c.i), of_container,
                                    ARRAY_LEN(of_container));
        }
        return good;
}

static bool pod_holds(const struct pod *p, struct ref pod)
{
        static const char *const lists[] = { "volumes", "containers", "initContainers" };
        const struct path *at = AT(NULL, "pod.spec");
        struct ref spec = ref_get(pod, "spec");
        bool good;

        if (ref_kind(spec) != JV_KIND_OBJECT) {
                diag_report(p->diag, VMQ_ADAPT_POD, at,
                            "missing; the input of vmq-adapt is what vmq-render prints, or a Pod");
                return false;
        }
        good = shapes_hold(p, pod, AT(NULL, "pod"), of_pod, ARRAY_LEN(of_pod));
        for (size_t i = 0; i < ARRAY_LEN(lists); i++)
                good &= list_holds(p, ref_get(spec, lists[i]), AT(at, lists[i]));
        return good && pod_size_holds(spec, at, p->diag);
}

/* Take a list out of the spec; an empty one where there is none. */
static jv detach_list(jv *spec, const char *field)
{
        jv list = jvx_detach(spec, field);

        jvx_del(spec, field);
        if (!jvx_is(&list, JV_KIND_ARRAY)) {
                jv_free(list);
                list = jv_array();
        }
        return list;
}

bool pod_open(struct pod *p, jv pod)
{
        struct ref list;

        p->object = pod;
        p->volumes = p->containers = p->inits = p->compute = jv_invalid();
        p->optional = jv_array();
        p->beside = jv_array();
        p->again = jv_array();
        if (!pod_holds(p, pod_view(p, &p->object)))
                return false;

        JVX_AUTO jv spec = jvx_detach(&p->object, "spec");

        p->volumes = detach_list(&spec, "volumes");
        p->containers = detach_list(&spec, "containers");
        p->inits = detach_list(&spec, "initContainers");
        jvx_set(&p->object, "spec", jvx_take(&spec));
        list = pod_view(p, &p->containers);
        for (p->place = 0; p->place < ref_len(list); p->place++) {
                if (ref_eq(ref_get(ref_item(list, p->place), "name"), POD_MAIN)) {
                        p->compute = jvx_detach_item(&p->containers, p->place);
                        break;
                }
        }
        return true;
}

jv pod_close(struct pod *p)
{
        JVX_AUTO jv spec = jvx_detach(&p->object, "spec");

        if (jvx_is(&p->compute, JV_KIND_OBJECT))
                jvx_set_item(&p->containers, p->place, jvx_take(&p->compute));
        if (ref_len(pod_view(p, &p->volumes)) > 0)
                jvx_set(&spec, "volumes", jvx_take(&p->volumes));
        jvx_set(&spec, "containers", jvx_take(&p->containers));
        if (ref_len(pod_view(p, &p->inits)) > 0)
                jvx_set(&spec, "initContainers", jvx_take(&p->inits));
        jvx_set(&p->object, "spec", jvx_take(&spec));
        return jvx_take(&p->object);
}

void pod_release(struct pod *p)
{
        jvx_release(&p->object);
        jvx_release(&p->volumes);
        jvx_release(&p->containers);
        jvx_release(&p->inits);
        jvx_release(&p->compute);
        jvx_release(&p->optional);
        jvx_release(&p->beside);
        jvx_release(&p->again);
}

struct ref pod_view(const struct pod *p, const jv *part)
{
        return ref_with(part, p->keys);
}

const char *pod_name(const struct pod *p)
{
        return ref_text(pod_view(p, &p->object), "metadata.name");
}

/* Report that the name is used already: by a volume of the VM where there is one, else in the Pod.
 */
static void report_name(const struct pod *p, const char *kind, const char *name)
{
        REF_EACH(c, ref_at(p->vmi, "spec.volumes")) {
                if (!ref_eq(ref_get(c.item, "name"), name))
                        continue;
                diag_report(p->diag, VMQ_ADAPT_NAME,
                            AT(AT_INDEX(AT(NULL, "spec.template.spec.volumes"), c.i), "name"),
                            "'%s' is the name of a %s that is added for Podman; rename the volume",
                            name, kind);
                return;
        }
        diag_report(p->diag, VMQ_ADAPT_NAME, AT(NULL, "pod.spec"),
                    "there is a %s '%s' already; rename it, or give the Pod as vmq-render made it",
                    kind, name);
}

bool pod_add_volume(struct pod *p, jv volume)
{
        JVX_AUTO jv v = volume;
        const char *name = ref_text(ref_of(&v), "name");

        if (ref_is_set(ref_find(pod_view(p, &p->volumes), "name", name))) {
                report_name(p, "volume", name);
                return false;
        }
        jvx_append(&p->volumes, jvx_take(&v));
        return true;
}

void pod_mount(struct pod *p, jv mount)
{
        if (jvx_is(&p->compute, JV_KIND_OBJECT))
                jvx_append_at(&p->compute, "volumeMounts", mount);
        else
                jv_free(mount);
}

/* No container and no init container has the name. */
static bool name_is_free(const struct pod *p, const char *name)
{
        if (!ref_is_set(ref_find(pod_view(p, &p->containers), "name", name)) &&
            !ref_is_set(ref_find(pod_view(p, &p->inits), "name", name)) &&
            strcmp(name, POD_MAIN) != 0)
                return true;
        report_name(p, "container", name);
        return false;
}

bool pod_add_container(struct pod *p, jv container)
{
        JVX_AUTO jv c = container;

        if (!name_is_free(p, ref_text(ref_of(&c), "name")))
                return false;
        jvx_append(&p->containers, jvx_take(&c));
        return true;
}

bool pod_add_init(struct pod *p, jv container, bool first)
{
        JVX_AUTO jv c = container;

        if (!name_is_free(p, ref_text(ref_of(&c), "name")))
                return false;
        if (first)
                jvx_prepend(&p->inits, jvx_take(&c));
        else
                jvx_append(&p->inits, jvx_take(&c));
        return true;
}
