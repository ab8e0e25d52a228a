/* json_string.c -- the inside of JSON strings. See json_string.h. */
#include "text/json_string.h"

#include "text/span.h"

const char skr_json_letters[] = "bfnrt", skr_json_controls[] = "\b\f\n\r\t";

/* Shortest form, no surrogates, at most U+10FFFF. */
size_t skr_utf8_char(const char *text, size_t n)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000}; /* by the number of bytes after the first */
    const unsigned char *p = (const unsigned char *)text;
    unsigned more = p[0] < 0x80 ? 0 : p[0] < 0xE0 ? 1 : p[0] < 0xF0 ? 2 : 3;
    uint32_t c = more > 0 ? p[0] & 0x3Fu >> more : p[0];

    if (n <= more || (p[0] & 0xC0) == 0x80 || p[0] > 0xF4) {
        return 0;
    }
    for (unsigned i = 1; i <= more; i++) {
        if ((p[i] & 0xC0) != 0x80) {
            return 0;
        }
        c = c << 6 | (p[i] & 0x3Fu);
    }
    return c < least[more] || c >> 11 == 0xD800 >> 11 || c > 0x10FFFF ? 0 : more + 1;
}

/* ---- Escapes ---- */

int skr_hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static uint32_t read_hex4(const char *p)
{
    uint32_t v = 0;

    for (unsigned i = 0; i < 4; i++) {
        v = v << 4 | (uint32_t)skr_hex_digit(p[i]);
    }
    return v;
}

static unsigned put_utf8(char *out, uint32_t c)
{
    static const uint8_t first[] = {0, 0xC0, 0xE0, 0xF0};
    unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

    for (unsigned i = more; i > 0; i--, c >>= 6) {
        out[i] = (char)(0x80 | (c & 0x3F));
    }
    out[0] = (char)(first[more] | c);
    return more + 1;
}

char skr_json_exchange(char c, const char *from, const char *to)
{
    const char *found = memchr(from, c, SKR_JSON_ESCAPES);

    return found != NULL ? to[found - from] : c;
}

unsigned skr_json_decode(const char *p, const char *end, char *out, unsigned *used)
{
    if (*p != '\\') {
        *out = *p;
        *used = 1;
        return 1;
    }
    if (p[1] != 'u') { /* a quote, backslash or slash stands for itself */
        *out = skr_json_exchange(p[1], skr_json_letters, skr_json_controls);
        *used = 2;
        return 1;
    }
    uint32_t c = read_hex4(p + 2);
    *used = 6;
    if (c >> 11 == 0xD800 >> 11) {
        uint32_t low = c < 0xDC00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u' ? read_hex4(p + 8) : 0;
        if (low >> 10 == 0xDC00 >> 10) {
            *used = 12;
            c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        } else {
            c = 0xFFFD;
        }
    }
    return put_utf8(out, c);
}

/* ---- Comparing ---- */

bool skr_json_same_text(struct skr_span inside, struct skr_span text)
{
    const char *p = inside.p, *end = inside.p + inside.n;
    size_t at = 0;

    while (p < end) {
        char bytes[4];
        unsigned used, n = skr_json_decode(p, end, bytes, &used);
        if (text.n - at < n || memcmp(text.p + at, bytes, n) != 0) {
            return false;
        }
        at += n;
        p += used;
    }
    return at == text.n;
}

/* A string being decoded byte by byte. */
struct unescaping {
    const char *p, *end;
    unsigned at, n; /* bytes of the last character decoded: returned so far, and in all */
    char bytes[4];
};

static int next_byte(struct unescaping *u)
{
    if (u->at == u->n) {
        unsigned used;
        if (u->p == u->end) {
            return -1;
        }
        u->n = skr_json_decode(u->p, u->end, u->bytes, &used);
        u->p += used;
        u->at = 0;
    }
    return (unsigned char)u->bytes[u->at++];
}

/* The quotes are also compared: they distinguish a string from a number. */
bool skr_json_same_id(struct skr_span one, struct skr_span other)
{
    struct unescaping a = {.p = one.p, .end = one.p + one.n}, b = {.p = other.p, .end = other.p + other.n};
    int byte;

    do {
        byte = next_byte(&a);
        if (byte != next_byte(&b)) {
            return false;
        }
    } while (byte >= 0);
    return true;
}
