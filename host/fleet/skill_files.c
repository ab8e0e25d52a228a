/* skill_files.c -- see skill_files.h. Each request is a job, because a file may have to be fetched, and because a list may change while it is
 * sent: the slot has a copy. */
#include "skill_files.h"

#include <stdio.h>
#include <string.h>

#include "../bridge/cache.h"
#include "clock.h"
#include "console.h"
#include "counters.h"
#include "handler/tool_call.h"
#include "job_slots.h"
#include "json_edit.h"
#include "mcp/method.h"
#include "mediatype.h"
#include "sha256.h"
#include "skills/dialects.h"
#include "skills/skill.h"
#include "store/store.h"
#include "text/hex.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/span.h"

static int run_list(struct skr_call *call);
static int run_get(struct skr_call *call);
static int run_read(struct skr_call *call);

/* The core runs them like tools. */
static const struct skr_tool list_tool = {
    .name = "list", .run = run_list, .deadline_ms = SKR_JOB_DEADLINE_MAX_MS, .parallel = true, .read_only = true};
static const struct skr_tool get_tool = {
    .name = "get", .run = run_get, .deadline_ms = SKR_JOB_DEADLINE_MAX_MS, .parallel = true, .read_only = true};
static const struct skr_tool read_tool = {
    .name = "read", .run = run_read, .deadline_ms = SKR_JOB_DEADLINE_MAX_MS, .parallel = true, .read_only = true};

bool fleet_skills_is_read(const struct skr_tool *tool)
{
    return tool == &list_tool || tool == &get_tool || tool == &read_tool;
}

static void start_job(struct skr_call *call, const struct skr_tool *tool)
{
    struct skr_tool_call tool_call = {.tool = tool};

    call->response->envelope.live = true; /* devices come and go */
    skri_tool_call_permitted(call, &tool_call);
}

/* ---- Lists ---- */

/* Bytes after which a page ends; its last entry may exceed them. */
#define PAGE_BYTES 131072

/* Entry number i of all, the image's first; NOTHING at the end. !*seen: the client must not see it. */
static struct skr_span skill_entry(const struct romfs *fs, uint32_t i, bool *seen)
{
    *seen = true;
    if (i < fs->header->listed) {
        return skr_span_rom(fs, fs->skills[i].entry);
    }
    i -= fs->header->listed;
    for (uint16_t k = 0; k < fleet_builds.count; k++) {
        const struct fleet_build *b = &fleet_builds.at[k];
        uint32_t count = b->state == FLEET_BUILD_READY ? b->skill_count : 0;
        if (i < count) {
            *seen = b->devices > 0;
            return fleet_build_text(b, b->skills[i].json);
        }
        i -= count;
    }
    return NOTHING;
}

