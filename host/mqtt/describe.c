/* describe.c -- what a device is: asked over the publisher's own connection, and told as its presence. See publisher.h. */
#include "publisher.h"

#include <stdio.h>
#include <string.h>

#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/span.h"

static const char *const methods[] = {
    [MQTT_ASK_SKILLS] = "skills/list", [MQTT_ASK_TOOLS] = "tools/list", [MQTT_ASK_PROMPTS] = "prompts/list"};

#define INITIALIZE                                                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":\"own-%u\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"," \
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"skillrom-publisher\",\"version\":\"" SKR_VERSION "\"}}}"
#define INITIALIZED "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"

static bool give(struct mqtt_publisher *p, const char *text)
{
    return p->host->give(p->owner, 0, text, strlen(text));
}

/* Something went wrong: from the beginning, after a while. */
static void try_later(struct mqtt_publisher *p)
{
    p->asking = MQTT_ASK_NOTHING;
    p->ask_ms = p->now_ms + MQTT_ASK_MS;
}

static void ask(struct mqtt_publisher *p, enum mqtt_describing what, struct skr_span cursor)
{
    char text[256 + MQTT_CURSOR];
    p->asked++;
    p->pages = what == p->asking ? p->pages + 1 : 1;
    p->asking = what;
    if (what == MQTT_ASK_INITIALIZE) {
        (void)snprintf(text, sizeof text, INITIALIZE, p->asked);
    } else {
        (void)snprintf(text, sizeof text,
                       "{\"jsonrpc\":\"2.0\",\"id\":\"own-%u\",\"method\":\"%s\",\"params\":{%s%.*s}}", p->asked,
                       methods[what], cursor.n > 0 ? "\"cursor\":" : "", (int)cursor.n, cursor.n > 0 ? cursor.p : "");
    }
    if (!give(p, text)) {
        try_later(p);
    }
}

/* A bridge answers ping itself where there are sessions; that of 2026-07-28 is the device's affair. */
void mqtt_describe_check(struct mqtt_publisher *p)
{
    p->check_at = p->now_ms + p->check_ms;
    (void)give(p, "{\"jsonrpc\":\"2.0\",\"id\":\"there\",\"method\":\"ping\",\"params\":{\"_meta\":{"
                  "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                  "\"io.modelcontextprotocol/clientCapabilities\":{}}}}");
}

void mqtt_describe_start(struct mqtt_publisher *p)
{
    struct mqtt_publisher_client *own = &p->clients[0];
    own->open = own->open || p->host->open(p->owner, 0);
    p->ask_ms = 0;
    sha256_start(&p->build);
    if (own->open) {
        ask(p, MQTT_ASK_INITIALIZE, NOTHING);
    } else {
        try_later(p);
    }
}

/* The length of an escape; two that are one character belong together. */
static size_t escape(const char *text, size_t n)
{
    if (n < 6 || text[1] != 'u') {
        return 2;
    }
    bool first = (text[2] | 0x20) == 'd' && strchr("89abAB", text[3]) != NULL;
    return first ? 12 : 6;
}

/* Copies the inside of a JSON string, or as much of it as fits, whole characters and escapes only. */
static void copy_inside(char *to, size_t room, struct skr_span value)
{
    struct skr_span from = skr_scan_inside(value);
    size_t at = 0;
    while (at < from.n) {
        size_t k = from.p[at] != '\\' ? skr_utf8_char(from.p + at, from.n - at) : escape(from.p + at, from.n - at);
        if (k == 0 || k > from.n - at || at + k >= room) {
            break;
        }
        at += k;
    }
    memcpy(to, from.p != NULL ? from.p : "", at);
    to[at] = '\0';
}

/* A name for topics, of the one that the device has: what a topic cannot have becomes a hyphen. */
static void copy_name(char to[MQTT_NAME + 1], struct skr_span value)
{
    char level[2] = {0, 0};
    copy_inside(to, MQTT_NAME + 1, value);
    for (char *c = to; *c != '\0'; c++) {
        level[0] = *c;
        bool plain = ((unsigned char)*c >= 0x80 || mqtt_topic_is_id(skr_span_of(level))) && *c != ' ' && *c != '\\';
        bool separates = *c == '/' && c > to && c[-1] != '/' && c[1] != '\0' && c[1] != '/';
        *c = plain || separates ? *c : '-';
    }
    if (!mqtt_topic_is_name(skr_span_of(to))) {
        strcpy(to, "device");
    }
}

