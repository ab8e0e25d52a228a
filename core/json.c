/* json.c -- jsmn's tokens over a checked text. See json.h; the check itself is json_check.c. */
#define JSMN_STATIC /* and not JSMN_STRICT: json_check.c is stricter, and this is smaller */
#include "jsmn.h"

#include "json.h"
#include "span.h"

/* A string token that has been decoded in place. Not one of jsmn's types. */
#define TOKEN_DECODED ((jsmntype_t)8)

int skr_json_parse(struct skr_json *json, char *text, size_t n, jsmntok_t *tokens, unsigned max)
{
    jsmn_parser parser;
    jsmn_init(&parser);
    int count = jsmn_parse(&parser, text, n, tokens, max);
    json->text = text;
    json->tokens = tokens;
    json->count = count < 0 ? (int)parser.toknext : count;
    if (count == JSMN_ERROR_NOMEM) {
        return SKR_JSON_TOKENS;
    }
    return count <= 0 ? SKR_JSON_BAD : SKR_JSON_OK;
}

/* ---- Moving among tokens ---- */

static bool is(const struct skr_json *json, int token, jsmntype_t type)
{
    return token >= 0 && json->tokens[token].type == type;
}

bool skr_json_is_object(const struct skr_json *json, int token)
{
    return is(json, token, JSMN_OBJECT);
}

bool skr_json_is_array(const struct skr_json *json, int token)
{
    return is(json, token, JSMN_ARRAY);
}

bool skr_json_is_string(const struct skr_json *json, int token)
{
    return is(json, token, JSMN_STRING) || is(json, token, TOKEN_DECODED);
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

int skr_json_first(const struct skr_json *json, int parent)
{
    return json->tokens[parent].size > 0 && parent + 1 < json->count ? parent + 1 : -1;
}

int skr_json_after(const struct skr_json *json, int parent, int child)
{
    if (json->tokens[parent].type == JSMN_OBJECT) {
        child++; /* from the key to its value */
    }
    int next = behind(json, child);
    return next < json->count && json->tokens[next].start < json->tokens[parent].end ? next : -1;
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
    const jsmntok_t *t = &json->tokens[token];
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

static uint32_t hex4(const char *p)
{
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) {
        char c = skr_lower(p[i]);
        v = v << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return v;
}

static unsigned put_utf8(char *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (char)(0xC0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (char)(0xE0 | c >> 12);
        out[1] = (char)(0x80 | (c >> 6 & 0x3F));
        out[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (char)(0xF0 | c >> 18);
    out[1] = (char)(0x80 | (c >> 12 & 0x3F));
    out[2] = (char)(0x80 | (c >> 6 & 0x3F));
    out[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

/* Decodes the escape at p (behind its backslash) into out; *used gets its length.
 * Half a surrogate pair has no meaning and becomes U+FFFD. */
static unsigned decode_escape(const char *p, const char *end, char *out, unsigned *used)
{
    *used = 1;
    switch (*p) {
    case 'n': out[0] = '\n'; return 1;
    case 't': out[0] = '\t'; return 1;
    case 'r': out[0] = '\r'; return 1;
    case 'b': out[0] = '\b'; return 1;
    case 'f': out[0] = '\f'; return 1;
    case 'u': break;
    default: out[0] = *p; return 1; /* quote, backslash, slash */
    }
    uint32_t c = hex4(p + 1);
    *used = 5;
    if (c >= 0xD800 && c < 0xE000) {
        uint32_t low = c < 0xDC00 && end - p >= 11 && p[5] == '\\' && p[6] == 'u' ? hex4(p + 7) : 0;
        if (low >= 0xDC00 && low < 0xE000) {
            *used = 11;
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
    jsmntok_t *t = &json->tokens[token];
    char *from = json->text + t->start, *end = json->text + t->end;
    char *escape = t->type == JSMN_STRING ? memchr(from, '\\', (size_t)(end - from)) : NULL;
    if (escape != NULL) {
        char *to = escape; /* never overtakes what is read: no escape is shorter than its value */
        for (from = escape; from < end;) {
            if (*from != '\\') {
                *to++ = *from++;
                continue;
            }
            unsigned used;
            to += decode_escape(from + 1, end, to, &used);
            from += 1 + used;
        }
        t->end = (int)(to - json->text);
        t->type = TOKEN_DECODED;
    }
    *out = skr_json_inside(json, token);
    return true;
}

bool skr_json_equals_span(const struct skr_json *json, int token, struct skr_span text)
{
    if (!skr_json_is_string(json, token)) {
        return false;
    }
    struct skr_span s = skr_json_inside(json, token);
    bool decoded = json->tokens[token].type == TOKEN_DECODED;
    const char *p = s.p, *end = s.p + s.n;
    size_t at = 0;
    if (s.n < text.n || (s.n > 0 && text.n > 0 && *p != *text.p && *p != '\\')) {
        return false; /* most keys differ here: an escape is never shorter than what it stands for */
    }
    if (decoded || memchr(p, '\\', s.n) == NULL) {
        return skr_span_eq(s, text);
    }
    while (p < end) {
        char bytes[4] = {*p, 0, 0, 0};
        unsigned n = 1, used = 0;
        if (*p == '\\') {
            n = decode_escape(p + 1, end, bytes, &used);
        }
        if (text.n - at < n || memcmp(text.p + at, bytes, n) != 0) {
            return false;
        }
        at += n;
        p += 1 + used;
    }
    return at == text.n;
}

bool skr_json_equals(const struct skr_json *json, int token, const char *text)
{
    return skr_json_equals_span(json, token, skr_span_of(text));
}

bool skr_json_boolean(const struct skr_json *json, int token, bool *out)
{
    if (!is(json, token, JSMN_PRIMITIVE)) {
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

/* jsmn stops at the cut and leaves the tokens before it. Only what lies whole and
 * directly in the outermost object counts. */
struct skr_span skr_json_id_of_part(char *text, size_t n, jsmntok_t *tokens, unsigned max)
{
    struct skr_json json;
    struct skr_span none = {NULL, 0};
    (void)skr_json_parse(&json, text, n, tokens, max);
    if (json.count < 1 || tokens[0].type != JSMN_OBJECT) {
        return none;
    }
    for (int key = 1; key + 1 < json.count;) {
        int value = key + 1;
        if (!skr_json_is_string(&json, key) || tokens[value].end < 0) {
            return none;
        }
        if (skr_json_equals(&json, key, "id")) {
            struct skr_span raw = skr_json_raw(&json, value);
            bool whole = (size_t)tokens[value].end < n && skr_json_check(raw.p, raw.n) == SKR_JSON_OK;
            return whole && skr_json_is_id(&json, value) ? raw : none;
        }
        key = behind(&json, value);
    }
    return none;
}