/* A cursor or a size; UINT32_MAX: not a number. */
static uint32_t number_of(struct skr_span text)
{
    uint64_t value = fleet_json_value(text);

    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* The skill as a resource: its SKILL.md. */
static void put_resource(struct fleet_json *t, struct skr_span skill)
{
    static const char *const copied[] = {"name", "title", "description"};
    struct skr_span files = skr_scan_get(skill, "resources"), first, frontmatter = skr_scan_get(skill, "frontmatter");

    fleet_json_put(t, "{\"uri\":");
    fleet_json_span(t, skr_scan_get(skill, "uri"));
    for (size_t i = 0; i < 3; i++) {
        struct skr_span value = skr_scan_get(skill, copied[i]);
        value = skr_scan_inside(value).p != NULL ? value : skr_scan_get(frontmatter, copied[i]);
        if (skr_scan_inside(value).p != NULL) {
            fleet_json_put(t, ",\"");
            fleet_json_put(t, copied[i]);
            fleet_json_put(t, "\":");
            fleet_json_span(t, value);
        }
    }
    fleet_json_put(t, ",\"mimeType\":\"text/markdown\"");
    struct skr_span size = skr_scan_item(&files, &first) ? skr_scan_get(first, "size") : NOTHING;
    if (size.p != NULL && number_of(size) != UINT32_MAX) {
        fleet_json_put(t, ",\"size\":");
        fleet_json_span(t, size);
    }
    fleet_json_put(t, "}");
}

/* Called once: the request is still available. */
static int run_list(struct skr_call *call)
{
    struct fleet_slot *s = fleet_slot_begin(call);
    struct fleet_json *t = &s->text;
    bool skills = skr_json_equals(&call->json, call->method, "skills/list"), seen;
    int cursor = skr_json_get(&call->json, call->params, "cursor");
    uint32_t i = cursor >= 0 ? number_of(skr_json_inside(&call->json, cursor)) : 0, shown = 0;
    struct skr_span one;

    fleet_builds_count_devices(&s->client);
    fleet_json_put(t, skills ? "\"skills\":[" : "\"resources\":[");
    while ((one = skill_entry(call->fs, i, &seen)).p != NULL && shown < call->srv->page && t->n < PAGE_BYTES) {
        i++;
        if (!seen) {
            continue;
        }
        fleet_json_put(t, shown++ > 0 ? "," : "");
        if (skills) {
            fleet_json_span(t, one);
        } else {
            put_resource(t, one);
        }
    }
    fleet_json_put(t, "]");
    if (one.p != NULL) {
        fleet_json_put(t, ",\"nextCursor\":\"");
        fleet_json_number(t, i);
        fleet_json_put(t, "\"");
    }
    s->kind = FLEET_SLOT_RESULT;
    return 0;
}

void fleet_skills_list(struct skr_call *call)
{
    struct skr_span cursor;
    bool seen;

    if (!skri_rpc_param(call, SKR_PARAM_CURSOR, false, &cursor)) {
        return;
    }
    if (cursor.p != NULL && skill_entry(call->fs, number_of(cursor), &seen).p == NULL) {
        skri_rpc_error(call, SKR_BAD_CURSOR, cursor);
        return;
    }
    start_job(call, &list_tool);
}

/* ---- The build of a URI ---- */

#define SCHEME "skill://"

/* The build of a URI, if its lists are read and the client can see one of its devices; NULL: none. *path follows its folder. */
static struct fleet_build *build_of(const struct skr_call *call, struct skr_span uri, struct skr_span *path)
{
    struct fleet_client client = fleet_rights_of(call->conn);

    if (!skr_span_starts(uri, SPAN(SCHEME))) {
        return NULL;
    }
    struct skr_span rest = skr_span_from(uri, sizeof SCHEME - 1);
    const char *slash = rest.n > 0 ? memchr(rest.p, '/', rest.n) : NULL;
    if (slash == NULL) {
        return NULL;
    }
    struct fleet_build *b = fleet_builds_of_folder((struct skr_span){rest.p, (size_t)(slash - rest.p)});
    *path = skr_span_from(rest, (size_t)(slash + 1 - rest.p));
    fleet_builds_count_devices(&client);
    return b != NULL && b->state == FLEET_BUILD_READY && b->devices > 0 ? b : NULL;
}

/* ---- skills/get ---- */

static struct skr_span skill_at(const struct fleet_build *b, struct skr_span uri)
{
    for (uint16_t i = 0; i < b->skill_count; i++) {
        struct skr_span json = fleet_build_text(b, b->skills[i].json);
        struct skr_span its = skr_scan_inside(skr_scan_get(json, "uri"));
        if (its.p != NULL && skr_json_same_text(its, uri)) {
            return json;
        }
    }
    return NOTHING;
}

/* Called once. The slot has a copy: the row may belong to another build before all of it is sent. */
static int run_get(struct skr_call *call)
{
    struct fleet_slot *s = fleet_slot_begin(call);
    struct skr_span uri, path;

    (void)skri_rpc_param(call, SKR_PARAM_URI, true, &uri);
    fleet_json_put(&s->text, "\"skill\":");
    fleet_json_span(&s->text, skill_at(build_of(call, uri, &path), uri));
    s->kind = FLEET_SLOT_RESULT;
    return 0;
}

void fleet_skills_get(struct skr_call *call)
{
    struct skr_span uri, path;

    if (!skri_rpc_param(call, SKR_PARAM_URI, true, &uri)) {
        return;
    }
    const struct fleet_build *b = build_of(call, uri, &path);
    if (b == NULL) {
        skri_skills_get(call);
        return;
    }
    if (skill_at(b, uri).p == NULL) {
        skri_rpc_error(call, SKR_NO_SKILL, uri);
        return;
    }
    start_job(call, &get_tool);
}

/* ---- Files ---- */

#define TEXT "\"text\":"
#define BLOB "\"blob\":"

/* The digest, and the media type if there is one, that the build's list of skills has for a file. */
static bool find_digest(const struct fleet_build *b, struct skr_span uri, uint8_t digest[ROMFS_SHA256_SIZE],
                        struct skr_span *media)
{
    for (uint16_t i = 0; i < b->skill_count; i++) {
        struct skr_span files = skr_scan_get(fleet_build_text(b, b->skills[i].json), "resources"), file;
        while (skr_scan_item(&files, &file)) {
            struct skr_span its = skr_scan_inside(skr_scan_get(file, "uri"));
            struct skr_span hex = skr_scan_inside(skr_scan_get(file, "digest"));
            if (its.p == NULL || !skr_json_same_text(its, uri) || hex.n != 7 + 2 * ROMFS_SHA256_SIZE) {
                continue;
            }
            *media = skr_scan_get(file, "mimeType");
            return skr_span_starts(hex, SPAN("sha256:")) && skr_hex_read(hex.p + 7, ROMFS_SHA256_SIZE, digest);
        }
    }
    return false;
}

/* The key of a file in the cache: of its content, and nothing else of it is kept. */
static void cache_key(const struct fleet_slot *s, uint8_t key[BRIDGE_CACHE_KEY])
{
    static const char purpose[] = "fleet content"; /* earlier versions kept more under another name */
    struct romfs_sha256 sha;

    romfs_sha256_start(&sha);
    romfs_sha256_add(&sha, purpose, sizeof purpose);
    romfs_sha256_add(&sha, s->digest, sizeof s->digest);
    romfs_sha256_finish(&sha, key);
}

/* The result before the content of the file, and after it. The media type does not come from the device that sends the file. */
static void put_before_content(struct fleet_slot *s)
{
    s->text.n = 0;
    s->text.over = false;
    fleet_json_put(&s->text, "\"contents\":[{\"uri\":");
    fleet_json_string(&s->text, s->uri);
    fleet_json_put(&s->text, ",");
}

static void put_after_content(struct fleet_slot *s, bool base64)
{
    const char *media = host_media_type(s->uri.p, s->uri.n);

    if (skr_scan_inside(s->media).n > 0) {
        fleet_json_put(&s->text, ",\"mimeType\":");
        fleet_json_span(&s->text, s->media);
    } else {
        media = media != NULL ? media : base64 ? "application/octet-stream" : "text/plain";
        fleet_json_member(&s->text, false, "mimeType", skr_span_of(media));
    }
    fleet_json_put(&s->text, "}]");
}

static bool read_cache(struct fleet_slot *s)
{
    uint8_t key[BRIDGE_CACHE_KEY];

    cache_key(s, key);
    put_before_content(s);
    struct fleet_json *t = &s->text;
    size_t n = bridge_cache_get(key, t->p + t->n, t->room - t->n);
    if (n == 0) {
        return false;
    }
    t->n += n;
    put_after_content(s, skr_span_starts((struct skr_span){t->p + t->n - n, n}, SPAN(BLOB)));
    fleet_counters.files_cached++;
    return true;
}

/* Takes the content of the only file of a result, and nothing else. False: its digest differs. */
static bool take_file(struct fleet_slot *s, struct skr_span result)
{
    struct host_file_content content;
    uint8_t key[BRIDGE_CACHE_KEY];

    if (!host_json_file(skr_scan_get(result, "contents"), s->digest, &content)) {
        return false;
    }
    put_before_content(s);
    size_t start = s->text.n;
    fleet_json_put(&s->text, content.base64 ? BLOB : TEXT);
    fleet_json_span(&s->text, content.value);
    if (!s->text.over) {
        cache_key(s, key);
        bridge_cache_put(key, s->text.p + start, s->text.n - start);
    }
    put_after_content(s, content.base64);
    return true;
}

/* ---- Fetching ---- */

static void on_response(void *owner, enum fleet_outcome outcome, struct skr_span value);

/* A present device with the build, another one in each attempt; FLEET_NO_DEVICE: none. */
static uint32_t choose_device(const struct fleet_slot *s)
{
    const struct fleet_registry *r = &fleet_registry;
    unsigned skip = s->tries;
    uint32_t last = FLEET_NO_DEVICE;

    for (uint32_t i = 0; i < r->count; i++) {
        const struct fleet_device *d = &r->devices[r->order[i]];
        if (d->presence == FLEET_PRESENT && d->build == s->build - fleet_builds.at && fleet_rights_see(&s->client, d)) {
            last = r->order[i];
            if (skip-- == 0) {
                break;
            }
        }
    }
    return last;
}

#define TRIES 3

static void fetch_file(struct fleet_slot *s)
{
    struct fleet_request request = {
        .device = choose_device(s),
        .method = s->directory ? "resources/directory/read" : "resources/read",
        .params = {s->params + s->uri.n, s->params_n},
        .response_ms = FLEET_READ_MS,
        .done = on_response,
        .owner = s,
    };

    s->failure = request.device == FLEET_NO_DEVICE ? "no device that has it is present" : NULL;
    if (s->failure == NULL && !fleet_request_submit(&request, host_clock_ms())) {
        s->failure = "too many requests are pending; try again later";
    }
    s->responded |= s->failure != NULL;
    fleet_counters.files_fetched += s->failure == NULL;
}

static void on_response(void *owner, enum fleet_outcome outcome, struct skr_span value)
{
    struct fleet_slot *s = owner;

    if (outcome == FLEET_OUTCOME_RESULT && s->has_digest && !take_file(s, value)) {
        host_log("%s: a device sends a file with another digest than that of its build: %.*s; trying another device",
                 s->build->folder, (int)s->uri.n, s->uri.p);
        s->failure = "the devices send a file with another digest than that of their build";
    } else if (outcome == FLEET_OUTCOME_RESULT && !s->has_digest) {
        s->text.n = 0;
        if (!fleet_json_members(&s->text, value, s->modern, s->build->folder)) {
            s->failure = "the result of the device is empty";
        }
    } else if (outcome == FLEET_OUTCOME_ERROR) {
        s->failure = "the device does not have it";
    } else if (outcome != FLEET_OUTCOME_RESULT) {
        s->failure = "the device does not respond";
    }
    s->responded = true;
}

/* The first call of the job: the request is still available. */
static void begin_read(struct skr_call *call)
{
    struct fleet_slot *s = fleet_slot_begin(call);
    struct fleet_json t = {s->params, 0, sizeof s->params, false};
    struct skr_span uri, path;
    char device_uri[FLEET_URI];

    (void)skri_rpc_param(call, SKR_PARAM_URI, true, &uri);
    s->build = build_of(call, uri, &path);
    s->build->pins++;
    s->directory = skr_json_equals(&call->json, call->method, "resources/directory/read");
    s->has_digest = !s->directory && find_digest(s->build, uri, s->digest, &s->media);
    (void)snprintf(device_uri, sizeof device_uri, SCHEME "%.*s", (int)path.n, path.p);
    fleet_json_span(&t, uri); /* the client's URI comes first, the params follow it */
    fleet_json_put(&t, "\"uri\":");
    fleet_json_string(&t, skr_span_of(device_uri));
    s->uri = (struct skr_span){s->params, uri.n};
    s->params_n = t.n - uri.n;
    if (s->has_digest && read_cache(s)) {
        s->responded = true;
    } else {
        fetch_file(s);
    }
}

static int run_read(struct skr_call *call)
{
    struct fleet_slot *s = fleet_slot_of(call);

    if (call->params >= 0) {
        begin_read(call);
    }
    if (skr_cancelled(call)) {
        fleet_requests_forget(s);
        s->build->pins--;
        return 0;
    }
    if (s->responded && s->failure != NULL && s->tries < TRIES) {
        s->responded = false;
        s->tries++;
        fetch_file(s);
    }
    if (!s->responded) {
        return SKR_PENDING;
    }
    s->build->pins--;
    if (s->failure != NULL || s->text.over) {
        return skr_error(call, -32603, s->failure != NULL ? s->failure : "the file has more bytes than FLEET_RESULT");
    }
    s->kind = FLEET_SLOT_RESULT;
    return 0;
}

/* A job reads a URI of a build, the core any other. */
static void read_or(struct skr_call *call, void (*core)(struct skr_call *call))
{
    struct skr_span uri, path;

    if (!skri_rpc_param(call, SKR_PARAM_URI, true, &uri)) {
        return;
    }
    if (uri.n >= FLEET_URI || build_of(call, uri, &path) == NULL) {
        core(call);
        return;
    }
    start_job(call, &read_tool);
}

void fleet_skills_read(struct skr_call *call)
{
    read_or(call, skri_resources_read);
}

void fleet_skills_directory(struct skr_call *call)
{
    read_or(call, skri_directory_read);
}
