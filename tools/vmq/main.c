/* SPDX-License-Identifier: Apache-2.0 */
/* vmq - the six stages as one command. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "convert.h"
#include "exits.h"
#include "mem.h"
#include "stages.h"

#ifndef VMQ_VERSION
#define VMQ_VERSION "unknown"
#endif

static int print_help(void)
{
        printf("usage: vmq convert [OPTION]... FILE|DIR... -o DIR\n"
               "       vmq STAGE [OPTION]... [FILE]...\n"
               "       vmq --help | --version\n\n"
               "Run KubeVirt VirtualMachines on one host, as Podman Quadlet units.\n"
               "convert runs all stages as one pipe; a STAGE runs alone:\n");
        for (int i = 0; i < N_STAGES; i++)
                printf("  %-10s vmq-%s(1)\n", stage_infos[i].name, stage_infos[i].name);
        return fflush(stdout) == 0 ? VMQ_EXIT_OK : VMQ_EXIT_SYSTEM;
}

/* Become the stage. Returns only on failure. */
static int run_stage(const char *name, char **argv)
{
        MEM_AUTO char *path = stage_path(name);
        BUF_AUTO struct buf program = BUF_INIT;

        if (!path) {
                fprintf(stderr, "vmq: vmq-%s: not found beside vmq, in libexec or on PATH\n", name);
                return VMQ_EXIT_SYSTEM;
        }
        buf_addf(&program, "vmq-%s", name);
        argv[0] = program.s;
        (void)execv(path, argv);
        fprintf(stderr, "vmq: %s: %s\n", path, strerror(errno));
        return VMQ_EXIT_SYSTEM;
}

/* The stage that a program's name says it is; N_STAGES: vmq itself. */
static int stage_of_program(const char *path)
{
        const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

        return strncmp(name, "vmq-", 4) == 0 ? stage_of(name + 4) : N_STAGES;
}

int main(int argc, char **argv)
{
        int stage = argc > 0 ? stage_of_program(argv[0]) : N_STAGES;

        if (stage < N_STAGES) {
                const struct vmq_program program = { stage_infos[stage].stage, argc, argv };

                return vmq_stages_main(&program, 1, NULL);
        }

        const char *command = argc > 1 ? argv[1] : "";

        if (strcmp(command, "convert") == 0)
                return convert(argc - 1, argv + 1);
        if (stage_of(command) < N_STAGES)
                return run_stage(command, argv + 1);
        if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0)
                return print_help();
        if (strcmp(command, "--version") == 0) {
                printf("vmq %s\n", VMQ_VERSION);
                return fflush(stdout) == 0 ? VMQ_EXIT_OK : VMQ_EXIT_SYSTEM;
        }
        if (*command)
                fprintf(stderr, "vmq: no such command '%s'; try vmq --help\n", command);
        else
                fprintf(stderr, "vmq: no command; try vmq --help\n");
        return VMQ_EXIT_USAGE;
}
