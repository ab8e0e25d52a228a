/* json_text.c -- see json_text.h. */
#include "json_text.h"

#include <stdio.h>
#include <string.h>

#include "decimal.h"
#include "text/encode.h"
#include "text/json_scan.h"
#include "text/span.h"

void fleet_json_span(struct fleet_json *t, struct skr_span raw)
{
    if (t->over || raw.n > t->room - t->n) {
        t->over = true;
        return;
    }
    if (raw.n > 0) {
        memcpy(t->p + t->n, raw.p, raw.n);
    }
    t->n += raw.n;
}

void fleet_json_put(struct fleet_json *t, const char *literal)
{
    fleet_json_span(t, skr_span_of(literal));
}

void fleet_json_string(struct fleet_json *t, struct skr_span text)
{
    fleet_json_put(t, "\"");
    struct skr_encoding e = {.from = text.p, .n = t->over ? 0 : text.n, .out = t->p + t->n, .room = t->room - t->n};
    skr_encode_text(&e);
    t->n += e.made;
    t->over |= e.used < e.n;
    fleet_json_put(t, "\"");
}

void fleet_json_number(struct fleet_json *t, uint64_t value)
{
    char digits[24];

    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    fleet_json_put(t, digits);
}

uint64_t fleet_json_value(struct skr_span digits)
{
    uint64_t value = UINT64_MAX;

    (void)host_decimal(digits.p, digits.n, UINT64_MAX - 1, &value); /* unchanged unless it is a number */
    return value;
}

/* In compact JSON a quote inside a string is escaped, so the patterns only match members. */
void fleet_json_renamed(struct fleet_json *t, struct skr_span json, const char *folder)
{
    static const char uri[] = "\"uri\":\"skill://", url[] = "\"url\":\"skill://";
    size_t from = 0, n = sizeof uri - 1;

    for (size_t i = 0; i + n <= json.n; i++) {
        if (json.p[i] == '"' && (memcmp(json.p + i, uri, n) == 0 || memcmp(json.p + i, url, n) == 0)) {
            fleet_json_span(t, (struct skr_span){json.p + from, i + n - from});
            fleet_json_put(t, folder);
            fleet_json_put(t, "/");
            from = i + n;
        }
    }
    fleet_json_span(t, (struct skr_span){json.p + from, json.n - from});
}

/* Members that the core adds to results of 2026-07-28. */
static bool is_of_core(struct skr_span key)
{
    static const char *const names[] = {"_meta", "resultType", "ttlMs", "cacheScope"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (skr_scan_is(key, names[i])) {
            return true;
        }
    }
    return false;
}

bool fleet_json_members(struct fleet_json *t, struct skr_span object, bool modern, const char *folder)
{
    struct skr_span key, value;
    size_t start = t->n;

    while (skr_scan_pair(&object, &key, &value)) {
        if (modern && is_of_core(key)) {
            continue;
        }
        fleet_json_put(t, t->n > start ? "," : "");
        fleet_json_span(t, key);
        fleet_json_put(t, ":");
        if (folder != NULL) {
            fleet_json_renamed(t, value, folder);
        } else {
            fleet_json_span(t, value);
        }
    }
    return t->over || t->n > start;
}

static void name_member(struct fleet_json *t, bool first, const char *name)
{
    fleet_json_put(t, first ? "\"" : ",\"");
    fleet_json_put(t, name);
    fleet_json_put(t, "\":");
}

void fleet_json_member(struct fleet_json *t, bool first, const char *name, struct skr_span text)
{
    name_member(t, first, name);
    fleet_json_string(t, text);
}

void fleet_json_count(struct fleet_json *t, bool first, const char *name, uint64_t value)
{
    name_member(t, first, name);
    fleet_json_number(t, value);
}
