/* encode.c -- numbers, strings and hex for JSON. See encode.h. */
#include "encode.h"

#include <string.h>

#include "plain.h"

#define ESCAPE_MAX 6 /* \u001f */

static const char hex[] = "0123456789abcdef";

unsigned skr_put_number(char *out, uint32_t value)
{
    char digits[SKR_NUMBER_MAX];
    unsigned n = 0, length;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    for (length = 0; n > 0; length++) {
        out[length] = digits[--n];
    }
    return length;
}

/* The letter of a two-character escape, 0 when the byte needs none, 'u' for \u00xx. */
static char escape_letter(unsigned char c)
{
    switch (c) {
    case '"': return '"';
    case '\\': return '\\';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\t': return 't';
    case '\b': return 'b';
    case '\f': return 'f';
    default: return c < 0x20 ? 'u' : 0;
    }
}

static unsigned put_escaped(char *out, unsigned char c)
{
    char letter = escape_letter(c);
    out[0] = '\\';
    out[1] = letter;
    if (letter != 'u') {
        return 2;
    }
    out[2] = out[3] = '0';
    out[4] = hex[c >> 4];
    out[5] = hex[c & 15];
    return ESCAPE_MAX;
}

size_t skr_escape(const char *from, size_t n, char *out, size_t room, size_t *used)
{
    size_t made = 0, i = 0;
    while (i < n && room - made >= ESCAPE_MAX) {
        size_t plain = skr_plain_run(from + i, n - i < room - made ? n - i : room - made, false);
        if (plain > 0) {
            memcpy(out + made, from + i, plain);
            made += plain;
            i += plain;
        } else {
            made += put_escaped(out + made, (unsigned char)from[i++]);
        }
    }
    *used = i;
    return made;
}

void skr_put_hex(char *out, const char *from, size_t n)
{
    for (; n > 0; n--, from++) {
        *out++ = hex[(unsigned char)*from >> 4];
        *out++ = hex[*from & 15];
    }
}
