/* mqtt.h -- a session with an MQTT 5 broker, in a loop of one's own.
 *
 * A thin layer over libmosquitto: no threads, no waiting. The owner watches one descriptor, takes turns, and gets events. A
 * session connects by itself, again and again until it succeeds, with pauses that grow.
 *
 * Every connection is a session of its own (clean start, session expiry 0), with a handle of its own: nothing that was under way
 * when a connection was lost is sent again on the next one, so a request can not arrive twice because of us. The owner learns of
 * the loss, and decides.
 *
 * Messages are sent with QoS 1, at most as many at once as the broker's receive maximum allows; one more is refused with
 * MQTT_FULL and may be offered again when an acknowledgement has arrived. So nothing piles up in the library. */
#ifndef SKR_MQTT_H
#define SKR_MQTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "broker.h"
#include "mqtt_config.h"

/* What the sender of messages is: MCP-COMPONENT-TYPE. */
enum mqtt_component {
    MQTT_MCP_SERVER,
    MQTT_MCP_CLIENT,
};

/* A message that has arrived; valid until the event returns. */
struct mqtt_message {
    const char *topic;   /* ends with NUL; anything a broker lets through: mqtt_topic_parse checks it */
    const char *payload; /* n bytes of anything; not NULL */
    size_t n;
    bool retained;      /* it lay at the broker when we subscribed */
    const char *sender; /* MCP-MQTT-CLIENT-ID, as the sender claims; "" if it has none that is an id */
};

enum mqtt_result {
    MQTT_SENT,      /* handed over; m->mid is its number, should it be refused */
    MQTT_FULL,      /* not now: the broker has as many as it takes at once */
    MQTT_TOO_LARGE, /* larger than the broker takes: m->packet_max */
    MQTT_AWAY,      /* no connection */
};

/* Called from mqtt_turn. All may publish and subscribe; none may close the session, and only `down` may restart it. */
struct mqtt_events {
    void (*up)(void *owner); /* connected: nothing is subscribed yet */

    /* The connection is lost, and all that was under way with it; or it could not be made, and `was_up` is false. `why` is for a
     * person. m->reason is what the broker said (MQTT 5, 2.4), 0 if nothing: 0x8E, another client has come with our id
     * (Mosquitto 2.0.11 does not say so). */
    void (*down)(void *owner, bool was_up, const char *why);

    void (*message)(void *owner, const struct mqtt_message *message);

    /* The broker has refused the publication or subscription of this number: 0x87, not authorized. NULL: no matter. */
    void (*refused)(void *owner, int mid, int reason);
};

enum mqtt_state {
    MQTT_CLOSED,  /* not opened */
    MQTT_WAITING, /* for the next attempt */
    MQTT_CONNECTING,
    MQTT_UP,
};

/* All zeros but for what the owner sets before mqtt_open; what is pointed to must stay. What a connection is made of is read
 * again for every connection, so `down` may change it: an MCP client needs another id for each. */
struct mqtt_session {
    const struct mqtt_broker *broker;
    enum mqtt_component component;
    const char *id;   /* our MQTT client id, mqtt_topic_is_id */
    const char *meta; /* MCP-META, a JSON object; NULL: {} */
    const char *will_topic;
    const char *will; /* what the broker says for us when we are lost; "" is empty */
    bool will_retained;
    void *owner;
    const struct mqtt_events *events;

    /* to be read */
    enum mqtt_state state;
    uint32_t packet_max;            /* the broker's largest packet, in bytes */
    uint16_t window;                /* how many messages may be unacknowledged */
    uint16_t unacked;               /* how many are */
    int mid;                        /* of the last publication or subscription */
    int reason;                     /* of the last loss */
    char given_name[MQTT_NAME + 1]; /* MCP-SERVER-NAME of the broker, a name; "" if it has none */

    /* of mqtt.c */
    struct mosquitto *handle;
    struct mqtt5__property *props;
    size_t props_n;
    bool lost;
    int failure; /* of the library */
    unsigned failures;
    uint64_t due_ms, misc_ms;
};

/* Can there be sessions with this broker? False, after a message, when this program was made without libmosquitto, or files of TLS
 * cannot be read. For a program that wants to know before its first session. */
bool mqtt_prepare(const struct mqtt_broker *broker);

/* Begins: the next turn connects. False, after a message, when mqtt_prepare is. */
bool mqtt_open(struct mqtt_session *m, uint64_t now_ms);

/* Does what is due: reads, writes, connects. Call it when the descriptor is ready and when the time has come. */
void mqtt_turn(struct mqtt_session *m, uint64_t now_ms);

/* What to wait for: the descriptor, -1 if there is none, with POLLIN and POLLOUT in *events; and for how many ms at most. Ask
 * after every turn, and after every call that sends something. */
int mqtt_wants(const struct mqtt_session *m, short *events);
uint32_t mqtt_wait_ms(const struct mqtt_session *m, uint64_t now_ms);

/* Publishes n bytes, with the user properties of MCP over MQTT. */
enum mqtt_result mqtt_publish(struct mqtt_session *m, const char *topic, const void *payload, size_t n, bool retain);

/* The largest payload that the broker takes on this topic. */
size_t mqtt_payload_max(const struct mqtt_session *m, const char *topic);

/* Subscribes to `count` filters at once, at most 8, with No Local; or ends that. False when there is no connection. */
bool mqtt_subscribe(struct mqtt_session *m, const char *const filters[], int count);
bool mqtt_unsubscribe(struct mqtt_session *m, const char *const filters[], int count);

/* Drops the connection and makes another, at once or, with `pause`, after a pause as after a failure. The will is published. */
void mqtt_restart(struct mqtt_session *m, bool pause, uint64_t now_ms);

/* Ends the session: what was published leaves first, for MQTT_LEAVE_MS at most. This waits. `down` is not called. */
void mqtt_close(struct mqtt_session *m);

#endif
