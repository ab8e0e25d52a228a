/* know.c -- see know.h. */
#include "know.h"

#include <string.h>

#include "news/notify.h"
#include "scan.h"
#include "sha256.h"

/* ---- What a request asks for ---- */

static const struct method {
    const char *name;
    enum skr_subject_kind kind;
    bool capabilities, digests;
} methods[] = {
    {"initialize", SKR_SUBJECT_LIST, true, false},
    {"server/discover", SKR_SUBJECT_LIST, true, false},
    {"skills/list", SKR_SUBJECT_LIST, false, true},
    {"skills/get", SKR_SUBJECT_LIST, false, true},
    {"tools/list", SKR_SUBJECT_LIST, false, false},
    {"prompts/list", SKR_SUBJECT_LIST, false, false},
    {"resources/list", SKR_SUBJECT_LIST, false, false},
    {"resources/templates/list", SKR_SUBJECT_LIST, false, false},
    {"resources/directory/read", SKR_SUBJECT_LIST, false, false},
    {"resources/read", SKR_SUBJECT_FILE, false, false},
};

static void add(struct sha256 *sha, struct skr_span s)
{
    uint8_t length[4] = {(uint8_t)s.n, (uint8_t)(s.n >> 8), (uint8_t)(s.n >> 16), (uint8_t)(s.n >> 24)};
    sha256_add(sha, length, sizeof length); /* so that no two texts run together */
    if (s.n > 0) {
        sha256_add(sha, s.p, s.n);
    }
}

static uint64_t hash_of(struct skr_span s)
{
    uint8_t digest[SHA256_SIZE];
    uint64_t hash;
    sha256_of(s.p, s.n, digest);
    memcpy(&hash, digest, sizeof hash);
    return hash != 0 ? hash : 1;
}

#define META_VERSION "io.modelcontextprotocol/protocolVersion"
#define META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"

void skr_know_subject(struct skr_subject *s, struct skr_span message, struct skr_span handshake)
{
    struct skr_span method = skr_scan_get(message, "method"), params = skr_scan_get(message, "params");
    struct skr_span meta = skr_scan_get(params, "_meta"), said = skr_scan_get(handshake, "params"), key,
                    value;
    struct sha256 sha;

    memset(s, 0, sizeof *s);
    s->modern = skr_scan_get(meta, META_VERSION).p != NULL;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        if (skr_scan_is(method, methods[i].name)) {
            s->kind = methods[i].kind;
            s->tells_capabilities = methods[i].capabilities;
            s->tells_digests = methods[i].digests;
            s->tells_tools = skr_scan_is(method, "tools/list");
            s->from_start = skr_scan_get(params, "cursor").p == NULL;
        }
    }
    sha256_start(&sha);
    add(&sha, method);
    add(&sha, s->modern ? skr_scan_get(meta, META_VERSION) : skr_scan_get(said, "protocolVersion"));
    add(&sha, s->modern ? skr_scan_get(meta, META_CAPABILITIES) : skr_scan_get(said, "capabilities"));
    while (!skr_scan_is(method, "initialize") && skr_scan_pair(&params, &key, &value)) {
        if (!skr_scan_is(key, "_meta")) {
            add(&sha, key);
            add(&sha, value);
        }
        if (s->kind == SKR_SUBJECT_FILE && skr_scan_is(key, "uri")) {
            s->uri = hash_of(skr_scan_inside(value));
        }
    }
    sha256_finish(&sha, s->request);
}

/* ---- Digests that the device has told ---- */

static struct skr_known_file *place_of(struct skr_know *k, uint64_t uri)
{
    size_t at = uri % SKR_BRIDGE_DIGESTS;
    while (k->files[at].uri != 0 && k->files[at].uri != uri) {
        at = (at + 1) % SKR_BRIDGE_DIGESTS;
    }
    return &k->files[at];
}

