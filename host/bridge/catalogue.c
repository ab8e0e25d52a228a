/* catalogue.c -- see catalogue.h. */
#include "catalogue.h"

#include <string.h>

#include "json_edit.h"
#include "sha256.h"
#include "subscription/notify.h"

/* ---- Subjects ---- */

static const struct method {
    const char *name;
    enum bridge_subject_kind kind;
    bool capabilities, digests;
} methods[] = {
    {"initialize", BRIDGE_SUBJECT_LIST, true, false},
    {"server/discover", BRIDGE_SUBJECT_LIST, true, false},
    {"skills/list", BRIDGE_SUBJECT_LIST, false, true},
    {"skills/get", BRIDGE_SUBJECT_LIST, false, true},
    {"tools/list", BRIDGE_SUBJECT_LIST, false, false},
    {"prompts/list", BRIDGE_SUBJECT_LIST, false, false},
    {"resources/list", BRIDGE_SUBJECT_LIST, false, false},
    {"resources/templates/list", BRIDGE_SUBJECT_LIST, false, false},
    {"resources/directory/read", BRIDGE_SUBJECT_LIST, false, false},
    {"resources/read", BRIDGE_SUBJECT_FILE, false, false},
};

static void digest_add(struct romfs_sha256 *sha, struct skr_span s)
{
    uint8_t length[4] = {(uint8_t)s.n, (uint8_t)(s.n >> 8), (uint8_t)(s.n >> 16), (uint8_t)(s.n >> 24)};

    romfs_sha256_add(sha, length, sizeof length); /* so that no two sequences of texts hash alike */
    if (s.n > 0) {
        romfs_sha256_add(sha, s.p, s.n);
    }
}

static uint64_t hash_of(struct skr_span s)
{
    uint8_t digest[ROMFS_SHA256_SIZE];
    uint64_t hash;

    romfs_sha256_of(s.p, s.n, digest);
    memcpy(&hash, digest, sizeof hash);
    return hash != 0 ? hash : 1;
}

#define META_VERSION "io.modelcontextprotocol/protocolVersion"
#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"

void bridge_catalogue_subject(struct bridge_subject *s, struct skr_span message, struct skr_span handshake)
{
    struct skr_span method = skr_scan_get(message, "method"), params = skr_scan_get(message, "params");
    struct skr_span meta = skr_scan_get(params, "_meta"), session = skr_scan_get(handshake, "params"), key, value;
    struct romfs_sha256 sha;

    memset(s, 0, sizeof *s);
    s->modern = skr_scan_get(meta, META_VERSION).p != NULL;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (skr_scan_is(method, methods[i].name)) {
            s->kind = methods[i].kind;
            s->has_capabilities = methods[i].capabilities;
            s->has_digests = methods[i].digests;
            s->has_tools = skr_scan_is(method, "tools/list");
            s->from_start = skr_scan_get(params, "cursor").p == NULL;
        }
    }
    romfs_sha256_start(&sha);
    digest_add(&sha, method);
    digest_add(&sha, s->modern ? skr_scan_get(meta, META_VERSION) : skr_scan_get(session, "protocolVersion"));
    digest_add(&sha, s->modern ? skr_scan_get(meta, META_CAPABILITIES) : skr_scan_get(session, "capabilities"));
    while (!skr_scan_is(method, "initialize") && skr_scan_pair(&params, &key, &value)) {
        if (!skr_scan_is(key, "_meta")) {
            digest_add(&sha, key);
            digest_add(&sha, value);
        }
        if (s->kind == BRIDGE_SUBJECT_FILE && skr_scan_is(key, "uri")) {
            s->uri = hash_of(skr_scan_inside(value));
        }
    }
    romfs_sha256_finish(&sha, s->request);
}

/* ---- Digests ---- */

static struct bridge_digest *digest_slot(struct bridge_digests *d, uint64_t of)
{
    size_t at = of % BRIDGE_DIGESTS;

    while (d->at[at].of != 0 && d->at[at].of != of) {
        at = (at + 1) % BRIDGE_DIGESTS;
    }
    return &d->at[at];
}

/* NULL if none is known. */
static const uint8_t *find_digest(struct bridge_digests *d, uint64_t of)
{
    struct bridge_digest *slot = of != 0 ? digest_slot(d, of) : NULL;

    return slot != NULL && slot->of != 0 ? slot->digest : NULL;
}

static void add_digest(struct bridge_digests *d, uint64_t of, const uint8_t digest[ROMFS_SHA256_SIZE])
{
    struct bridge_digest *slot = digest_slot(d, of);

    if (slot->of != 0 || d->count <= BRIDGE_DIGESTS * 3 / 4) {
        d->count += slot->of == 0;
        slot->of = of;
        memcpy(slot->digest, digest, ROMFS_SHA256_SIZE);
    }
}

