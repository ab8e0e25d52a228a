/* http_param.c -- Mcp-Param-* headers, which repeat arguments of a tool (HDR-10 to HDR-14).
 *
 * Which argument a header repeats stands in the tool's inputSchema, as x-mcp-header of a
 * property. The description is walked where it lies in the image; the compiler wrote it
 * without blanks and has seen that the annotations are in order. */
#include "encode.h"
#include "http_types.h"
#include "number.h"

#if SKR_PARAMS

#define DEPTH 16 /* of a description; what lies deeper is not looked at */

/* The value of the header with this name; false when there is none. Twice is once too much. */
static bool find_header(const struct skr_http *h, struct skr_span name, struct skr_span *value, bool *twice)
{
    bool found = false;
    *twice = false;
    for (unsigned i = 0; i < h->param_count; i++) {
        if (skr_span_eq_nocase(h->params[i].name, name)) {
            *twice = found;
            *value = h->params[i].value;
            found = true;
        }
    }
    return found;
}

#define WHOLE_MAX 9007199254740991 /* 2^53 - 1: beyond it clients do not agree about numbers */

/* HDR-13: 42.0 and 42 are the same. What is no whole number in that range is compared as it is written. */
static bool same_number(struct skr_span header, struct skr_span argument)
{
    bool rest[2];
    if (skr_json_check(header.p, header.n) != SKR_JSON_OK || *header.p > '9' || *header.p == '"') {
        return false;
    }
    int64_t value = skr_number_scaled(header, 0, &rest[0]);
    return value == skr_number_scaled(argument, 0, &rest[1]) && !rest[0] && !rest[1] && value <= WHOLE_MAX &&
           value >= -WHOLE_MAX;
}

/* Is this the header of this argument? */
static bool matches(struct skr_call *call, struct skr_span header, int token)
{
    struct skr_span value;
    bool twice, there = find_header(&call->conn->http, header, &value, &twice);
    bool given = token >= 0 && *skr_json_raw(&call->json, token).p != 'n'; /* null is as good as none */
    if (!there || !given || twice) {
        return !there && !given && !twice;
    }
    if (!skr_http_decode(call, &value)) {
        return false;
    }
    if (skr_json_is_string(&call->json, token)) {
        return skr_json_equals_span(&call->json, token, value);
    }
    struct skr_span argument = skr_json_raw(&call->json, token);
    return skr_span_eq(argument, value) ||
           (skr_json_is_number(&call->json, token) && same_number(value, argument));
}

/* The argument that a property stands for: keys[2] is "properties", keys[3] its name, and so on
 * inwards. -2 when the path is no such. */
static int argument_at(const struct skr_call *call, const struct skr_span *keys, unsigned depth)
{
    int token = call->arguments;
    if (depth < 4 || !skr_span_eq(keys[1], SPAN("inputSchema"))) {
        return -2;
    }
    for (unsigned i = 2; i + 1 < depth; i += 2) {
        if (!skr_span_eq(keys[i], SPAN("properties"))) {
            return -2;
        }
        token = skr_json_get_bytes(&call->json, token, keys[i + 1].p, keys[i + 1].n);
    }
    return token;
}

/* The string that begins behind the quote at *p, which moves behind its end. */
static struct skr_span string_at(const char **p, const char *end)
{
    struct skr_span s = {*p + 1, 0};
    for (++*p; *p < end && **p != '"'; ++*p) {
        *p += **p == '\\';
    }
    s.n = (size_t)(*p - s.p);
    ++*p;
    return s;
}

bool skr_http_params_match(struct skr_call *call, struct skr_span json)
{
    struct skr_span keys[DEPTH];
    unsigned depth = 0;
    const char *p = json.p, *end = json.p + json.n;
    while (p < end) {
        if (*p == '{' || *p == '[') {
            depth++;
            keys[depth < DEPTH ? depth : 0] = SPAN("");
        } else if (*p == '}' || *p == ']') {
            depth--;
        }
        if (*p != '"') {
            p++;
            continue;
        }
        struct skr_span s = string_at(&p, end);
        if (p < end && *p == ':' && depth < DEPTH) {
            keys[depth] = s;
        } else if (depth < DEPTH && skr_span_eq(keys[depth], SPAN("x-mcp-header"))) {
            int token = argument_at(call, keys, depth);
            if (token != -2 && !matches(call, s, token)) {
                return false;
            }
        }
    }
    return true;
}

#endif