static const uint8_t *digest_of(struct skr_know *k, const struct skr_subject *s)
{
    struct skr_known_file *file = s->uri != 0 ? place_of(k, s->uri) : NULL;
    return file != NULL && file->uri != 0 ? file->digest : NULL;
}

static bool read_digest(struct skr_span text, uint8_t digest[SHA256_SIZE])
{
    static const char prefix[] = "sha256:", digits[] = "0123456789abcdef";
    const size_t skip = sizeof prefix - 1;
    if (text.n != skip + 2 * SHA256_SIZE || memcmp(text.p, prefix, skip) != 0) {
        return false;
    }
    for (size_t i = 0; i < 2 * SHA256_SIZE; i++) {
        const char *digit = memchr(digits, text.p[skip + i], 16);
        if (digit == NULL) {
            return false;
        }
        digest[i / 2] = (uint8_t)(digest[i / 2] << 4 | (digit - digits));
    }
    return true;
}

static void learn_files(struct skr_know *k, struct skr_span resources)
{
    struct skr_span item;
    uint8_t digest[SHA256_SIZE];
    while (resources.p != NULL && skr_scan_item(&resources, &item)) {
        struct skr_span uri = skr_scan_inside(skr_scan_get(item, "uri"));
        if (uri.n == 0 || k->digests > SKR_BRIDGE_DIGESTS * 3 / 4 ||
            !read_digest(skr_scan_inside(skr_scan_get(item, "digest")), digest)) {
            continue;
        }
        struct skr_known_file *file = place_of(k, hash_of(uri));
        k->digests += file->uri == 0;
        file->uri = hash_of(uri);
        memcpy(file->digest, digest, sizeof digest);
    }
}

static void learn_digests(struct skr_know *k, struct skr_span result)
{
    struct skr_span skills = skr_scan_get(result, "skills"), skill;
    while (skills.p != NULL && skr_scan_item(&skills, &skill)) {
        learn_files(k, skr_scan_get(skill, "resources"));
    }
    learn_files(k, skr_scan_get(result, "resources"));
    learn_files(k, skr_scan_get(skr_scan_get(result, "skill"), "resources"));
}

/* ---- Headers of tools ---- */

struct skr_span skr_know_headed(const struct skr_know *k, struct skr_span name)
{
    for (unsigned i = 0; i < k->headed_count; i++) {
        struct skr_span tool = {k->headed[i].json, k->headed[i].n}, known = skr_scan_get(tool, "name");
        if (known.n == name.n && memcmp(known.p, name.p, name.n) == 0) {
            return tool;
        }
    }
    return (struct skr_span){"", 0};
}

static void learn_tools(struct skr_know *k, const struct skr_subject *s, struct skr_span result)
{
    struct skr_span tools = skr_scan_get(result, "tools"), tool;
    k->tools_known |= s->from_start && skr_scan_get(result, "nextCursor").p == NULL;
    while (tools.p != NULL && skr_scan_item(&tools, &tool)) {
        if (k->headed_count < SKR_BRIDGE_HEADED && tool.n <= SKR_BRIDGE_HEADED_MAX &&
            memmem(tool.p, tool.n, "\"x-mcp-header\"", 14) != NULL &&
            skr_know_headed(k, skr_scan_get(tool, "name")).n == 0) {
            k->headed[k->headed_count].n = skr_scan_compact(k->headed[k->headed_count].json, tool);
            k->headed_count++;
        }
    }
}

/* ---- Keys ---- */

enum key_kind { KEY_LIST, KEY_FILE, KEY_ENVELOPE };

static void start_key(struct sha256 *sha, enum key_kind kind)
{
    const uint8_t head[] = {'s', 'k', 'r', 1, (uint8_t)kind};
    sha256_start(sha);
    sha256_add(sha, head, sizeof head);
}

static void list_key(const struct skr_know *k, const struct skr_subject *s, uint8_t key[SKR_CACHE_KEY])
{
    struct sha256 sha;
    start_key(&sha, KEY_LIST);
    sha256_add(&sha, k->identity, sizeof k->identity);
    sha256_add(&sha, s->request, sizeof s->request);
    sha256_finish(&sha, key);
}

