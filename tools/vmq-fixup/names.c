/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <string.h>

#include "array.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

bool name_is_good(const char *name)
{
        size_t len = strlen(name);

        return len > 0 && len <= NAME_LENGTH && strspn(name, LETTERS) > 0 &&
               strspn(name, LETTERS ".-:@") == len;
}

const char *name_extension(const char *name)
{
        const char *dot = strrchr(name, '.');

        return dot ? dot : name + strlen(name);
}

const char *name_section(const char *extension)
{
        static const struct {
                const char *extension, *section;
        } types[] = {
                { ".container", "Container" }, { ".pod", "Pod" },     { ".volume", "Volume" },
                { ".network", "Network" },     { ".image", "Image" }, { ".build", "Build" },
                { ".kube", "Kube" },
        };

        for (size_t i = 0; i < ARRAY_LEN(types); i++)
                if (strcmp(types[i].extension, extension) == 0)
                        return types[i].section;
        return NULL;
}

mode_t name_mode(const char *name, const char *asked)
{
        const char *extension = name_extension(name);

        if (strcmp(extension, ".env") == 0 || strcmp(asked, "0600") == 0)
                return 0600;
        return strcmp(extension, ".sh") == 0 ? 0755 : 0644;
}
