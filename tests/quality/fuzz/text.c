/* text.c -- what is made of bytes before anything else is: JSON, UTF-8, escapes, base64, numbers, cursors and ids, each against a second
 * opinion that shares no code with it. The first byte says which of them reads the rest; the rest lies in a block of its own size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../wire/hostile/agree.h"
#include "skr_args.h"
#include "store/cursor.h"
#include "text/encode.h"
#include "text/json.h"
#include "text/number.h"
#include "text/plain.h"
#include "text/siphash.h"
#include "unescape.h"

#define INPUT_MAX 600
#define MADE_MAX (6 * INPUT_MAX + 8)

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "text: it does not hold that %s\n", what);
        abort();
    }
}

static bool lies_in(struct skr_span part, const char *text, size_t n)
{
    return part.p >= text && part.n <= n && (size_t)(part.p - text) <= n - part.n;
}

/* ---- JSON ---- */

static void json(char *text, size_t n)
{
    struct skr_token tokens[AGREE_TOKENS];
    struct skr_span id = skr_json_id_of_part(text, n, tokens, AGREE_TOKENS);

    must(id.n == 0 || (lies_in(id, text, n) && judge_json(id.p, id.n)), "the id of a part is a value in it");
    must(texts_agree(text, n) != AGREED_NOT, "the core and another reader see the same");
}

/* ---- Escapes and UTF-8 ---- */

typedef void encoder(struct skr_encoding *e);

static void encode_any(struct skr_encoding *e)
{
    skr_encode_any(e, true);
}

/* Encodes with so much room at a time; in the end nothing may be left. */
static size_t encode(encoder *by, const char *text, size_t n, char *out, size_t room)
{
    struct skr_encoding e = {.from = text, .n = n};
    size_t made = 0;

    while (e.used < n) {
        size_t before = e.used;
        char *block = malloc(room);
        e.out = block;
        e.room = room;
        e.made = 0;
        by(&e);
        memcpy(out + made, block, e.made);
        made += e.made;
        free(block);
        must(e.used > before && e.made <= room, "an encoder goes on with what it has");
    }
    return made;
}

static size_t unescape(const char *text, size_t n, size_t max, char *out)
{
    struct romfs_unescape u;
    const uint8_t *bytes;
    size_t made = 0, more;

    romfs_unescape_start(&u, (const uint8_t *)text, n);
    while ((more = romfs_unescape_next(&u, max, &bytes)) > 0) {
        must(more <= max, "no more comes out than was asked for");
        memcpy(out + made, bytes, more);
        made += more;
    }
    must(romfs_unescape_whole(&u), "what the encoder made can be read");
    return made;
}

static void escapes(const char *text, size_t n, size_t room)
{
    static char made[MADE_MAX], again[MADE_MAX], back[MADE_MAX];

    made[0] = '"';
    size_t length = encode(encode_any, text, n, made + 1, MADE_MAX);
    must(encode(encode_any, text, n, again, 6 + room) == length && memcmp(again, made + 1, length) == 0,
         "any room gives the same text");
    made[length + 1] = '"';
    must(judge_json(made, length + 2), "whatever is escaped is a JSON string");
    size_t first = n > 0 ? skr_utf8_char(text, n) : 0;
    if (n > 0 && (unsigned char)text[0] >= 0x80 && first > 0) {
        char quoted[6] = {'"'};
        memcpy(quoted + 1, text, first);
        quoted[first + 1] = '"';
        must(judge_json(quoted, first + 2), "a character of UTF-8 is one");
    }
    if (memchr(text, '\0', n) == NULL &&
        memmem(made, length + 2, "\xEF\xBF\xBD", 3) == NULL) { /* such a text is stored */
        must(unescape(made + 1, length, 1 + room, back) == n && memcmp(back, text, n) == 0, "it comes back as it was");
        must(skr_json_same_text((struct skr_span){made + 1, length}, (struct skr_span){text, n}),
             "it decodes to what it was");
    }
    size_t run = skr_plain_run(text, n);
    must(run <= n && memcmp(made + 1, text, run) == 0, "plain text stays as it is");
}

/* ---- Base64 ---- */

static size_t encode_base64(const char *bytes, size_t n, bool url, char *out)
{
    struct skr_carry carry = {0};
    struct skr_encoding e = {.from = bytes, .n = n, .out = out, .room = MADE_MAX, .url = url};

    skr_encode_base64(&e, &carry, true);
    must(e.used == n && carry.n == 0, "all of it is encoded");
    return e.made;
}

