/* builds.c -- see builds.h. */
#include "builds.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "console.h"
#include "memory.h"
#include "rights.h"
#include "text/hash.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/span.h"

struct fleet_builds fleet_builds;

bool fleet_builds_open(uint16_t room)
{
    struct fleet_builds *all = &fleet_builds;
    char *texts = fleet_memory((size_t)room * FLEET_BUILD_TEXT);

    all->at = fleet_memory(room * sizeof *all->at);
    all->room = room;
    if (all->at == NULL || texts == NULL) {
        host_log("no memory for %u builds: %s; use a smaller --max-builds", room, strerror(errno));
        return false;
    }
    for (size_t i = 0; i < room; i++) {
        all->at[i].text = (struct fleet_json){texts + i * FLEET_BUILD_TEXT, 0, FLEET_BUILD_TEXT, false};
    }
    return true;
}

/* ---- Rows ---- */

/* The folder of its URIs: the kind, as far as a URI allows its characters, and the first digits of the build. */
static void name_folder(struct fleet_build *b)
{
    size_t n = 0;

    for (const char *p = b->kind; *p != '\0' && n < sizeof b->folder - 18; p++) {
        bool plain = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9');
        b->folder[n++] = plain ? *p : '-';
    }
    (void)snprintf(b->folder + n, sizeof b->folder - n, "-%.8s", b->name);
    for (uint16_t i = 0; i < fleet_builds.count; i++) {
        const struct fleet_build *o = &fleet_builds.at[i];
        if (o != b && o->state != FLEET_BUILD_FREE && strcmp(o->folder, b->folder) == 0) { /* later digits differ */
            (void)snprintf(b->folder + n, sizeof b->folder - n, "-%.8s-%u", b->name, (unsigned)(b - fleet_builds.at));
        }
    }
}

static uint16_t find_build(struct skr_span name, struct skr_span kind)
{
    for (uint16_t i = 0; i < fleet_builds.count; i++) {
        const struct fleet_build *b = &fleet_builds.at[i];
        if (b->state != FLEET_BUILD_FREE && skr_span_is(name, b->name) && skr_span_is(kind, b->kind)) {
            return i;
        }
    }
    return FLEET_NO_BUILD;
}

/* The value of a row: the lowest is given to another build first, WORTH_ALL never. */
enum worth {
    WORTH_NOTHING, /* no device has it: a device that claims many builds has only the last of them */
    WORTH_LITTLE,  /* its devices did not respond: an unproved claim */
    WORTH_SOME,    /* all devices that have it are away */
    WORTH_ALL,
};

static enum worth worth_of(const struct fleet_build *b)
{
    if (b->pins > 0) {
        return WORTH_ALL;
    }
    return b->devices == 0                                 ? WORTH_NOTHING
           : b->state != FLEET_BUILD_READY && b->tries > 0 ? WORTH_LITTLE
           : b->present == 0                               ? WORTH_SOME
                                                           : WORTH_ALL;
}

/* Takes a row from its build. */
static void clear_row(uint16_t row)
{
    struct fleet_build *b = &fleet_builds.at[row];

    for (uint32_t i = 0; b->devices > 0 && i < fleet_registry.count; i++) {
        struct fleet_device *d = &fleet_registry.devices[fleet_registry.order[i]];
        if (d->build == row) {
            d->build = FLEET_NO_BUILD;
            fleet_builds.lacking = true;
        }
    }
    if (b->state == FLEET_BUILD_READING) {
        fleet_lists_cancel(&b->lists);
    }
    fleet_builds.changes += b->state == FLEET_BUILD_READY;
    struct fleet_json text = {b->text.p, 0, b->text.room, false};
    memset(b, 0, sizeof *b);
    b->text = text;
    fleet_builds.used--;
}

/* Clears the row of least value, the oldest of several; FLEET_NO_BUILD: all are needed. */
static uint16_t evict_build(void)
{
    uint16_t least = FLEET_NO_BUILD;
    enum worth worth = WORTH_ALL;

    fleet_builds_count_devices(NULL);
    for (uint16_t i = 0; i < fleet_builds.count; i++) {
        const struct fleet_build *b = &fleet_builds.at[i];
        enum worth its = worth_of(b);
        if (its < worth || (its == worth && least != FLEET_NO_BUILD && b->number < fleet_builds.at[least].number)) {
            least = i;
            worth = its;
        }
    }
    if (least != FLEET_NO_BUILD) {
        clear_row(least);
    }
    return least;
}

static uint16_t take_row(void)
{
    for (uint16_t i = 0; fleet_builds.used < fleet_builds.count && i < fleet_builds.count; i++) {
        if (fleet_builds.at[i].state == FLEET_BUILD_FREE) {
            return i;
        }
    }
    return fleet_builds.count < fleet_builds.room ? fleet_builds.count++ : evict_build();
}

