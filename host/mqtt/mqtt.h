/* mqtt.h -- a session with an MQTT 5 broker, inside the owner's loop.
 *
 * A thin layer over libmosquitto: no threads, no blocking. The owner watches one descriptor, takes turns, and gets events. A
 * session reconnects until it succeeds, with pauses that grow.
 *
 * Every connection has a new MQTT session (clean start, session expiry 0) and a new handle: messages that were unacknowledged when a
 * connection was lost are not sent again on the next one, so a request cannot arrive twice because of us. The owner is notified of
 * the loss, and decides.
 *
 * Messages are sent with QoS 1, at most as many as the broker's receive maximum allows without acknowledgement; one more is refused
 * with MQTT_FULL and may be sent again after an acknowledgement. So nothing accumulates in the library. */
#ifndef SKR_MQTT_H
#define SKR_MQTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broker.h"
#include "mqtt_config.h"

/* The role of the sender: MCP-COMPONENT-TYPE. */
enum mqtt_component {
    MQTT_MCP_SERVER,
    MQTT_MCP_CLIENT,
};

/* A message that has arrived; valid until the event returns. */
struct mqtt_message {
    const char *topic;   /* ends with NUL; unchecked: see mqtt_topic_parse */
    const char *payload; /* n bytes, unchecked; not NULL */
    size_t n;
    bool retained;      /* the broker had it before we subscribed */
    const char *sender; /* MCP-MQTT-CLIENT-ID, as the sender claims; "": none that is valid */
};

enum mqtt_result {
    MQTT_SENT,      /* accepted by the library; m->mid is its number, should the broker refuse it */
    MQTT_FULL,      /* not now: too many are unacknowledged */
    MQTT_TOO_LARGE, /* larger than the broker takes: m->packet_max */
    MQTT_AWAY,      /* no connection */
};

/* Called from mqtt_turn. All may publish and subscribe; none may close the session, and only `down` may restart it. */
struct mqtt_events {
    void (*up)(void *owner); /* connected: nothing is subscribed yet */

    /* The connection is lost, with all unacknowledged messages; or it could not be made, and `was_up` is false. `why` is for
     * messages. m->reason is the broker's reason code (MQTT 5, 2.4), 0 if none: 0x8E, another client has connected with our id
     * (Mosquitto 2.0.11 does not send it). */
    void (*down)(void *owner, bool was_up, const char *why);

    void (*message)(void *owner, const struct mqtt_message *message);

    /* The broker has refused the publication or subscription of this number: 0x87, not authorized. NULL: ignored. */
    void (*refused)(void *owner, int mid, int reason);
};

enum mqtt_state {
    MQTT_CLOSED,  /* not opened */
    MQTT_WAITING, /* for the next attempt */
    MQTT_CONNECTING,
    MQTT_UP,
};

/* All zeros except the first group, which the owner sets before mqtt_open; pointers must stay valid. The first group is read
 * for every connection, so `down` may change it: an MCP client needs another id for each. */
struct mqtt_session {
    const struct mqtt_broker *broker;
    enum mqtt_component component;
    const char *id;   /* our MQTT client id, mqtt_topic_is_id */
    const char *meta; /* MCP-META, a JSON object; NULL: {} */
    const char *will_topic;
    const char *will; /* its payload; "" is empty */
    bool will_retained;
    void *owner;
    const struct mqtt_events *events;

    /* for the owner to read */
    enum mqtt_state state;
    uint32_t packet_max;            /* the broker's largest packet, in bytes */
    uint16_t window;                /* how many messages may be unacknowledged */
    uint16_t unacked;               /* how many are */
    int mid;                        /* of the last publication or subscription */
    int reason;                     /* of the last loss */
    char given_name[MQTT_NAME + 1]; /* MCP-SERVER-NAME of the broker; "": none */

    /* of mqtt.c */
    struct mosquitto *handle;
    struct mqtt5__property *props;
    size_t props_n;
    bool lost;
    int failure; /* of the library */
    unsigned failures;
    uint64_t due_ms, misc_ms;
};

/* Checks whether sessions with this broker are possible. False, after a message, when this program was built without libmosquitto, or
 * TLS files cannot be read. For a program that checks before its first session. */
bool mqtt_prepare(const struct mqtt_broker *broker);

/* Opens the session: the next turn connects. False, after a message, when mqtt_prepare fails. */
bool mqtt_open(struct mqtt_session *m, uint64_t now_ms);

/* Reads, writes, connects. Call it when the descriptor is ready and when mqtt_wait_ms is over. */
void mqtt_turn(struct mqtt_session *m, uint64_t now_ms);

/* The descriptor to wait for, -1 if there is none, with POLLIN and POLLOUT in *events; and the maximum wait. Both may change
 * in every turn, and in every call that sends something. */
int mqtt_wants(const struct mqtt_session *m, short *events);
uint32_t mqtt_wait_ms(const struct mqtt_session *m, uint64_t now_ms);

/* Publishes n bytes, with the user properties of MCP over MQTT. */
enum mqtt_result mqtt_publish(struct mqtt_session *m, const char *topic, const void *payload, size_t n, bool retain);

/* The largest payload that the broker takes on this topic. */
size_t mqtt_payload_max(const struct mqtt_session *m, const char *topic);

/* Subscribes to `count` filters, at most 8, with No Local; or unsubscribes. False when there is no connection. */
bool mqtt_subscribe(struct mqtt_session *m, const char *const filters[], int count);
bool mqtt_unsubscribe(struct mqtt_session *m, const char *const filters[], int count);

/* Drops the connection and makes another, immediately or, with `pause`, after a pause as after a failure. The will is published. */
void mqtt_restart(struct mqtt_session *m, bool pause, uint64_t now_ms);

/* Ends the session after its messages have left, for which this waits MQTT_LEAVE_MS at most. `down` is not called. */
void mqtt_close(struct mqtt_session *m);

#endif
