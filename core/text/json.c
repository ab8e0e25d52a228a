/* json.c -- moving among the tokens of a text, and what they hold. See json.h; json_parse.c
 * makes them. */
#include "text/json.h"
#include "text/span.h"

const char skr_json_letters[] = "bfnrt", skr_json_controls[] = "\b\f\n\r\t";

/* ---- Moving among tokens ---- */

static bool is(const struct skr_json *json, int token, enum skr_json_type type)
{
    return token >= 0 && json->tokens[token].type == type;
}

bool skr_json_is_object(const struct skr_json *json, int token)
{
    return is(json, token, SKR_JSON_OBJECT);
}

bool skr_json_is_array(const struct skr_json *json, int token)
{
    return is(json, token, SKR_JSON_ARRAY);
}

bool skr_json_is_string(const struct skr_json *json, int token)
{
    return is(json, token, SKR_JSON_STRING) || is(json, token, SKR_JSON_DECODED);
}

/* The token behind everything inside `token`. Tokens come in the order of the
 * text, so that is the first one that starts behind its end. */
static int behind(const struct skr_json *json, int token)
{
    int end = json->tokens[token].end, next = token + 1;
    while (next < json->count && json->tokens[next].start < end) {
        next++;
    }
    return next;
}

static int if_inside(const struct skr_json *json, int parent, int token)
{
    return token < json->count && json->tokens[token].start < json->tokens[parent].end ? token : -1;
}

int skr_json_first(const struct skr_json *json, int parent)
{
    return if_inside(json, parent, parent + 1);
}

int skr_json_after(const struct skr_json *json, int parent, int child)
{
    child += skr_json_is_object(json, parent); /* from the key to its value */
    return if_inside(json, parent, behind(json, child));
}

int skr_json_get_bytes(const struct skr_json *json, int object, const char *key, size_t n)
{
    int value = -1;
    if (!skr_json_is_object(json, object)) {
        return -1;
    }
    for (int k = skr_json_first(json, object); k >= 0; k = skr_json_after(json, object, k)) {
        if (skr_json_equals_span(json, k, (struct skr_span){key, n})) {
            value = k + 1;
        }
    }
    return value;
}

int skr_json_get(const struct skr_json *json, int object, const char *key)
{
    return skr_json_get_bytes(json, object, key, strlen(key));
}

/* ---- Values ---- */

struct skr_span skr_json_inside(const struct skr_json *json, int token)
{
    const struct skr_token *t = &json->tokens[token];
    struct skr_span s = {json->text + t->start, (size_t)(t->end - t->start)};
    return s;
}

struct skr_span skr_json_raw(const struct skr_json *json, int token)
{
    struct skr_span s = skr_json_inside(json, token);
    if (skr_json_is_string(json, token)) {
        s.p--;
        s.n += 2;
    }
    return s;
}

int skr_hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static uint32_t hex4(const char *p)
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

/* Decodes the character at p, which may be an escape, into out; *used gets its length.
 * Half a surrogate pair has no meaning and becomes U+FFFD. */
static unsigned decode(const char *p, const char *end, char *out, unsigned *used)
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
    uint32_t c = hex4(p + 2);
    *used = 6;
    if (c >> 11 == 0xD800 >> 11) {
        uint32_t low = c < 0xDC00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u' ? hex4(p + 8) : 0;
        if (low >> 10 == 0xDC00 >> 10) {
            *used = 12;
            c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        } else {
            c = 0xFFFD;
        }
    }
    return put_utf8(out, c);
}

bool skr_json_string(const struct skr_json *json, int token, struct skr_span *out)
{
    if (!skr_json_is_string(json, token)) {
        return false;
    }
    struct skr_token *t = &json->tokens[token];
    char *end = json->text + t->end, *from = memchr(json->text + t->start, '\\', (size_t)(t->end - t->start));
    if (from != NULL && t->type == SKR_JSON_STRING) {
        char *to = from; /* never overtakes what is read: no escape is shorter than its value */
        for (unsigned used; from < end; from += used) {
            to += decode(from, end, to, &used);
        }
        t->end = (int)(to - json->text);
    }
    t->type = SKR_JSON_DECODED;
    *out = skr_json_inside(json, token);
    return true;
}

bool skr_json_equals_span(const struct skr_json *json, int token, struct skr_span text)
{
    if (!skr_json_is_string(json, token)) {
        return false;
    }
    struct skr_span s = skr_json_inside(json, token);
    bool decoded = json->tokens[token].type == SKR_JSON_DECODED;
    const char *p = s.p, *end = s.p + s.n;
    size_t at = 0;
    if (s.n < text.n || (s.n > 0 && text.n > 0 && *p != *text.p && *p != '\\')) {
        return false; /* most keys differ here: an escape is never shorter than what it stands for */
    }
    if (decoded || memchr(p, '\\', s.n) == NULL) {
        return skr_span_eq(s, text);
    }
    while (p < end) {
        char bytes[4];
        unsigned used, n = decode(p, end, bytes, &used);
        if (text.n - at < n || memcmp(text.p + at, bytes, n) != 0) {
            return false;
        }
        at += n;
        p += used;
    }
    return at == text.n;
}

bool skr_json_equals(const struct skr_json *json, int token, const char *text)
{
    return skr_json_equals_span(json, token, skr_span_of(text));
}

bool skr_json_boolean(const struct skr_json *json, int token, bool *out)
{
    if (!is(json, token, SKR_JSON_WORD)) {
        return false;
    }
    char c = json->text[json->tokens[token].start];
    *out = c == 't';
    return c == 't' || c == 'f';
}

bool skr_json_is_id(const struct skr_json *json, int token)
{
    if (skr_json_is_string(json, token)) {
        return true;
    }
    struct skr_span raw = skr_json_inside(json, token);
    for (size_t i = raw.p[0] == '-'; i < raw.n; i++) {
        if (raw.p[i] < '0' || raw.p[i] > '9') {
            return false; /* null, fractions, objects */
        }
    }
    return true;
}

/* The bytes of a string, one after the other. */
struct unescaping {
    const char *p, *end;
    unsigned at, n; /* of the character before p, what has been given and what there is */
    char bytes[4];
};

static int next_byte(struct unescaping *u)
{
    if (u->at == u->n) {
        unsigned used;
        if (u->p == u->end) {
            return -1;
        }
        u->n = decode(u->p, u->end, u->bytes, &used);
        u->p += used;
        u->at = 0;
    }
    return (unsigned char)u->bytes[u->at++];
}

/* Their quotes are compared, too: they tell a string from a number. */
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

/* What was read before the cut has its tokens, and an object that is not closed ends with
 * the text. A number at the cut may go on. */
struct skr_span skr_json_id_of_part(char *text, size_t n, struct skr_token *tokens, unsigned max)
{
    struct skr_json json;
    struct skr_span none = {NULL, 0};
    (void)skr_json_parse(&json, text, n, tokens, max);
    int id = json.count > 0 ? skr_json_get(&json, 0, "id") : -1;
    if (id < 0 || id >= json.count || !skr_json_is_id(&json, id)) {
        return none;
    }
    struct skr_span raw = skr_json_raw(&json, id);
    const char *behind = raw.p + raw.n;
    return behind < text + n && memchr(",} \t\r\n", *behind, 6) != NULL ? raw : none;
}
