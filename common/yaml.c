/* SPDX-License-Identifier: Apache-2.0 */
#include "yaml.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "array.h"
#include "jvx.h"
#include "mem.h"
#include "scalar.h"
#include "utf8.h"

/* --- one document's text --------------------------------------------------------------------
 *
 * A line that starts with `---` or `...` is a document marker whatever is around it, so the text of
 * each document is known before it is parsed: libyaml reads no further than it, and what is wrong
 * in it ends with it.
 */

/* The line at pos starts with the three characters and a blank or its end. */
static bool is_marker(struct input *in, char c)
{
        for (size_t i = 0; i < 3; i++)
                if (input_peek_at(in, i) != c)
                        return false;
        int next = input_peek_at(in, 3);

        return next < 0 || strchr(" \t\r\n", next) != NULL;
}

void yaml_skip_marker(struct input *in)
{
        size_t i = 3;
        int c;

        if (in->column != 1 || !is_marker(in, '-'))
                return;
        while ((c = input_peek_at(in, i)) == ' ' || c == '\t' || c == '\r')
                i++;
        if (c != '\n')
                return;
        for (; i + 1; i--)
                input_skip(in);
}

/* Empty, a comment or a directive: what may stand in front of a document's `---`. */
static bool is_prologue(struct input *in)
{
        size_t i = 0;
        int c = input_peek(in);

        if (c == '%' && in->column == 1)
                return true;
        while (c == ' ' || c == '\t' || c == '\r')
                c = input_peek_at(in, ++i);
        return c < 0 || c == '\n' || c == '#';
}

/* Step behind the next line break. */
static void take_line(struct input *in)
{
        const char *nl;

        do {
                nl = memchr(in->data + in->pos, '\n', in->len - in->pos);
                if (nl) {
                        in->pos = (size_t)(nl - in->data) + 1;
                        in->line++;
                        in->column = 1;
                        return;
                }
                in->column += in->len - in->pos;
                in->pos = in->len;
        } while (in->pos - in->mark <= YAML_MOST && input_fill(in));
}

/* Step to where the next document starts, without keeping anything. */
static void skip_document(struct input *in)
{
        while (input_peek(in) >= 0 && !(in->column == 1 && is_marker(in, '-'))) {
                take_line(in);
                input_mark(in);
        }
}

/* Take the text of one document, from the mark to pos. False if it is too large. */
static bool take_document(struct input *in)
{
        bool begun = false;

        while (input_peek(in) >= 0) {
                bool line_start = in->column == 1;

                if (line_start && is_marker(in, '-')) {
                        if (begun)
                                return true;
                        begun = true;
                } else if (line_start && is_marker(in, '.')) {
                        bool stray = !begun && input_peek_at(in, 3) < ' ';

                        take_line(in);
                        if (!stray)
                                return true;
                        input_mark(in); /* it ends nothing, which libyaml would not take */
                        continue;
                }
                begun = begun || !is_prologue(in);
                take_line(in);
                if (in->pos - in->mark > YAML_MOST)
                        return false;
        }
        return true;
}

/* --- reading it ------------------------------------------------------------------------------ */

/* What an alias stands for. */
struct anchor {
        jv value;
        int node;   /* in places; -1: a key's */
        int height; /* levels of lists and objects in it */
        bool open;  /* it is being read, so an alias here is inside its own anchor */
};

/* What is at the byte `offset` of the text is character `index` of it, and stands at `at`. */
struct cursor {
        size_t offset, index;
        struct place at;
};

struct reader {
        yaml_parser_t parser;
        yaml_event_t event; /* at hand */
        const char *text;
        size_t len;
        struct cursor start, cursor;

        struct places *places;
        struct json_error *err;
        jv names; /* of anchors: their number */
        struct anchor *anchors;
        size_t n, cap;
        int depth;
        int aliased;
};

/* Where the character stands. libyaml counts lines by other breaks than editors do, and starts with
 * our text; so this counts for itself. Goes only forward, unless it starts over. */
static struct place place_of(struct reader *r, size_t index)
{
        struct cursor *c = &r->cursor;

        while (c->index < index && c->offset < r->len) {
                size_t n = utf8_length(r->text + c->offset, r->len - c->offset);

                if (r->text[c->offset] == '\n') {
                        c->at.line++;
                        c->at.column = 1;
                } else {
                        c->at.column++;
                }
                c->offset += n ? n : 1;
                c->index++;
        }
        return c->at;
}

static struct place here(struct reader *r)
{
        return place_of(r, r->event.start_mark.index);
}

