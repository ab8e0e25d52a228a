/* script.c -- see script.h. */
#define _GNU_SOURCE
#include "script.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ESCAPE 0xFE

static const struct {
    char op;
    const char *before; /* what stands before the value in a response */
    char behind;
} values[5] = {
    {'S', "Mcp-Session-Id: ", '\r'}, {'R', "\"requestState\":\"", '"'},          {'T', "\"taskId\":\"", '"'},
    {'C', "\"nextCursor\":\"", '"'}, {'Q', "{\"jsonrpc\":\"2.0\",\"id\":", ','},
};

void given_learn(struct given *g, const char *bytes, size_t n)
{
    for (size_t i = 0; i < 5; i++) {
        size_t skip = strlen(values[i].before);
        const char *hit = memmem(bytes, n, values[i].before, skip);
        const char *end = hit == NULL ? NULL : memchr(hit + skip, values[i].behind, n - (size_t)(hit - bytes) - skip);
        if (end != NULL && (size_t)(end - hit) - skip < sizeof g->value[i]) {
            memset(g->value[i], 0, sizeof g->value[i]);
            memcpy(g->value[i], hit + skip, (size_t)(end - hit) - skip);
        }
    }
}

static const char *value_of(const struct given *g, uint8_t op)
{
    for (size_t i = 0; i < 5; i++) {
        if (values[i].op == (char)op) {
            return g->value[i];
        }
    }
    return NULL;
}

static size_t add(char *to, size_t n, size_t room, const void *bytes, size_t more)
{
    more = more < room - n ? more : room - n;
    memcpy(to + n, bytes, more);
    return n + more;
}

size_t script_next(struct script *s, const struct given *g, char *bytes, size_t room, uint8_t *op, uint8_t *arg)
{
    size_t n = 0;

    *op = *arg = 0;
    while (s->at < s->end) {
        uint8_t byte = *s->at++;
        if (byte != ESCAPE || s->at == s->end) {
            n = add(bytes, n, room, &byte, 1);
            continue;
        }
        uint8_t next = *s->at++;
        const char *value = value_of(g, next);
        if (value == NULL) {
            *op = next;
            *arg = s->at < s->end ? *s->at++ : 0;
            return n;
        }
        n = add(bytes, n, room, value, strlen(value));
    }
    return n;
}

/* ---- A POST ---- */

struct text {
    char *at;
    size_t n, room;
};

static void put(struct text *t, const char *format, ...)
{
    va_list words;

    va_start(words, format);
    int n = vsnprintf(t->at + t->n, t->room - t->n, format, words);
    va_end(words);
    t->n = n < 0 || (size_t)n >= t->room - t->n ? t->room - 1 : t->n + (size_t)n;
}

/* The value of a member, found as it is usually spelled; what the headers of 2026-07-28 repeat. */
static void repeat(struct text *t, const char *header, const char *body, size_t n, const char *member)
{
    const char *hit = memmem(body, n, member, strlen(member));

    if (hit != NULL) {
        hit += strlen(member);
        const char *end = memchr(hit, '"', n - (size_t)(hit - body));
        if (end != NULL && end - hit < 200) {
            put(t, "%s: %.*s\r\n", header, (int)(end - hit), hit);
        }
    }
}

static void put_body(struct text *t, const char *body, size_t n, bool chunked)
{
    size_t first = n / 3;

    if (!chunked) {
        put(t, "Content-Length: %zu\r\n\r\n", n);
        t->n = add(t->at, t->n, t->room, body, n);
        return;
    }
    put(t, "Transfer-Encoding: chunked\r\n\r\n");
    if (first > 0) {
        put(t, "%zx\r\n", first);
        t->n = add(t->at, t->n, t->room, body, first);
        put(t, "\r\n");
    }
    put(t, "%zX;x=y\r\n", n - first);
    t->n = add(t->at, t->n, t->room, body + first, n - first);
    put(t, n > first ? "\r\n0\r\n\r\n" : "\r\n");
}

size_t script_post(const struct given *g, const char *body, size_t n, uint8_t how, char *to, size_t room)
{
    struct text t = {to, 0, room};
    bool get = (how & POST_GET) != 0;

    put(&t, "%s /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n",
        get ? "GET" : "POST");
    if ((how & POST_NO_TOKEN) == 0) {
        put(&t, "Authorization: Bearer %s\r\n", how & POST_TOKEN ? "operates" : "reads");
    }
    if (how & POST_MODERN) {
        put(&t, "MCP-Protocol-Version: 2026-07-28\r\n");
        repeat(&t, "Mcp-Method", body, n, "\"method\":\"");
        repeat(&t, "Mcp-Name", body, n, "\"name\":\"");
    }
    if ((how & POST_SESSION) && g->value[0][0] != '\0') {
        put(&t, "Mcp-Session-Id: %s\r\nMCP-Protocol-Version: 2025-11-25\r\n", g->value[0]);
    }
    put(&t, "%s%s", how & POST_RESUME ? "Last-Event-ID: 1-1\r\n" : "", how & POST_CLOSE ? "Connection: close\r\n" : "");
    if (get) {
        put(&t, "\r\n");
    } else {
        put(&t, "Content-Type: application/json\r\n");
        put_body(&t, body, n, (how & POST_CHUNKED) != 0);
    }
    return t.n;
}