/* A file is the same on every device; its URI stands in the content, too. */
static void file_key(const struct skr_subject *s, const uint8_t *digest, uint8_t key[SKR_CACHE_KEY])
{
    struct sha256 sha;
    start_key(&sha, KEY_FILE);
    sha256_add(&sha, digest, SHA256_SIZE);
    sha256_add(&sha, &s->uri, sizeof s->uri);
    sha256_finish(&sha, key);
}

static void envelope_key(const struct skr_know *k, bool modern, uint8_t key[SKR_CACHE_KEY])
{
    struct sha256 sha;
    uint8_t era = modern;
    start_key(&sha, KEY_ENVELOPE);
    sha256_add(&sha, k->identity, sizeof k->identity);
    sha256_add(&sha, &era, sizeof era);
    sha256_finish(&sha, key);
}

/* ---- Envelopes: what stands around the content of a file ---- */

static void learn_envelope(struct skr_know *k, bool modern, struct skr_span result, struct skr_span contents)
{
    struct skr_envelope *e = &k->envelopes[modern];
    uint8_t key[SKR_CACHE_KEY];
    size_t head = (size_t)(contents.p - result.p), tail = result.n - head - contents.n;
    if (e->n > 0 || head + tail + 1 > sizeof e->text || head > 255) {
        return;
    }
    e->head = head;
    e->n = head + tail;
    memcpy(e->text, result.p, head);
    memcpy(e->text + head, contents.p + contents.n, tail);
    if (k->has_identity) {
        char packed[SKR_ENVELOPE_MAX + 1];
        packed[0] = (char)head;
        memcpy(packed + 1, e->text, e->n);
        envelope_key(k, modern, key);
        skr_cache_put(key, packed, e->n + 1);
    }
}

static bool find_envelope(struct skr_know *k, bool modern)
{
    struct skr_envelope *e = &k->envelopes[modern];
    char packed[SKR_ENVELOPE_MAX + 1];
    uint8_t key[SKR_CACHE_KEY];
    if (e->n == 0 && k->has_identity) {
        envelope_key(k, modern, key);
        size_t n = skr_cache_get(key, packed, sizeof packed);
        if (n > 1 && (uint8_t)packed[0] < n) {
            e->head = (uint8_t)packed[0];
            e->n = n - 1;
            memcpy(e->text, packed + 1, e->n);
        }
    }
    return e->n > 0;
}

/* ---- Files ---- */

/* True when contents is one file whose bytes have this digest. */
static bool contents_have(struct skr_span contents, const uint8_t *wanted)
{
    struct skr_span rest = contents, item, more;
    uint8_t digest[SHA256_SIZE];
    if (!skr_scan_item(&rest, &item) || skr_scan_item(&rest, &more)) {
        return false;
    }
    struct skr_span text = skr_scan_get(item, "text"), blob = skr_scan_get(item, "blob");
    bool base64 = text.p == NULL;
    return skr_scan_digest(base64 ? blob : text, base64, digest) &&
           memcmp(digest, wanted, sizeof digest) == 0;
}

static size_t file_answer(struct skr_know *k, const struct skr_subject *s, char *to, size_t room)
{
    const uint8_t *digest = digest_of(k, s);
    uint8_t key[SKR_CACHE_KEY];
    if (digest == NULL || !find_envelope(k, s->modern)) {
        return 0;
    }
    const struct skr_envelope *e = &k->envelopes[s->modern];
    file_key(s, digest, key);
    size_t n = room > e->n ? skr_cache_get(key, to + e->head, room - e->n) : 0;
    if (n == 0) {
        return 0;
    }
    if (!contents_have((struct skr_span){to + e->head, n}, digest)) {
        skr_cache_drop(key);
        return 0;
    }
    memcpy(to, e->text, e->head);
    memcpy(to + e->head + n, e->text + e->head, e->n - e->head);
    return e->n + n;
}

