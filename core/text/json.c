/* json.c -- the tokens of a text, as jsmn makes them, and what they hold. See json.h. */
#include "text/json.h"

#include "text/span.h"

#undef JSMN_STRICT /* rejects a number on its own; firmware may have set it for its own use of jsmn */
#undef JSMN_PARENT_LINKS
#define JSMN_STATIC
#if SKR_TOKEN_LINKS
#define JSMN_PARENT_LINKS
#endif
#include "jsmn.h"

#define DECODED (-1) /* the size of a string token that has been decoded in place */

typedef char jsmn_and_skr_tokens_are_of_one_size[sizeof(jsmntok_t) == sizeof(struct skr_token) ? 1 : -1];

static jsmntok_t *token_at(const struct skr_json *json, int token)
{
    return (jsmntok_t *)(void *)&json->tokens[token];
}

/* jsmn gets only what the check has found valid, so nothing but the number of tokens can be too much for it. A bracket
 * whose end it has not seen is taken to end with the text. */
int skr_json_parse(struct skr_json *json, char *text, size_t n, struct skr_token *tokens, unsigned max)
{
    jsmn_parser parser;
    size_t good;

    json->escapes = false;
    int error = skr_json_check_part(text, n, &good, &json->escapes);
    json->text = text;
    json->tokens = tokens;
    jsmn_init(&parser);
    bool whole = jsmn_parse(&parser, text, good, token_at(json, 0), max) >= 0;
    json->count = (int)parser.toknext;
    for (int i = 0; !whole && i < json->count; i++) {
        jsmntok_t *t = token_at(json, i);
        t->end = t->end < 0 ? (int)n : t->end;
    }
    return error == SKR_JSON_OK && !whole ? SKR_JSON_TOKENS : error;
}

/* ---- Moving among tokens ---- */

static bool token_is(const struct skr_json *json, int token, jsmntype_t type)
{
    return token >= 0 && token_at(json, token)->type == type;
}

bool skr_json_is_object(const struct skr_json *json, int token)
{
    return token_is(json, token, JSMN_OBJECT);
}

bool skr_json_is_array(const struct skr_json *json, int token)
{
    return token_is(json, token, JSMN_ARRAY);
}

bool skr_json_is_string(const struct skr_json *json, int token)
{
    return token_is(json, token, JSMN_STRING);
}

bool skr_json_is_number(const struct skr_json *json, int token)
{
    return token >= 0 && token_at(json, token)->type == JSMN_PRIMITIVE &&
           json->text[token_at(json, token)->start] <= '9';
}

/* The token after everything inside `token`: tokens are in text order, so it is the first that starts after its end.
 * Where tokens have run out between a key and its value, `token` is none, and is not looked at. */
static int token_after(const struct skr_json *json, int token)
{
    int next = token + 1;

    while (next < json->count && token_at(json, next)->start < token_at(json, token)->end) {
        next++;
    }
    return next;
}

static int if_inside(const struct skr_json *json, int parent, int token)
{
    return token < json->count && token_at(json, token)->start < token_at(json, parent)->end ? token : -1;
}

int skr_json_first(const struct skr_json *json, int parent)
{
    return if_inside(json, parent, parent + 1);
}

int skr_json_after(const struct skr_json *json, int parent, int child)
{
    child += skr_json_is_object(json, parent); /* from the key to its value */
    return if_inside(json, parent, token_after(json, child));
}

struct skr_span skr_json_inside(const struct skr_json *json, int token)
{
    const jsmntok_t *t = token_at(json, token);
    struct skr_span s = {json->text + t->start, (size_t)(t->end - t->start)};

    return s;
}

bool skr_json_equals_span(const struct skr_json *json, int token, struct skr_span text)
{
    if (!skr_json_is_string(json, token)) {
        return false;
    }
    struct skr_span inside = skr_json_inside(json, token);
    bool as_written = !json->escapes || token_at(json, token)->size == DECODED;
    return as_written ? skr_span_eq(inside, text) : skr_json_same_text(inside, text);
}

/* skr_json_after for an object; without a call where speed is worth its bytes. */
static int next_key(const struct skr_json *json, int object, int key)
{
    return SKR_FAST ? if_inside(json, object, token_after(json, key + 1)) : skr_json_after(json, object, key);
}

/* Which of the keys it is; n: none of them. */
static unsigned which_key(const struct skr_json *json, int token, const struct skr_span *keys, unsigned n)
{
    unsigned i = 0;

    if (SKR_FAST && !json->escapes) {
        struct skr_span name = skr_json_inside(json, token);
        while (i < n && !skr_span_eq(name, keys[i])) {
            i++;
        }
        return i;
    }
    while (i < n && !skr_json_equals_span(json, token, keys[i])) {
        i++;
    }
    return i;
}

void skr_json_members(const struct skr_json *json, int object, const struct skr_span *keys, unsigned n, int *values)
{
    for (unsigned i = 0; i < n; i++) {
        values[i] = -1;
    }
    if (!skr_json_is_object(json, object)) {
        return;
    }
    for (int k = skr_json_first(json, object); k >= 0; k = next_key(json, object, k)) {
        unsigned i = which_key(json, k, keys, n);
        if (i < n) {
            values[i] = k + 1;
        }
    }
}

int skr_json_get_bytes(const struct skr_json *json, int object, const char *key, size_t n)
{
    int value;

    skr_json_members(json, object, &(struct skr_span){key, n}, 1, &value);
    return value;
}

int skr_json_get(const struct skr_json *json, int object, const char *key)
{
    return skr_json_get_bytes(json, object, key, strlen(key));
}

/* ---- Values ---- */

struct skr_span skr_json_raw(const struct skr_json *json, int token)
{
    struct skr_span s = skr_json_inside(json, token);

    if (skr_json_is_string(json, token)) {
        s.p--;
        s.n += 2;
    }
    return s;
}

bool skr_json_string(const struct skr_json *json, int token, struct skr_span *out)
{
    if (!skr_json_is_string(json, token)) {
        return false;
    }
    jsmntok_t *t = token_at(json, token);
    if (json->escapes && t->size != DECODED) {
        char *from = json->text + t->start, *end = json->text + t->end;
        char *to = from; /* never overtakes what is read: no escape is shorter than its value */
        for (unsigned used; from < end; from += used) {
            to += skr_json_decode(from, end, to, &used);
        }
        t->end = (int)(to - json->text);
    }
    t->size = DECODED;
    *out = skr_json_inside(json, token);
    return true;
}

bool skr_json_equals(const struct skr_json *json, int token, const char *text)
{
    return skr_json_equals_span(json, token, skr_span_of(text));
}

bool skr_json_boolean(const struct skr_json *json, int token, bool *out)
{
    if (!token_is(json, token, JSMN_PRIMITIVE)) {
        return false;
    }
    char c = json->text[token_at(json, token)->start];
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

/* Values before the cut have their tokens, and an unclosed object ends with the text. A number that ends at the cut
 * may be incomplete. */
struct skr_span skr_json_id_of_part(char *text, size_t n, struct skr_token *tokens, unsigned max)
{
    struct skr_json json;

    (void)skr_json_parse(&json, text, n, tokens, max);
    int id = json.count > 0 ? skr_json_get(&json, 0, "id") : -1;
    if (id < 0 || id >= json.count || !skr_json_is_id(&json, id)) {
        return NOTHING;
    }
    struct skr_span raw = skr_json_raw(&json, id);
    const char *behind = raw.p + raw.n;
    return behind < text + n && memchr(",} \t\r\n", *behind, 6) != NULL ? raw : NOTHING;
}