void fleet_builds_join(struct fleet_device *d)
{
    static uint32_t taken;
    static bool reported;

    d->build = find_build(skr_span_of(d->claimed), skr_span_of(d->kind));
    if (d->build != FLEET_NO_BUILD) {
        return;
    }
    uint16_t row = take_row();
    if (row == FLEET_NO_BUILD) {
        fleet_builds.lacking = true;
        if (!reported) {
            reported = true;
            host_log("%s: more builds than --max-builds %u; find_tools does not find its tools and skills", d->id,
                     fleet_builds.room);
        }
        return;
    }
    struct fleet_build *b = &fleet_builds.at[row];
    strcpy(b->name, d->claimed); /* fields of the same size */
    strcpy(b->kind, d->kind);
    b->state = FLEET_BUILD_NEW;
    b->device = FLEET_NO_DEVICE;
    b->number = taken++;
    fleet_builds.used++;
    name_folder(b);
    d->build = row;
}

/* Gives rows to devices that found none. */
static void join_lacking(uint64_t now_ms)
{
    fleet_builds.look_ms = now_ms + FLEET_SURVEY_MS;
    fleet_builds.lacking = false;
    for (uint32_t i = 0; i < fleet_registry.count; i++) {
        struct fleet_device *d = &fleet_registry.devices[fleet_registry.order[i]];
        if (d->presence == FLEET_PRESENT && d->claimed[0] != '\0' && d->build == FLEET_NO_BUILD) {
            fleet_builds_join(d);
        }
    }
}

const struct fleet_tool_row *fleet_build_tool(const struct fleet_build *b, struct skr_span name)
{
    for (uint16_t i = 0; i < b->tool_count; i++) {
        struct skr_span its = skr_scan_inside(skr_scan_get(fleet_build_text(b, b->tools[i].json), "name"));
        if (!b->tools[i].resource && its.p != NULL && skr_json_same_text(its, name)) {
            return &b->tools[i];
        }
    }
    return NULL;
}

struct fleet_build *fleet_builds_of_folder(struct skr_span folder)
{
    for (uint16_t i = 0; i < fleet_builds.count; i++) {
        if (fleet_builds.at[i].state != FLEET_BUILD_FREE && skr_span_is(folder, fleet_builds.at[i].folder)) {
            return &fleet_builds.at[i];
        }
    }
    return NULL;
}

void fleet_builds_count_devices(const struct fleet_client *client)
{
    const struct fleet_registry *r = &fleet_registry;

    for (uint16_t i = 0; i < fleet_builds.count; i++) {
        struct fleet_build *b = &fleet_builds.at[i];
        b->present = b->devices = 0;
        b->example = FLEET_NO_DEVICE;
    }
    for (uint32_t i = 0; i < r->count; i++) {
        const struct fleet_device *d = &r->devices[r->order[i]];
        if (d->build == FLEET_NO_BUILD || (client != NULL && !fleet_rights_see(client, d))) {
            continue;
        }
        struct fleet_build *b = &fleet_builds.at[d->build];
        bool first = d->presence == FLEET_PRESENT ? b->present == 0 : b->devices == 0;
        b->devices++;
        b->present += d->presence == FLEET_PRESENT;
        b->example = first ? r->order[i] : b->example;
    }
}

/* ---- Texts ---- */

static void put_decoded(struct fleet_json *t, struct skr_span inside)
{
    fleet_json_put(t, " ");
    for (unsigned used; inside.n > 0; inside = skr_span_from(inside, used)) {
        char bytes[4];
        unsigned n = skr_json_decode(inside.p, inside.p + inside.n, bytes, &used);
        fleet_json_span(t, (struct skr_span){bytes, n});
    }
}

/* The words that find a tool. Names of arguments count also: "volume" finds a tool with such an argument. */
static void put_words(struct fleet_json *t, struct skr_span tool)
{
    static const char *const members[] = {"name", "title", "description", "uri", "uriTemplate"};

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        put_decoded(t, skr_scan_inside(skr_scan_get(tool, members[i])));
    }
    struct skr_span properties = skr_scan_get(skr_scan_get(tool, "inputSchema"), "properties"), key, value;
    while (skr_scan_pair(&properties, &key, &value)) {
        put_decoded(t, skr_scan_inside(key));
        put_decoded(t, skr_scan_inside(skr_scan_get(value, "description")));
    }
}

/* True when everything after `start` fits; otherwise that is removed. */
static bool text_fits(struct fleet_build *b, size_t start)
{
    bool all = !b->text.over;

    b->text.n = all ? b->text.n : start;
    b->text.over = false;
    return all;
}

/* Adds a tool, or a resource of the firmware. */
static bool add_tool(struct fleet_build *b, struct skr_span json, bool resource)
{
    struct fleet_tool_row *t = &b->tools[b->tool_count];
    uint32_t start = (uint32_t)b->text.n;

    if (b->tool_count == FLEET_TOOLS) {
        return false;
    }
    fleet_json_span(&b->text, json);
    put_words(&b->text, json);
    if (!text_fits(b, start)) {
        return false;
    }
    t->json = (struct fleet_text_range){start, (uint32_t)json.n};
    t->words = (struct fleet_text_range){start + t->json.n, (uint32_t)b->text.n - start - t->json.n};
    t->same = skr_hash(json);
    t->resource = resource;
    b->tool_count++;
    return true;
}

