/* SPDX-License-Identifier: Apache-2.0 */
/* convert - `vmq convert`: files in, units out, through the six stages. */
#ifndef VMQ_CONVERT_H
#define VMQ_CONVERT_H

/* argv[0] is "convert". Returns the exit status: the worst of all stages, VMQ_EXIT_USAGE for a
 * wrong command line. */
int convert(int argc, char **argv);

#endif
