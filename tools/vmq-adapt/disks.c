/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "buf.h"
#include "index.h"
#include "jvx.h"
#include "parts.h"
#include "quantity.h"
#include "script.h"

/* The claim that a volume of the VM stands for, whichever way it says so; NULL if none. */
static const char *claim_of(struct ref volume)
{
        static const char *const ways[] = {
                "dataVolume.name",
                "persistentVolumeClaim.claimName",
                "ephemeral.persistentVolumeClaim.claimName",
        };

        for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
                if (ref_str(ref_at(volume, ways[i])))
                        return ref_str(ref_at(volume, ways[i]));
        }
        return NULL;
}

/* The VM's template of that claim, and its index; absent if there is none. */
static struct ref template_of(const struct pod *p, const char *claim, int *ret_index)
{
        REF_EACH(c, ref_at(p->vm, "spec.dataVolumeTemplates")) {
                if (ref_eq(ref_at(c.item, "metadata.name"), claim)) {
                        *ret_index = c.i;
                        return c.item;
                }
        }
        return ref_none();
}

/* The bytes that a template asks for, in `storage` or, as before CDI 1.36, in `pvc`; 0: none. */
static long long size_of(struct ref template)
{
        static const char *const forms[] = { "spec.storage", "spec.pvc" };
        struct quantity q;

        for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
                if (quantity_of(ref_at(ref_at(template, forms[i]), "resources.requests.storage"),
                                &q))
                        return quantity_value(q);
        }
        return 0;
}

/* The image of a registry source, without the transport that Podman does not need; NULL if it is
 * none that Podman can pull. */
static const char *image_of(const char *url)
{
        static const char *const transports[] = { "docker://", "oci://" };

        for (size_t i = 0; url && i < ARRAY_LEN(transports); i++) {
                if (strncmp(url, transports[i], strlen(transports[i])) == 0)
                        url += strlen(transports[i]);
        }
        return url && *url && !strstr(url, "://") ? url : NULL;
}

/* The template's source: true for one that can be had here, with the image in *ret_image (NULL: the
 * disk is empty); false after a report. */
static bool source_of(const struct pod *p, struct ref template, const struct path *at,
                      const char **ret_image)
{
        struct ref source = ref_at(template, "spec.source");

        *ret_image = NULL;
        if (ref_is_set(ref_at(template, "spec.sourceRef"))) {
                diag_report(p->diag, VMQ_ADAPT_SOURCE, AT(at, "spec.sourceRef"),
                            "a DataSource can't be read without a cluster; use source: registry or "
                            "blank");
                return false;
        }
        REF_EACH(c, source) {
                if (!ref_is_set(c.item) || strcmp(c.key, "blank") == 0)
                        continue;
                if (strcmp(c.key, "registry") == 0)
                        *ret_image = image_of(ref_str(ref_get(c.item, "url")));
                if (!*ret_image) {
                        diag_report(
                                p->diag, VMQ_ADAPT_SOURCE, AT(AT(at, "spec.source"), c.key),
                                "can't be imported; use source: registry with a docker:// url, or "
                                "blank");
                        return false;
                }
        }
        return true;
}

/* The init container that makes the disk of a volume; with an image it is imported. */
static jv disk_init(struct pod *p, const char *volume, long long size, const char *image)
{
        JVX_AUTO jv name = script_name(image ? "import-disk-" : "init-disk-", volume);
        JVX_AUTO jv source = script_name("import-src-", volume);
        BUF_AUTO struct buf folder = BUF_INIT;
        BUF_AUTO struct buf disk = BUF_INIT;
        BUF_AUTO struct buf from = BUF_INIT;
        jv mounts;

        buf_addf(&folder, POD_DISKS "/%s", volume);
        buf_addf(&disk, "%s/disk.img", folder.s);
        buf_addf(&from, "/var/run/import-source/%s", volume);
        mounts = jvx_build("[{name: %s, mountPath: %s}]", volume, folder.s);
        if (image)
                jvx_append(&mounts, jvx_build("{name: %r, mountPath: %s, readOnly: true}",
                                              ref_of(&source), from.s));
        jv args = jvx_build("[%s, %j, %j]", disk.s, script_number(size), script_owner());

        if (image)
                jvx_append(&args, jv_string(from.s));
        return script_container(p, ref_str(ref_of(&name)),
                                image ? script_import_disk : script_init_disk, args, mounts);
}

static void add_disk(struct pod *p, jv *inits, const char *volume, struct ref template, int index)
{
        const struct path *at = AT_INDEX(AT(NULL, "spec.dataVolumeTemplates"), index);
        long long size = size_of(template);
        const char *image;

        if (!source_of(p, template, at, &image))
                return;
        if (size <= 0) {
                diag_report(
                        p->diag, VMQ_ADAPT_UNSIZED,
                        AT(at, "spec.storage.resources.requests.storage"),
                        "no size is asked for, so no disk is made; give one, or fill the volume "
                        "yourself");
                return;
        }
        if (image && !pod_add_volume(p, jvx_build("{name: %j, image: {reference: %s,"
                                                  " pullPolicy: 'IfNotPresent'}}",
                                                  script_name("import-src-", volume), image)))
                return;
        jvx_append(inits, disk_init(p, volume, size, image));
}

void adapt_data_volumes(struct pod *p)
{
        JVX_AUTO jv inits = jv_array();
        JVX_AUTO jv volumes = index_first(pod_view(p, &p->volumes), "name");

        REF_EACH(c, ref_at(p->vmi, "spec.volumes")) {
                const char *name = ref_text(c.item, "name");
                const char *claim = claim_of(c.item);
                struct ref volume = index_find(&volumes, pod_view(p, &p->volumes), name);
                int index = 0;
                struct ref template;

                /* What is plugged in later is not in the Pod. */
                if (!claim || !ref_eq(ref_at(volume, "persistentVolumeClaim.claimName"), claim))
                        continue;
                template = template_of(p, claim, &index);
                if (ref_is_set(template))
                        add_disk(p, &inits, name, template, index);
        }
        /* They come first, in the order of the volumes. */
        for (int i = ref_len(ref_of(&inits)) - 1; i >= 0; i--)
                pod_add_init(p, ref_copy(ref_item(ref_of(&inits), i)), true);
}