static void learn(struct mqtt_publisher *p, struct skr_span result)
{
    struct skr_span info = skr_scan_get(result, "serverInfo"), title = skr_scan_get(info, "title");
    struct skr_span name = skr_scan_get(info, "name");
    copy_name(p->device.name, name);
    copy_inside(p->device.title, sizeof p->device.title, title.p != NULL ? title : name);
    copy_inside(p->device.version, sizeof p->device.version, skr_scan_get(info, "version"));
    copy_inside(p->device.description, sizeof p->device.description, skr_scan_get(result, "instructions"));
}

static void finish(struct mqtt_publisher *p)
{
    uint8_t digest[ROMFS_SHA256_SIZE];
    sha256_finish(&p->build, digest);
    memcpy(p->device.build, "sha256:", 7);
    sha256_hex(digest, ROMFS_SHA256_SIZE, p->device.build + 7);
    p->asking = MQTT_ASK_NOTHING;
    if (p->check_ms == 0) {
        p->clients[0].open = false; /* until something changes */
        p->host->close(p->owner, 0);
    }
    p->check_at = p->now_ms + p->check_ms;
    mqtt_publisher_described(p);
}

void mqtt_describe_response(struct mqtt_publisher *p, struct skr_span text)
{
    char id[16];
    struct skr_span result = skr_scan_get(text, "result"), error = skr_scan_get(text, "error");
    (void)snprintf(id, sizeof id, "own-%u", p->asked);
    if (p->asking == MQTT_ASK_NOTHING || !skr_scan_is(skr_scan_get(text, "id"), id)) {
        return;
    }
    bool lacks = skr_span_is(skr_scan_get(error, "code"), "-32601"); /* the device has no such list */
    if (result.p == NULL && (!lacks || p->asking == MQTT_ASK_INITIALIZE)) {
        try_later(p);
        return;
    }
    sha256_add(&p->build, result.p != NULL ? result.p : "", result.n);
    if (p->asking == MQTT_ASK_INITIALIZE) {
        learn(p, result);
        (void)give(p, INITIALIZED);
    }
    struct skr_span cursor = skr_scan_get(result, "nextCursor");
    bool more = skr_scan_inside(cursor).n > 0 && cursor.n < MQTT_CURSOR && p->pages < MQTT_PAGES;
    if (more && p->asking != MQTT_ASK_INITIALIZE) {
        ask(p, p->asking, cursor);
    } else if (p->asking < MQTT_ASK_PROMPTS) {
        ask(p, p->asking + 1, NOTHING);
    } else {
        finish(p);
    }
}

size_t mqtt_describe_write(const struct mqtt_publisher *p, char to[MQTT_PRESENCE])
{
    char rivals[MQTT_RIVALS * 20 + 1] = "", name[2 * MQTT_NAME + 1];
    size_t n = 0;
    for (const char *c = p->name; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            name[n++] = '\\';
        }
        name[n++] = *c;
    }
    name[n] = '\0';
    n = 0;
    for (unsigned i = 0; i < p->rival_count; i++) {
        n += (size_t)snprintf(rivals + n, sizeof rivals - n, "%s\"%s\"", i > 0 ? "," : "", p->rivals[i]);
    }
    return (size_t)snprintf(to, MQTT_PRESENCE,
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/server/online\",\"params\":{"
                            "\"server_name\":\"%s\",\"description\":\"%s\",\"meta\":{\"skillrom\":{\"title\":\"%s\","
                            "\"version\":\"%s\",\"build\":\"%s\",\"instance\":\"%s\",\"rivals\":[%s]}}}}",
                            name, p->device.description, p->device.title, p->device.version, p->device.build,
                            p->instance, rivals);
}
