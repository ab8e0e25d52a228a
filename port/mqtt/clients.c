/* clients.c -- the clients of a publisher: who is here, their topics, errors for them. See publisher.h. */
#include <stdio.h>

#include "publisher.h"
#include "text/json_scan.h"
#include "text/span.h"

void skr_publisher_topics(const struct skr_publisher *p, const char *client, char to[3][SKR_MQTT_TOPIC])
{
    skr_topic_write(to[0], SKR_TOPIC_RPC, client, p->id, p->name);
    skr_topic_write(to[1], SKR_TOPIC_CLIENT_PRESENCE, client, NULL, NULL);
    skr_topic_write(to[2], SKR_TOPIC_CLIENT_CHANGES, client, NULL, NULL);
}

unsigned skr_publisher_find(const struct skr_publisher *p, struct skr_span id)
{
    for (unsigned i = 1; i < p->client_count; i++) {
        if (p->clients[i].open && skri_span_is(id, p->clients[i].id)) {
            return i;
        }
    }
    return 0;
}

void skr_publisher_forget(struct skr_publisher *p, unsigned place)
{
    p->clients[place].open = false; /* its id stays: the program may have a message about it */
    p->clients[place].unanswered = p->clients[place].pending = 0;
    for (unsigned i = 0; i < SKR_MQTT_NEWS; i++) {
        p->news[i].clients &= ~((uint64_t)1 << place);
    }
}

void skr_publisher_refuse(struct skr_publisher *p, const char *client, struct skr_span id, int code,
                          const char *message)
{
    char topic[SKR_MQTT_TOPIC], text[1024];
    bool fits = id.n > 0 && id.n < sizeof text / 2 && skri_json_check(id.p, id.n) == SKR_JSON_OK;
    int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":%d,\"message\":\"%s\"}}",
                     fits ? (int)id.n : 4, fits ? id.p : "null", code, message);
    skr_topic_write(topic, SKR_TOPIC_RPC, client, p->id, p->name);
    (void)skr_mqtt_publish(&p->mqtt, topic, text, (size_t)n, false);
}

void skr_publisher_closed(struct skr_publisher *p, unsigned place)
{
    char topics[3][SKR_MQTT_TOPIC];
    static const char bye[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/disconnected\"}";
    if (place == 0) {
        p->clients[0].open = false;
        p->ask_ms = p->asking != SKR_ASK_NOTHING ? p->now_ms + SKR_MQTT_ASK_MS : p->ask_ms;
        p->asking = SKR_ASK_NOTHING;
    } else if (p->clients[place].open) {
        skr_publisher_topics(p, p->clients[place].id, topics);
        (void)skr_mqtt_publish(&p->mqtt, topics[0], bye, sizeof bye - 1, false);
        (void)skr_mqtt_unsubscribe(&p->mqtt, (const char *const[]){topics[0], topics[1], topics[2]}, 3);
        skr_publisher_forget(p, place);
    }
}
