/* builds.c -- see builds.h. */
#include "builds.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "changes.h"
#include "hash.h"
#include "pages.h"
#include "map.h"
#include "say.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/span.h"

struct skr_builds skr_builds;

bool skr_builds_open(uint16_t room)
{
    struct skr_builds *all = &skr_builds;
    char *texts = skr_map((size_t)room * SKR_FLEET_BUILD_TEXT);
    all->at = skr_map(room * sizeof *all->at);
    all->room = room;
    if (all->at == NULL || texts == NULL) {
        skr_say("no memory for %u builds: %s; use a smaller --builds", room, strerror(errno));
        return false;
    }
    for (size_t i = 0; i < room; i++) {
        all->at[i].text = (struct skr_text){texts + i * SKR_FLEET_BUILD_TEXT, 0, SKR_FLEET_BUILD_TEXT, false};
    }
    return true;
}

/* ---- Rows ---- */

/* The folder of its URIs: what of the kind a URI may have, and the first digits of the build. */
static void name_folder(struct skr_build *b)
{
    size_t n = 0;
    for (const char *p = b->kind; *p != '\0' && n < sizeof b->folder - 18; p++) {
        bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
        b->folder[n++] = plain ? *p : '-';
    }
    (void)snprintf(b->folder + n, sizeof b->folder - n, "-%.8s", b->name);
    for (uint16_t i = 0; i < skr_builds.count; i++) {
        const struct skr_build *o = &skr_builds.at[i];
        if (o != b && strcmp(o->folder, b->folder) == 0) { /* the digits behind them differ */
            (void)snprintf(b->folder + n, sizeof b->folder - n, "-%.8s-%u", b->name, (unsigned)(b - skr_builds.at));
        }
    }
}

static uint16_t find_row(struct skr_span name, struct skr_span kind)
{
    for (uint16_t i = 0; i < skr_builds.count; i++) {
        if (skri_span_is(name, skr_builds.at[i].name) && skri_span_is(kind, skr_builds.at[i].kind)) {
            return i;
        }
    }
    return SKR_NO_BUILD;
}

uint16_t skr_builds_row(struct skr_span name, struct skr_span kind)
{
    uint16_t row = find_row(name, kind);
    if (row != SKR_NO_BUILD || skr_builds.count == skr_builds.room) {
        return row;
    }
    struct skr_build *b = &skr_builds.at[skr_builds.count];
    memcpy(b->name, name.p, name.n); /* the caller has checked that both fit; rows are zero */
    memcpy(b->kind, kind.p, kind.n);
    b->device = SKR_NO_DEVICE;
    name_folder(b);
    return skr_builds.count++;
}

const struct skr_described *skr_build_tool(const struct skr_build *b, struct skr_span name)
{
    for (uint16_t i = 0; i < b->tool_count; i++) {
        struct skr_span its = skri_scan_inside(skri_scan_get(skr_build_text(b, b->tools[i].json), "name"));
        if (!b->tools[i].resource && its.p != NULL && skri_json_same_text(its, name)) {
            return &b->tools[i];
        }
    }
    return NULL;
}

const struct skr_build *skr_builds_of_folder(struct skr_span folder)
{
    for (uint16_t i = 0; i < skr_builds.count; i++) {
        if (skri_span_is(folder, skr_builds.at[i].folder)) {
            return &skr_builds.at[i];
        }
    }
    return NULL;
}

void skr_builds_survey_devices(bool (*visible)(const void *whom, const struct skr_fleet_device *d), const void *whom)
{
    const struct skr_registry *r = &skr_registry;
    for (uint16_t i = 0; i < skr_builds.count; i++) {
        struct skr_build *b = &skr_builds.at[i];
        b->present = b->known = 0;
        b->example = SKR_NO_DEVICE;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        const struct skr_fleet_device *d = &r->devices[r->order[i]];
        if (d->build == SKR_NO_BUILD || !visible(whom, d)) {
            continue;
        }
        struct skr_build *b = &skr_builds.at[d->build];
        bool first = d->presence == SKR_PRESENT ? b->present == 0 : b->known == 0;
        b->known++;
        b->present += d->presence == SKR_PRESENT;
        b->example = first ? r->order[i] : b->example;
    }
}

/* ---- Texts ---- */

static void put_decoded(struct skr_text *t, struct skr_span inside)
{
    skr_text_put(t, " ");
    for (unsigned used; inside.n > 0; inside = skri_span_from(inside, used)) {
        char bytes[4];
        unsigned n = skri_json_decode(inside.p, inside.p + inside.n, bytes, &used);
        skr_text_span(t, (struct skr_span){bytes, n});
    }
}

/* The words by which a tool is found. Names of arguments count, too: "volume" finds what has one. */
static void put_words(struct skr_text *t, struct skr_span tool)
{
    static const char *const members[] = {"name", "title", "description", "uri", "uriTemplate"};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        put_decoded(t, skri_scan_inside(skri_scan_get(tool, members[i])));
    }
    struct skr_span properties = skri_scan_get(skri_scan_get(tool, "inputSchema"), "properties"), key, value;
    while (skri_scan_pair(&properties, &key, &value)) {
        put_decoded(t, skri_scan_inside(key));
        put_decoded(t, skri_scan_inside(skri_scan_get(value, "description")));
    }
}

