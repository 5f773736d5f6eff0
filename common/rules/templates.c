/* SPDX-License-Identifier: Apache-2.0 */
/* dataVolumeTemplates. */
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "mem.h"
#include "rules/rules.h"

/* The claim that the template describes, whichever way it is written. */
static struct ref template_claim(struct ref template)
{
        struct ref pvc = ref_at(template, "spec.pvc");

        return ref_is_set(pvc) ? pvc : ref_at(template, "spec.storage");
}

static bool populated(struct ref claim)
{
        return ref_is_set(ref_get(claim, "dataSource")) ||
               ref_is_set(ref_get(claim, "dataSourceRef"));
}

static int count_sources(struct ref source)
{
        int n = 0;

        REF_EACH(m, source)
                n += ref_is_set(m.item);
        return n;
}

/* pkg/storage/admitters/data-volume-template.go, validateNumberOfSources and the end of
 * validateDataVolume; true if there is a fault. */
static bool source_fault(const struct subject *s, struct ref template, const struct path *at)
{
        struct ref source = ref_at(template, "spec.source");
        bool named_source = ref_is_set(source) || ref_is_set(ref_at(template, "spec.sourceRef"));
        bool outside = populated(template_claim(template));
        int n = count_sources(source);

        if (outside && named_source)
                diag_report(s->d, VMQ_DVT_SOURCES, AT(at, "spec.source"),
                            "the claim is filled from its dataSource, so there can be no source or "
                            "sourceRef; keep one of them");
        else if (!outside && !named_source)
                diag_report(s->d, VMQ_DVT_SOURCES, AT(at, "spec"),
                            "there is no source and no sourceRef; add source: {blank: {}} for an "
                            "empty disk");
        else if (ref_is_set(source) && !n)
                diag_report(s->d, VMQ_DVT_SOURCES, AT(at, "spec.source"),
                            "the source is empty; write blank: {} for an empty disk");
        else if (n > 1)
                diag_report(s->d, VMQ_DVT_SOURCES, AT(at, "spec.source"),
                            "%d sources are given; keep one", n);
        else
                return false;
        return true;
}

/* validateDataVolume of that file; true if there is a fault. */
static bool template_fault(const struct subject *s, struct ref template, const struct path *at)
{
        bool pvc = ref_is_set(ref_at(template, "spec.pvc"));
        bool storage = ref_is_set(ref_at(template, "spec.storage"));

        if (!*ref_text(template, "metadata.name"))
                report_missing(s, VMQ_DVT_NAME, AT(at, "metadata.name"),
                               "the template has no name; volumes refer to it by name");
        else if (!pvc && !storage)
                diag_report(s->d, VMQ_DVT_STORAGE, AT(at, "spec.storage"),
                            "there is no storage (or pvc); say how large the disk is in "
                            "storage.resources.requests.storage");
        else if (pvc && storage)
                diag_report(s->d, VMQ_DVT_STORAGE, AT(at, "spec.storage"),
                            "both storage and pvc are given; keep storage");
        else
                return source_fault(s, template, at);
        return true;
}

/* The names of the data volumes that the volumes use. */
static jv used_names(const struct subject *s)
{
        jv used = jv_object();

        REF_EACH(vol, s->volumes) {
                const char *claim = ref_text(vol.item, "persistentVolumeClaim.claimName");
                const char *name = ref_text(vol.item, "dataVolume.name");

                if (*claim)
                        jvx_set(&used, claim, jv_true());
                if (*name)
                        jvx_set(&used, name, jv_true());
        }
        return used;
}

void rule_data_volume_templates(const struct subject *s)
{
        JVX_AUTO jv used = used_names(s);

        REF_EACH(t, s->templates) {
                const char *name = ref_text(t.item, "metadata.name");

                if (template_fault(s, t.item, AT_TEMPLATE(t.i)))
                        continue;
                if (!ref_is_set(ref_get(ref_of(&used), name)))
                        diag_report(s->d, VMQ_DVT_UNUSED, AT_TEMPLATE(t.i),
                                    "no volume uses the template '%.100s'; add a volume with "
                                    "dataVolume: {name: %.100s}, or drop the template",
                                    name, name);
        }
}

void rule_data_volume_namespace(const struct subject *s)
{
        const char *own = ref_text(s->vm, "metadata.namespace");

        if (!*own)
                own = "default";
        REF_EACH(t, s->templates) {
                const char *namespace = ref_text(t.item, "metadata.namespace");

                if (*namespace && strcmp(namespace, own) != 0)
                        diag_report(s->d, VMQ_DVT_NAMESPACE,
                                    AT(AT_TEMPLATE(t.i), "metadata.namespace"),
                                    "the template is in '%.100s', the VM in '%.100s'; leave the "
                                    "template's namespace out",
                                    namespace, own);
        }
}