/* Files of skills are not resources of the firmware: they belong to the build. */
static bool add_resource(struct fleet_build *b, struct skr_span json)
{
    struct skr_span uri = skr_scan_inside(skr_scan_get(json, "uri"));

    uri = uri.p != NULL ? uri : skr_scan_inside(skr_scan_get(json, "uriTemplate"));
    return uri.p == NULL || skr_span_starts(uri, SPAN("skill://")) || add_tool(b, json, true);
}

static bool add_skill(struct fleet_build *b, struct skr_span json)
{
    uint32_t start = (uint32_t)b->text.n;

    if (b->skill_count == FLEET_SKILLS) {
        return false;
    }
    fleet_json_renamed(&b->text, json, b->folder);
    if (!text_fits(b, start)) {
        return false;
    }
    b->skills[b->skill_count++].json = (struct fleet_text_range){start, (uint32_t)b->text.n - start};
    return true;
}

/* ---- Reading lists ---- */

/* Later, perhaps from another device. */
static void retry_later(struct fleet_build *b, uint64_t now_ms)
{
    b->text.n = 0;
    b->tool_count = b->skill_count = 0;
    b->truncated = false;
    b->state = FLEET_BUILD_NEW;
    b->tries++;
    b->due_ms = now_ms + FLEET_SURVEY_MS;
}

void fleet_builds_leave(struct fleet_device *d)
{
    struct fleet_build *b = d->build != FLEET_NO_BUILD ? &fleet_builds.at[d->build] : NULL;

    d->build = FLEET_NO_BUILD;
    if (b != NULL && b->state == FLEET_BUILD_READING && d == &fleet_registry.devices[b->device]) {
        fleet_lists_cancel(&b->lists);
        retry_later(b, 0); /* from another device, immediately */
    }
}

/* Clients get one list of all devices: an item without the members that clients rely on would break it. */
static bool is_complete(enum fleet_list_kind list, struct skr_span item)
{
    bool named = skr_scan_inside(skr_scan_get(item, "name")).n > 0;

    if (list != FLEET_LIST_SKILLS) {
        return named;
    }
    named |= skr_scan_inside(skr_scan_get(skr_scan_get(item, "frontmatter"), "name")).n > 0;
    return named && skr_span_starts(skr_scan_inside(skr_scan_get(item, "uri")), SPAN("skill://"));
}

static void add_item(void *owner, enum fleet_list_kind list, struct skr_span item)
{
    struct fleet_build *b = owner;

    if (!is_complete(list, item)) {
        return;
    }
    bool fits = list == FLEET_LIST_TOOLS    ? add_tool(b, item, false)
                : list == FLEET_LIST_SKILLS ? add_skill(b, item)
                                            : add_resource(b, item);
    if (!fits && !b->truncated) {
        b->truncated = true;
        host_log("build %s of %s: too many tools, resources or skills (limits FLEET_TOOLS, FLEET_SKILLS, "
                 "FLEET_BUILD_TEXT); some are left out",
                 b->name, b->kind);
    }
}

static void on_lists_end(void *owner, bool complete, uint64_t now_ms)
{
    struct fleet_build *b = owner;

    if (!complete) {
        retry_later(b, now_ms);
        return;
    }
    b->modern = b->lists.modern;
    b->state = FLEET_BUILD_READY;
    fleet_builds.changes++;
}

/* A present device of the build; each attempt begins with another one. */
static uint32_t choose_device(const struct fleet_build *b)
{
    const struct fleet_registry *r = &fleet_registry;

    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t device = r->order[(i + b->tries) % r->count];
        const struct fleet_device *d = &r->devices[device];
        if (d->presence == FLEET_PRESENT && d->build == b - fleet_builds.at) {
            return device;
        }
    }
    return FLEET_NO_DEVICE;
}

uint32_t fleet_builds_turn(uint64_t now_ms)
{
    if (fleet_builds.lacking && now_ms >= fleet_builds.look_ms) {
        join_lacking(now_ms);
    }
    for (uint16_t i = 0; i < fleet_builds.count; i++) {
        struct fleet_build *b = &fleet_builds.at[i];
        if (b->state != FLEET_BUILD_NEW || b->due_ms > now_ms) {
            continue;
        }
        b->device = choose_device(b);
        b->due_ms = now_ms + FLEET_SURVEY_MS;
        if (b->device != FLEET_NO_DEVICE) {
            b->state = FLEET_BUILD_READING;
            b->lists = (struct fleet_lists){.device = b->device, .owner = b, .item = add_item, .end = on_lists_end};
            fleet_lists_begin(&b->lists, now_ms);
        }
    }
    return FLEET_SURVEY_MS / 5;
}
