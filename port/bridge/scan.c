/* scan.c -- see scan.h. The text has passed skr_json_check: what is expected is there. */
#include "scan.h"

#include <stdio.h>
#include <string.h>

#include "sha256.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blanks(struct skr_span *s)
{
    while (s->n > 0 && is_blank(*s->p)) {
        s->p++;
        s->n--;
    }
}

static void drop(struct skr_span *s, size_t n)
{
    n = n < s->n ? n : s->n;
    s->p += n;
    s->n -= n;
}

/* The length of the string that text begins with, quotes included. */
static size_t string_length(struct skr_span text)
{
    size_t i = 1;
    while (i < text.n && text.p[i] != '"') {
        i += text.p[i] == '\\' ? 2 : 1;
    }
    return i < text.n ? i + 1 : text.n;
}

static size_t value_length(struct skr_span text)
{
    size_t depth = 0, i = 0;
    while (i < text.n) {
        char c = text.p[i];
        if (c == '"') {
            i += string_length((struct skr_span){text.p + i, text.n - i});
            if (depth == 0) {
                return i;
            }
            continue;
        }
        if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            if (depth == 0) {
                return i; /* behind a number or word, the end of what it stands in */
            }
            if (--depth == 0) {
                return i + 1;
            }
        } else if (depth == 0 && (c == ',' || is_blank(c))) {
            return i;
        }
        i++;
    }
    return i;
}

static struct skr_span take_value(struct skr_span *rest)
{
    skip_blanks(rest);
    struct skr_span value = {rest->p, value_length(*rest)};
    drop(rest, value.n);
    skip_blanks(rest);
    return value;
}

/* Steps over the opening bracket or a comma. False at the end. */
static bool step_in(struct skr_span *rest, char open)
{
    skip_blanks(rest);
    if (rest->n == 0 || (*rest->p != open && *rest->p != ',')) {
        return false;
    }
    drop(rest, 1);
    skip_blanks(rest);
    return rest->n > 0 && *rest->p != '}' && *rest->p != ']';
}

bool skr_scan_pair(struct skr_span *rest, struct skr_span *key, struct skr_span *value)
{
    if (!step_in(rest, '{')) {
        return false;
    }
    *key = take_value(rest);
    drop(rest, 1); /* the colon */
    *value = take_value(rest);
    return true;
}

bool skr_scan_item(struct skr_span *rest, struct skr_span *item)
{
    if (!step_in(rest, '[')) {
        return false;
    }
    *item = take_value(rest);
    return true;
}

struct skr_span skr_scan_get(struct skr_span object, const char *key)
{
    struct skr_span name, value, found = {NULL, 0};
    skip_blanks(&object);
    if (object.n == 0 || *object.p != '{') {
        return found;
    }
    while (skr_scan_pair(&object, &name, &value)) {
        if (skr_scan_is(name, key)) {
            found = value;
        }
    }
    return found;
}

bool skr_scan_is(struct skr_span value, const char *text)
{
    size_t n = strlen(text);
    return value.n == n + 2 && *value.p == '"' && memcmp(value.p + 1, text, n) == 0;
}

struct skr_span skr_scan_inside(struct skr_span string)
{
    if (string.n < 2 || *string.p != '"') {
        return (struct skr_span){NULL, 0};
    }
    return (struct skr_span){string.p + 1, string.n - 2};
}

int skr_scan_int(struct skr_span value)
{
    bool negative = value.n > 0 && *value.p == '-';
    long number = 0;
    for (size_t i = negative; i < value.n; i++) {
        if (value.p[i] < '0' || value.p[i] > '9' || number > 100000000) {
            return 0;
        }
        number = number * 10 + (value.p[i] - '0');
    }
    return (int)(negative ? -number : number);
}

static uint32_t hex4(const char *p)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned c = (unsigned char)p[i] | 0x20u;
        value = value << 4 | (c >= 'a' ? c - 'a' + 10 : c & 15);
    }
    return value;
}

/* Without escapes that nothing asks for, such as \/ or \u0061: what is compared here is compared as it is written. */
static size_t compact_string(char *to, const char *from, size_t length)
{
    size_t n = 0, i = 0;
    while (i < length) {
        if (from[i] != '\\') {
            to[n++] = from[i++];
            continue;
        }
        bool is_u = from[i + 1] == 'u';
        uint32_t c = from[i + 1] == '/' ? '/' : is_u ? hex4(from + i + 2) : 0;
        if (c >= ' ' && c < 0x7F && c != '"' && c != '\\') {
            to[n++] = (char)c;
            i += is_u ? 6 : 2;
        } else {
            to[n++] = from[i++];
            to[n++] = from[i++];
        }
    }
    return n;
}

