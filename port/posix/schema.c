/* schema.c -- arguments of a script against its JSON schema, which is read where it lies in
 * the image. Handlers in C have tables made of theirs (core/skr_args.h); for a script that is
 * run as it is, nothing was compiled.
 *
 * The schema is not parsed: its text is walked, member by member. The compiler wrote it
 * without blanks and has seen that it is JSON; a text that is not would be judged wrongly,
 * but never read beyond the description of its tool. */
#include "schema.h"

#include "text/json.h"
#include "text/number.h"
#include "text/span.h"

/* The members of an object, or elements of an array, one after the other. */
struct walk {
    const char *p, *end;
    struct skr_span key, item; /* a string stands without its quotes */
};

/* Moves w->p behind the value that begins there, and gives its text. */
static void value(struct walk *w, struct skr_span *text)
{
    const char *start = w->p;
    unsigned depth = 0;
    bool quoted = false;
    for (; w->p < w->end; w->p++) {
        char c = *w->p;
        if (quoted) {
            w->p += c == '\\' && w->end - w->p > 1;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']' || c == ',' || c == ':') {
            if (depth == 0) {
                break;
            }
            depth -= c == '}' || c == ']';
        }
    }
    bool string = w->p - start > 1 && *start == '"';
    text->p = start + string;
    text->n = (size_t)(w->p - start) - 2u * string;
}

/* The next one; false behind the last. */
static bool next(struct walk *w)
{
    if (w->p >= w->end || *w->p == '}' || *w->p == ']') {
        return false;
    }
    value(w, &w->item);
    if (w->p < w->end && *w->p == ':') {
        w->p++;
        w->key = w->item;
        value(w, &w->item);
    }
    w->p += w->p < w->end && *w->p == ',';
    return true;
}

static void enter(struct walk *w, const struct skr_span *s)
{
    w->p = s->p + (s->n > 0); /* behind the bracket */
    w->end = s->p + s->n;
    w->key.n = 0;
}

/* Walks to a member, which is then w->item. False when there is none. */
static bool member(struct walk *w, const struct skr_span *object, const char *key)
{
    for (enter(w, object); next(w);) {
        if (skr_span_eq(w->key, skr_span_of(key)) && w->item.n > 0) {
            return true;
        }
    }
    w->item.p = NULL;
    w->item.n = 0;
    return false;
}

struct skr_span skr_rom_member(struct skr_span object, const char *key)
{
    struct walk w;
    (void)member(&w, &object, key);
    return w.item;
}

/* Does the value have the type that the schema names by this letter? Null and number begin
 * alike, so 0 stands for null. */
static bool is_type(const struct skr_json *json, int token, char letter)
{
    bool rest;
    char first = *skr_json_inside(json, token).p;
    if (skr_json_is_string(json, token)) {
        return letter == 's';
    }
    switch (letter) {
    case 's': return false;
    case 'o': return first == '{';
    case 'a': return first == '[';
    case 'b': return first == 't' || first == 'f';
    case 'i': return first <= '9' && (skr_number_scaled(skr_json_inside(json, token), 0, &rest), !rest);
    case 0: return first == 'n';
    default: return first <= '9'; /* digits and the minus; the others begin with letters or brackets */
    }
}

static bool is_among(const struct skr_json *json, int token, const struct skr_span *list)
{
    struct walk w;
    for (enter(&w, list); next(&w);) {
        if (skr_json_equals_span(json, token, w.item)) {
            return true;
        }
    }
    return false;
}

/* Characters of a string that has not been decoded. */
static int32_t characters(struct skr_span s)
{
    int32_t count = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\\' && s.p[++i] == 'u') {
            count -= skr_lower(s.p[i + 1]) == 'd' && skr_lower(s.p[i + 2]) >= 'c'; /* the second of a pair */
            i += 4;
        }
        count += (s.p[i] & 0xC0) != 0x80;
    }
    return count;
}

static bool whole_number(struct skr_span text, int64_t *out)
{
    bool rest = true;
    if (text.n > 0 && (*text.p == '-' || (*text.p >= '0' && *text.p <= '9'))) {
        *out = skr_number_scaled(text, 0, &rest);
    }
    return !rest;
}

/* Is the size within two limits of the schema? What is no whole number is none. */
static bool is_within(int64_t size, const struct skr_span *schema, const char *const limits[2])
{
    struct walk w;
    for (unsigned i = 0; i < 2; i++) {
        if (member(&w, schema, limits[i])) {
            int64_t limit;
            if (whole_number(w.item, &limit) && (i == 0 ? size < limit : size > limit)) {
                return false;
            }
        }
    }
    return true;
}

static const char *wrong_with(const struct skr_json *json, int token, const struct skr_span *schema)
{
    static const char *const of_text[] = {"minLength", "maxLength"};
    static const char *const of_number[] = {"minimum", "maximum"};
    struct walk w;
    int64_t size;
    if (member(&w, schema, "type") && *w.item.p != '[' &&
        !is_type(json, token, w.item.n == 4 ? '\0' : *w.item.p)) {
        return "has another type";
    }
    if (skr_json_is_string(json, token)) {
        if (member(&w, schema, "enum") && !is_among(json, token, &w.item)) {
            return "is none of the allowed values";
        }
        size = characters(skr_json_inside(json, token));
        return is_within(size, schema, of_text) ? NULL : "is too short or too long";
    }
    bool within = !whole_number(skr_json_raw(json, token), &size) || is_within(size, schema, of_number);
    return within ? NULL : "is out of range";
}

const char *skr_schema_mismatch(struct skr_span text, struct skr_span schema, struct skr_span *argument)
{
    static struct skr_token tokens[SKR_TOKENS];
    struct skr_json parsed, *json = &parsed;
    const int arguments = 0;
    struct walk w, properties;
    (void)skr_json_parse(json, (char *)text.p, text.n, tokens, SKR_TOKENS); /* a part of what has been parsed */
    (void)member(&w, &schema, "required");
    struct skr_span list = w.item;
    for (enter(&w, &list); next(&w);) {
        *argument = w.item;
        if (skr_json_get_bytes(json, arguments, w.item.p, w.item.n) < 0) {
            return "is missing";
        }
    }
    bool open = member(&w, &schema, "additionalProperties") ? *w.item.p != 'f' : schema.p != NULL;
    (void)member(&properties, &schema, "properties");
    list = properties.item;
    int key = skr_json_first(json, arguments);
    for (; key >= 0; key = skr_json_after(json, arguments, key)) {
        const char *wrong = open ? NULL : "is unknown";
        for (enter(&properties, &list); next(&properties);) {
            if (skr_json_equals_span(json, key, properties.key)) {
                wrong = wrong_with(json, key + 1, &properties.item);
                break;
            }
        }
        if (wrong != NULL) {
            (void)skr_json_string(json, key, argument);
            return wrong;
        }
    }
    return NULL;
}
