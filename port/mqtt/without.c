/* without.c -- mqtt.h in a program that was made without libmosquitto: whoever wants a broker is told so. */
#include "mqtt.h"

#include "say.h"

bool skr_mqtt_prepare(const struct skr_mqtt_broker *broker)
{
    skr_say(
        "%s: this program was made without libmosquitto, and cannot reach a broker; install libmosquitto-dev and build "
        "it again",
        broker->shown);
    return false;
}

bool skr_mqtt_open(struct skr_mqtt *m, uint64_t now_ms)
{
    (void)now_ms;
    return skr_mqtt_prepare(m->broker);
}

void skr_mqtt_turn(struct skr_mqtt *m, uint64_t now_ms)
{
    (void)m;
    (void)now_ms;
}

int skr_mqtt_wants(const struct skr_mqtt *m, short *events)
{
    (void)m;
    *events = 0;
    return -1;
}

uint32_t skr_mqtt_wait_ms(const struct skr_mqtt *m, uint64_t now_ms)
{
    (void)m;
    (void)now_ms;
    return UINT32_MAX;
}

enum skr_mqtt_result skr_mqtt_publish(struct skr_mqtt *m, const char *topic, const void *payload, size_t n, bool retain)
{
    (void)m;
    (void)topic;
    (void)payload;
    (void)n;
    (void)retain;
    return SKR_MQTT_AWAY;
}

size_t skr_mqtt_payload_max(const struct skr_mqtt *m, const char *topic)
{
    (void)m;
    (void)topic;
    return 0;
}

bool skr_mqtt_subscribe(struct skr_mqtt *m, const char *const filters[], int count)
{
    (void)m;
    (void)filters;
    (void)count;
    return false;
}

bool skr_mqtt_unsubscribe(struct skr_mqtt *m, const char *const filters[], int count)
{
    return skr_mqtt_subscribe(m, filters, count);
}

void skr_mqtt_restart(struct skr_mqtt *m, bool pause, uint64_t now_ms)
{
    (void)m;
    (void)pause;
    (void)now_ms;
}

void skr_mqtt_close(struct skr_mqtt *m)
{
    (void)m;
}
