/* text.c -- see text.h. */
#include "text.h"

#include <stdio.h>
#include <string.h>

#include "text/json_scan.h"
#include "text/span.h"

void skr_text_span(struct skr_text *t, struct skr_span raw)
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

void skr_text_put(struct skr_text *t, const char *literal)
{
    skr_text_span(t, skri_span_of(literal));
}

void skr_text_string(struct skr_text *t, struct skr_span text)
{
    skr_text_put(t, "\"");
    for (size_t i = 0, from = 0; i <= text.n; i++) {
        unsigned char c = i < text.n ? (unsigned char)text.p[i] : 0;
        if (c >= 0x20 && c != '"' && c != '\\') {
            continue;
        }
        skr_text_span(t, (struct skr_span){text.p + from, i - from});
        if (i < text.n) {
            char escape[8];
            (void)snprintf(escape, sizeof escape, c < 0x20 ? "\\u%04x" : "\\%c", c);
            skr_text_put(t, escape);
        }
        from = i + 1;
    }
    skr_text_put(t, "\"");
}

void skr_text_number(struct skr_text *t, uint64_t value)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    skr_text_put(t, digits);
}

uint64_t skr_text_value(struct skr_span digits)
{
    uint64_t value = 0;
    if (digits.n == 0 || digits.n > 18) {
        return UINT64_MAX;
    }
    for (size_t i = 0; i < digits.n; i++) {
        if (digits.p[i] < '0' || digits.p[i] > '9') {
            return UINT64_MAX;
        }
        value = value * 10 + (uint64_t)(digits.p[i] - '0');
    }
    return value;
}

/* In compact JSON a quote inside a string is escaped, so these can only be the members themselves. */
void skr_text_renamed(struct skr_text *t, struct skr_span json, const char *folder)
{
    static const char uri[] = "\"uri\":\"skill://", url[] = "\"url\":\"skill://";
    size_t from = 0, n = sizeof uri - 1;
    for (size_t i = 0; i + n <= json.n; i++) {
        if (json.p[i] == '"' && (memcmp(json.p + i, uri, n) == 0 || memcmp(json.p + i, url, n) == 0)) {
            skr_text_span(t, (struct skr_span){json.p + from, i + n - from});
            skr_text_put(t, folder);
            skr_text_put(t, "/");
            from = i + n;
        }
    }
    skr_text_span(t, (struct skr_span){json.p + from, json.n - from});
}

/* What the core puts into every result of 2026-07-28, or into what may be kept. */
static bool is_of_core(struct skr_span key)
{
    static const char *const names[] = {"_meta", "resultType", "ttlMs", "cacheScope"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (skri_scan_is(key, names[i])) {
            return true;
        }
    }
    return false;
}

bool skr_text_members(struct skr_text *t, struct skr_span object, bool modern, const char *folder)
{
    struct skr_span key, value;
    size_t start = t->n;
    while (skri_scan_pair(&object, &key, &value)) {
        if (modern && is_of_core(key)) {
            continue;
        }
        skr_text_put(t, t->n > start ? "," : "");
        skr_text_span(t, key);
        skr_text_put(t, ":");
        if (folder != NULL) {
            skr_text_renamed(t, value, folder);
        } else {
            skr_text_span(t, value);
        }
    }
    return t->over || t->n > start;
}

static void name_member(struct skr_text *t, bool first, const char *name)
{
    skr_text_put(t, first ? "\"" : ",\"");
    skr_text_put(t, name);
    skr_text_put(t, "\":");
}

void skr_text_member(struct skr_text *t, bool first, const char *name, struct skr_span text)
{
    name_member(t, first, name);
    skr_text_string(t, text);
}

void skr_text_count(struct skr_text *t, bool first, const char *name, uint64_t value)
{
    name_member(t, first, name);
    skr_text_number(t, value);
}
