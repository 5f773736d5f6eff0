/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diag - what a stage has to say about a document.
 *
 * Every message has a code (codes.def), which fixes its severity and what `vmq-validate --explain`
 * tells about it. Messages are collected per document and printed in the order of the file:
 *
 *      vm.yaml:12:11: error: spec.template.spec.hostname: not a DNS label; use a-z, 0-9 and '-'
 * [VMQ0123]
 *
 * A message says what is wrong and, behind a semicolon, what to do. A function either reports here
 * or returns the error to its caller, never both. Nothing here ends the program.
 */
#ifndef VMQ_DIAG_H
#define VMQ_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "input.h"
#include "path.h"
#include "places.h"

enum diag_code {
#define CODE(number, name, class_, title, reason, example) VMQ_##name,
#include "codes.def"
#undef CODE
        DIAG_CODES
};

/* What decides how severe a code is. */
enum diag_class {
        DIAG_ERROR,     /* the conversion cannot do without: always an error */
        DIAG_STRICT,    /* unknown and duplicate fields: --validate strict|warn|ignore */
        DIAG_ADMISSION, /* KubeVirt's API server would refuse it: --admission enforce|warn */
        DIAG_HOST, /* sound, but nothing here resolves it: the conversion refuses it; vmq-validate,
                    * which judges the VM alone, warns unless it is told --for-host */
        DIAG_WARNING, /* goes through, but not as written */
        DIAG_NOTE,    /* for information */
};

enum diag_severity { SEVERITY_NONE, SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };

struct diag_info {
        int number; /* 101 is printed as VMQ0101 */
        enum diag_class class;
        const char *title;
        const char *reason;  /* why it is a rule, and where it comes from */
        const char *example; /* a wrong piece of YAML and the right one, or NULL */
};

extern const struct diag_info diag_infos[DIAG_CODES];

/* The code of "VMQ0101" or "0101"; DIAG_CODES if there is none. */
enum diag_code diag_code_of(const char *text);

/* How messages look and weigh; the driver's options. */
struct diag_style {
        const char *prog;
        enum diag_severity strict;    /* what --validate makes of DIAG_STRICT */
        enum diag_severity admission; /* what --admission makes of DIAG_ADMISSION */
        bool host_warns;              /* DIAG_HOST is a warning (vmq-validate) */
        bool json;                    /* one JSON object a message */
        bool color;
        bool carets; /* show the line */
        bool werror;
        bool muted[DIAG_CODES]; /* warnings that are not wanted */
};

struct diag_message {
        enum diag_code code;
        enum diag_severity severity;
        struct place at;
        char *path; /* "" for the document itself */
        char *text;
};

struct diag {
        struct diag_style style;
        FILE *out; /* standard error */

        /* The document at hand. */
        const char *file;          /* borrowed */
        unsigned line;             /* of its start; 0: unknown */
        struct places *places;     /* NULL: no places known, the input came from a stage */
        const struct path *base;   /* of the object at hand inside the document (List items) */
        const struct input *input; /* for the line that a message shows; may be NULL */
        bool quiet;                /* only errors: an earlier stage has printed the rest */

        struct diag_message *messages;
        size_t n, cap;
        size_t left_out; /* beyond DIAG_MOST */
        unsigned errors; /* of this document */

        size_t all_errors, all_warnings;
};

#define DIAG_MOST 200 /* messages printed for one document; the rest is counted */

/* Bytes of a message, and of the path in front of it. Of a longer one, which quotes the text of a
 * VM, the two ends are printed. */
#define DIAG_TEXT_MOST 1000

/* Start a document. The strings and places must outlive diag_flush(). */
void diag_begin(struct diag *d, const char *file, unsigned line, struct places *places,
                const struct input *input);

/* Report. path NULL: the document as a whole. The text is made safe to print, whatever it holds. */
void diag_report(struct diag *d, enum diag_code code, const struct path *path, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));

/* The same at a place of the file that the path (NULL: none) does not lead to: a syntax error, a
 * key that was given again. */
void diag_report_at(struct diag *d, enum diag_code code, struct place at, const struct path *path,
                    const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The document at hand has an error. */
bool diag_failed(const struct diag *d);

/* There is an error at the path or below it already. */
bool diag_told(const struct diag *d, const struct path *path);

/* Print the document's messages in the order of the file and forget them. */
void diag_flush(struct diag *d);

/* "vmq-validate: 2 errors and 1 warning", if there was any. */
void diag_summary(const struct diag *d);

void diag_release(struct diag *d);

#endif
