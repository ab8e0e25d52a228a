/* json_edit.c -- see json_edit.h. The text has passed skr_json_check. */
#include "json_edit.h"

#include <stdio.h>
#include <string.h>

#include "decimal.h"
#include "sha256.h"
#include "text/encode.h"
#include "text/json_string.h"

int host_json_int(struct skr_span value)
{
    bool negative = value.n > 0 && *value.p == '-';
    uint64_t number = 0;

    if (value.n > 0) {
        (void)host_decimal(value.p + negative, value.n - negative, 1000000000, &number);
    }
    return negative ? -(int)number : (int)number;
}

bool host_json_is_any(struct skr_span string, const char *const *list)
{
    while (*list != NULL && !skr_scan_is(string, *list)) {
        list++;
    }
    return *list != NULL;
}

/* Writes the escape at p, or, if it needs no escape, as in \/ or \u0061, the character itself: callers compare texts as
 * they are written. */
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

size_t host_json_compact(char *to, struct skr_span json)
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

size_t host_json_splice(char *in, size_t n, size_t room, const char *at, size_t gone, const char *text)
{
    size_t from = (size_t)(at - in), more = strlen(text);

    if (n - gone + more > room) {
        return n;
    }
    memmove(in + from + more, in + from + gone, n - from - gone);
    memcpy(in + from, text, more);
    return n - gone + more;
}

size_t host_json_put_meta(char *request, size_t n, size_t room, const char *member)
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
    return host_json_splice(request, n, room, at, 0, text);
}

size_t host_json_text(struct skr_span inside, char *to, size_t room)
{
    const char *p = inside.p, *end = inside.p + inside.n;
    size_t n = 0;

    for (unsigned used; p < end && room - n >= 4; p += used) {
        n += skr_json_decode(p, end, to + n, &used);
    }
    return p < end ? room : n;
}

/* ---- Digests ---- */

bool host_json_base64(struct skr_span base64, void (*take)(void *context, const char *bytes, size_t n), void *context)
{
    char bytes[3072], padded[4] = {'=', '=', '=', '='};
    size_t n, made;

    for (; base64.n > 0; base64.p += n, base64.n -= n) {
        struct skr_span piece = {base64.p, base64.n < 4096 ? base64.n : 4096};
        n = piece.n < 4 ? piece.n : piece.n - piece.n % 4;
        piece.n = n;
        if (n < 4) { /* the padding was left out */
            memcpy(padded, base64.p, n);
            piece = (struct skr_span){padded, 4};
        }
        if (!skr_decode_base64(piece, false, bytes, sizeof bytes, &made) || (n < base64.n && made != n / 4 * 3)) {
            return false; /* bytes after the padding would be a second content for some readers */
        }
        take(context, bytes, made);
    }
    return true;
}

static void add_bytes(void *sha, const char *bytes, size_t n)
{
    romfs_sha256_add(sha, (const uint8_t *)bytes, n);
}

static void add_text(struct romfs_sha256 *sha, struct skr_span inside)
{
    const char *p = inside.p, *end = inside.p + inside.n;
    char bytes[1024];
    size_t n = 0;

    for (unsigned used; p < end; p += used) {
        n += skr_json_decode(p, end, bytes + n, &used);
        if (n > sizeof bytes - 4) {
            add_bytes(sha, bytes, n);
            n = 0;
        }
    }
    add_bytes(sha, bytes, n);
}

/* SHA-256 of the bytes that a JSON string stands for, as text or as base64. False if it is not valid base64, or not a
 * string. */
static bool host_json_digest(struct skr_span string, bool base64, uint8_t digest[32])
{
    struct skr_span inside = skr_scan_inside(string);
    bool good = inside.p != NULL;
    struct romfs_sha256 sha;

    romfs_sha256_start(&sha);
    if (base64) {
        good = good && host_json_base64(inside, add_bytes, &sha);
    } else if (good) {
        add_text(&sha, inside);
    }
    romfs_sha256_finish(&sha, digest);
    return good;
}

bool host_json_content(struct skr_span item, struct host_file_content *content)
{
    struct skr_span key, value;
    unsigned count = 0;

    while (skr_scan_pair(&item, &key, &value)) {
        bool base64 = skr_scan_is(key, "blob");
        if (base64 || skr_scan_is(key, "text")) {
            *content = (struct host_file_content){value, base64};
            count++;
        }
    }
    return count == 1;
}

bool host_json_file(struct skr_span contents, const uint8_t wanted[32], struct host_file_content *content)
{
    struct skr_span item, more;
    uint8_t digest[ROMFS_SHA256_SIZE];

    return skr_scan_item(&contents, &item) && !skr_scan_item(&contents, &more) && host_json_content(item, content) &&
           host_json_digest(content->value, content->base64, digest) && memcmp(digest, wanted, sizeof digest) == 0;
}
