/* control.c -- initialize requests on the device's control topic. See publisher.h.
 *
 * Every client of the device may write there, and no broker checks the property that names the sender. So a message here can only
 * begin a session that the named client does not have, or restart the same one while it has no pending request. Messages of a
 * session come on the topic of the session, which access rules protect. */
#include <stdio.h>
#include <string.h>

#include "publisher.h"
#include "text/hash.h"
#include "text/json_scan.h"
#include "text/span.h"

static struct skr_span message_member(const struct mqtt_message *m, const char *key)
{
    return skr_scan_get((struct skr_span){m->payload, m->n}, key);
}

/* ---- Places ---- */

/* A place for a new client: a free one, or that of the client that has been silent longest. 0: none. */
static unsigned place_for(struct mqtt_publisher *p)
{
    unsigned oldest = 1;

    for (unsigned i = 1; i < p->client_count; i++) {
        if (!p->clients[i].open) {
            return i;
        }
        oldest = p->clients[i].active_ms < p->clients[oldest].active_ms ? i : oldest;
    }
    if (p->now_ms - p->clients[oldest].active_ms < MQTT_SILENT_MS) {
        return 0;
    }
    mqtt_publisher_closed(p, oldest);
    p->host->close(p->owner, oldest);
    return oldest;
}

/* Whether this client may notify of changed roots. Otherwise its topic is not subscribed to: with thousands of devices for
 * one client, each subscription takes the broker longer than the one before. */
static bool has_changes(const struct mqtt_message *initialize)
{
    struct skr_span capabilities = skr_scan_get(message_member(initialize, "params"), "capabilities");

    return skr_span_is(skr_scan_get(skr_scan_get(capabilities, "roots"), "listChanged"), "true");
}

/* Admits the client, and subscribes to its topics before it gets a response. 0, after an error: no room. */
static unsigned admit_client(struct mqtt_publisher *p, const char *id, struct skr_span request, bool changes)
{
    unsigned place = mqtt_publisher_find(p, skr_span_of(id));
    char topics[3][MQTT_TOPIC], message[128];

    if (place == 0) {
        place = place_for(p);
        strcpy(p->clients[place].id, place > 0 ? id : "");
        if (place == 0 || !p->host->open(p->owner, place)) {
            (void)snprintf(message, sizeof message,
                           "the device already serves %u clients, its maximum; try again later", p->client_count - 1);
            mqtt_publisher_refuse(p, id, request, -32603, message);
            return 0;
        }
        p->clients[place].open = true;
    }
    mqtt_publisher_topics(p, id, topics);
    (void)mqtt_subscribe(&p->mqtt, (const char *const[]){topics[0], topics[1], topics[2]}, changes ? 3 : 2);
    return place;
}

/* ---- initialize ---- */

/* Whether initialize may restart the session of a client that has one. Not while a request is pending, whose response would be
 * lost, and not with other parameters, with which another sender could remove capabilities of the client. A client that has been
 * silent for long may have lost its connection without a will. */
static bool may_restart(const struct mqtt_publisher *p, const struct mqtt_publisher_client *client, uint64_t hash)
{
    bool silent = p->now_ms - client->active_ms >= MQTT_SILENT_MS;

    return silent || (client->pending == 0 && client->initialize_hash == hash);
}

static void begin_session(struct mqtt_publisher *p, const struct mqtt_message *m, unsigned earlier)
{
    struct skr_span id = message_member(m, "id"), params = message_member(m, "params");
    uint64_t hash = skr_hash(params);

    if (earlier != 0 && !may_restart(p, &p->clients[earlier], hash)) {
        return;
    }
    unsigned place = admit_client(p, m->sender, id, has_changes(m));
    if (place == 0) {
        return;
    }
    struct mqtt_publisher_client *client = &p->clients[place];
    memset(client->recent, 0, sizeof client->recent); /* its ids begin again */
    client->passed = 0;
    client->pending = 1;
    client->initialize_hash = hash;
    client->active_ms = p->now_ms;
    if (!p->host->give(p->owner, place, m->payload, m->n)) {
        client->pending = 0;
        mqtt_publisher_refuse(p, m->sender, id, -32603, "the device cannot take initialize now; try again later");
    }
}

void mqtt_control_receive(struct mqtt_publisher *p, const struct mqtt_message *m)
{
    unsigned client = mqtt_publisher_find(p, skr_span_of(m->sender));
    bool json = skr_json_check(m->payload, m->n) == SKR_JSON_OK;

    if (m->sender[0] == '\0' || m->retained) {
        return; /* there is no sender to respond to; or the message is retained, and its sender may be gone */
    }
    if (json && skr_scan_is(message_member(m, "method"), "initialize")) {
        begin_session(p, m, client);
    } else if (client == 0) { /* otherwise the client could take the error for the response to a request */
        mqtt_publisher_refuse(p, m->sender, json ? message_member(m, "id") : NOTHING, json ? -32600 : -32700,
                              json ? "this topic only takes initialize; send other messages to $mcp-rpc" : "not JSON");
    }
}
