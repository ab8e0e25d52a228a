/* without.c -- mqtt.h in a program built without libmosquitto: mqtt_prepare reports it. */
#include "console.h"
#include "mqtt.h"

bool mqtt_prepare(const struct mqtt_broker *broker)
{
    host_log("cannot connect to %s: this program was built without libmosquitto; install libmosquitto-dev and rebuild",
             broker->shown);
    return false;
}

bool mqtt_open(struct mqtt_session *m, uint64_t now_ms)
{
    (void)now_ms;
    return mqtt_prepare(m->broker);
}

void mqtt_turn(struct mqtt_session *m, uint64_t now_ms)
{
    (void)m;
    (void)now_ms;
}

int mqtt_wants(const struct mqtt_session *m, short *events)
{
    (void)m;
    *events = 0;
    return -1;
}

uint32_t mqtt_wait_ms(const struct mqtt_session *m, uint64_t now_ms)
{
    (void)m;
    (void)now_ms;
    return UINT32_MAX;
}

enum mqtt_result mqtt_publish(struct mqtt_session *m, const char *topic, const void *payload, size_t n, bool retain)
{
    (void)m;
    (void)topic;
    (void)payload;
    (void)n;
    (void)retain;
    return MQTT_AWAY;
}

size_t mqtt_payload_max(const struct mqtt_session *m, const char *topic)
{
    (void)m;
    (void)topic;
    return 0;
}

bool mqtt_subscribe(struct mqtt_session *m, const char *const filters[], int count)
{
    (void)m;
    (void)filters;
    (void)count;
    return false;
}

bool mqtt_unsubscribe(struct mqtt_session *m, const char *const filters[], int count)
{
    return mqtt_subscribe(m, filters, count);
}

void mqtt_restart(struct mqtt_session *m, bool pause, uint64_t now_ms)
{
    (void)m;
    (void)pause;
    (void)now_ms;
}

void mqtt_close(struct mqtt_session *m)
{
    (void)m;
}