static bool read_digest(struct skr_span text, uint8_t digest[ROMFS_SHA256_SIZE])
{
    static const char prefix[] = "sha256:", digits[] = "0123456789abcdef";
    const size_t skip = sizeof prefix - 1;

    if (text.n != skip + 2 * ROMFS_SHA256_SIZE || memcmp(text.p, prefix, skip) != 0) {
        return false;
    }
    for (size_t i = 0; i < 2 * ROMFS_SHA256_SIZE; i++) {
        const char *digit = memchr(digits, text.p[skip + i], 16);
        if (digit == NULL) {
            return false;
        }
        digest[i / 2] = (uint8_t)(digest[i / 2] << 4 | (digit - digits));
    }
    return true;
}

static void learn_files(struct bridge_catalogue *k, struct skr_span resources)
{
    struct skr_span item;
    uint8_t digest[ROMFS_SHA256_SIZE];

    while (resources.p != NULL && skr_scan_item(&resources, &item)) {
        struct skr_span uri = skr_scan_inside(skr_scan_get(item, "uri"));
        if (uri.n > 0 && read_digest(skr_scan_inside(skr_scan_get(item, "digest")), digest)) {
            add_digest(&k->files, hash_of(uri), digest);
        }
    }
}

static void learn_digests(struct bridge_catalogue *k, struct skr_span result)
{
    struct skr_span skills = skr_scan_get(result, "skills"), skill;

    while (skills.p != NULL && skr_scan_item(&skills, &skill)) {
        learn_files(k, skr_scan_get(skill, "resources"));
    }
    learn_files(k, skr_scan_get(result, "resources"));
    learn_files(k, skr_scan_get(skr_scan_get(result, "skill"), "resources"));
}

/* ---- Headers of tools ---- */

struct skr_span bridge_catalogue_headed(const struct bridge_catalogue *k, struct skr_span name)
{
    for (unsigned i = 0; i < k->headed_count; i++) {
        struct skr_span tool = {k->headed[i].json, k->headed[i].n};
        if (skr_span_eq(skr_scan_get(tool, "name"), name)) {
            return tool;
        }
    }
    return (struct skr_span){"", 0};
}

bool bridge_catalogue_is_read_only(const struct bridge_catalogue *k, struct skr_span name)
{
    uint64_t of = hash_of(name);

    for (unsigned i = 0; i < k->read_only_count; i++) {
        if (k->read_only[i] == of) {
            return true;
        }
    }
    return false;
}

static void learn_read_only(struct bridge_catalogue *k, struct skr_span name, struct skr_span tool)
{
    struct skr_span hint = skr_scan_get(skr_scan_get(tool, "annotations"), "readOnlyHint");

    if (hint.p != NULL && *hint.p == 't' && k->read_only_count < BRIDGE_READ_ONLY &&
        !bridge_catalogue_is_read_only(k, name)) {
        k->read_only[k->read_only_count++] = hash_of(name);
    }
}

static void learn_tools(struct bridge_catalogue *k, const struct bridge_subject *s, struct skr_span result)
{
    struct skr_span tools = skr_scan_get(result, "tools"), tool;

    k->tools_complete |= s->from_start && skr_scan_get(result, "nextCursor").p == NULL;
    while (tools.p != NULL && skr_scan_item(&tools, &tool)) {
        struct skr_span name = skr_scan_get(tool, "name");
        if (name.p == NULL) {
            continue; /* it cannot be called */
        }
        learn_read_only(k, name, tool);
        if (k->headed_count < BRIDGE_HEADED && tool.n <= BRIDGE_HEADED_MAX &&
            memmem(tool.p, tool.n, "\"x-mcp-header\"", 14) != NULL && bridge_catalogue_headed(k, name).n == 0) {
            k->headed[k->headed_count].n = host_json_compact(k->headed[k->headed_count].json, tool);
            k->headed_count++;
        }
    }
}

/* ---- Keys ---- */

/* The key under which a response is stored. False if it cannot be stored, because its identity or digest is unknown. */
static bool cache_key(struct bridge_catalogue *k, const struct bridge_subject *s, uint8_t key[BRIDGE_CACHE_KEY])
{
    const uint8_t head[] = {'s', 'k', 'r', 2, (uint8_t)s->kind};
    const uint8_t *digest = find_digest(&k->files, s->uri);
    bool list = s->kind == BRIDGE_SUBJECT_LIST && k->has_identity;
    struct romfs_sha256 sha;

    if (!list && (s->kind != BRIDGE_SUBJECT_FILE || digest == NULL)) {
        return false;
    }
    romfs_sha256_start(&sha);
    romfs_sha256_add(&sha, head, sizeof head);
    romfs_sha256_add(&sha, list ? k->identity : digest, list ? sizeof k->identity : ROMFS_SHA256_SIZE);
    romfs_sha256_add(&sha, s->request, sizeof s->request);
    romfs_sha256_finish(&sha, key);
    return true;
}

