/* control.c -- what arrives on the device's control topic: greetings of clients. See publisher.h.
 *
 * Everybody who may call the device may write there, and the property that names the sender is the sender's word: no broker
 * checks it. So a message here can only begin a session that the client of that name does not have, or begin the same one
 * again while nothing of it is pending. What belongs to a session comes on the session's own topic, which access rules protect. */
#include "publisher.h"

#include <stdio.h>
#include <string.h>

#include "hash.h"
#include "text/json_scan.h"
#include "text/span.h"

static struct skr_span member(const struct mqtt_message *m, const char *key)
{
    return skr_scan_get((struct skr_span){m->payload, m->n}, key);
}

/* ---- Places ---- */

/* A place for a new client: a free one, or that of the client that has been silent for longest. 0: none. */
static unsigned place_for(struct mqtt_publisher *p)
{
    unsigned oldest = 1;
    for (unsigned i = 1; i < p->client_count; i++) {
        if (!p->clients[i].open) {
            return i;
        }
        oldest = p->clients[i].heard_ms < p->clients[oldest].heard_ms ? i : oldest;
    }
    if (p->now_ms - p->clients[oldest].heard_ms < MQTT_SILENT_MS) {
        return 0;
    }
    mqtt_publisher_closed(p, oldest);
    p->host->close(p->owner, oldest);
    return oldest;
}

/* Will this client tell of changes? Roots are all that can change. Otherwise its topic is not subscribed to: where thousands of devices
 * have one client, each subscription takes the broker longer than the one before. */
static bool tells_changes(const struct mqtt_message *initialize)
{
    struct skr_span offers = skr_scan_get(member(initialize, "params"), "capabilities");
    return skr_span_is(skr_scan_get(skr_scan_get(offers, "roots"), "listChanged"), "true");
}

/* A client of this id, with everything that must be subscribed before it gets an answer. 0, after an error: no room. */
static unsigned admit(struct mqtt_publisher *p, const char *id, struct skr_span request, bool changes)
{
    unsigned place = mqtt_publisher_find(p, skr_span_of(id));
    char topics[3][MQTT_TOPIC], message[128];
    if (place == 0) {
        place = place_for(p);
        strcpy(p->clients[place].id, place > 0 ? id : "");
        if (place == 0 || !p->host->open(p->owner, place)) {
            (void)snprintf(message, sizeof message,
                           "the device serves %u clients at once, and all of them are here; try again later",
                           p->client_count - 1);
            mqtt_publisher_refuse(p, id, request, -32603, message);
            return 0;
        }
        p->clients[place].open = true;
    }
    mqtt_publisher_topics(p, id, topics);
    (void)mqtt_subscribe(&p->mqtt, (const char *const[]){topics[0], topics[1], topics[2]}, changes ? 3 : 2);
    return place;
}

/* ---- Greetings ---- */

/* May a greeting in the name of a client that is here begin its session again? Not while the session has a request whose answer
 * it would replace, and not with other parameters, by which somebody else could take from the client what it can be asked. A
 * client that has been silent for long may have lost its connection without a will. */
static bool may_begin_again(const struct mqtt_publisher *p, const struct mqtt_publisher_client *client,
                            uint64_t greeting)
{
    bool silent = p->now_ms - client->heard_ms >= MQTT_SILENT_MS;
    return silent || (client->pending == 0 && client->greeting == greeting);
}

static void greet(struct mqtt_publisher *p, const struct mqtt_message *m, unsigned known)
{
    struct skr_span id = member(m, "id"), params = member(m, "params");
    uint64_t greeting = host_hash(params.p != NULL ? params.p : "", params.n);
    if (known != 0 && !may_begin_again(p, &p->clients[known], greeting)) {
        return;
    }
    unsigned place = admit(p, m->sender, id, tells_changes(m));
    if (place == 0) {
        return;
    }
    struct mqtt_publisher_client *client = &p->clients[place];
    memset(client->recent, 0, sizeof client->recent); /* its ids begin again; this one is not the session's */
    client->unanswered = 0;
    client->pending = 1;
    client->greeting = greeting;
    client->heard_ms = p->now_ms;
    if (!p->host->give(p->owner, place, m->payload, m->n)) {
        client->pending = 0;
        mqtt_publisher_refuse(p, m->sender, id, -32603, "the device cannot take a greeting now; try again later");
    }
}

void mqtt_control_receive(struct mqtt_publisher *p, const struct mqtt_message *m)
{
    unsigned known = mqtt_publisher_find(p, skr_span_of(m->sender));
    bool json = skr_json_check(m->payload, m->n) == SKR_JSON_OK;
    if (m->sender[0] == '\0' || m->retained) {
        return; /* nobody to answer; or it lay at the broker, and whoever left it may be gone */
    }
    if (json && skr_scan_is(member(m, "method"), "initialize")) {
        greet(p, m, known);
    } else if (known == 0) { /* otherwise the error could be taken for the answer to a request of the client */
        mqtt_publisher_refuse(p, m->sender, json ? member(m, "id") : NOTHING, json ? -32600 : -32700,
                              json ? "this topic takes initialize; everything else goes to $mcp-rpc" : "not JSON");
    }
}
