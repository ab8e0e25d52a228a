/* encode.c -- encodes bytes as JSON text. See encode.h. */
#include "text/encode.h"

#include <string.h>

#include "text/json.h"
#include "text/number.h"
#include "text/plain.h"

#define ESCAPE_MAX 6 /* \u001f */

static const char hex[] = "0123456789abcdef";

static void put_bytes(struct skr_encoding *e, const char *bytes, size_t n)
{
    memcpy(e->out + e->made, bytes, n);
    e->made += n;
}

void skr_encode_number(struct skr_encoding *e, uint32_t value)
{
    char digits[SKR_NUMBER_DIGITS], *end = digits + sizeof digits;
    size_t n = skr_number_text(value, 10, end);

    if (e->room >= sizeof digits) {
        put_bytes(e, end - n, n);
    }
}

/* ---- Strings ---- */

static void put_escaped(struct skr_encoding *e, unsigned char c)
{
    char *out = e->out + e->made;

    out[0] = '\\';
    out[1] = skr_json_exchange((char)c, skr_json_controls, skr_json_letters);
    e->made += 2;
    if (out[1] < ' ') { /* it has no one-letter escape */
        out[1] = 'u';
        out[2] = out[3] = '0';
        out[4] = hex[c >> 4];
        out[5] = hex[c & 15];
        e->made += ESCAPE_MAX - 2;
    }
}

void skr_encode_text(struct skr_encoding *e)
{
    size_t left, room;

    while ((left = e->n - e->used) > 0 && (room = e->room - e->made) >= ESCAPE_MAX) {
        size_t plain = skr_plain_copy(e->out + e->made, e->from + e->used, left < room ? left : room);
        e->used += plain;
        e->made += plain;
        if (e->used < e->n && e->room - e->made >= ESCAPE_MAX) {
            put_escaped(e, (unsigned char)e->from[e->used++]);
        }
    }
}

/* C0 except tab and newline, DEL, C1. */
static bool is_control(const char *c, size_t length)
{
    unsigned char first = (unsigned char)c[0];

    return (first < 0x20 && first != '\t' && first != '\n') || first == 0x7F ||
           (length == 2 && first == 0xC2 && (unsigned char)c[1] < 0xA0);
}

void skr_encode_any(struct skr_encoding *e, bool controls)
{
    size_t n = e->n, length, room;

    while (e->used < n && (room = e->room - e->made) >= ESCAPE_MAX) {
        const char *from = e->from + e->used;
        size_t plain = skr_plain_run(from, n - e->used < room ? n - e->used : room);
        if (plain > 0) {
            put_bytes(e, from, plain);
            e->used += plain;
            continue;
        }
        length = skr_utf8_char(from, n - e->used);
        if (length == 0) {
            put_bytes(e, "\xEF\xBF\xBD", 3);
            e->used++;
        } else if (controls || !is_control(from, length)) {
            e->n = e->used + length;
            skr_encode_text(e);
        } else {
            e->used += length;
        }
    }
    e->n = n;
}

/* ---- Digits ---- */

void skr_encode_hex(struct skr_encoding *e)
{
    for (; e->used < e->n && e->room - e->made >= 2; e->used++) {
        unsigned char c = (unsigned char)e->from[e->used];
        char *out = e->out + e->made;
        out[0] = hex[c >> 4];
        out[1] = hex[c & 15];
        e->made += 2;
    }
}

static void put_group(struct skr_encoding *e, const struct skr_carry *group)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;

    for (unsigned i = 0; i < 3; i++) {
        bits = bits << 8 | (i < group->n ? group->bytes[i] : 0u);
    }
    for (unsigned i = 0; i < 4; i++, bits <<= 6) {
        char c = i <= group->n ? digits[bits >> 18 & 63] : '=';
#if SKR_INTERACTIVE
        if (e->url && c == '=') {
            return;
        }
        c = !e->url ? c : c == '+' ? '-' : c == '/' ? '_' : c;
#endif
        e->out[e->made++] = c;
    }
}

void skr_encode_base64(struct skr_encoding *e, struct skr_carry *carry, bool last)
{
    while (e->room - e->made >= 4) {
        while (carry->n < 3 && e->used < e->n) {
            carry->bytes[carry->n++] = (uint8_t)e->from[e->used++];
        }
        if (carry->n < 3 && (carry->n == 0 || !last)) {
            return;
        }
        put_group(e, carry);
        carry->n = 0;
    }
}

static int base64_digit(char c, bool url)
{
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == (url ? '-' : '+') ? 62 : c == (url ? '_' : '/') ? 63 : -1;
}

bool skr_decode_base64(struct skr_span in, bool url, char *out, size_t room, size_t *length)
{
    size_t n = 0, digits = in.n;
    uint32_t bits = 0;

    if (!url) {
        while (digits > 0 && in.n - digits < 2 && in.p[digits - 1] == '=') {
            digits--;
        }
        if (in.n % 4 != 0) {
            return false;
        }
    }
    for (size_t i = 0; i < digits; i++) {
        int digit = base64_digit(in.p[i], url);
        if (digit < 0) {
            return false;
        }
        bits = bits << 6 | (uint32_t)digit;
        if (i % 4 != 0) {
            if (n == room) {
                return false;
            }
            out[n++] = (char)(bits >> (6 - 2 * (i % 4)));
        }
    }
    *length = n;
    return digits % 4 != 1;
}
