/* schema.c -- checks the arguments of a script against its JSON schema, which is read in place in the image. Handlers
 * in C have tables generated from theirs (core/skr_args.h); for a script nothing was compiled.
 *
 * The schema is not parsed: its text is walked, member by member. The image compiler has checked that it is JSON; a
 * text that is not would give wrong results, but would not be read beyond the description of its tool. */
#include "schema.h"

#include "skr_text.h"

/* True when the value has the type that the schema names by this letter. Null and number begin
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

static bool is_among(const struct skr_json *json, int token, struct skr_span list)
{
    struct skr_span item;

    while (skr_scan_item(&list, &item)) {
        struct skr_span text = skr_scan_inside(item);
        if (text.p != NULL && skr_json_equals_span(json, token, text)) {
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

/* True when the size is within two limits of the schema. A limit that is not a whole number is ignored. */
static bool is_within(int64_t size, struct skr_span schema, const char *const limits[2])
{
    for (unsigned i = 0; i < 2; i++) {
        int64_t limit;
        if (whole_number(skr_scan_get(schema, limits[i]), &limit) && (i == 0 ? size < limit : size > limit)) {
            return false;
        }
    }
    return true;
}

static const char *wrong_with(const struct skr_json *json, int token, struct skr_span schema)
{
    static const char *const of_text[] = {"minLength", "maxLength"};
    static const char *const of_number[] = {"minimum", "maximum"};
    struct skr_span type = skr_scan_inside(skr_scan_get(schema, "type")), allowed = skr_scan_get(schema, "enum");
    int64_t size;

    if (type.n > 0 && !is_type(json, token, type.n == 4 ? '\0' : *type.p)) {
        return "has the wrong type";
    }
    if (skr_json_is_string(json, token)) {
        if (allowed.p != NULL && !is_among(json, token, allowed)) {
            return "is not one of the allowed values";
        }
        size = characters(skr_json_inside(json, token));
        return is_within(size, schema, of_text) ? NULL : "is too short or too long";
    }
    bool within = !whole_number(skr_json_raw(json, token), &size) || is_within(size, schema, of_number);
    return within ? NULL : "is out of range";
}

const char *posix_schema_mismatch(struct skr_span text, struct skr_span schema, struct skr_span *argument)
{
    static struct skr_token tokens[SKR_TOKENS];
    struct skr_json parsed, *json = &parsed;
    const int arguments = 0;

    if (skr_json_parse(json, (char *)text.p, text.n, tokens, SKR_TOKENS) != SKR_JSON_OK) {
        return NULL; /* only what was not parsed before can have too many values */
    }
    struct skr_span required = skr_scan_get(schema, "required"), item;
    while (skr_scan_item(&required, &item)) {
        *argument = skr_scan_inside(item);
        if (skr_json_get_bytes(json, arguments, argument->p, argument->n) < 0) {
            return "is missing";
        }
    }
    struct skr_span additional = skr_scan_get(schema, "additionalProperties");
    struct skr_span properties = skr_scan_get(schema, "properties");
    bool open = additional.p != NULL ? *additional.p != 'f' : schema.p != NULL;
    int key = skr_json_first(json, arguments);
    for (; key >= 0; key = skr_json_after(json, arguments, key)) {
        const char *wrong = open ? NULL : "is unknown";
        struct skr_span rest = properties, name;
        while (skr_scan_pair(&rest, &name, &item)) {
            if (skr_json_equals_span(json, key, skr_scan_inside(name))) {
                wrong = wrong_with(json, key + 1, item);
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
