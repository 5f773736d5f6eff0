/* SPDX-License-Identifier: Apache-2.0 */
#include "diag.h"

#include "check.h"
#include "feed.h"
#include "utf8.h"

/* What was printed since the last call. */
static const char *printed(struct diag *d, char *text, size_t size)
{
        size_t n = 0;

        CHECK(fflush(d->out) == 0);
        rewind(d->out);
        n = fread(text, 1, size - 1, d->out);
        text[n] = '\0';
        CHECK(n < size - 1);
        CHECK(ftruncate(fileno(d->out), 0) == 0);
        rewind(d->out);
        return text;
}

static void test_codes(void)
{
        CHECK(diag_code_of("VMQ0001") == VMQ_SYNTAX && diag_code_of("1") == VMQ_SYNTAX &&
              diag_code_of("vmq0001") == VMQ_SYNTAX && diag_code_of("0001") == VMQ_SYNTAX);
        CHECK(diag_code_of("VMQ") == DIAG_CODES && diag_code_of("9999") == DIAG_CODES &&
              diag_code_of("1x") == DIAG_CODES && diag_code_of("") == DIAG_CODES);
        for (int i = 0; i < DIAG_CODES; i++) { /* a number is one thing, and says what */
                CHECK(diag_infos[i].title && *diag_infos[i].title);
                CHECK(diag_infos[i].reason && *diag_infos[i].reason);
                CHECK(diag_infos[i].number > 0 && diag_infos[i].number < 10000);
                for (int j = 0; j < i; j++)
                        CHECK(diag_infos[i].number != diag_infos[j].number);
        }
}

static void test_text(struct diag *d)
{
        char text[4000];

        diag_begin(d, "a\033b.yaml", 3, NULL, NULL);
        diag_report(d, VMQ_SYNTAX, AT(NULL, "spec"), "bad '%s'; fix it", "x\ny\033[31m");
        CHECK(diag_failed(d));
        diag_flush(d);
        CHECK_STR(printed(d, text, sizeof text),
                  "a\\x1bb.yaml:3: error: spec: bad 'x\\ny\\x1b[31m'; fix it [VMQ0001]\n");
        diag_begin(d, "f", 0, NULL, NULL);
        CHECK(!diag_failed(d));
        diag_report(d, VMQ_SYNTAX, AT_KEY(AT(NULL, "labels"), "a\nb"), "one");
        diag_report(d, VMQ_OTHER_KIND, NULL, "two");
        diag_flush(d);
        diag_flush(d);
        CHECK_STR(printed(d, text, sizeof text),
                  "f: error: labels.a\\nb: one [VMQ0001]\nf: note: two [VMQ0008]\n");
        diag_summary(d);
        CHECK_STR(printed(d, text, sizeof text), "test: 2 errors\n");
}

/* A text of any length can be quoted, and a path can have it. */
static void test_long(struct diag *d)
{
        char text[4000], value[3001] = "";

        for (size_t i = 0; i < sizeof value - 1; i += 2)
                memcpy(value + i, "\xc3\xa4", 3);
        diag_begin(d, "f", 0, NULL, NULL);
        diag_report(d, VMQ_SYNTAX, AT_KEY(NULL, value), "x%s!", value);
        CHECK(diag_told(d, AT_KEY(NULL, value)));
        diag_flush(d);
        CHECK(strlen(printed(d, text, sizeof text)) < 2100);
        CHECK(utf8_valid(text, strlen(text)));
        CHECK(strstr(text, "\xc3\xa4 [...] \xc3\xa4") && strstr(text, "\xc3\xa4! [VMQ0001]\n"));
        d->all_errors--;
}

/* In the order of the file; what has one place stays as it was reported. */
static void test_order(struct diag *d)
{
        struct places p = PLACES_INIT;
        char text[4000];
        int root = places_add(&p, -1, NULL, (struct place){ 0, 0 }, (struct place){ 1, 1 }, NULL);

        places_add(&p, root, "a", (struct place){ 2, 3 }, (struct place){ 2, 6 }, NULL);
        int list = places_add(&p, root, "b", (struct place){ 4, 1 }, (struct place){ 4, 4 }, NULL);

        places_add(&p, list, NULL, (struct place){ 0, 0 }, (struct place){ 5, 3 }, NULL);
        diag_begin(d, "f", 1, &p, NULL);
        diag_report(d, VMQ_SYNTAX, AT_INDEX(AT(NULL, "b"), 0), "item");
        diag_report(d, VMQ_SYNTAX, AT(NULL, "a"), "first");
        diag_report(d, VMQ_SYNTAX, AT(NULL, "a.below"), "second");
        diag_report(d, VMQ_SYNTAX, NULL, "whole");
        diag_report_at(d, VMQ_SYNTAX, (struct place){ 3, 9 }, AT(NULL, "a"), "here");
        diag_flush(d);
        CHECK_STR(printed(d, text, sizeof text), "f:1:1: error: whole [VMQ0001]\n"
                                                 "f:2:3: error: a: first [VMQ0001]\n"
                                                 "f:2:3: error: a.below: second [VMQ0001]\n"
                                                 "f:3:9: error: a: here [VMQ0001]\n"
                                                 "f:5:3: error: b[0]: item [VMQ0001]\n");
        diag_begin(d, "f", 1, &p, NULL);
        d->base = AT_INDEX(AT(NULL, "b"), 0);
        diag_report(d, VMQ_SYNTAX, NULL, "of the item");
        diag_flush(d);
        CHECK_STR(printed(d, text, sizeof text), "f:5:3: error: of the item [VMQ0001]\n");
        places_release(&p);
}

