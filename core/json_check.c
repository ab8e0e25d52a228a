/* json_check.c -- is this text exactly one JSON value in valid UTF-8?
 *
 * A pass of its own in front of jsmn, which takes much that is no JSON. It walks
 * the text once without recursion; the only memory is one bit per open bracket,
 * saying whether it is an object or an array. */
#include "json.h"
#include "plain.h"

/* Where the text has been read to. `p` only moves over bytes that are right. */
struct reader {
    const unsigned char *p;
    const unsigned char *end;
};

static int peek(const struct reader *r)
{
    return r->p < r->end ? *r->p : -1;
}

static void skip_blanks(struct reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r')) {
        r->p++;
    }
}

/* Shortest form, no surrogates, at most U+10FFFF. */
size_t skr_utf8_char(const char *text, size_t n)
{
    const unsigned char *p = (const unsigned char *)text;
    unsigned more = p[0] >= 0xF0 ? 3 : p[0] >= 0xE0 ? 2 : 1;
    if (p[0] < 0x80) {
        return 1;
    }
    if (p[0] < 0xC2 || p[0] > 0xF4 || n <= more) {
        return 0;
    }
    unsigned low = p[0] == 0xE0 ? 0xA0 : p[0] == 0xF0 ? 0x90 : 0x80;
    unsigned high = p[0] == 0xED ? 0x9F : p[0] == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < low || p[1] > high) {
        return 0;
    }
    for (unsigned i = 2; i <= more; i++) {
        if ((p[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return more + 1;
}

static bool is_hex(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool escape(struct reader *r)
{
    r->p++;
    switch (peek(r)) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
        r->p++;
        return true;
    case 'u':
        r->p++;
        for (int i = 0; i < 4; i++) {
            if (!is_hex(peek(r))) {
                return false;
            }
            r->p++;
        }
        return true;
    default:
        return false;
    }
}

static bool string(struct reader *r)
{
    if (peek(r) != '"') {
        return false;
    }
    r->p++;
    for (;;) {
        const unsigned char *p = r->p + skr_plain_run((const char *)r->p, (size_t)(r->end - r->p));
        r->p = p;
        if (p == r->end || *p < 0x20) {
            return false;
        }
        if (*p == '"') {
            r->p++;
            return true;
        }
        if (*p == '\\') {
            if (!escape(r)) {
                return false;
            }
        } else {
            size_t n = skr_utf8_char((const char *)p, (size_t)(r->end - p));
            if (n == 0) {
                return false;
            }
            r->p += n;
        }
    }
}

static bool digits(struct reader *r)
{
    const unsigned char *before = r->p;
    while (peek(r) >= '0' && peek(r) <= '9') {
        r->p++;
    }
    return r->p > before;
}

static bool number(struct reader *r)
{
    if (peek(r) == '-') {
        r->p++;
    }
    if (peek(r) == '0') {
        r->p++;
    } else if (!digits(r)) {
        return false;
    }
    if (peek(r) == '.') {
        r->p++;
        if (!digits(r)) {
            return false;
        }
    }
    if (peek(r) == 'e' || peek(r) == 'E') {
        r->p++;
        if (peek(r) == '+' || peek(r) == '-') {
            r->p++;
        }
        return digits(r);
    }
    return true;
}

static bool word(struct reader *r, const char *text)
{
    for (; *text != '\0'; text++, r->p++) {
        if (peek(r) != *text) {
            return false;
        }
    }
    return true;
}

static bool scalar(struct reader *r)
{
    switch (peek(r)) {
    case '"': return string(r);
    case 't': return word(r, "true");
    case 'f': return word(r, "false");
    case 'n': return word(r, "null");
    default: return number(r);
    }
}

/* A key and its colon, up to where the value starts. */
static bool key(struct reader *r)
{
    skip_blanks(r);
    if (!string(r)) {
        return false;
    }
    skip_blanks(r);
    if (peek(r) != ':') {
        return false;
    }
    r->p++;
    return true;
}

int skr_json_check(const char *text, size_t n)
{
    struct reader r = {(const unsigned char *)text, (const unsigned char *)text + n};
    uint8_t in_object[(SKR_JSON_DEPTH + 7) / 8] = {0};
    unsigned depth = 0;

    for (;;) { /* each turn reads one value, or opens one bracket */
        skip_blanks(&r);
        int c = peek(&r);
        if (c == '{' || c == '[') {
            if (depth == SKR_JSON_DEPTH) {
                return SKR_JSON_DEEP;
            }
            unsigned bit = 1u << (depth % 8);
            uint8_t *byte = &in_object[depth / 8];
            *byte = (uint8_t)(c == '{' ? *byte | bit : *byte & ~bit);
            depth++;
            r.p++;
            skip_blanks(&r);
            if (peek(&r) != (c == '{' ? '}' : ']')) {
                if (c == '{' && !key(&r)) {
                    return SKR_JSON_BAD;
                }
                continue;
            }
        } else if (!scalar(&r)) {
            return SKR_JSON_BAD;
        }
        for (;;) { /* behind a value: close brackets, or go on to the next value */
            skip_blanks(&r);
            if (depth == 0) {
                return r.p == r.end ? SKR_JSON_OK : SKR_JSON_BAD;
            }
            bool object = (in_object[(depth - 1) / 8] >> ((depth - 1) % 8) & 1u) != 0;
            if (peek(&r) == (object ? '}' : ']')) {
                r.p++;
                depth--;
            } else if (peek(&r) == ',') {
                r.p++;
                if (object && !key(&r)) {
                    return SKR_JSON_BAD;
                }
                break;
            } else {
                return SKR_JSON_BAD;
            }
        }
    }
}
