/* publisher.h -- one device published on a broker: its presence, its clients, and their messages.
 *
 * To the core every MQTT client is a line connection, which the program around it opens and closes, and which gets a message as
 * one line. Place 0 is the publisher's own: through it the publisher asks the device what it is, before it tells the world.
 *
 *   the device is there    ask: initialize, skills, tools, prompts -> connect to the broker -> online
 *   it is away             offline; clients keep their connections, and their requests fare as with any bridge
 *   the broker is lost     the broker says for us that we are away; all clients are forgotten; reconnect, online again
 *
 * README.md says what presence has, and what happens when two publishers have one id. */
#ifndef SKR_PUBLISHER_H
#define SKR_PUBLISHER_H

#include "mqtt.h"
#include "sha256.h"
#include "skillrom.h"
#include "topic.h"

/* What a publisher needs of the program it is in. `place` is a number below client_count. */
struct mqtt_publisher_host {
    /* A connection for this client. False: there is no room for one. */
    bool (*open)(void *owner, unsigned place);
    void (*close)(void *owner, unsigned place);

    /* A message for the core, to be given as mqtt_publisher_line makes it. False, and nothing was taken: the connection has more
     * than it can hold; its client gets an error, if the broker has room for one. */
    bool (*give)(void *owner, unsigned place, const char *text, size_t n);
};

struct mqtt_publisher_client {
    char id[MQTT_ID + 1];
    bool open; /* otherwise the place is free */
    uint64_t heard_ms;
    unsigned unanswered; /* requests that mqtt_publisher_may_pass has let through */
    unsigned pending;    /* requests that were given to the core and not answered */
    uint64_t greeting;   /* the params of the initialize that began the session, hashed */
    unsigned recent_at;
    uint64_t recent[MQTT_RECENT]; /* ids of its last requests, hashed */
};

/* What the publisher asks the device next (describe.c). */
enum mqtt_describing {
    MQTT_ASK_NOTHING,
    MQTT_ASK_INITIALIZE,
    MQTT_ASK_SKILLS,
    MQTT_ASK_TOOLS,
    MQTT_ASK_PROMPTS,
};

/* All zeros but for what the owner sets before mqtt_publisher_open; what is pointed to must stay. */
struct mqtt_publisher {
    const struct mqtt_broker *broker;
    const char *id;         /* the device's, mqtt_topic_is_id */
    const char *fixed_name; /* mqtt_topic_is_name; NULL: the one that the device has */
    struct mqtt_publisher_client *clients;
    unsigned client_count; /* with the publisher's own place; 2 to MQTT_CLIENTS + 1 */
    const struct mqtt_publisher_host *host;
    void *owner;
    bool quiet;        /* no messages for people */
    uint32_t check_ms; /* how often the device is asked whether it is there, where nothing else tells; 0: never */

    struct mqtt_session mqtt;
    uint64_t now_ms; /* of the last turn */
    char name[MQTT_NAME + 1];
    bool named;   /* by the broker */
    bool refused; /* it has refused us something, and people have been told */
    char presence_topic[MQTT_TOPIC];

    bool there;        /* the device */
    bool described;    /* `device` says what it is now */
    bool presence_due; /* the broker has not been told */
    char instance[17];
    char rivals[MQTT_RIVALS][17];
    unsigned rival_count;
    uint64_t disputed_ms;
    uint64_t up_ms;  /* since when there is a connection */
    unsigned losses; /* connections in a row that were lost soon, from a broker that was there again at once */

    enum mqtt_describing asking;
    unsigned asked;    /* number of the last question */
    unsigned pages;    /* of the list that is asked for */
    uint64_t ask_ms;   /* when to ask again what it is; 0: not */
    uint64_t check_at; /* when to ask next whether it is there */
    struct sha256 build;
    struct {
        char name[MQTT_NAME + 1], title[128], version[64], description[MQTT_DESCRIPTION + 1];
        char build[72];
    } device; /* the insides of JSON strings, but for the name */