static enum skr_verdict_of_result file_result(struct skr_know *k, const struct skr_subject *s,
                                              struct skr_span result)
{
    const uint8_t *digest = digest_of(k, s);
    struct skr_span contents = skr_scan_get(result, "contents");
    uint8_t key[SKR_CACHE_KEY];
    if (digest == NULL || contents.p == NULL) {
        return SKR_RESULT_FINE;
    }
    if (!contents_have(contents, digest)) {
        return SKR_RESULT_DAMAGED;
    }
    file_key(s, digest, key);
    skr_cache_put(key, contents.p, contents.n);
    learn_envelope(k, s->modern, result, contents);
    return SKR_RESULT_PROVEN;
}

/* ---- Both ---- */

void skr_know_reset(struct skr_know *k, const uint8_t *identity)
{
    bool same = identity != NULL && k->has_identity && memcmp(k->identity, identity, sizeof k->identity) == 0;
    if (same) {
        return;
    }
    memset(k, 0, sizeof *k);
    k->features = SKR_NEWS_SKILLS | SKR_NEWS_RESOURCES | SKR_NEWS_TOOLS | SKR_NEWS_PROMPTS;
    k->has_identity = identity != NULL;
    if (identity != NULL) {
        memcpy(k->identity, identity, sizeof k->identity);
    }
}

size_t skr_know_answer(struct skr_know *k, const struct skr_subject *s, char *to, size_t room)
{
    uint8_t key[SKR_CACHE_KEY];
    if (s->kind == SKR_SUBJECT_FILE) {
        return file_answer(k, s, to, room);
    }
    if (s->kind != SKR_SUBJECT_LIST || !k->has_identity) {
        return 0;
    }
    list_key(k, s, key);
    size_t n = skr_cache_get(key, to, room);
    if (n > 0 && s->tells_digests) {
        learn_digests(k, (struct skr_span){to, n});
    }
    if (n > 0 && s->tells_tools) {
        learn_tools(k, s, (struct skr_span){to, n});
    }
    return n;
}

enum skr_verdict_of_result skr_know_result(struct skr_know *k, const struct skr_subject *s,
                                           struct skr_span result)
{
    uint8_t key[SKR_CACHE_KEY];
    if (s->kind == SKR_SUBJECT_FILE) {
        return file_result(k, s, result);
    }
    if (s->tells_digests) {
        learn_digests(k, result);
    }
    if (s->tells_tools) {
        learn_tools(k, s, result);
    }
    if (s->kind == SKR_SUBJECT_LIST && k->has_identity) {
        list_key(k, s, key);
        skr_cache_put(key, result.p, result.n);
    }
    return SKR_RESULT_FINE;
}

/* ---- Promises ---- */

static size_t promise_one(struct skr_know *k, char *result, size_t n, size_t room, const char *name,
                          uint8_t bit)
{
    struct skr_span whole = {result, n};
    struct skr_span value = skr_scan_get(skr_scan_get(whole, "capabilities"), name);
    if (value.n < 2 || *value.p != '{') {
        k->features &= (uint8_t)~bit;
        return n;
    }
    struct skr_span known = skr_scan_get(value, "listChanged");
    if (known.p != NULL) {
        return *known.p == 'f' ? skr_scan_splice(result, n, room, known.p, known.n, "true") : n;
    }
    return skr_scan_splice(result, n, room, value.p + 1, 0,
                           value.n > 2 ? "\"listChanged\":true," : "\"listChanged\":true");
}

size_t skr_know_promise(struct skr_know *k, char *result, size_t n, size_t room)
{
    n = promise_one(k, result, n, room, "resources", SKR_NEWS_RESOURCES);
    n = promise_one(k, result, n, room, "tools", SKR_NEWS_TOOLS);
    n = promise_one(k, result, n, room, "prompts", SKR_NEWS_PROMPTS);
    return promise_one(k, result, n, room, "skills", 0);
}
