/* arguments.c -- converts words of a command line to the JSON that a schema requires. See client.h. */
#include <stdio.h>
#include <string.h>

#include "../../port/posix/schema.h"
#include "client.h"
#include "console.h"
#include "nearest.h"
#include "text/encode.h"
#include "text/json.h"
#include "text/span.h"

static struct skr_span find_property(struct skr_span properties, struct skr_span name)
{
    struct skr_span key, value;

    while (skr_scan_pair(&properties, &key, &value)) {
        struct skr_span inside = skr_scan_inside(key);
        if (skr_span_eq(inside, name)) {
            return value;
        }
    }
    return (struct skr_span){NULL, 0};
}

static void log_unknown_argument(struct skr_span properties, struct skr_span name)
{
    struct host_nearest nearest = {.typed = name.p, .n = name.n};
    struct host_name_list names = {.length = 0};
    struct skr_span key, value;

    while (skr_scan_pair(&properties, &key, &value)) {
        struct skr_span inside = skr_scan_inside(key);
        host_nearest_try(&nearest, inside.p, inside.n);
        host_name_list_add(&names, inside.p, inside.n);
    }
    if (nearest.name != NULL) {
        host_log("%.*s: no such argument; did you mean %.*s?", (int)name.n, name.p, (int)nearest.name_length,
                 nearest.name);
    } else {
        host_log("%.*s: no such argument; %s%s", (int)name.n, name.p,
                 names.count > 0 ? "the tool has " : "the tool has none", names.text);
    }
}

/* ---- Schemas ---- */

bool client_requires(struct skr_span schema, struct skr_span key)
{
    struct skr_span required = skr_scan_get(schema, "required"), item;

    while (required.p != NULL && skr_scan_item(&required, &item)) {
        if (skr_span_eq(item, key)) {
            return true;
        }
    }
    return false;
}

const char *client_schema_mismatch(struct skr_span value, struct skr_span schema, char member[CLIENT_MEMBER])
{
    static char copy[CLIENT_REPLY]; /* posix_schema_mismatch decodes names in place */
    struct skr_span about = {"it", 2};

    if (value.n > sizeof copy) {
        return NULL;
    }
    memcpy(copy, value.p, value.n);
    const char *wrong = posix_schema_mismatch((struct skr_span){copy, value.n}, schema, &about);
    (void)snprintf(member, CLIENT_MEMBER, "%.*s", (int)skr_span_clip(about, CLIENT_MEMBER - 1).n, about.p);
    return wrong;
}

void client_describe_type(struct skr_span schema, char *to, size_t room)
{
    struct skr_span type = skr_scan_inside(skr_scan_get(schema, "type")), one = skr_scan_get(schema, "enum"), item;
    struct skr_span min = skr_scan_get(schema, "minimum"), max = skr_scan_get(schema, "maximum");
    size_t n = 0;

    to[0] = '\0';
    if (one.p != NULL) {
        while (skr_scan_item(&one, &item) && n + item.n + 2 < room) {
            struct skr_span inside = skr_scan_inside(item);
            inside = inside.p != NULL ? inside : item;
            n += (size_t)snprintf(to + n, room - n, "%s%.*s", n > 0 ? "|" : "", (int)inside.n, inside.p);
        }
        return;
    }
    bool text = type.n == 6 && memcmp(type.p, "string", 6) == 0;
    type = skr_span_clip(type, room / 2);
    n = (size_t)snprintf(to, room, "%.*s", text || type.p == NULL ? 4 : (int)type.n,
                         text             ? "text"
                         : type.p == NULL ? "JSON"
                                          : type.p);
    if (n < room && min.p != NULL && max.p != NULL) {
        (void)snprintf(to + n, room - n, " %.*s..%.*s", (int)min.n, min.p, (int)max.n, max.p);
    }
}

/* ---- Values ---- */

static bool is_json(struct skr_span value, const char *starts)
{
    return value.n > 0 && strchr(starts, value.p[0]) != NULL && skr_json_check(value.p, value.n) == SKR_JSON_OK;
}

/* Writes a JSON string. Its length; 0 when it does not fit, or is not UTF-8. */
static size_t quote_value(struct skr_span value, char *to, size_t room)
{
    struct skr_encoding e = {.from = value.p, .n = value.n, .out = to + 1, .room = room - 2};

    for (size_t i = 0, k; i < value.n; i += k) {
        k = skr_utf8_char(value.p + i, value.n - i);
        if (k == 0) {
            return 0;
        }
    }
    skr_encode_text(&e);
    to[0] = to[e.made + 1] = '"';
    return e.used == value.n ? e.made + 2 : 0;
}

static size_t copy_value(struct skr_span value, char *to, size_t room)
{
    if (value.n > room) {
        return 0;
    }
    memcpy(to, value.p, value.n);
    return value.n;
}

/* Writes a value of this type. Returns its length; 0 if it does not have this type. */
static size_t write_value(struct skr_span type, struct skr_span value, char *to, size_t room)
{
    if (skr_scan_is(type, "string")) {
        return quote_value(value, to, room);
    }
    if (skr_scan_is(type, "integer") || skr_scan_is(type, "number")) {
        return is_json(value, "-0123456789") ? copy_value(value, to, room) : 0;
    }
    if (skr_scan_is(type, "boolean")) {
        return is_json(value, "tf") ? copy_value(value, to, room) : 0;
    }
    if (skr_scan_is(type, "array") || skr_scan_is(type, "object")) {
        return is_json(value, skr_scan_is(type, "array") ? "[" : "{") ? copy_value(value, to, room) : 0;
    }
    return is_json(value, "-0123456789tfn[{\"") ? copy_value(value, to, room) : quote_value(value, to, room);
}

bool client_argument(struct skr_span properties, struct skr_span name, struct skr_span value, char *to, size_t room)
{
    struct skr_span schema = find_property(properties, name);
    size_t n = strlen(to);

    if (schema.p == NULL) {
        log_unknown_argument(properties, name);
        return false;
    }
    if (n + 2 * name.n + 8 > room) {
        host_log("%.*s: the arguments are too long", (int)name.n, name.p);
        return false;
    }
    n += (size_t)snprintf(to + n - 1, room - n, "%s\"%.*s\":", n > 2 ? "," : "", (int)name.n, name.p) - 1;
    size_t made = write_value(skr_scan_get(schema, "type"), value, to + n, room - n - 2);
    if (made == 0) {
        char kind[256];
        client_describe_type(schema, kind, sizeof kind);
        host_log("%.*s=%.*s: give %s", (int)name.n, name.p, (int)value.n, value.p, kind);
        return false;
    }
    memcpy(to + n + made, "}", 2);
    return true;
}