    struct {
        uint64_t text;    /* hashed */
        uint64_t clients; /* that it has come from since it was published */
    } news[MQTT_LIST_CHANGES];
    unsigned news_at;
};

/* Begins: nothing is published until the device has said what it is. mqtt_prepare comes first. False after a message. */
bool mqtt_publisher_open(struct mqtt_publisher *p);

/* The device has come or gone; or what it carries may have changed. */
void mqtt_publisher_device(struct mqtt_publisher *p, bool there);
void mqtt_publisher_changed(struct mqtt_publisher *p);

/* Does what is due. What to wait for is what p->mqtt waits for, and mqtt_publisher_wait_ms. */
void mqtt_publisher_turn(struct mqtt_publisher *p, uint64_t now_ms);
uint32_t mqtt_publisher_wait_ms(const struct mqtt_publisher *p, uint64_t now_ms);

/* Whether a message would be taken now: the broker has room for it. */
bool mqtt_publisher_has_room(const struct mqtt_publisher *p);

/* A message of the core for this client, without its line end. False: not now; offer it again after a turn. */
bool mqtt_publisher_take(struct mqtt_publisher *p, unsigned place, const char *text, size_t n);

/* A message that was longer than the program can hold: its beginning, and its length. */
bool mqtt_publisher_take_cut(struct mqtt_publisher *p, unsigned place, const char *text, size_t n, size_t whole);

/* The core has closed this client's connection. */
void mqtt_publisher_closed(struct mqtt_publisher *p, unsigned place);

/* Tells the broker that the device is away, and leaves. May wait for MQTT_LEAVE_MS. */
void mqtt_publisher_close(struct mqtt_publisher *p);

/* For a program that holds messages before the core gets them: whether this one, the next of the client, may go to the core now.
 * False: when the core has answered one of those it has. */
bool mqtt_publisher_may_pass(struct mqtt_publisher *p, unsigned place, const char *text, size_t n);

/* Writes a message as a line of n + 1 bytes: line ends in JSON are white space, and become blanks. */
void mqtt_publisher_line(char *to, const char *text, size_t n);

/* ---- Between publisher.c, control.c, clients.c, presence.c and describe.c ---- */

/* A message on the device's control topic. */
void mqtt_control_receive(struct mqtt_publisher *p, const struct mqtt_message *m);

/* The place of the client that is here under this id; 0: none. */
unsigned mqtt_publisher_find(const struct mqtt_publisher *p, struct skr_span id);

/* A client is not here any more. */
void mqtt_publisher_forget(struct mqtt_publisher *p, unsigned place);

/* The topics of a client: its session with this device, its presence, its changes. */
void mqtt_publisher_topics(const struct mqtt_publisher *p, const char *client, char to[3][MQTT_TOPIC]);

/* An error for a client that has no connection, or none that could say it. An id that is empty, or not JSON, becomes null. */
void mqtt_publisher_refuse(struct mqtt_publisher *p, const char *client, struct skr_span id, int code,
                           const char *message);

/* Tells the broker that the device is there, or away. */
void mqtt_presence_publish(struct mqtt_publisher *p);

/* A message on our own presence topic; it is not ours, because of No Local. */
void mqtt_presence_receive(struct mqtt_publisher *p, const struct mqtt_message *m);

/* Somebody else publishes under our id, this instance or "?": both say so, and whoever lists devices can tell. And: not any more. */
void mqtt_presence_dispute(struct mqtt_publisher *p, const char *rival);
void mqtt_presence_settle(struct mqtt_publisher *p);

/* Asks the device whether it is there: whatever it answers, it is. */
void mqtt_describe_check(struct mqtt_publisher *p);

/* Asks the device what it is; takes an answer to that; writes what is known as the device's presence, and returns its length. */
void mqtt_describe_start(struct mqtt_publisher *p);
void mqtt_describe_response(struct mqtt_publisher *p, struct skr_span text);
size_t mqtt_describe_write(const struct mqtt_publisher *p, char to[MQTT_PRESENCE]);

/* The device has answered all questions. */
void mqtt_publisher_described(struct mqtt_publisher *p);

#endif
