/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gopath - file names as Go's path/filepath makes them, since KubeVirt puts names of volumes into
 * paths with it.
 */
#ifndef VMQ_RENDER_GOPATH_H
#define VMQ_RENDER_GOPATH_H

#include <jv.h>

/* dir/name, and dir/name/rest, without empty steps, "." and ".." (filepath.Join). */
jv gopath_join(const char *dir, const char *name);
jv gopath_join3(const char *dir, const char *name, const char *rest);

/* The folder that the file is in (filepath.Dir): "/a/b" gives "/a", "b" gives ".". */
jv gopath_dir(const char *path);

#endif
