/* older.c -- see older.h. Invalid JSON comes out as some other invalid JSON, and is never read past its end. */
#include "response/older.h"

#include "text/json_scan.h"

#if SKR_OLDER

/* Members, and the version that introduced them. */
static const struct {
    char key[13];
    uint8_t since; /* enum skr_version */
} members[] = {
    {"annotations", SKR_V_2025_03_26}, /* of a tool: others have always had them */
    {"title", SKR_V_2025_06_18},        {"outputSchema", SKR_V_2025_06_18}, {"_meta", SKR_V_2025_06_18},
    {"lastModified", SKR_V_2025_06_18}, {"icons", SKR_V_2025_11_25},
};

/* A text that members are being cut from. */
struct cut {
    struct skr_response *a;
    const char *from; /* the rest, after what was pushed or left out */
    bool tool;
};

/* An object being walked, or its members without the braces. */
struct object {
    struct skr_span rest;
    bool kept; /* something before the next member is sent */
};

static bool is_newer(const struct cut *c, struct skr_span key)
{
    for (size_t i = !c->tool; i < sizeof members / sizeof members[0]; i++) {
        if (members[i].since > c->a->envelope.version && skr_scan_is(key, members[i].key)) {
            return true;
        }
    }
    return false;
}

/* The value of the next member that is sent; false after the last. A member is left out with the comma before it, or,
 * if none before it is kept, with the one after it. The last pieces are for what follows: if a prompt has so many
 * titled arguments that only those are left, the titles of the rest are sent. */
static bool next_kept(struct cut *c, struct object *o, struct skr_span *value)
{
    struct skr_span key;
    const char *comma = o->rest.p;

    while (skr_scan_pair(&o->rest, &key, value)) {
        if (!is_newer(c, key) || skri_pushed(c->a) >= SKR_PIECES - 2) {
            o->kept = true;
            return true;
        }
        skri_push_bytes(c->a, SKR_RAW, c->from, (size_t)((o->kept ? comma : key.p) - c->from));
        c->from = comma = o->rest.p;
        if (!o->kept && o->rest.n > 0 && *o->rest.p == ',') {
            c->from++;
        }
    }
    return false;
}

/* Not for tools: inside their members are schemas, whose names are their author's. Inside others all names are the
 * protocol's: the arguments of a prompt may have titles. */
static void cut_inside(struct cut *c, struct skr_span object)
{
    struct object o = {object, false};
    struct skr_span value;

    while (next_kept(c, &o, &value)) {
    }
}

void skri_push_described(struct skr_response *a, bool tool, const char *json, size_t n)
{
    struct cut c = {a, json, tool};
    struct object o = {{json, n}, n > 0 && *json == ','};
    struct skr_span value;
    bool older = a->envelope.version != SKR_V_NONE && a->envelope.version < SKR_V_2025_11_25;

    while (older && next_kept(&c, &o, &value)) {
        struct skr_span item;
        if (!tool && *value.p == '{') {
            cut_inside(&c, value);
        }
        while (!tool && skr_scan_item(&value, &item)) {
            cut_inside(&c, item);
        }
    }
    skri_push_bytes(a, SKR_RAW, c.from, (size_t)(json + n - c.from));
}

#endif
