/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for the static program that runs inside a disk image, which has no shell. */
#include <string.h>

int main(int argc, char **argv)
{
        return argc == 2 && strcmp(argv[1], "--no-op") == 0 ? 0 : 64;
}
