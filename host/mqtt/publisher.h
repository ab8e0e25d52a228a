/* publisher.h -- one device published on a broker: its presence, its clients, and their messages.
 *
 * To the core every MQTT client is a line connection, which the program around the publisher opens and closes; each message is one
 * line. Place 0 is the publisher's own connection, which it uses to describe the device before it announces it.
 *
 *   the device is present   describe: initialize, skills, tools, prompts -> connect to the broker -> online
 *   the device is away      offline; clients keep their connections, and their requests end as with any bridge
 *   the broker is lost      the broker publishes the will; all clients are forgotten; reconnect, online again
 *
 * README.md describes the announcement, and what happens when two publishers have one id. */
#ifndef SKR_PUBLISHER_H
#define SKR_PUBLISHER_H

#include "mqtt.h"
#include "sha256.h"
#include "skillrom.h"
#include "topic.h"

/* Functions of the program around the publisher. `place` is a number below client_count. */
struct mqtt_publisher_host {
    /* Opens a connection for this client. False: there is no room for one. */
    bool (*open)(void *owner, unsigned place);
    void (*close)(void *owner, unsigned place);

    /* Gives a message to the core, as mqtt_publisher_line writes it. False, and nothing was taken: the connection is full; its
     * client gets an error, if the broker has room for one. */
    bool (*give)(void *owner, unsigned place, const char *text, size_t n);
};

struct mqtt_publisher_client {
    char id[MQTT_ID + 1];
    bool open; /* false: the place is free */
    uint64_t active_ms;
    unsigned passed;          /* requests that mqtt_publisher_may_pass has allowed */
    unsigned pending;         /* requests that were given to the core, without a response */
    uint64_t initialize_hash; /* of the params of the initialize that began the session */
    unsigned recent_at;
    uint64_t recent[MQTT_RECENT]; /* ids of its last requests, hashed */
};

/* The part of the description that is read (describe.c). */
enum mqtt_describing {
    MQTT_DESCRIBE_NOTHING,
    MQTT_DESCRIBE_INITIALIZE,
    MQTT_DESCRIBE_SKILLS,
    MQTT_DESCRIBE_TOOLS,
    MQTT_DESCRIBE_PROMPTS,
};

/* All zeros except the first group, which the owner sets before mqtt_publisher_open; pointers must stay valid. */
struct mqtt_publisher {
    const struct mqtt_broker *broker;
    const char *id;         /* of the device, mqtt_topic_is_id */
    const char *fixed_name; /* mqtt_topic_is_name; NULL: that of the device */
    struct mqtt_publisher_client *clients;
    unsigned client_count; /* with the publisher's own place; 2 to MQTT_CLIENTS + 1 */
    const struct mqtt_publisher_host *host;
    void *owner;
    bool quiet;        /* no messages on stderr */
    uint32_t check_ms; /* how often to ping a device whose presence nothing else shows; 0: never */

    struct mqtt_session mqtt;
    uint64_t now_ms; /* of the last turn */
    char name[MQTT_NAME + 1];
    bool named;   /* the broker has set the name */
    bool refused; /* the broker has refused a message, and a log message has reported it */
    char presence_topic[MQTT_TOPIC];

    bool present;      /* the device */
    bool described;    /* `device` is current */
    bool presence_due; /* to be published */
    char instance[17];
    char rivals[MQTT_RIVALS][17];
    unsigned rival_count;
    uint64_t disputed_ms;
    uint64_t up_ms;  /* since when there is a connection */
    unsigned losses; /* connections in a row that were lost soon after they were made */

    enum mqtt_describing describing;
    unsigned described_id; /* number of the last request of describe.c */
    unsigned pages;        /* of the list that is read */
    uint64_t describe_ms;  /* when to describe the device again; 0: not */
    uint64_t check_at;     /* when to ping next */
    struct romfs_sha256 build;
    struct {
        char name[MQTT_NAME + 1], title[128], version[64], description[MQTT_DESCRIPTION + 1];
        char build[72];
    } device; /* the insides of JSON strings, except the name */

