/* describe.c -- the description of a device: read over the publisher's own connection, and written as its announcement. See
 * publisher.h. */
#include <stdio.h>
#include <string.h>

#include "publisher.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/span.h"

static const char *const methods[] = {[MQTT_DESCRIBE_SKILLS] = "skills/list",
                                      [MQTT_DESCRIBE_TOOLS] = "tools/list",
                                      [MQTT_DESCRIBE_PROMPTS] = "prompts/list"};

#define INITIALIZE                                                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":\"own-%u\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\"," \
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"skillrom-publisher\",\"version\":\"" SKR_VERSION "\"}}}"
#define INITIALIZED "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"

static bool give_core(struct mqtt_publisher *p, const char *text)
{
    return p->host->give(p->owner, 0, text, strlen(text));
}

/* After an error: from the beginning, later. */
static void try_later(struct mqtt_publisher *p)
{
    p->describing = MQTT_DESCRIBE_NOTHING;
    p->describe_ms = p->now_ms + MQTT_DESCRIBE_MS;
}

static void send_request(struct mqtt_publisher *p, enum mqtt_describing part, struct skr_span cursor)
{
    char text[256 + MQTT_CURSOR];

    p->described_id++;
    p->pages = part == p->describing ? p->pages + 1 : 1;
    p->describing = part;
    if (part == MQTT_DESCRIBE_INITIALIZE) {
        (void)snprintf(text, sizeof text, INITIALIZE, p->described_id);
    } else {
        (void)snprintf(text, sizeof text,
                       "{\"jsonrpc\":\"2.0\",\"id\":\"own-%u\",\"method\":\"%s\",\"params\":{%s%.*s}}", p->described_id,
                       methods[part], cursor.n > 0 ? "\"cursor\":" : "", (int)cursor.n, cursor.n > 0 ? cursor.p : "");
    }
    if (!give_core(p, text)) {
        try_later(p);
    }
}

/* A bridge responds itself to ping of a session; it forwards ping of 2026-07-28 to the device. */
void mqtt_describe_check(struct mqtt_publisher *p)
{
    p->check_at = p->now_ms + p->check_ms;
    (void)give_core(p, "{\"jsonrpc\":\"2.0\",\"id\":\"there\",\"method\":\"ping\",\"params\":{\"_meta\":{"
                       "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                       "\"io.modelcontextprotocol/clientCapabilities\":{}}}}");
}

void mqtt_describe_start(struct mqtt_publisher *p)
{
    struct mqtt_publisher_client *own = &p->clients[0];

    own->open = own->open || p->host->open(p->owner, 0);
    p->describe_ms = 0;
    romfs_sha256_start(&p->build);
    if (own->open) {
        send_request(p, MQTT_DESCRIBE_INITIALIZE, NOTHING);
    } else {
        try_later(p);
    }
}

/* The length of an escape; two that encode one character count as one. */
static size_t escape_length(const char *text, size_t n)
{
    if (n < 6 || text[1] != 'u') {
        return 2;
    }
    bool first = (text[2] | 0x20) == 'd' && strchr("89abAB", text[3]) != NULL;
    return first ? 12 : 6;
}

/* Copies the inside of a JSON string as far as it fits, in whole characters and escapes. */
static void copy_inside(char *to, size_t room, struct skr_span value)
{
    struct skr_span from = skr_scan_inside(value);
    size_t at = 0;

    while (at < from.n) {
        size_t k =
            from.p[at] != '\\' ? skr_utf8_char(from.p + at, from.n - at) : escape_length(from.p + at, from.n - at);
        if (k == 0 || k > from.n - at || at + k >= room) {
            break;
        }
        at += k;
    }
    memcpy(to, from.p != NULL ? from.p : "", at);
    to[at] = '\0';
}

/* The device's name for topics: characters that topics cannot have become hyphens. */
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

static void take_server_info(struct mqtt_publisher *p, struct skr_span result)
{
    struct skr_span info = skr_scan_get(result, "serverInfo"), title = skr_scan_get(info, "title");
    struct skr_span name = skr_scan_get(info, "name");

    copy_name(p->device.name, name);
    copy_inside(p->device.title, sizeof p->device.title, title.p != NULL ? title : name);
    copy_inside(p->device.version, sizeof p->device.version, skr_scan_get(info, "version"));
    copy_inside(p->device.description, sizeof p->device.description, skr_scan_get(result, "instructions"));
}

static void finish_description(struct mqtt_publisher *p)
{
    uint8_t digest[ROMFS_SHA256_SIZE];

    romfs_sha256_finish(&p->build, digest);
    memcpy(p->device.build, "sha256:", 7);
    romfs_sha256_hex(digest, ROMFS_SHA256_SIZE, p->device.build + 7);
    p->describing = MQTT_DESCRIBE_NOTHING;
    if (p->check_ms == 0) {
        p->clients[0].open = false; /* until the next description */
        p->host->close(p->owner, 0);
    }
    p->check_at = p->now_ms + p->check_ms;
    mqtt_publisher_described(p);
}

void mqtt_describe_response(struct mqtt_publisher *p, struct skr_span text)
{
    char id[16];
    struct skr_span result = skr_scan_get(text, "result"), error = skr_scan_get(text, "error");

    (void)snprintf(id, sizeof id, "own-%u", p->described_id);
    if (p->describing == MQTT_DESCRIBE_NOTHING || !skr_scan_is(skr_scan_get(text, "id"), id)) {
        return;
    }
    bool lacks = skr_span_is(skr_scan_get(error, "code"), "-32601"); /* the device has no such list */
    if (result.p == NULL && (!lacks || p->describing == MQTT_DESCRIBE_INITIALIZE)) {
        try_later(p);
        return;
    }
    romfs_sha256_add(&p->build, result.p != NULL ? result.p : "", result.n);
    if (p->describing == MQTT_DESCRIBE_INITIALIZE) {
        take_server_info(p, result);
        (void)give_core(p, INITIALIZED);
    }
    struct skr_span cursor = skr_scan_get(result, "nextCursor");
    bool more = skr_scan_inside(cursor).n > 0 && cursor.n < MQTT_CURSOR && p->pages < MQTT_PAGES;
    if (more && p->describing != MQTT_DESCRIBE_INITIALIZE) {
        send_request(p, p->describing, cursor);
    } else if (p->describing < MQTT_DESCRIBE_PROMPTS) {
        send_request(p, p->describing + 1, NOTHING);
    } else {
        finish_description(p);
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
