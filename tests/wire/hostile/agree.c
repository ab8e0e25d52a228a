/* agree.c -- see agree.h. */
#include "agree.h"

#include "text/json.h"

static struct judged_text judged; /* what the other reader has found */

static bool is_kind(const struct skr_json *json, int t, char first)
{
    return skr_json_is_object(json, t) == (first == '{') && skr_json_is_array(json, t) == (first == '[') &&
           skr_json_is_string(json, t) == (first == '"');
}

static bool is_value(const struct judged *v, const char *base, struct skr_span span)
{
    return (size_t)(span.p - base) == v->start && span.n == v->end - v->start;
}

/* Where tokens have run out, brackets may not have seen their end. */
static bool tokens_agree(const struct skr_json *json, bool too_many)
{
    bool good = json->count == (too_many ? AGREE_TOKENS : (int)judged.count);

    for (int t = 0; good && t < json->count; t++) {
        const struct judged *v = &judged.values[t];
        struct skr_span raw = skr_json_raw(json, t);
        good = is_kind(json, t, v->first) && (too_many ? raw.p == json->text + v->start : is_value(v, json->text, raw));
    }
    return good;
}

/* The next value in the same array or object; NULL: there is none. */
static const struct judged *next_in(int parent, unsigned *at)
{
    while (*at < judged.count && judged.values[*at].parent != parent) {
        ++*at;
    }
    return *at < judged.count ? &judged.values[(*at)++] : NULL;
}

static bool is_next(int parent, unsigned *at, const char *base, struct skr_span span)
{
    const struct judged *v = next_in(parent, at);

    return v != NULL && is_value(v, base, span);
}

static bool walk_agrees(const char *base, int parent)
{
    const struct judged *v = &judged.values[parent];
    struct skr_span rest = {base + v->start, v->end - v->start}, key, value;
    unsigned at = (unsigned)parent + 1;
    bool good = true;

    if (v->first == '{') {
        while (good && skr_scan_pair(&rest, &key, &value)) {
            good = is_next(parent, &at, base, key) && is_next(parent, &at, base, value);
        }
    } else {
        while (good && skr_scan_item(&rest, &value)) {
            good = is_next(parent, &at, base, value);
        }
    }
    return good && next_in(parent, &at) == NULL;
}

static bool walks_agree(const char *base)
{
    bool good = true;

    for (unsigned i = 0; good && i < judged.count; i++) {
        good = walk_agrees(base, (int)i);
    }
    return good;
}

/* Only that it stays inside is looked at, by the sanitizer. */
static void walk_what_may_be_no_json(const char *p, size_t n)
{
    struct skr_span rest = {p, n}, key, value;

    while (skr_scan_pair(&rest, &key, &value)) {
        (void)skr_scan_get(value, "id");
    }
    rest = (struct skr_span){p, n};
    while (skr_scan_item(&rest, &value)) {
        (void)skr_scan_get(value, "id");
    }
}

enum agreed texts_agree(char *copy, size_t n)
{
    struct skr_token tokens[AGREE_TOKENS];
    struct skr_json json;
    bool sound = judge_values(&judged, copy, n, SKR_JSON_DEPTH), too_many = sound && judged.count > AGREE_TOKENS;
    int expected = sound ? SKR_JSON_OK : judged.too_deep ? SKR_JSON_DEEP : SKR_JSON_BAD;

    walk_what_may_be_no_json(copy, n);
    if (skr_json_check(copy, n) != expected ||
        skr_json_parse(&json, copy, n, tokens, AGREE_TOKENS) != (too_many ? SKR_JSON_TOKENS : expected) ||
        (sound && !(tokens_agree(&json, too_many) && walks_agree(copy)))) {
        return AGREED_NOT;
    }
    return too_many ? AGREED_CROWDED : sound ? AGREED_JSON : judged.too_deep ? AGREED_DEEP : AGREED_BAD;
}