static void test_severity(struct diag *d)
{
        char text[4000];

        diag_begin(d, "f", 0, NULL, NULL);
        d->style.strict = SEVERITY_WARNING;
        diag_report(d, VMQ_DUPLICATE_KEY, NULL, "w");
        d->style.strict = SEVERITY_NONE;
        diag_report(d, VMQ_DUPLICATE_KEY, NULL, "nothing");
        d->style.strict = SEVERITY_ERROR;
        CHECK(!diag_failed(d));
        diag_report(d, VMQ_DUPLICATE_KEY, NULL, "e");
        CHECK(diag_failed(d));
        d->style.muted[VMQ_OTHER_KIND] = true;
        diag_report(d, VMQ_OTHER_KIND, NULL, "muted");
        d->style.muted[VMQ_OTHER_KIND] = false;
        d->style.muted[VMQ_SYNTAX] = true;
        diag_report(d, VMQ_SYNTAX, NULL, "an error is never muted");
        d->style.muted[VMQ_SYNTAX] = false;
        d->quiet = true;
        diag_report(d, VMQ_OTHER_KIND, NULL, "quiet");
        diag_flush(d);
        CHECK_STR(printed(d, text, sizeof text), "f: warning: w [VMQ0007]\nf: error: e [VMQ0007]\n"
                                                 "f: error: an error is never muted [VMQ0001]\n");
        diag_begin(d, "f", 0, NULL, NULL);
        d->style.werror = true;
        d->style.strict = SEVERITY_WARNING;
        diag_report(d, VMQ_DUPLICATE_KEY, NULL, "w");
        diag_report(d, VMQ_OTHER_KIND, NULL, "n");
        CHECK(d->errors == 1);
        d->style.werror = false;
        d->style.strict = SEVERITY_ERROR;
        diag_flush(d);
        CHECK_STR(printed(d, text, sizeof text), "f: error: w [VMQ0007]\nf: note: n [VMQ0008]\n");
}

static void test_json(struct diag *d)
{
        char text[4000];

        d->style.json = true;
        diag_begin(d, "f\n", 7, NULL, NULL);
        diag_report_at(d, VMQ_SYNTAX, (struct place){ 1, 2 }, AT(NULL, "a"), "\"x\"\n");
        diag_report(d, VMQ_OTHER_KIND, NULL, "n");
        diag_flush(d);
        diag_summary(d);
        CHECK_STR(printed(d, text, sizeof text),
                  "{\"file\":\"f\\n\",\"severity\":\"note\",\"code\":\"VMQ0008\",\"path\":\"\","
                  "\"message\":\"n\",\"line\":7}\n"
                  "{\"file\":\"f\\n\",\"severity\":\"error\",\"code\":\"VMQ0001\",\"path\":\"a\","
                  "\"message\":\"\\\"x\\\"\\\\n\",\"line\":1,\"column\":2}\n");
        d->style.json = false;
}

/* The caret stands below the character, whatever the characters before it look like. */
static void test_caret(struct diag *d)
{
        static const char file[] = "one\n\ttw\xC3\xB6\033 here\n";
        struct input in;
        char text[4000];
        int fd = feed(file, strlen(file));

        input_open(&in, fd, 1000);
        CHECK(input_peek(&in) >= 0);
        d->style.carets = true;
        diag_begin(d, "f", 1, NULL, &in);
        diag_report_at(d, VMQ_SYNTAX, (struct place){ 2, 7 }, NULL, "x");
        diag_flush(d);
        CHECK_STR(printed(d, text, sizeof text), "f:2:7: error: x [VMQ0001]\n"
                                                 "     2 |  tw\xC3\xB6\\x1b here\n"
                                                 "       |          ^\n");
        d->style.color = true;
        diag_report_at(d, VMQ_SYNTAX, (struct place){ 9, 1 }, NULL, "x");
        diag_flush(d);
        CHECK_STR(printed(d, text, sizeof text), "f:9:1: \033[1;31merror:\033[0m x [VMQ0001]\n");
        d->style.color = d->style.carets = false;
        input_close(&in);
        CHECK(close(fd) == 0);
}

static void test_many(struct diag *d)
{
        char text[20000];

        diag_begin(d, "f", 0, NULL, NULL);
        for (int i = 0; i < DIAG_MOST + 50; i++)
                diag_report(d, VMQ_SYNTAX, NULL, "%d", i);
        CHECK(d->errors == DIAG_MOST + 50);
        diag_flush(d);
        (void)printed(d, text, sizeof text);
        CHECK(strstr(text,
                     "f: error: 199 [VMQ0001]\ntest: 50 more messages about this document are "
                     "not shown\n"));
        diag_begin(d, "f", 0, NULL, NULL);
        diag_flush(d);
        CHECK_STR(printed(d, text, sizeof text), "");
}

int main(void)
{
        struct diag d = { .style = { .prog = "test", .strict = SEVERITY_ERROR }, .out = tmpfile() };

        CHECK(d.out);
        test_codes();
        test_text(&d);
        test_long(&d);
        test_order(&d);
        test_severity(&d);
        test_json(&d);
        test_caret(&d);
        test_many(&d);
        diag_release(&d);
        CHECK(fclose(d.out) == 0);
        return 0;
}
