/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command - how virt-launcher is started: arguments and environment.
 *
 * Restates the parts of renderLaunchManifest (template.go) that make them, and
 * ContainerSpecRenderer.envVars (rendercontainer.go).
 */
#ifndef VMQ_RENDER_COMMAND_H
#define VMQ_RENDER_COMMAND_H

#include "vm.h"

jv launcher_command(const struct vm *vm);

/* shared: folders with ':' between that several nodes may write, "" for none. */
jv launcher_environment(const struct vm *vm, const char *shared);

/* Read a log level as Go's strconv.Atoi does; false if it is no whole number. A negative one
 * becomes very large, as in KubeVirt. */
bool read_verbosity(const char *text, unsigned long long *ret);

#endif
