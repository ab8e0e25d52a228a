/* client.c -- the HTTP request that a proper client makes of a JSON-RPC message.
 *
 * A client knows what it asks; this one has only the text, so it looks for method,
 * version and name in it. It reads with jsmn and code of its own, not with the core's. */
#define JSMN_STATIC
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jsmn.h"
#include "wires.h"

#define TOKENS 8192

struct tree {
    const char *text;
    jsmntok_t token[TOKENS];
    int count;
};

/* ---- Looking into the message ---- */

static void put_utf8(struct bytes *out, unsigned long c)
{
    unsigned char b[3] = {(unsigned char)c, 0, 0};
    size_t n = 1;

    if (c >= 0x800) {
        b[0] = (unsigned char)(0xE0 | c >> 12);
        b[1] = (unsigned char)(0x80 | (c >> 6 & 0x3F));
        b[2] = (unsigned char)(0x80 | (c & 0x3F));
        n = 3;
    } else if (c >= 0x80) {
        b[0] = (unsigned char)(0xC0 | c >> 6);
        b[1] = (unsigned char)(0x80 | (c & 0x3F));
        n = 2;
    }
    bytes_add(out, b, n);
}

/* The value of a string token. Surrogate pairs do not occur where this is needed. */
static bool decode(const struct tree *t, int token, struct bytes *out)
{
    static const char letters[] = "n\nt\tr\rb\bf\f";

    bytes_clear(out);
    if (token < 0 || t->token[token].type != JSMN_STRING) {
        return false;
    }
    for (int i = t->token[token].start; i < t->token[token].end; i++) {
        const char *letter;
        char hex[5] = {0};
        if (t->text[i] != '\\') {
            bytes_add(out, t->text + i, 1);
        } else if (t->text[++i] == 'u') {
            memcpy(hex, t->text + i + 1, 4);
            put_utf8(out, strtoul(hex, NULL, 16));
            i += 4;
        } else {
            letter = strchr(letters, t->text[i]);
            bytes_add(out, letter != NULL ? letter + 1 : t->text + i, 1);
        }
    }
    return true;
}

static int behind(const struct tree *t, int token)
{
    int next = token + 1;

    while (next < t->count && t->token[next].start < t->token[token].end) {
        next++;
    }
    return next;
}

static int member(const struct tree *t, int object, const char *key)
{
    struct bytes name = {0};
    int found = -1;

    if (object < 0 || object >= t->count || t->token[object].type != JSMN_OBJECT) {
        return -1;
    }
    int k = object + 1;
    for (int i = 0; i < t->token[object].size && k + 1 < t->count; i++) {
        if (decode(t, k, &name) && strcmp(name.p, key) == 0) {
            found = k + 1;
        }
        k = behind(t, k + 1);
    }
    bytes_free(&name);
    return found;
}

/* ---- Headers ---- */

static void put_base64(struct bytes *out, const struct bytes *in)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < in->n; i += 3) {
        unsigned long bits = 0;
        for (size_t k = 0; k < 3; k++) {
            bits = bits << 8 | (i + k < in->n ? (unsigned char)in->p[i + k] : 0);
        }
        for (size_t k = 0; k < 4; k++) {
            bytes_add(out, i + k <= in->n ? &digits[bits >> (18 - 6 * k) & 63] : "=", 1);
        }
    }
}

static bool is_plain(const struct bytes *value)
{
    for (size_t i = 0; i < value->n; i++) {
        if (value->p[i] < 0x21 || value->p[i] > 0x7E) {
            return false;
        }
    }
    return strncmp(value->p, "=?base64?", 9) != 0;
}

static void header(struct bytes *out, const char *name, const struct bytes *value)
{
    bytes_text(out, name);
    bytes_text(out, ": ");
    bytes_add(out, value->p, value->n);
    bytes_text(out, "\r\n");
}

static void name_header(struct bytes *out, const struct bytes *name)
{
    struct bytes encoded = {0};

    if (is_plain(name)) {
        header(out, "Mcp-Name", name);
        return;
    }
    bytes_text(&encoded, "=?base64?");
    put_base64(&encoded, name);
    bytes_text(&encoded, "?=");
    header(out, "Mcp-Name", &encoded);
    bytes_free(&encoded);
}

/* What a modern request repeats in its headers. */
static void modern_headers(const struct tree *t, struct bytes *out)
{
    struct bytes method = {0}, name = {0};

    if (decode(t, member(t, 0, "method"), &method)) {
        bool by_uri = strcmp(method.p, "resources/read") == 0;
        bool by_name = strcmp(method.p, "tools/call") == 0 || strcmp(method.p, "prompts/get") == 0;
        bool by_task = strncmp(method.p, "tasks/", 6) == 0;
        header(out, "Mcp-Method", &method);
        if ((by_uri || by_name || by_task) && decode(t,
                                                     member(t, member(t, 0, "params"),
                                                            by_uri    ? "uri"
                                                            : by_task ? "taskId"
                                                                      : "name"),
                                                     &name)) {
            name_header(out, &name);
        }
    }
    bytes_free(&method);
    bytes_free(&name);
}

void client_post(struct client *c, const struct bytes *message, struct bytes *out)
{
    static struct tree tree;
    jsmn_parser parser;
    struct bytes value = {0};

    jsmn_init(&parser);
    tree.text = message->p;
    tree.count = jsmn_parse(&parser, message->p, message->n, tree.token, TOKENS);
    tree.count = tree.count < 0 ? 0 : tree.count;
    int meta = member(&tree, member(&tree, 0, "params"), "_meta");
    c->modern = decode(&tree, member(&tree, meta, "io.modelcontextprotocol/protocolVersion"), &value);

    bytes_clear(out);
    bytes_text(out, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    "Accept: application/json, text/event-stream\r\n");
    if (c->modern) {
        header(out, "MCP-Protocol-Version", &value);
        modern_headers(&tree, out);
    }
    c->initialize =
        !c->modern && decode(&tree, member(&tree, 0, "method"), &value) && strcmp(value.p, "initialize") == 0;
    if (!c->modern && !c->initialize && c->session.n > 0) {
        header(out, "Mcp-Session-Id", &c->session);
        header(out, "MCP-Protocol-Version", &c->version);
    }
    bytes_text(out, "Content-Length: ");
    bytes_number(out, message->n);
    bytes_text(out, "\r\n\r\n");
    bytes_add(out, message->p, message->n);
    bytes_free(&value);
}

/* ---- Sessions ---- */

static void between(const char *text, const char *start, const char *stops, struct bytes *out)
{
    const char *p = strstr(text, start);

    if (p != NULL) {
        p += strlen(start);
        bytes_clear(out);
        bytes_add(out, p, strcspn(p, stops));
    }
}

void client_learn(struct client *c, const struct bytes *head, const struct bytes *body)
{
    if (c->initialize) {
        between(head->p, "\r\nMcp-Session-Id: ", "\r\n", &c->session);
        between(body->p, "\"protocolVersion\":\"", "\"", &c->version);
    }
}

void client_free(struct client *c)
{
    bytes_free(&c->session);
    bytes_free(&c->version);
}