static uint64_t request_hash(const struct bridge_subject *s)
{
    uint64_t name;

    memcpy(&name, s->request, sizeof name);
    return name | 1;
}

/* ---- Lists and files ---- */

/* Cheap if empty: a device may report changes all the time. */
static void forget_digests(struct bridge_digests *d)
{
    if (d->count > 0) {
        memset(d, 0, sizeof *d);
    }
}

void bridge_catalogue_reset(struct bridge_catalogue *k, const uint8_t *identity)
{
    forget_digests(&k->files);
    forget_digests(&k->responses);
    k->listing = k->tools_complete = false;
    k->headed_count = k->read_only_count = 0;
    k->features = SKR_CHANGED_SKILLS | SKR_CHANGED_RESOURCES | SKR_CHANGED_TOOLS | SKR_CHANGED_PROMPTS;
    k->has_identity = identity != NULL;
    if (identity != NULL) {
        memcpy(k->identity, identity, sizeof k->identity);
    }
}

size_t bridge_catalogue_kept(struct bridge_catalogue *k, const struct bridge_subject *s, char *to, size_t room)
{
    uint8_t key[BRIDGE_CACHE_KEY];

    return cache_key(k, s, key) ? bridge_cache_get(key, to, room) : 0;
}

void bridge_catalogue_drop(struct bridge_catalogue *k, const struct bridge_subject *s)
{
    uint8_t key[BRIDGE_CACHE_KEY];

    if (cache_key(k, s, key)) {
        bridge_cache_drop(key);
    }
}

/* Another bridge may have stored another device's response under this key meanwhile. */
size_t bridge_catalogue_response(struct bridge_catalogue *k, const struct bridge_subject *s, char *to, size_t room)
{
    const uint8_t *expected = s->kind != BRIDGE_SUBJECT_OTHER ? find_digest(&k->responses, request_hash(s)) : NULL;
    uint8_t digest[ROMFS_SHA256_SIZE];
    size_t n = expected != NULL ? bridge_catalogue_kept(k, s, to, room) : 0;

    if (n > 0) {
        romfs_sha256_of(to, n, digest);
        n = memcmp(digest, expected, sizeof digest) == 0 ? n : 0;
    }
    return n;
}

void bridge_catalogue_confirm(struct bridge_catalogue *k, const struct bridge_subject *s, struct skr_span result)
{
    uint8_t digest[ROMFS_SHA256_SIZE];

    if (s->has_digests) {
        learn_digests(k, result);
    }
    if (s->has_tools) {
        learn_tools(k, s, result);
    }
    romfs_sha256_of(result.p, result.n, digest);
    add_digest(&k->responses, request_hash(s), digest);
}

enum bridge_result_verdict bridge_catalogue_result(struct bridge_catalogue *k, const struct bridge_subject *s,
                                                   struct skr_span result)
{
    const uint8_t *digest = find_digest(&k->files, s->uri);
    struct skr_span contents = skr_scan_get(result, "contents");
    bool file = s->kind == BRIDGE_SUBJECT_FILE;
    struct host_file_content content;
    uint8_t key[BRIDGE_CACHE_KEY];

    if (file && (digest == NULL || contents.p == NULL)) {
        return BRIDGE_RESULT_FINE;
    }
    if (file && !host_json_file(contents, digest, &content)) {
        return BRIDGE_RESULT_DAMAGED;
    }
    if (s->kind != BRIDGE_SUBJECT_OTHER) {
        bridge_catalogue_confirm(k, s, result);
    }
    if (cache_key(k, s, key)) {
        bridge_cache_put(key, result.p, result.n);
    }
    return file ? BRIDGE_RESULT_PROVEN : BRIDGE_RESULT_FINE;
}

/* ---- Capabilities ---- */

static size_t promise_list(struct bridge_catalogue *k, char *result, size_t n, size_t room, const char *name,
                           uint8_t bit)
{
    struct skr_span whole = {result, n};
    struct skr_span value = skr_scan_get(skr_scan_get(whole, "capabilities"), name);

    if (value.n < 2 || *value.p != '{') {
        k->features &= (uint8_t)~bit;
        return n;
    }
    struct skr_span changes = skr_scan_get(value, "listChanged");
    if (changes.p != NULL) {
        return *changes.p == 'f' ? host_json_splice(result, n, room, changes.p, changes.n, "true") : n;
    }
    return host_json_splice(result, n, room, value.p + 1, 0,
                            value.n > 2 ? "\"listChanged\":true," : "\"listChanged\":true");
}

size_t bridge_catalogue_promise(struct bridge_catalogue *k, char *result, size_t n, size_t room)
{
    n = promise_list(k, result, n, room, "resources", SKR_CHANGED_RESOURCES);
    n = promise_list(k, result, n, room, "tools", SKR_CHANGED_TOOLS);
    n = promise_list(k, result, n, room, "prompts", SKR_CHANGED_PROMPTS);
    return promise_list(k, result, n, room, "skills", 0);
}