static jv fail_at(struct reader *r, struct place at, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

static jv fail_at(struct reader *r, struct place at, const char *fmt, ...)
{
        va_list ap;

        va_start(ap, fmt);
        (void)vsnprintf(r->err->text, sizeof r->err->text, fmt, ap);
        va_end(ap);
        r->err->at = at;
        return jv_invalid();
}

/* What libyaml says, and what is to be done about it. */
static const char *advice_for(const char *problem)
{
        static const struct {
                const char *problem, *advice;
        } advices[] = {
                { "mapping values are not allowed in this context",
                  "; quote a value that has ': ' in it, and check the indentation" },
                { "found character that cannot start any token",
                  "; quote a value that starts with @, ` or %" },
                { "did not find expected key", "; check the indentation of this line" },
                { "did not find expected '-' indicator", "; check the indentation of this line" },
                { "could not find expected ':'", "; every line here must be a 'key: value'" },
                { "did not find expected ',' or '}'", "; a { is not closed before this" },
                { "did not find expected ',' or ']'", "; a [ is not closed before this" },
                { "did not find expected <document start>", "; the document before ends here" },
        };

        for (size_t i = 0; i < ARRAY_LEN(advices); i++)
                if (strcmp(problem, advices[i].problem) == 0)
                        return advices[i].advice;
        return "";
}

static struct place start_over_to(struct reader *r, size_t index)
{
        r->cursor = r->start;
        return place_of(r, index);
}

/* Bytes that are no text: libyaml names the byte. */
static jv fail_reading(struct reader *r)
{
        const yaml_parser_t *p = &r->parser;

        r->cursor = r->start;
        while (r->cursor.offset < p->problem_offset && r->cursor.offset < r->len)
                (void)place_of(r, r->cursor.index + 1);
        if (strncmp(p->problem, "control", 7) == 0)
                return fail_at(r, r->cursor.at, "the character U+%04X, which YAML does not allow",
                               (unsigned)p->problem_value);
        return fail_at(r, r->cursor.at, "a byte that is not UTF-8");
}

static jv fail_parsing(struct reader *r)
{
        const yaml_parser_t *p = &r->parser;
        const char *problem = p->problem ? p->problem : "not YAML";

        if (p->error == YAML_MEMORY_ERROR)
                mem_die();
        if (p->error == YAML_READER_ERROR)
                return fail_reading(r);
        if (p->context && strcmp(p->context, "while scanning a quoted scalar") == 0 &&
            strncmp(problem, "found unexpected", 16) == 0)
                return fail_at(r, start_over_to(r, p->context_mark.index),
                               "the quoted text that starts here is not closed");
        struct place at = start_over_to(r, p->problem_mark.index);

        if (r->cursor.offset < r->len && r->text[r->cursor.offset] == '\t')
                return fail_at(r, at, "a tab where YAML takes only spaces; indent with spaces");
        return fail_at(r, at, "%s%s%s%s", p->context ? p->context : "", p->context ? ": " : "",
                       problem, advice_for(problem));
}

static bool next(struct reader *r)
{
        yaml_event_delete(&r->event);
        if (yaml_parser_parse(&r->parser, &r->event))
                return true;
        (void)fail_parsing(r);
        return false;
}

/* --- anchors -------------------------------------------------------------------------------- */

/* Note an anchor; its number, or -1 where there is none. */
static int add_anchor(struct reader *r, const yaml_char_t *name, int node)
{
        if (!name)
                return -1;
        MEM_GROW(r->anchors, r->n, r->cap);
        r->anchors[r->n] = (struct anchor){ .value = jv_null(), .node = node, .open = true };
        r->names = jv_object_set(r->names, jv_string((const char *)name), jv_number((double)r->n));
        return (int)r->n++;
}

static void close_anchor(struct reader *r, int number, const jv *value, int height)
{
        if (number < 0)
                return;
        r->anchors[number].value = jv_copy(*value);
        r->anchors[number].height = height;
        r->anchors[number].open = false;
}

/* The anchor of the alias at hand; NULL after a report. */
static const struct anchor *find_anchor(struct reader *r)
{
        const char *name = (const char *)r->event.data.alias.anchor;
        JVX_AUTO jv number = jv_object_get(jv_copy(r->names), jv_string(name));

        if (!jv_is_valid(number)) {
                (void)fail_at(r, here(r), "no anchor &%.60s stands before the alias *%.60s", name,
                              name);
                return NULL;
        }
        const struct anchor *a = &r->anchors[(size_t)jv_number_value(number)];

        if (a->open) {
                (void)fail_at(r, here(r), "the anchor &%.60s would contain itself", name);
                return NULL;
        }
        return a;
}

/* `size` more values come from aliases. */
static bool afford(struct reader *r, int size, struct place at)
{
        r->aliased += size;
        if (r->aliased <= YAML_ALIASED_MOST)
                return true;
        (void)fail_at(r, at, "aliases stand for more than %d values; write them out",
                      YAML_ALIASED_MOST);
        return false;
}

/* --- scalars -------------------------------------------------------------------------------- */

static const char *core_tag(const char *tag)
{
        static const char prefix[] = "tag:yaml.org,2002:";

        return strncmp(tag, prefix, sizeof prefix - 1) == 0 ? tag + sizeof prefix - 1 : "";
}

static int base64_digit(char c)
{
        static const char digits[] =
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const char *at = c ? strchr(digits, c) : NULL;

        return at ? (int)(at - digits) : -1;
}

/* As Go's StdEncoding: line breaks are passed over, padding is asked for. */
static bool decode_base64(const char *s, struct buf *out)
{
        unsigned bits = 0;
        size_t n = 0, padding = 0;

        for (; *s; s++) {
                int digit = base64_digit(*s);

                if (*s == '\n' || *s == '\r')
                        continue;
                if (*s == '=' && n % 4 >= 2)
                        padding++;
                else if (digit < 0 || padding)
                        return false;
                bits = bits << 6 | (unsigned)(digit < 0 ? 0 : digit);
                if (++n % 4)
                        continue;
                for (size_t i = 0; i < 3 - padding; i++)
                        buf_addc(out, (char)(bits >> (16 - 8 * i)));
        }
        return n % 4 == 0;
}

/* A scalar with a tag of YAML's own. *text may be replaced by what is in `own`. */
static bool resolve_tagged(const char *tag, const char **text, struct buf *own, struct scalar *s)
{
        static const struct {
                const char *tag;
                enum scalar_kind kind;
        } tags[] = { { "null", SCALAR_NULL },
                     { "bool", SCALAR_BOOL },
                     { "int", SCALAR_WHOLE },
                     { "float", SCALAR_FLOAT } };

        *s = (struct scalar){ .kind = SCALAR_TEXT };
        if (strcmp(tag, "str") == 0)
                return true;
        if (strcmp(tag, "timestamp") == 0)
                return strspn(*text, "0123456789") == 4 && (*text)[4] == '-';
        if (strcmp(tag, "binary") == 0) {
                bool good = decode_base64(*text, own) && utf8_valid(own->s, own->len) &&
                            strlen(own->s) == own->len;

                *text = own->s;
                return good;
        }
        *s = scalar_resolve(*text);
        for (size_t i = 0; i < ARRAY_LEN(tags); i++) {
                if (strcmp(tag, tags[i].tag) != 0)
                        continue;
                if (tags[i].kind == SCALAR_FLOAT && s->kind == SCALAR_WHOLE) {
                        double d = (double)s->whole;

                        *s = (struct scalar){ .kind = SCALAR_FLOAT,
                                              .number = s->negative ? -d : d };
                }
                return s->kind == tags[i].kind || s->kind == SCALAR_NO_NUMBER;
        }
        return false;
}

/* The tag of the value at hand; NULL where there is none, or only the `!` that makes a text. */
static const char *tag_of(const yaml_char_t *tag)
{
        return tag && strcmp((const char *)tag, "!") != 0 ? (const char *)tag : NULL;
}

/* What the scalar at hand means; false after a report. */
static bool resolve(struct reader *r, const char **text, struct buf *own, struct scalar *s)
{
        const char *tag = tag_of(r->event.data.scalar.tag);

        *text = (const char *)r->event.data.scalar.value;
        *s = (struct scalar){ .kind = SCALAR_TEXT };
        if (strlen(*text) != r->event.data.scalar.length) {
                (void)fail_at(r, here(r), "a NUL character in a text");
                return false;
        }
        if (!r->event.data.scalar.tag && r->event.data.scalar.plain_implicit)
                *s = scalar_resolve(*text);
        if (!tag || resolve_tagged(core_tag(tag), text, own, s))
                return true;
        (void)fail_at(r, here(r), "'%.40s' with the tag %s%.60s; leave the tag out",
                      (const char *)r->event.data.scalar.value, *core_tag(tag) ? "!!" : "",
                      *core_tag(tag) ? core_tag(tag) : tag);
        return false;
}

/* --- values --------------------------------------------------------------------------------- */

/* Where the value that is read next belongs. */
struct slot {
        int parent;      /* node; -1: the root */
        const char *key; /* NULL: in a list */
        struct place at_key;
};

/* Read the value at hand, whose last event stays at hand. Invalid after a report. *height: levels
 * of lists and objects in it. */
static jv compose(struct reader *r, const struct slot *slot, int *height);

static int add_node(struct reader *r, const struct slot *slot, const char *raw)
{
        return places_add(r->places, slot->parent, slot->key, slot->at_key, here(r), raw);
}

static jv compose_alias(struct reader *r, const struct slot *slot, int *height)
{
        const struct anchor *a = find_anchor(r);

        if (!a)
                return jv_invalid();
        if (r->depth + a->height > YAML_DEPTH)
                return fail_at(r, here(r), "nested deeper than %d levels", YAML_DEPTH);
        if (!afford(r, a->node < 0 ? 1 : places_size(r->places, a->node), here(r)))
                return jv_invalid();
        int me = add_node(r, slot, NULL);

        if (a->node >= 0)
                places_copy_below(r->places, a->node, me);
        *height = a->height;
        return jv_copy(a->value);
}

static jv compose_scalar(struct reader *r, const struct slot *slot, int *height)
{
        BUF_AUTO struct buf own = BUF_INIT;
        struct scalar s;
        const char *text;

        *height = 0;
        if (!resolve(r, &text, &own, &s))
                return jv_invalid();
        if (s.kind == SCALAR_NO_NUMBER)
                return fail_at(r, here(r), "'%s' is no number that JSON has; quote a text", text);
        int me = add_node(r, slot, s.kind == SCALAR_TEXT ? NULL : text);
        int anchor = add_anchor(r, r->event.data.scalar.anchor, me);
        jv value = scalar_value(&s, text);

        close_anchor(r, anchor, &value, 0);
        return value;
}

/* A list or object starts; false after a report. */
static bool open_container(struct reader *r, const yaml_char_t *tag, const char *expected)
{
        if (++r->depth > YAML_DEPTH) {
                (void)fail_at(r, here(r), "nested deeper than %d levels", YAML_DEPTH);
                return false;
        }
        if (!tag_of(tag) || strcmp(core_tag(tag_of(tag)), expected) == 0)
                return true;
        (void)fail_at(r, here(r), "the tag %.60s; leave it out", (const char *)tag);
        return false;
}

static jv compose_list(struct reader *r, const struct slot *slot, int *height)
{
        JVX_AUTO jv list = jv_array();
        int below = 0, most = 0;

        if (!open_container(r, r->event.data.sequence_start.tag, "seq"))
                return jv_invalid();
        int me = add_node(r, slot, NULL);
        int anchor = add_anchor(r, r->event.data.sequence_start.anchor, me);
        struct slot in = { .parent = me };

        for (;;) {
                if (!next(r))
                        return jv_invalid();
                if (r->event.type == YAML_SEQUENCE_END_EVENT)
                        break;
                jv item = compose(r, &in, &below);

                if (!jv_is_valid(item))
                        return item;
                list = jv_array_append(list, item);
                most = below > most ? below : most;
        }
        *height = most + 1;
        r->depth--;
        close_anchor(r, anchor, &list, *height);
        return jvx_take(&list);
}

/* --- objects -------------------------------------------------------------------------------- */

/* An object that is being read. */
struct object {
        jv value;
        jv merged; /* the keys that a merge has set; invalid: none yet */
        int node;
        struct buf key; /* of the member at hand */
        struct place at;
        int height;
        int members; /* read or merged so far */
};

static bool is_merge(const struct reader *r)
{
        if (r->event.type != YAML_SCALAR_EVENT ||
            strcmp((const char *)r->event.data.scalar.value, "<<") != 0)
                return false;
        const char *tag = tag_of(r->event.data.scalar.tag);

        return tag ? strcmp(core_tag(tag), "merge") == 0 : r->event.data.scalar.plain_implicit;
}

static bool read_alias_key(struct reader *r, struct buf *key)
{
        const struct anchor *a = find_anchor(r);

        if (!a)
                return false;
        jv_kind kind = jv_get_kind(a->value);

        if (kind == JV_KIND_STRING && !json_bigint(&a->value))
                buf_adds(key, jv_string_value(a->value));
        else if (kind == JV_KIND_TRUE || kind == JV_KIND_FALSE || kind == JV_KIND_NUMBER)
                json_print(&a->value, key);
        else
                (void)fail_at(r, here(r), "a key must be a text");
        return !r->err->text[0];
}

static bool read_key(struct reader *r, struct buf *key)
{
        BUF_AUTO struct buf own = BUF_INIT;
        struct scalar s;
        const char *text;

        buf_clear(key);
        if (r->event.type == YAML_ALIAS_EVENT)
                return read_alias_key(r, key);
        if (r->event.type != YAML_SCALAR_EVENT) {
                (void)fail_at(r, here(r),
                              "a key must be a text; quote one that starts with { or [");
                return false;
        }
        if (!resolve(r, &text, &own, &s))
                return false;
        if (!scalar_key(&s, text, key)) {
                (void)fail_at(r, here(r), "'%.40s' is no key; quote it if it is a text", text);
                return false;
        }
        JVX_AUTO jv value = jv_string(text);

        close_anchor(r, add_anchor(r, r->event.data.scalar.anchor, -1), &value, 0);
        return true;
}

static bool has(const jv *object, const char *key)
{
        return jv_is_valid(*object) && jv_object_has(jv_copy(*object), jv_string(key));
}

static void set_member(struct object *o, const char *key, jv value)
{
        o->value = jv_object_set(o->value, jv_string(key), value);
}

/* One more member; false after a report. */
static bool count_member(struct reader *r, struct object *o)
{
        if (++o->members <= JSON_MEMBERS)
                return true;
        (void)fail_at(r, o->at, "more than %d members in one object", JSON_MEMBERS);
        return false;
}

/* Take over one member of an object that is merged: `node` is its own. */
static bool merge_member(struct reader *r, struct object *o, const jv *from, int node)
{
        const char *key = r->places->text.s + r->places->nodes[node].key;
        jv value = jvx_get(from, key);

        if (!jv_is_valid(value)) /* the `<<` of that object */
                return true;
        if (!count_member(r, o) || !afford(r, places_size(r->places, node), o->at)) {
                jv_free(value);
                return false;
        }
        if (has(&o->value, key) && !has(&o->merged, key))
                places_add_again(r->places, r->places->n, o->at);
        jvx_set(&o->merged, key, jv_true());
        set_member(o, key, value);
        (void)places_copy_member(r->places, node, o->node);
        return true;
}

static bool merge_object(struct reader *r, struct object *o, const jv *from, int node)
{
        if (!jvx_is(from, JV_KIND_OBJECT)) {
                (void)fail_at(r, o->at, "'<<' merges an object or a list of objects");
                return false;
        }
        int end = node + places_size(r->places, node);

        for (int child = node + 1; child < end; child += places_size(r->places, child))
                if (!merge_member(r, o, from, child))
                        return false;
        return true;
}

/* Of the objects in a list the first ones count most, so they come last. */
static bool merge_list(struct reader *r, struct object *o, const jv *from, int node)
{
        int n = jv_array_length(jv_copy(*from)), at = node + 1;
        MEM_AUTO int *nodes = mem_resize(NULL, (size_t)n + 1, sizeof *nodes);

        for (int i = 0; i < n; i++) {
                nodes[i] = at;
                at += places_size(r->places, at);
        }
        for (int i = n; i-- > 0;) {
                JVX_AUTO jv item = jv_array_get(jv_copy(*from), i);

                if (!merge_object(r, o, &item, nodes[i]))
                        return false;
        }
        return true;
}

static bool read_merge(struct reader *r, struct object *o)
{
        struct slot slot = { .parent = o->node, .key = "<<", .at_key = o->at };
        int node = r->places->n, below = 0;
        JVX_AUTO jv from = compose(r, &slot, &below);

        if (!jv_is_valid(from))
                return false;
        o->height = below > o->height ? below : o->height;
        return jvx_is(&from, JV_KIND_ARRAY) ? merge_list(r, o, &from, node)
                                            : merge_object(r, o, &from, node);
}

static bool read_member(struct reader *r, struct object *o)
{
        bool merge = is_merge(r);
        int below = 0;

        o->at = here(r);
        if (!count_member(r, o) || (!merge && !read_key(r, &o->key)))
                return false;
        if (!next(r))
                return false;
        if (merge)
                return read_merge(r, o);
        if (has(&o->merged, o->key.s))
                jvx_del(&o->merged, o->key.s);
        else if (has(&o->value, o->key.s))
                places_add_again(r->places, r->places->n, o->at);
        struct slot slot = { .parent = o->node, .key = o->key.s, .at_key = o->at };
        jv value = compose(r, &slot, &below);

        if (!jv_is_valid(value))
                return false;
        set_member(o, o->key.s, value);
        o->height = below > o->height ? below : o->height;
        return true;
}

static jv compose_object(struct reader *r, const struct slot *slot, int *height)
{
        if (!open_container(r, r->event.data.mapping_start.tag, "map"))
                return jv_invalid();
        struct object o = { .value = jv_object(),
                            .merged = jv_invalid(),
                            .node = add_node(r, slot, NULL),
                            .key = BUF_INIT };
        int anchor = add_anchor(r, r->event.data.mapping_start.anchor, o.node);
        bool good;

        while ((good = next(r)) && r->event.type != YAML_MAPPING_END_EVENT)
                if (!(good = read_member(r, &o)))
                        break;
        buf_release(&o.key);
        jv_free(o.merged);
        if (!good) {
                jv_free(o.value);
                return jv_invalid();
        }
        *height = o.height + 1;
        r->depth--;
        close_anchor(r, anchor, &o.value, *height);
        return o.value;
}

static jv compose(struct reader *r, const struct slot *slot, int *height)
{
        if (r->places->n >= PLACES_MOST)
                return fail_at(r, here(r), "more than %d values in one document", PLACES_MOST);
        if (r->n > YAML_ANCHORS_MOST)
                return fail_at(r, here(r), "more than %d anchors in one document",
                               YAML_ANCHORS_MOST);
        switch (r->event.type) {
        case YAML_ALIAS_EVENT:
                return compose_alias(r, slot, height);
        case YAML_SCALAR_EVENT:
                return compose_scalar(r, slot, height);
        case YAML_SEQUENCE_START_EVENT:
                return compose_list(r, slot, height);
        case YAML_MAPPING_START_EVENT:
                return compose_object(r, slot, height);
        default:
                return fail_at(r, here(r), "a value is missing");
        }
}

static bool next_but_one(struct reader *r)
{
        if (!next(r))
                return false;
        return next(r);
}

/* 1 and *ret, 0 if the text has no document, -1 after a report. */
static int compose_document(struct reader *r, jv *ret)
{
        struct slot root = { .parent = -1 };
        int height = 0;

        if (!next_but_one(r)) /* the stream starts, the document */
                return -1;
        if (r->event.type != YAML_DOCUMENT_START_EVENT)
                return 0;
        if (!next(r))
                return -1;
        JVX_AUTO jv value = compose(r, &root, &height);

        if (!jv_is_valid(value) || !next_but_one(r)) /* the document ends, the stream */
                return -1;
        if (r->event.type != YAML_STREAM_END_EVENT) {
                (void)fail_at(r, here(r), "a second document that no line break is in front of");
                return -1;
        }
        if (jvx_is(&value, JV_KIND_NULL))
                return 0;
        *ret = jvx_take(&value);
        return 1;
}

static int read_document(struct input *in, jv *ret, struct places *places, struct json_error *err)
{
        struct reader r = { .text = in->data + in->mark,
                            .len = in->pos - in->mark,
                            .places = places,
                            .err = err,
                            .names = jv_object() };

        places_clear(places);
        r.start.at = (struct place){ in->mark_line, (unsigned)in->mark_column };
        r.cursor = r.start;
        if (!yaml_parser_initialize(&r.parser))
                mem_die();
        yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
        yaml_parser_set_input_string(&r.parser, (const unsigned char *)r.text, r.len);
        int got = compose_document(&r, ret);

        yaml_event_delete(&r.event);
        yaml_parser_delete(&r.parser);
        jv_free(r.names);
        for (size_t i = 0; i < r.n; i++)
                jv_free(r.anchors[i].value);
        free(r.anchors);
        return got;
}

int yaml_next(struct input *in, jv *ret, struct places *places, struct json_error *err)
{
        int got = 0;

        err->text[0] = '\0';
        while (got == 0) {
                input_skip_bom(in);
                input_mark(in);
                struct place start = { in->line, (unsigned)in->column };

                if (!take_document(in)) {
                        skip_document(in);
                        places_clear(places);
                        (void)snprintf(err->text, sizeof err->text,
                                       "the document is larger than %zu MiB; split it up",
                                       YAML_MOST >> 20);
                        err->at = start;
                        return -1;
                }
                if (in->error || in->pos == in->mark)
                        return 0;
                got = read_document(in, ret, places, err);
        }
        return got;
}