static void base64(const char *text, size_t n, bool url)
{
    static char made[MADE_MAX], back[MADE_MAX];
    size_t length;
    char *exact = malloc(n);

    if (skr_decode_base64((struct skr_span){text, n}, url, exact, n, &length)) {
        size_t same =
            url ? n - (n % 4 != 0) : n - (n % 4 == 0 && n > 0 ? 4 : 0); /* bits of the last digit may be unused */
        must(encode_base64(exact, length, url, made) == n && memcmp(made, text, same) == 0, "it is the text's content");
    }
    free(exact);
    size_t digits = encode_base64(text, n, url, made);
    must(skr_decode_base64((struct skr_span){made, digits}, url, back, sizeof back, &length) && length == n &&
             memcmp(back, text, n) == 0,
         "base64 comes back as it was");
    must(n == 0 || !skr_decode_base64((struct skr_span){made, digits}, url, back, n - 1, &length), "no room, no bytes");
}

/* ---- Numbers ---- */

/* The number times 10^decimals without its sign, rounded down, at most `beyond`; *rest: something was cut off. */
static uint64_t magnitude(const char *text, size_t n, int decimals, uint64_t beyond, bool *rest)
{
    char digits[INPUT_MAX];
    int count = 0, point = -1;
    size_t i = text[0] == '-';

    for (; i < n && text[i] != 'e' && text[i] != 'E'; i++) {
        if (text[i] == '.') {
            point = count;
        } else {
            digits[count++] = text[i];
        }
    }
    long exponent = i < n ? strtol(text + i + 1, NULL, 10) : 0; /* the caller has put a NUL after it */
    exponent = exponent > 5000 ? 5000 : exponent < -5000 ? -5000 : exponent;
    long whole = (point < 0 ? count : point) + exponent + decimals;
    unsigned __int128 value = 0;
    *rest = false;
    for (long k = 0; k < (whole > count ? whole : count); k++) {
        int digit = k < count ? digits[k] - '0' : 0;
        if (k < whole) {
            value = value * 10 + (unsigned)digit > beyond ? (unsigned __int128)beyond : value * 10 + (unsigned)digit;
        } else {
            *rest |= digit != 0;
        }
    }
    return (uint64_t)value;
}

static void number(const char *text, size_t n, unsigned decimals)
{
    static char copy[INPUT_MAX + 1];
    const uint64_t most = 9223372036854775799u;
    bool rest, rest_too;
    int32_t small;

    if (n == 0 || (text[0] != '-' && (text[0] < '0' || text[0] > '9')) || !judge_json(text, n) ||
        memchr(" \t\r\n", text[n - 1], 4) != NULL) {
        return;
    }
    memcpy(copy, text, n);
    copy[n] = '\0';
    struct skr_span span = {text, n};
    uint64_t expected = magnitude(copy, n, (int)decimals, most + 1, &rest);
    int64_t value = skr_number_scaled(span, decimals, &rest_too);
    if (expected > most) {
        must(value == (text[0] == '-' ? -INT64_MAX : INT64_MAX), "a number that is too large is the largest");
        return;
    }
    must(rest == rest_too, "a rest is a rest");
    must(value == (text[0] == '-' ? -(int64_t)expected - rest : (int64_t)expected), "a number is what it says");
    expected = magnitude(copy, n, 0, SKR_ARG_INT_MAX + 1u, &rest);
    must(skr_number_int(span, &small) == !rest || expected > SKR_ARG_INT_MAX, "a number is whole or not");
    if (!rest) {
        int64_t size = small < 0 ? -(int64_t)small : small;
        must(expected > SKR_ARG_INT_MAX ? size > SKR_ARG_INT_MAX : size == (int64_t)expected,
             "a small number is what it says, a large one stays large");
    }
}

/* ---- Cursors and ids ---- */

static void cursor(const char *text, size_t n)
{
    struct skr_span rest = {text, n};
    uint32_t value, id[4];
    char back[32], digits[SKR_NUMBER_DIGITS];

    if (skr_number_read(&rest, &value)) {
        size_t length = skr_number_text(value, 10, digits + sizeof digits);
        must(length == n - rest.n && memcmp(digits + sizeof digits - length, text, length) == 0,
             "a number is read as it is written");
    }
    if (skr_id_read((struct skr_span){text, n}, id)) {
        skr_id_text(id, back);
        must(n == sizeof back && memcmp(back, text, n) == 0, "an id is read as it is written");
    }
    if (judge_json(text, n)) {
        struct skr_span one = {text, n};
        must(skr_json_same_id(one, one), "an id is the same as itself");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > INPUT_MAX) {
        return 0;
    }
    size_t n = size - 1;
    char *text = malloc(n);
    memcpy(text, data + 1, n);
    switch (data[0] & 7) {
    case 0:
    case 1: json(text, n); break;
    case 2:
    case 3: escapes(text, n, data[0] >> 3); break;
    case 4: base64(text, n, (data[0] & 8) != 0); break;
    case 5:
    case 6: number(text, n, (data[0] >> 3) % 10); break;
    default: cursor(text, n); break;
    }
    free(text);
    return 0;
}
