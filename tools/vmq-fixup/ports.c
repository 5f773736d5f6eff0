/* SPDX-License-Identifier: Apache-2.0 */
#include "ports.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

bool port_address(const char *text, struct buf *out)
{
        unsigned char bytes[sizeof(struct in6_addr)];
        size_t len = strlen(text);
        bool bracketed = len > 1 && text[0] == '[' && text[len - 1] == ']';
        MEM_AUTO char *bare = bracketed ? mem_strndup(text + 1, len - 2) : mem_strdup(text);

        if (!bracketed && inet_pton(AF_INET, bare, bytes) == 1) {
                buf_adds(out, bare);
                return true;
        }
        if (inet_pton(AF_INET6, bare, bytes) != 1)
                return false;
        buf_addf(out, "[%s]", bare);
        return true;
}

/* "80" or "80-90" from text, up to `end`. */
static bool parse_range(const char *text, const char *end, struct port *port)
{
        char *stop;

        port->from = port->to = (int)strtol(text, &stop, 10);
        if (stop != text && *stop == '-')
                port->to = (int)strtol(stop + 1, &stop, 10);
        return stop == end && port->from > 0 && port->to >= port->from && port->to <= 65535;
}

/* The start of the last field before `end`: behind a ':' that is in no brackets. */
static const char *field_start(const char *text, const char *end)
{
        while (end > text && end[-1] != ':')
                end--;
        return end;
}

/* *address is the caller's to free. */
static bool parse_port(const char *value, struct port *port, char **address)
{
        const char *slash = strrchr(value, '/');
        const char *end = slash ? slash : value + strlen(value);
        const char *guest = field_start(value, end);

        port->udp = slash && strcmp(slash, "/udp") == 0;
        if (guest == value)
                return false;
        const char *host = field_start(value, guest - 1);

        if (!parse_range(host, guest - 1, port))
                return false;
        size_t len = host == value ? 0 : (size_t)(host - 1 - value);

        if (len > 1 && value[0] == '[' && value[len - 1] == ']') {
                value++;
                len -= 2;
        }
        *address = mem_strndup(value, len);
        return true;
}

static bool is_any(const char *address)
{
        return *address == '\0' || strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

static bool overlap(const struct port *a, const struct port *b)
{
        return a->udp == b->udp && a->from <= b->to && b->from <= a->to &&
               (is_any(a->address) || is_any(b->address) || strcmp(a->address, b->address) == 0);
}

const char *ports_take(struct ports *p, const char *value, const char *by)
{
        MEM_AUTO char *address = NULL;
        struct port port = { 0 };

        if (!parse_port(value, &port, &address))
                return NULL;
        port.address = address;
        for (size_t i = 0; i < p->n; i++)
                if (overlap(&p->ports[i], &port))
                        return p->ports[i].by;
        port.address = mem_strdup(address);
        port.by = mem_strdup(by);
        MEM_GROW(p->ports, p->n, p->cap);
        p->ports[p->n++] = port;
        return NULL;
}

void ports_release(struct ports *p)
{
        for (size_t i = 0; i < p->n; i++) {
                free(p->ports[i].address);
                free(p->ports[i].by);
        }
        free(p->ports);
        *p = (struct ports){ 0 };
}
