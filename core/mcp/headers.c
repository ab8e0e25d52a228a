/* headers.c -- Mcp-Name, and Mcp-Param-* headers, which repeat arguments of a tool (HDR-10 to HDR-14).
 *
 * The tool's inputSchema says which argument a header repeats, in x-mcp-header of a property. The description is walked
 * in place, in the image, whose compiler has checked the annotations. */
#include "mcp/headers.h"

#include "text/encode.h"
#include "text/number.h"

static bool decode_value(struct skr_call *call, struct skr_span *value)
{
    static const struct skr_span open = {"=?base64?", 9}, close = {"?=", 2};

    if (value->n < open.n + close.n || !skr_span_starts(*value, open) || !skr_span_ends(*value, close)) {
        return true;
    }
    struct skr_span inner = {value->p + open.n, value->n - open.n - close.n};
    char *room = skri_lease(call->conn, SKR_HEADER_VALUE);
    value->p = room;
    bool decoded = skr_decode_base64(inner, false, room, sizeof call->conn->output, &value->n);
    skri_lease_end(call->conn, SKR_HEADER_VALUE); /* it is compared before the next lease */
    return decoded;
}

bool skri_headers_name_matches(struct skr_call *call, int token)
{
    const struct skr_headers *headers = skri_headers_of(call->conn);
    struct skr_span name = headers->mcp_name;

    return name.p != NULL && !headers->name_twice && decode_value(call, &name) &&
           skr_json_equals_span(&call->json, token, name);
}

#if SKR_PARAMS

#define ANNOTATION "x-mcp-header"
#define LEVELS 6 /* of properties inside properties; deeper ones are ignored */

/* The value of the header with this name; false when there is none. A repeated header never matches: *twice. */
static bool header_value(const struct skr_headers *h, struct skr_span name, struct skr_span *value, bool *twice)
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

/* HDR-13: 42.0 and 42 are the same. Anything but a whole number in that range is compared as text. */
static bool same_number(struct skr_span header, struct skr_span argument)
{
    bool rest[2];

    if (skr_json_check(header.p, header.n) != SKR_JSON_OK || *header.p <= ' ' || header.p[header.n - 1] <= ' ' ||
        *header.p > '9' || *header.p == '"') {
        return false; /* not a number, or spaces around it */
    }
    int64_t value = skr_number_scaled(header, 0, &rest[0]);
    return value == skr_number_scaled(argument, 0, &rest[1]) && !rest[0] && !rest[1] && value <= WHOLE_MAX &&
           value >= -WHOLE_MAX;
}

/* True when the header repeats this argument, or both are absent. */
static bool header_matches(struct skr_call *call, struct skr_span header, int token)
{
    struct skr_span value;
    bool twice, there = header_value(skri_headers_of(call->conn), header, &value, &twice);
    bool given = token >= 0 && *skr_json_raw(&call->json, token).p != 'n'; /* null counts as absent */

    if (!there || !given || twice) {
        return !there && !given;
    }
    if (!decode_value(call, &value)) {
        return false;
    }
    if (skr_json_is_string(&call->json, token)) {
        return skr_json_equals_span(&call->json, token, value);
    }
    struct skr_span argument = skr_json_raw(&call->json, token);
    return skr_span_eq(argument, value) || (skr_json_is_number(&call->json, token) && same_number(value, argument));
}

/* Properties that are being walked, and the argument that they describe. */
struct level {
    struct skr_span rest;
    int object;
};

/* Most tools have no such header: then there is nothing to walk. */
static bool mentions_header(struct skr_span json)
{
    const struct skr_span name = SPAN(ANNOTATION);
    const char *p = json.p, *end = json.p + json.n;

    while ((p = memchr(p, *name.p, (size_t)(end - p))) != NULL) {
        if (skr_span_starts((struct skr_span){p, (size_t)(end - p)}, name)) {
            return true;
        }
        p++;
    }
    return false;
}

bool skri_headers_params_match(struct skr_call *call, struct skr_span json)
{
    if (!mentions_header(json)) {
        return true;
    }
    struct level levels[LEVELS] = {{skr_scan_get(skr_scan_get(json, "inputSchema"), "properties"), call->arguments}};
    unsigned depth = 1;
    while (depth > 0) {
        struct level *l = &levels[depth - 1];
        struct skr_span name, schema;
        if (!skr_scan_pair(&l->rest, &name, &schema)) {
            depth--;
            continue;
        }
        name = skr_scan_inside(name);
        int token = skr_json_get_bytes(&call->json, l->object, name.p, name.n);
        struct skr_span header = skr_scan_inside(skr_scan_get(schema, ANNOTATION));
        if (header.p != NULL && !header_matches(call, header, token)) {
            return false;
        }
        struct skr_span inner = skr_scan_get(schema, "properties");
        if (inner.p != NULL && depth < LEVELS) {
            levels[depth++] = (struct level){inner, token};
        }
    }
    return true;
}

#endif
