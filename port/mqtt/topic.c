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

/* The length of a level that has no character that a topic, a broker or a terminal would misread; 0 if it has. */
static size_t level(struct skr_span s)
{
    size_t at = 0;
    while (at < s.n && s.p[at] != '/') {
        unsigned char c = (unsigned char)s.p[at];
        size_t k = c < 0x20 || c == 0x7f || c == '+' || c == '#' ? 0 : skri_utf8_char(s.p + at, s.n - at);
        if (k == 0 || (c == 0xc2 && (unsigned char)s.p[at + 1] < 0xa0)) { /* U+0080 to U+009F are controls, too */
            return 0;
        }
        at += k;
    }
    return at;
}

bool skr_topic_is_id(struct skr_span id)
{
    return id.n > 0 && id.n <= SKR_MQTT_ID && level(id) == id.n && !skri_span_is(id, "presence") &&
           !skri_span_is(id, "capability");
}

bool skr_topic_is_name(struct skr_span name)
{
    if (name.n == 0 || name.n > SKR_MQTT_NAME) {
        return false;
    }
    for (;;) {
        size_t n = level(name);
        if (n == 0 || n == name.n) {
            return n > 0;
        }
        name = skri_span_from(name, n + 1);
    }
}

/* Takes `prefix` off the front of the text. */
static bool skip(struct skr_span *rest, struct skr_span prefix)
{
    if (!skri_span_starts(*rest, prefix)) {
        return false;
    }
    *rest = skri_span_from(*rest, prefix.n);
    return true;
}

/* Takes an id and the '/' behind it off the front of the text. */
static bool take_id(struct skr_span *rest, struct skr_span *id)
{
    size_t n = level(*rest);
    *id = (struct skr_span){rest->p, n};
    if (n == rest->n || !skr_topic_is_id(*id)) {
        return false;
    }
    *rest = skri_span_from(*rest, n + 1);
    return true;
}

static enum skr_topic_kind server_kind(struct skr_span *rest)
{
    return skip(rest, SPAN(PRESENCE))  ? SKR_TOPIC_SERVER_PRESENCE
           : skip(rest, SPAN(CHANGES)) ? SKR_TOPIC_SERVER_CHANGES
                                       : SKR_TOPIC_CONTROL;
}

struct skr_topic skr_topic_parse(const char *topic)
{
    struct skr_topic t = {.kind = SKR_TOPIC_NONE}, none = t;
    struct skr_span rest = skri_span_of(topic);
    bool good = false;
    if (skip(&rest, SPAN(SERVER))) {
        t.kind = server_kind(&rest);
        good = take_id(&rest, &t.server) && skr_topic_is_name(rest);
        t.name = rest;
    } else if (skip(&rest, SPAN(RPC))) {
        t.kind = SKR_TOPIC_RPC;
        good = take_id(&rest, &t.client) && take_id(&rest, &t.server) && skr_topic_is_name(rest);
        t.name = rest;
    } else if (skip(&rest, SPAN(CLIENT))) {
        t.kind = skip(&rest, SPAN(PRESENCE))  ? SKR_TOPIC_CLIENT_PRESENCE
                 : skip(&rest, SPAN(CHANGES)) ? SKR_TOPIC_CLIENT_CHANGES
                                              : SKR_TOPIC_NONE;
        good = t.kind != SKR_TOPIC_NONE && skr_topic_is_id(rest);
        t.client = rest;
    }
    return good ? t : none;
}

void skr_topic_write(char to[SKR_MQTT_TOPIC], enum skr_topic_kind kind, const char *client, const char *server,
                     const char *name)
{
    switch (kind) {
    case SKR_TOPIC_CONTROL: (void)snprintf(to, SKR_MQTT_TOPIC, SERVER "%s/%s", server, name); break;
    case SKR_TOPIC_SERVER_PRESENCE: (void)snprintf(to, SKR_MQTT_TOPIC, SERVER PRESENCE "%s/%s", server, name); break;
    case SKR_TOPIC_SERVER_CHANGES: (void)snprintf(to, SKR_MQTT_TOPIC, SERVER CHANGES "%s/%s", server, name); break;
    case SKR_TOPIC_CLIENT_PRESENCE: (void)snprintf(to, SKR_MQTT_TOPIC, CLIENT PRESENCE "%s", client); break;
    case SKR_TOPIC_CLIENT_CHANGES: (void)snprintf(to, SKR_MQTT_TOPIC, CLIENT CHANGES "%s", client); break;
    case SKR_TOPIC_RPC: (void)snprintf(to, SKR_MQTT_TOPIC, RPC "%s/%s/%s", client, server, name); break;
    default: to[0] = '\0'; break;
    }
}