size_t skr_scan_compact(char *to, struct skr_span json)
{
    size_t n = 0;
    while (json.n > 0) {
        size_t k = *json.p == '"' ? string_length(json) : 1;
        if (k > 1) {
            n += compact_string(to + n, json.p, k);
        } else if (!is_blank(*json.p)) {
            to[n++] = *json.p;
        }
        drop(&json, k);
    }
    return n;
}

size_t skr_scan_splice(char *in, size_t n, size_t room, const char *at, size_t gone, const char *text)
{
    size_t from = (size_t)(at - in), more = strlen(text);
    if (n - gone + more > room) {
        return n;
    }
    memmove(in + from + more, in + from + gone, n - from - gone);
    memcpy(in + from, text, more);
    return n - gone + more;
}

size_t skr_scan_put_meta(char *request, size_t n, size_t room, const char *member)
{
    char text[128];
    struct skr_span message = {request, n}, params = skr_scan_get(message, "params");
    struct skr_span meta = skr_scan_get(params, "_meta");
    if ((params.p != NULL && *params.p != '{') || (meta.p != NULL && *meta.p != '{')) {
        return n; /* the device says what is wrong with it */
    }
    const char *comma = meta.n > 2 || (meta.p == NULL && params.n > 2) ? "," : "";
    (void)snprintf(text, sizeof text, "%s%s%s%s%s", params.p == NULL ? ",\"params\":{" : "",
                   meta.p == NULL ? "\"_meta\":{" : "", member, meta.p == NULL ? "}" : "",
                   params.p == NULL ? "}" : comma);
    const char *at = meta.p != NULL ? meta.p + 1 : params.p != NULL ? params.p + 1 : request + n - 1;
    return skr_scan_splice(request, n, room, at, 0, text);
}

/* ---- Digests ---- */

/* Bytes on their way into a digest, gathered because one by one is slow. */
struct gather {
    struct sha256 sha;
    uint8_t bytes[1024];
    size_t n;
};

static void add(struct gather *g, uint8_t byte)
{
    g->bytes[g->n++] = byte;
    if (g->n == sizeof g->bytes) {
        sha256_add(&g->sha, g->bytes, g->n);
        g->n = 0;
    }
}

static void add_utf8(struct gather *g, uint32_t c)
{
    if (c < 0x80) {
        add(g, (uint8_t)c);
        return;
    }
    unsigned tail = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const uint8_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    add(g, (uint8_t)(lead[tail] | c >> 6 * tail));
    while (tail-- > 0) {
        add(g, (uint8_t)(0x80 | (c >> 6 * tail & 0x3F)));
    }
}

/* The escape that s begins with; returns its length. */
static size_t add_escape(struct gather *g, struct skr_span s)
{
    static const char names[] = "ntrbf", values[] = "\n\t\r\b\f";
    if (s.n < 2) {
        return s.n;
    }
    if (s.p[1] != 'u' || s.n < 6) {
        const char *name = memchr(names, s.p[1], sizeof names - 1);
        add(g, (uint8_t)(name != NULL ? values[name - names] : s.p[1]));
        return 2;
    }
    uint32_t c = hex4(s.p + 2);
    if (c >= 0xD800 && c < 0xDC00 && s.n >= 12 && s.p[6] == '\\' && s.p[7] == 'u') {
        add_utf8(g, 0x10000 + ((c - 0xD800) << 10) + (hex4(s.p + 8) - 0xDC00));
        return 12;
    }
    add_utf8(g, c);
    return 6;
}

static void add_text(struct gather *g, struct skr_span s)
{
    while (s.n > 0) {
        if (*s.p == '\\') {
            drop(&s, add_escape(g, s));
        } else {
            add(g, (uint8_t)*s.p);
            drop(&s, 1);
        }
    }
}

static bool add_base64(struct gather *g, struct skr_span s)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    unsigned have = 0;
    for (; s.n > 0 && *s.p != '='; drop(&s, 1)) {
        const char *digit = memchr(digits, *s.p, 64);
        if (digit == NULL) {
            return false;
        }
        bits = bits << 6 | (uint32_t)(digit - digits);
        have += 6;
        if (have >= 8) {
            have -= 8;
            add(g, (uint8_t)(bits >> have));
        }
    }
    return true;
}

bool skr_scan_digest(struct skr_span string, bool base64, uint8_t digest[32])
{
    struct gather g = {.n = 0};
    struct skr_span inside = skr_scan_inside(string);
    bool good = inside.p != NULL;
    sha256_start(&g.sha);
    if (base64) {
        good = good && add_base64(&g, inside);
    } else if (good) {
        add_text(&g, inside);
    }
    sha256_add(&g.sha, g.bytes, g.n);
    sha256_finish(&g.sha, digest);
    return good;
}
