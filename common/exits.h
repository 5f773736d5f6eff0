/* SPDX-License-Identifier: Apache-2.0 */
/* Exit statuses of every vmq program (docs/pipeline.md). The worst of a run wins. */
#ifndef VMQ_EXITS_H
#define VMQ_EXITS_H

enum vmq_exit {
        VMQ_EXIT_OK = 0,      /* every document went through */
        VMQ_EXIT_REFUSED = 1, /* at least one document was refused, or there was none */
        VMQ_EXIT_USAGE = 2,   /* wrong command line or configuration file */
        VMQ_EXIT_SYSTEM = 3,  /* could not read, write or allocate */
};

#endif
