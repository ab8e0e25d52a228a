/* scan.c -- see scan.h. The text has passed skr_json_check. */
#include "json_edit.h"

#include <stdio.h>
#include <string.h>

#include "decimal.h"
#include "sha256.h"
#include "text/json_string.h"

int bridge_json_int(struct skr_span value)
{
    bool negative = value.n > 0 && *value.p == '-';
    uint64_t number = 0;
    (void)host_decimal(value.p + negative, value.n - negative, 1000000000, &number);
    return negative ? -(int)number : (int)number;
}

bool bridge_json_is_any(struct skr_span string, const char *const *list)
{
    while (*list != NULL && !skr_scan_is(string, *list)) {
        list++;
    }
    return *list != NULL;
}

/* Writes the escape at p, or, if it needs no escape, as in \/ or \u0061, the character itself: the bridge compares
 * texts as they are written. */
static size_t compact_escape(char *to, const char *p, const char *end, unsigned *used)
{
    char bytes[4];
    unsigned n = skr_json_decode(p, end, bytes, used);
    if (n == 1 && bytes[0] >= ' ' && bytes[0] != 0x7F && bytes[0] != '"' && bytes[0] != '\\') {
        *to = bytes[0];
        return 1;
    }
    memmove(to, p, *used); /* a text may be written over itself */
    return *used;
}

size_t bridge_json_compact(char *to, struct skr_span json)
{
    const char *p = json.p, *end = json.p + json.n;
    size_t n = 0;
    bool quoted = false;
    while (p < end) {
        unsigned used = 1;
        if (*p == '\\') { /* only in strings */
            n += compact_escape(to + n, p, end, &used);
        } else {
            quoted ^= *p == '"';
            if (quoted || memchr(" \t\n\r", *p, 4) == NULL) {
                to[n++] = *p;
            }
        }
        p += used;
    }
    return n;
}

size_t bridge_json_splice(char *in, size_t n, size_t room, const char *at, size_t gone, const char *text)
{
    size_t from = (size_t)(at - in), more = strlen(text);
    if (n - gone + more > room) {
        return n;
    }
    memmove(in + from + more, in + from + gone, n - from - gone);
    memcpy(in + from, text, more);
    return n - gone + more;
}

size_t bridge_json_put_meta(char *request, size_t n, size_t room, const char *member)
{
    char text[128];
    struct skr_span message = {request, n}, params = skr_scan_get(message, "params");
    struct skr_span meta = skr_scan_get(params, "_meta");
    if ((params.p != NULL && *params.p != '{') || (meta.p != NULL && *meta.p != '{')) {
        return n; /* the device will refuse it */
    }
    const char *comma = meta.n > 2 || (meta.p == NULL && params.n > 2) ? "," : "";
    (void)snprintf(text, sizeof text, "%s%s%s%s%s", params.p == NULL ? ",\"params\":{" : "",
                   meta.p == NULL ? "\"_meta\":{" : "", member, meta.p == NULL ? "}" : "",
                   params.p == NULL ? "}" : comma);
    const char *at = meta.p != NULL ? meta.p + 1 : params.p != NULL ? params.p + 1 : request + n - 1;
    return bridge_json_splice(request, n, room, at, 0, text);
}

/* ---- Digests ---- */

/* Collects bytes for a digest, because hashing them one by one is slow. */
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

static void add_text(struct gather *g, struct skr_span s)
{
    const char *p = s.p, *end = s.p + s.n;
    for (unsigned used; p < end; p += used) {
        char bytes[4];
        unsigned n = skr_json_decode(p, end, bytes, &used);
        for (unsigned i = 0; i < n; i++) {
            add(g, (uint8_t)bytes[i]);
        }
    }
}

static bool add_base64(struct gather *g, struct skr_span s)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    unsigned have = 0;
    for (unsigned i = 0; i < 2 && s.n > 0 && s.p[s.n - 1] == '='; i++) {
        s.n--; /* anything behind the padding would be a second content for some readers */
    }
    for (size_t i = 0; i < s.n; i++) {
        const char *digit = memchr(digits, s.p[i], 64);
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
    return have < 6;
}

bool bridge_json_digest(struct skr_span string, bool base64, uint8_t digest[32])
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

bool bridge_json_content(struct skr_span item, struct bridge_file_content *content)
{
    struct skr_span key, value;
    unsigned count = 0;
    while (skr_scan_pair(&item, &key, &value)) {
        bool base64 = skr_scan_is(key, "blob");
        if (base64 || skr_scan_is(key, "text")) {
            *content = (struct bridge_file_content){value, base64};
            count++;
        }
    }
    return count == 1;
}

bool bridge_json_file(struct skr_span contents, const uint8_t wanted[32], struct bridge_file_content *content)
{
    struct skr_span item, more;
    uint8_t digest[ROMFS_SHA256_SIZE];
    return skr_scan_item(&contents, &item) && !skr_scan_item(&contents, &more) && bridge_json_content(item, content) &&
           bridge_json_digest(content->value, content->base64, digest) && memcmp(digest, wanted, sizeof digest) == 0;
}
