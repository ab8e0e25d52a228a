/* inflate_file.c -- see inflate_file.h. README.md, "Compressed", has the members. */
#include "inflate_file.h"

#include <miniz.h>
#include <string.h>

#include "json_edit.h"
#include "text/encode.h"

#define TEXT "\"skillrom/text\":"
#define BLOB "\"skillrom/blob\":"

static char content[BRIDGE_FILE];

/* The only file in a response: its compressed bytes as a JSON string, and whether it is text. */
static struct skr_span find_file(struct skr_span message, bool *text)
{
    struct skr_span contents = skr_scan_get(skr_scan_get(message, "result"), "contents"), item, value = {NULL, 0};

    if (contents.p != NULL && skr_scan_item(&contents, &item)) {
        value = skr_scan_get(item, "skillrom/text");
        *text = value.p != NULL;
        value = *text ? value : skr_scan_get(item, "skillrom/blob");
    }
    return value;
}

/* Inflates it into `content`; false if it is not a deflate stream, or too large. */
static bool file_unpack(struct skr_span string, size_t *n)
{
    char *packed = (char *)(uintptr_t)string.p; /* decoded in place: it gets shorter */
    size_t packed_n;

    if (string.n < 2 || !skr_decode_base64(skr_scan_inside(string), false, packed, string.n, &packed_n)) {
        return false;
    }
    *n = tinfl_decompress_mem_to_mem(content, sizeof content, packed, packed_n, 0);
    return *n != TINFL_DECOMPRESS_MEM_TO_MEM_FAILED;
}

static void content_encode(struct skr_encoding *e, bool text)
{
    struct skr_carry carry = {0};

    if (text) {
        skr_encode_text(e);
    } else {
        skr_encode_base64(e, &carry, true);
    }
}

size_t bridge_inflate_file_expand(char *in, size_t n, size_t room)
{
    bool text = false;
    struct skr_span value = find_file((struct skr_span){in, n}, &text);

    if (value.p == NULL) {
        return n;
    }
    char tail[1024]; /* the rest of a response after the content: less than 200 bytes from our devices */
    size_t from = (size_t)(value.p - in) - (sizeof TEXT - 1), rest = n - (size_t)(value.p - in) - value.n, size;
    const char *member = text ? "\"text\":\"" : "\"blob\":\"";
    if (rest + 1 > sizeof tail || memcmp(in + from, text ? TEXT : BLOB, sizeof TEXT - 1) != 0) {
        return 0;
    }
    memcpy(tail, value.p + value.n, rest);
    if (!file_unpack(value, &size)) {
        return 0;
    }
    size_t at = from + strlen(member);
    memcpy(in + from, member, strlen(member));
    struct skr_encoding e = {.from = content, .n = size, .out = in + at, .room = room - at};
    content_encode(&e, text);
    if (e.used < e.n || at + e.made + 1 + rest > room) {
        return 0;
    }
    in[at + e.made] = '"';
    memcpy(in + at + e.made + 1, tail, rest);
    return at + e.made + 1 + rest;
}