/* True when all that was put since `start` fits; otherwise it is taken back. */
static bool fits(struct skr_build *b, size_t start)
{
    bool all = !b->text.over;
    b->text.n = all ? b->text.n : start;
    b->text.over = false;
    return all;
}

/* A tool, or a resource: both are found by their words. */
static bool add_tool(struct skr_build *b, struct skr_span json, bool resource)
{
    struct skr_described *t = &b->tools[b->tool_count];
    uint32_t start = (uint32_t)b->text.n;
    if (b->tool_count == SKR_FLEET_TOOLS) {
        return false;
    }
    skr_text_span(&b->text, json);
    put_words(&b->text, json);
    if (!fits(b, start)) {
        return false;
    }
    t->json = (struct skr_piece_of_text){start, (uint32_t)json.n};
    t->words = (struct skr_piece_of_text){start + t->json.n, (uint32_t)b->text.n - start - t->json.n};
    t->same = skr_hash(json.p, json.n);
    t->resource = resource;
    t->calm = resource || skri_span_is(skri_scan_get(skri_scan_get(json, "annotations"), "readOnlyHint"), "true");
    b->tool_count++;
    return true;
}

/* What the firmware can be asked for. Files of skills are not: they belong to the build. */
static bool add_resource(struct skr_build *b, struct skr_span json)
{
    struct skr_span uri = skri_scan_inside(skri_scan_get(json, "uri"));
    uri = uri.p != NULL ? uri : skri_scan_inside(skri_scan_get(json, "uriTemplate"));
    return uri.p == NULL || skri_span_starts(uri, SPAN("skill://")) || add_tool(b, json, true);
}

static bool add_skill(struct skr_build *b, struct skr_span json)
{
    uint32_t start = (uint32_t)b->text.n;
    if (b->skill_count == SKR_FLEET_SKILLS) {
        return false;
    }
    skr_text_renamed(&b->text, json, b->folder);
    if (!fits(b, start)) {
        return false;
    }
    b->skills[b->skill_count++].json = (struct skr_piece_of_text){start, (uint32_t)b->text.n - start};
    return true;
}

/* ---- Learning ---- */

/* It did not work with this device: perhaps with another, later. */
static void give_up(struct skr_build *b, uint64_t now_ms)
{
    b->text.n = 0;
    b->tool_count = b->skill_count = 0;
    b->cut = false;
    b->state = SKR_BUILD_NEW;
    b->tries++;
    b->due_ms = now_ms + SKR_FLEET_SURVEY_MS;
}

/* Has it what clients need to tell it from others? They get lists of all devices: one that lacks it would spoil them. */
static bool is_named(enum skr_list_kind list, struct skr_span item)
{
    bool named = skri_scan_inside(skri_scan_get(item, "name")).n > 0;
    if (list != SKR_PAGES_SKILLS) {
        return named;
    }
    named |= skri_scan_inside(skri_scan_get(skri_scan_get(item, "frontmatter"), "name")).n > 0;
    return named && skri_span_starts(skri_scan_inside(skri_scan_get(item, "uri")), SPAN("skill://"));
}

static void add_item(uint32_t owner, enum skr_list_kind list, struct skr_span item)
{
    struct skr_build *b = &skr_builds.at[owner];
    if (!is_named(list, item)) {
        return;
    }
    bool fits = list == SKR_PAGES_TOOLS    ? add_tool(b, item, false)
                : list == SKR_PAGES_SKILLS ? add_skill(b, item)
                                           : add_resource(b, item);
    if (!fits && !b->cut) {
        b->cut = true;
        skr_say("build %s of %s: more tools, resources or skills than are kept (SKR_FLEET_TOOLS, SKR_FLEET_SKILLS, "
                "SKR_FLEET_BUILD_TEXT); some are left out",
                b->name, b->kind);
    }
}

static void on_end(uint32_t owner, bool complete, uint64_t now_ms)
{
    struct skr_build *b = &skr_builds.at[owner];
    if (!complete) {
        give_up(b, now_ms);
        return;
    }
    b->modern = b->pages.modern;
    b->state = SKR_BUILD_KNOWN;
    skr_changes_of_lists++;
}

/* A device that can be asked; each attempt begins with another one. */
static uint32_t choose_device(const struct skr_build *b)
{
    const struct skr_registry *r = &skr_registry;
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t device = r->order[(i + b->tries) % r->count];
        const struct skr_fleet_device *d = &r->devices[device];
        if (d->presence == SKR_PRESENT && d->build == b - skr_builds.at) {
            return device;
        }
    }
    return SKR_NO_DEVICE;
}

uint32_t skr_builds_turn(uint64_t now_ms)
{
    for (uint16_t i = 0; i < skr_builds.count; i++) {
        struct skr_build *b = &skr_builds.at[i];
        if (b->state != SKR_BUILD_NEW || b->due_ms > now_ms) {
            continue;
        }
        b->device = choose_device(b);
        b->due_ms = now_ms + SKR_FLEET_SURVEY_MS;
        if (b->device != SKR_NO_DEVICE) {
            b->state = SKR_BUILD_ASKED;
            b->pages = (struct skr_pages){.device = b->device, .owner = i, .item = add_item, .end = on_end};
            skr_pages_begin(&b->pages, now_ms);
        }
    }
    return SKR_FLEET_SURVEY_MS / 5;
}
