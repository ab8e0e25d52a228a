/* json_parse.c -- is this text exactly one JSON value in valid UTF-8, and what is in it?
 *
 * One walk without recursion checks the text and notes a token for every value and key. Where
 * tokens have run out it goes on checking, because a text that is no JSON is that first of
 * all. The only memory is two bytes for each open bracket. */
#include "json.h"
#include "plain.h"
#include "span.h"

#define OBJECT 0x8000u /* in `open`, beside the number of the token */

/* Where the text has been read to. `p` only moves over bytes that are right. */
struct reader {
    const unsigned char *p;
    const unsigned char *end;
    struct skr_json *json;
    unsigned max;                  /* tokens there are; one more is `spare`, which nobody reads */
    bool full;
    struct skr_token spare;
    unsigned depth;
    uint16_t open[SKR_JSON_DEPTH]; /* brackets */
};

static int peek(const struct reader *r)
{
    return r->p < r->end ? *r->p : -1;
}

static bool skip(struct reader *r, int c)
{
    bool there = peek(r) == c;
    r->p += there;
    return there;
}

/* The next byte that is not blank. */
static int next(struct reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r')) {
        r->p++;
    }
    return peek(r);
}

/* ---- Tokens ---- */

static struct skr_token *token(struct reader *r, unsigned number)
{
    return number < r->max ? &r->json->tokens[number] : &r->spare;
}

static unsigned note(struct reader *r, enum skr_json_type type, const unsigned char *from, const unsigned char *to)
{
    unsigned number = (unsigned)r->json->count;
    struct skr_token *t = token(r, number);
    if (t != &r->spare) {
        r->json->count++;
    } else {
        r->full = true;
    }
    t->start = (int)((const char *)from - r->json->text);
    t->end = (int)((const char *)to - r->json->text);
    t->type = (uint8_t)type;
    return number;
}

/* ---- Values without others inside ---- */

/* Shortest form, no surrogates, at most U+10FFFF. */
size_t skr_utf8_char(const char *text, size_t n)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000}; /* by the bytes behind the first */
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

/* Behind the backslash. */
static bool escape(struct reader *r)
{
    if (!skip(r, 'u')) {
        bool known = memchr("\"\\/bfnrt", peek(r), 8) != NULL;
        r->p += known;
        return known;
    }
    for (unsigned i = 0; i < 4; i++, r->p++) {
        if (skr_hex_digit((char)peek(r)) < 0) {
            return false;
        }
    }
    return true;
}

/* From behind the quote on, and the quote at its end. */
static bool string(struct reader *r)
{
    const unsigned char *from = r->p;
    for (;;) {
        r->p += skr_plain_run((const char *)r->p, (size_t)(r->end - r->p));
        if (skip(r, '"')) {
            (void)note(r, SKR_JSON_STRING, from, r->p - 1);
            return true;
        }
        if (skip(r, '\\')) {
            if (!escape(r)) {
                return false;
            }
            continue;
        }
        size_t n = peek(r) >= 0x80 ? skr_utf8_char((const char *)r->p, (size_t)(r->end - r->p)) : 0;
        if (n == 0) {
            return false;
        }
        r->p += n;
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
    (void)skip(r, '-');
    if (!skip(r, '0') && !digits(r)) {
        return false;
    }
    if (skip(r, '.') && !digits(r)) {
        return false;
    }
    if (skip(r, 'e') || skip(r, 'E')) {
        (void)(skip(r, '+') || skip(r, '-'));
        return digits(r);
    }
    return true;
}

static bool word(struct reader *r, const char *text)
{
    while (*text != '\0') {
        if (!skip(r, *text++)) {
            return false;
        }
    }
    return true;
}

static bool scalar(struct reader *r)
{
    const unsigned char *from = r->p;
    bool sound;
    switch (peek(r)) {
    case '"': r->p++; return string(r);
    case 't': sound = word(r, "true"); break;
    case 'f': sound = word(r, "false"); break;
    case 'n': sound = word(r, "null"); break;
    default: sound = number(r); break;
    }
    if (sound) {
        (void)note(r, SKR_JSON_WORD, from, r->p);
    }
    return sound;
}

/* ---- The whole ---- */

/* A key and its colon, up to where the value starts. */
static bool key(struct reader *r)
{
    (void)next(r);
    if (!skip(r, '"') || !string(r)) {
        return false;
    }
    (void)next(r);
    return skip(r, ':');
}

/* Until its end is seen, a bracket ends where the text does. */
static void open_bracket(struct reader *r, bool object)
{
    unsigned number = note(r, object ? SKR_JSON_OBJECT : SKR_JSON_ARRAY, r->p, r->end);
    r->open[r->depth++] = (uint16_t)(object ? number | OBJECT : number);
    r->p++;
}

/* Behind a value: closes brackets, and goes on to where the next value starts. */
static bool finish(struct reader *r)
{
    while (r->depth > 0) {
        unsigned open = r->open[r->depth - 1];
        bool object = (open & OBJECT) != 0;
        (void)next(r);
        if (skip(r, ',')) {
            return !object || key(r);
        }
        if (!skip(r, object ? '}' : ']')) {
            return false;
        }
        token(r, open & ~OBJECT)->end = (int)((const char *)r->p - r->json->text);
        r->depth--;
    }
    return next(r) < 0;
}

static int read_all(struct reader *r)
{
    do { /* each turn reads one value, or opens one bracket */
        int c = next(r);
        if (c == '{' || c == '[') {
            if (r->depth == SKR_JSON_DEPTH) {
                return SKR_JSON_DEEP;
            }
            open_bracket(r, c == '{');
            if (next(r) != (c == '{' ? '}' : ']')) {
                if (c == '{' && !key(r)) {
                    return SKR_JSON_BAD;
                }
                continue;
            }
        } else if (!scalar(r)) {
            return SKR_JSON_BAD;
        }
        if (!finish(r)) {
            return SKR_JSON_BAD;
        }
    } while (r->depth > 0);
    return r->full ? SKR_JSON_TOKENS : SKR_JSON_OK;
}

int skr_json_parse(struct skr_json *json, char *text, size_t n, struct skr_token *tokens, unsigned max)
{
    struct reader r = {
        .p = (const unsigned char *)text, .end = (const unsigned char *)text + n, .json = json, .max = max};
    *json = (struct skr_json){.text = text, .tokens = tokens};
    return read_all(&r);
}
