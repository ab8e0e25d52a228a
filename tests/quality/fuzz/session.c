/* session.c -- see session.h. */
#include "session.h"

#include <stdlib.h>
#include <string.h>

#include "../../../host/mqtt/topic.h"
#include "text/span.h"

#define PACKET_MAX 20000

static struct mqtt_session *session;
static session_published *on_published;
static bool reachable;

void session_start(session_published *published)
{
    session = NULL;
    on_published = published;
    reachable = true;
}

const char *session_id(void)
{
    return session != NULL ? session->id : "";
}

static void forget(struct mqtt_session *m)
{
    m->state = MQTT_WAITING;
    m->unacked = 0;
    m->given_name[0] = '\0';
}

void session_turn(uint8_t arg)
{
    if (session == NULL) {
        return;
    }
    bool up = session->state == MQTT_UP;
    switch (arg % 8) {
    case 0: reachable = true; break;
    case 1:
    case 2:
        reachable = arg % 8 == 2;
        if (up) {
            forget(session);
            session->reason = arg & 8 ? 0x8E : 0;
            session->events->down(session->owner, true, "it is gone.");
        }
        break;
    case 3: session->packet_max = 100 + 8u * arg; break;
    case 4: session->packet_max = PACKET_MAX; break;
    case 5: session->window = 1 + arg / 8; break;
    case 6:
        if (up && session->events->refused != NULL) {
            session->events->refused(session->owner, session->mid, 0x87);
        }
        break;
    default: strcpy(session->given_name, up && (arg & 8) ? "given/name" : ""); break;
    }
    session->unacked = 0;
}

void session_deliver(const char *topic, const char *payload, size_t n, const char *sender, bool retained)
{
    if (session == NULL || session->state != MQTT_UP) {
        return;
    }
    char *copy = malloc(n + (n == 0)), *name = strdup(topic);
    memcpy(copy, payload, n);
    struct mqtt_message message = {
        .topic = name,
        .payload = copy,
        .n = n,
        .retained = retained,
        .sender = mqtt_topic_is_id(skr_span_of(sender)) ? sender : "",
    };
    session->events->message(session->owner, &message);
    free(name);
    free(copy);
}

/* ---- mqtt.h ---- */

bool mqtt_prepare(const struct mqtt_broker *broker)
{
    (void)broker;
    return true;
}

bool mqtt_open(struct mqtt_session *m, uint64_t now_ms)
{
    (void)now_ms;
    session = m;
    m->state = MQTT_WAITING;
    m->packet_max = PACKET_MAX;
    m->window = 8;
    return true;
}

void mqtt_turn(struct mqtt_session *m, uint64_t now_ms)
{
    (void)now_ms;
    if (m->state == MQTT_WAITING && reachable) {
        m->state = MQTT_UP;
        m->events->up(m->owner);
    }
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
    return 1000;
}

size_t mqtt_payload_max(const struct mqtt_session *m, const char *topic)
{
    size_t around = 100 + strlen(topic);

    return m->packet_max > around ? m->packet_max - around : 0;
}

enum mqtt_result mqtt_publish(struct mqtt_session *m, const char *topic, const void *payload, size_t n, bool retain)
{
    (void)retain;
    if (m->state != MQTT_UP) {
        return MQTT_AWAY;
    }
    if (n > mqtt_payload_max(m, topic)) {
        return MQTT_TOO_LARGE;
    }
    if (m->unacked >= m->window) {
        return MQTT_FULL;
    }
    m->unacked++;
    m->mid++;
    on_published(topic, payload, n);
    return MQTT_SENT;
}

static bool filter(const struct mqtt_session *m, const char *const filters[], int count)
{
    for (int i = 0; i < count; i++) {
        if (filters[i][0] != '$') {
            abort();
        }
    }
    return m->state == MQTT_UP;
}

bool mqtt_subscribe(struct mqtt_session *m, const char *const filters[], int count)
{
    return filter(m, filters, count);
}

bool mqtt_unsubscribe(struct mqtt_session *m, const char *const filters[], int count)
{
    return filter(m, filters, count);
}

void mqtt_restart(struct mqtt_session *m, bool pause, uint64_t now_ms)
{
    (void)pause;
    (void)now_ms;
    forget(m);
}

void mqtt_close(struct mqtt_session *m)
{
    m->state = MQTT_CLOSED;
}
