/* clients.c -- the clients of a publisher: their places, their topics, and errors for them. See publisher.h. */
#include <stdio.h>

#include "publisher.h"
#include "text/json_scan.h"
#include "text/span.h"

void mqtt_publisher_topics(const struct mqtt_publisher *p, const char *client, char to[3][MQTT_TOPIC])
{
    mqtt_topic_write(to[0], MQTT_TOPIC_RPC, client, p->id, p->name);
    mqtt_topic_write(to[1], MQTT_TOPIC_CLIENT_PRESENCE, client, NULL, NULL);
    mqtt_topic_write(to[2], MQTT_TOPIC_CLIENT_CHANGES, client, NULL, NULL);
}

unsigned mqtt_publisher_find(const struct mqtt_publisher *p, struct skr_span id)
{
    for (unsigned i = 1; i < p->client_count; i++) {
        if (p->clients[i].open && skr_span_is(id, p->clients[i].id)) {
            return i;
        }
    }
    return 0;
}

void mqtt_publisher_forget(struct mqtt_publisher *p, unsigned place)
{
    p->clients[place].open = false; /* its id stays: the program may have a message for it */
    p->clients[place].passed = p->clients[place].pending = 0;
    for (unsigned i = 0; i < MQTT_LIST_CHANGES; i++) {
        p->changes[i].clients &= ~((uint64_t)1 << place);
    }
}

void mqtt_publisher_refuse(struct mqtt_publisher *p, const char *client, struct skr_span id, int code,
                           const char *message)
{
    char topic[MQTT_TOPIC], text[1024];
    bool fits = id.n > 0 && id.n < sizeof text / 2 && skr_json_check(id.p, id.n) == SKR_JSON_OK;
    int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":%d,\"message\":\"%s\"}}",
                     fits ? (int)id.n : 4, fits ? id.p : "null", code, message);

    mqtt_topic_write(topic, MQTT_TOPIC_RPC, client, p->id, p->name);
    (void)mqtt_publish(&p->mqtt, topic, text, (size_t)n, false);
}

void mqtt_publisher_closed(struct mqtt_publisher *p, unsigned place)
{
    char topics[3][MQTT_TOPIC];
    static const char disconnected[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/disconnected\"}";

    if (place == 0) {
        p->clients[0].open = false;
        p->describe_ms = p->describing != MQTT_DESCRIBE_NOTHING ? p->now_ms + MQTT_DESCRIBE_MS : p->describe_ms;
        p->describing = MQTT_DESCRIBE_NOTHING;
    } else if (p->clients[place].open) {
        mqtt_publisher_topics(p, p->clients[place].id, topics);
        (void)mqtt_publish(&p->mqtt, topics[0], disconnected, sizeof disconnected - 1, false);
        (void)mqtt_unsubscribe(&p->mqtt, (const char *const[]){topics[0], topics[1], topics[2]}, 3);
        mqtt_publisher_forget(p, place);
    }
}