void rule_data_volume_names(const struct subject *s)
{
        REF_EACH(t, s->templates) {
                const char *name = ref_text(t.item, "metadata.name");
                int first = *name ? index_of(&s->template_at, name) : t.i;

                if (*name)
                        want_subdomain(s, VMQ_DVT_NAME, AT(AT_TEMPLATE(t.i), "metadata.name"),
                                       name);
                if (first != t.i)
                        diag_report(s->d, VMQ_DVT_TWICE, AT(AT_TEMPLATE(t.i), "metadata.name"),
                                    "the template %d has this name already; name them apart",
                                    first);
        }
}

/* --- what one host can do ------------------------------------------------------------------- */

static void check_source(const struct subject *s, struct ref template, const struct path *at)
{
        struct ref ref = ref_at(template, "spec.sourceRef");

        REF_EACH(m, ref_at(template, "spec.source")) {
                if (!ref_is_set(m.item) || !m.key || strcmp(m.key, "blank") == 0 ||
                    strcmp(m.key, "registry") == 0)
                        continue;
                diag_report(s->d, VMQ_DVT_IMPORT, AT_KEY(AT(at, "spec.source"), m.key),
                            "a disk cannot be imported from '%.100s' yet; use a registry image, or "
                            "import it by hand and use a dataVolume volume without template",
                            m.key);
        }
        if (ref_is_set(ref))
                diag_report(
                        s->d, VMQ_DVT_SOURCE_REF, AT(at, "spec.sourceRef"),
                        "vmq does not read the %.60s '%.100s%s%.100s'; use source.registry with "
                        "the image that it stands for",
                        *ref_text(ref, "kind") ? ref_text(ref, "kind") : "DataSource",
                        ref_text(ref, "namespace"), *ref_text(ref, "namespace") ? "/" : "",
                        ref_text(ref, "name"));
        if (populated(template_claim(template)))
                diag_report(s->d, VMQ_DVT_POPULATED, AT(at, "spec"),
                            "vmq does not read the %.60s '%.100s' that fills the claim; use "
                            "source.registry",
                            ref_text(template_claim(template),
                                     ref_is_set(ref_get(template_claim(template), "dataSource"))
                                             ? "dataSource.kind"
                                             : "dataSourceRef.kind"),
                            ref_text(template_claim(template),
                                     ref_is_set(ref_get(template_claim(template), "dataSource"))
                                             ? "dataSource.name"
                                             : "dataSourceRef.name"));
}

static void check_registry(const struct subject *s, struct ref template, const struct path *at)
{
        struct ref registry = ref_at(template, "spec.source.registry");
        const char *url = ref_text(registry, "url");

        if (!ref_is_set(registry))
                return;
        if (ref_is_set(ref_get(registry, "imageStream")))
                diag_report(s->d, VMQ_DVT_REGISTRY, AT(at, "spec.source.registry.imageStream"),
                            "an image stream exists only in OpenShift; use url: docker://IMAGE");
        else if (!*url)
                diag_report(s->d, VMQ_DVT_REGISTRY, AT(at, "spec.source.registry.url"),
                            "the registry source has no url; use docker://IMAGE");
        else if (!strcmp(url, "docker://") || !strcmp(url, "oci://"))
                diag_report(s->d, VMQ_DVT_REGISTRY, AT(at, "spec.source.registry.url"),
                            "the url names no image; use docker://IMAGE");
        else if (strstr(url, "://") && strncmp(url, "docker://", 9) != 0 &&
                 strncmp(url, "oci://", 6) != 0)
                diag_report(s->d, VMQ_DVT_REGISTRY, AT(at, "spec.source.registry.url"),
                            "'%.100s' is not pulled from a registry; use docker://IMAGE", url);
        else
                check_image(s, strstr(url, "://") ? strstr(url, "://") + 3 : url,
                            AT(at, "spec.source.registry.url"));
}

static void check_size(const struct subject *s, struct ref template, const struct path *at)
{
        bool pvc = ref_is_set(ref_at(template, "spec.pvc"));
        struct ref size = ref_at(template_claim(template), "resources.requests.storage");
        const struct path *size_at = pvc ? AT(at, "spec.pvc.resources.requests.storage")
                                         : AT(at, "spec.storage.resources.requests.storage");
        struct quantity q;
        MEM_AUTO char *text = shown(size);

        if (pvc == ref_is_set(ref_at(template, "spec.storage")))
                return; /* KubeVirt's rule has said so */
        if (!ref_is_set(size)) {
                report_missing(s, VMQ_DVT_UNSIZED, size_at,
                               "no size is given, so no disk is made; add "
                               "resources.requests.storage");
                return;
        }
        if (!quantity_of(size, &q))
                return; /* decoding has said so */
        if (quantity_compare(q, quantity_units(0, QUANTITY_DECIMAL_SI)) <= 0)
                diag_report(s->d, VMQ_DVT_SIZE, size_at,
                            "the size %.60s is not positive; say how large the disk is", text);
}

void rule_data_volume_host(const struct subject *s)
{
        REF_EACH(t, s->templates) {
                if (!ref_is_set(ref_get(t.item, "spec")))
                        continue;
                check_source(s, t.item, AT_TEMPLATE(t.i));
                check_registry(s, t.item, AT_TEMPLATE(t.i));
                check_size(s, t.item, AT_TEMPLATE(t.i));
        }
}