    struct {
        uint64_t text;    /* hashed */
        uint64_t clients; /* whose connections have reported it since it was published */
    } changes[MQTT_LIST_CHANGES];
    unsigned changes_at;
};

/* Opens the publisher: nothing is published until the device is described. mqtt_prepare comes first. False after a message. */
bool mqtt_publisher_open(struct mqtt_publisher *p);

/* The device is present or away; or its content may have changed. */
void mqtt_publisher_device(struct mqtt_publisher *p, bool present);
void mqtt_publisher_changed(struct mqtt_publisher *p);

/* Handles everything that is due. Then wait for the descriptor of p->mqtt, for mqtt_publisher_wait_ms at most. */
void mqtt_publisher_turn(struct mqtt_publisher *p, uint64_t now_ms);
uint32_t mqtt_publisher_wait_ms(const struct mqtt_publisher *p, uint64_t now_ms);

/* Whether the broker has room for a message now. */
bool mqtt_publisher_has_room(const struct mqtt_publisher *p);

/* Sends a message of the core to this client, without its newline. False: not now; try again after a turn. */
bool mqtt_publisher_take(struct mqtt_publisher *p, unsigned place, const char *text, size_t n);

/* Likewise for a message that is longer than the program can hold: its beginning, and its length. */
bool mqtt_publisher_take_cut(struct mqtt_publisher *p, unsigned place, const char *text, size_t n, size_t whole);

/* The core has closed this client's connection. */
void mqtt_publisher_closed(struct mqtt_publisher *p, unsigned place);

/* Publishes that the device is away, and disconnects. May wait for MQTT_LEAVE_MS. */
void mqtt_publisher_close(struct mqtt_publisher *p);

/* For a program that queues messages before the core gets them: whether the client's next message may go to the core now. False
 * until the core has responded to another. */
bool mqtt_publisher_may_pass(struct mqtt_publisher *p, unsigned place, const char *text, size_t n);

/* Writes a message as a line of n + 1 bytes: newlines in JSON become spaces. */
void mqtt_publisher_line(char *to, const char *text, size_t n);

/* ---- Between publisher.c, control.c, clients.c, presence.c and describe.c ---- */

/* Handles a message on the device's control topic. */
void mqtt_control_receive(struct mqtt_publisher *p, const struct mqtt_message *m);

/* The place of the client with this id; 0: none. */
unsigned mqtt_publisher_find(const struct mqtt_publisher *p, struct skr_span id);

/* Frees the place of a client. */
void mqtt_publisher_forget(struct mqtt_publisher *p, unsigned place);

/* Writes the topics of a client: its session with this device, its presence, its changes. */
void mqtt_publisher_topics(const struct mqtt_publisher *p, const char *client, char to[3][MQTT_TOPIC]);

/* Sends an error to a client that the core cannot send. An id that is empty, or not JSON, becomes null. */
void mqtt_publisher_refuse(struct mqtt_publisher *p, const char *client, struct skr_span id, int code,
                           const char *message);

/* Publishes whether the device is present. */
void mqtt_presence_publish(struct mqtt_publisher *p);

/* Handles a message on our presence topic. Another publisher sent it: we subscribe with No Local. */
void mqtt_presence_receive(struct mqtt_publisher *p, const struct mqtt_message *m);

/* Another publisher has our id, this instance or "?": both announce it, so that clients notice. And: it has gone. */
void mqtt_presence_dispute(struct mqtt_publisher *p, const char *rival);
void mqtt_presence_settle(struct mqtt_publisher *p);

/* Pings the device: any response shows that it is present. */
void mqtt_describe_check(struct mqtt_publisher *p);

/* Requests the description of the device; takes a response; writes the announcement, and returns its length. */
void mqtt_describe_start(struct mqtt_publisher *p);
void mqtt_describe_response(struct mqtt_publisher *p, struct skr_span text);
size_t mqtt_describe_write(const struct mqtt_publisher *p, char to[MQTT_PRESENCE]);

/* The description is complete. */
void mqtt_publisher_described(struct mqtt_publisher *p);

#endif
