/* topic.c -- see topic.h. */
#include "topic.h"

#include <stdio.h>

#include "text/json_string.h"
#include "text/span.h"

#define PRESENCE "presence/"
#define CHANGES "capability/"
#define SERVER "$mcp-server/"
#define CLIENT "$mcp-client/"
#define RPC "$mcp-rpc/"

/* The length of the first level; 0 if it has a character that a topic, a broker or a terminal would misread. */
static size_t level_length(struct skr_span s)
{
    size_t at = 0;

    while (at < s.n && s.p[at] != '/') {
        unsigned char c = (unsigned char)s.p[at];
        size_t k = c < 0x20 || c == 0x7f || c == '+' || c == '#' ? 0 : skr_utf8_char(s.p + at, s.n - at);
        if (k == 0 || (c == 0xc2 && (unsigned char)s.p[at + 1] < 0xa0)) { /* U+0080 to U+009F are also controls */
            return 0;
        }
        at += k;
    }
    return at;
}

bool mqtt_topic_is_id(struct skr_span id)
{
    return id.n > 0 && id.n <= MQTT_ID && level_length(id) == id.n && !skr_span_is(id, "presence") &&
           !skr_span_is(id, "capability");
}

bool mqtt_topic_is_name(struct skr_span name)
{
    if (name.n == 0 || name.n > MQTT_NAME) {
        return false;
    }
    for (;;) {
        size_t n = level_length(name);
        if (n == 0 || n == name.n) {
            return n > 0;
        }
        name = skr_span_from(name, n + 1);
    }
}

/* Removes `prefix` from the start of the text. */
static bool skip_prefix(struct skr_span *rest, struct skr_span prefix)
{
    if (!skr_span_starts(*rest, prefix)) {
        return false;
    }
    *rest = skr_span_from(*rest, prefix.n);
    return true;
}

/* Removes an id and the '/' after it from the start of the text. */
static bool take_id(struct skr_span *rest, struct skr_span *id)
{
    size_t n = level_length(*rest);

    *id = (struct skr_span){rest->p, n};
    if (n == rest->n || !mqtt_topic_is_id(*id)) {
        return false;
    }
    *rest = skr_span_from(*rest, n + 1);
    return true;
}

static enum mqtt_topic_kind server_kind(struct skr_span *rest)
{
    return skip_prefix(rest, SPAN(PRESENCE))  ? MQTT_TOPIC_SERVER_PRESENCE
           : skip_prefix(rest, SPAN(CHANGES)) ? MQTT_TOPIC_SERVER_CHANGES
                                              : MQTT_TOPIC_CONTROL;
}

struct mqtt_topic mqtt_topic_parse(const char *topic)
{
    struct mqtt_topic t = {.kind = MQTT_TOPIC_NONE}, none = t;
    struct skr_span rest = skr_span_of(topic);
    bool good = false;

    if (skip_prefix(&rest, SPAN(SERVER))) {
        t.kind = server_kind(&rest);
        good = take_id(&rest, &t.server) && mqtt_topic_is_name(rest);
        t.name = rest;
    } else if (skip_prefix(&rest, SPAN(RPC))) {
        t.kind = MQTT_TOPIC_RPC;
        good = take_id(&rest, &t.client) && take_id(&rest, &t.server) && mqtt_topic_is_name(rest);
        t.name = rest;
    } else if (skip_prefix(&rest, SPAN(CLIENT))) {
        t.kind = skip_prefix(&rest, SPAN(PRESENCE))  ? MQTT_TOPIC_CLIENT_PRESENCE
                 : skip_prefix(&rest, SPAN(CHANGES)) ? MQTT_TOPIC_CLIENT_CHANGES
                                                     : MQTT_TOPIC_NONE;
        good = t.kind != MQTT_TOPIC_NONE && mqtt_topic_is_id(rest);
        t.client = rest;
    }
    return good ? t : none;
}

void mqtt_topic_write(char to[MQTT_TOPIC], enum mqtt_topic_kind kind, const char *client, const char *server,
                      const char *name)
{
    switch (kind) {
    case MQTT_TOPIC_CONTROL: (void)snprintf(to, MQTT_TOPIC, SERVER "%s/%s", server, name); break;
    case MQTT_TOPIC_SERVER_PRESENCE: (void)snprintf(to, MQTT_TOPIC, SERVER PRESENCE "%s/%s", server, name); break;
    case MQTT_TOPIC_SERVER_CHANGES: (void)snprintf(to, MQTT_TOPIC, SERVER CHANGES "%s/%s", server, name); break;
    case MQTT_TOPIC_CLIENT_PRESENCE: (void)snprintf(to, MQTT_TOPIC, CLIENT PRESENCE "%s", client); break;
    case MQTT_TOPIC_CLIENT_CHANGES: (void)snprintf(to, MQTT_TOPIC, CLIENT CHANGES "%s", client); break;
    case MQTT_TOPIC_RPC: (void)snprintf(to, MQTT_TOPIC, RPC "%s/%s/%s", client, server, name); break;
    default: to[0] = '\0'; break;
    }
}
