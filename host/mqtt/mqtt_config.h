/* mqtt_config.h -- every limit of host/mqtt, with its reason. */
#ifndef SKR_MQTT_CONFIG_H
#define SKR_MQTT_CONFIG_H

/* ---- Topics, in bytes ---- */

/* The id of a device or of a client. Brokers accept at least 23; this leaves room for a serial number in any spelling. */
#define MQTT_ID 128

/* The name of a device, which has levels: building/line/pump. */
#define MQTT_NAME 256

/* The longest topic has a client's id, a device's id and its name. */
#define MQTT_TOPIC (sizeof "$mcp-server/capability/" + 2 * (MQTT_ID + 1) + MQTT_NAME)

/* ---- The broker ---- */

/* Its host, a user's name and a password, with the NUL. Longer ones are refused. */
#define MQTT_HOST 256
#define MQTT_USER 256
#define MQTT_PASSWORD 1024

/* Messages of QoS 1 that a session has sent and the broker has not acknowledged; fewer if the broker says so. Two more than
 * libmosquitto's usual 20 would only wait in its heap. */
#define MQTT_WINDOW 20

/* Messages of QoS 1 that the broker may send us before we acknowledge one. */
#define MQTT_RECEIVE 64

/* Packets handled in one turn of one session, so that a flood on it does not hold up the others. */
#define MQTT_PACKETS 32

/* The largest message either way: an answer of the bridge with a file of 16 MiB in base64. The broker may allow less. */
#define MQTT_MESSAGE (33u << 20)

/* ---- A published device ---- */

/* MCP clients that a published device serves at once. When all places are taken, a new one gets that of the client that has been
 * silent for longest, if that was MQTT_SILENT_MS; otherwise an error. At most 63: they are bits of a word. */
#define MQTT_CLIENTS 32
#define MQTT_SILENT_MS 600000

/* Requests of one client that the core has at once; more wait in the order in which they came. A bridge has 64 places for those of
 * all, so one client cannot take them from the others. */
#define MQTT_UNANSWERED 16

/* Requests of each client whose ids are remembered, because brokers that are joined may deliver a message twice when the line
 * between them was cut: more than Mosquitto has under way at once, 20. */
#define MQTT_RECENT 32

/* Notifications about changes that are remembered so that all clients get one copy of each. */
#define MQTT_LIST_CHANGES 8

/* What a device's presence says of it: the beginning of its instructions; and the whole message, with a name that consists of
 * quotes. */
#define MQTT_DESCRIPTION 512
#define MQTT_PRESENCE 2048

/* A cursor in a device's list, with its quotes; a list with a longer one counts up to there. */
#define MQTT_CURSOR 256

/* Pages of a device's list that count: one that never ends must not be read for ever, and a large device has a few. */
#define MQTT_PAGES 256

/* Other publishers with our id that presence names. */
#define MQTT_RIVALS 4

/* ---- How long ---- */

/* Between two attempts to ask a device what it is. */
#define MQTT_ASK_MS 2000

/* A publisher that has not been taken over for so long is not in dispute any more. */
#define MQTT_PEACE_MS 60000

/* Seconds without a packet after which each side asks whether the other is there: a broker that has vanished is noticed after one
 * and a half of these, and so is a device, by its will. */
#define MQTT_KEEPALIVE_S 30

/* For the broker to accept a connection, TLS included, and to answer. */
#define MQTT_CONNECT_MS 15000

/* Between two attempts: at first, and at most; each is twice the one before, and up to half of it again is left to chance, so
 * that ten thousand devices do not return to a restarted broker in the same moment. */
#define MQTT_RETRY_MS 250
#define MQTT_RETRY_MAX_MS 30000

/* Connections in a row, each lost so soon after it was made, that show that somebody else has our id; and what that counts as in
 * failures: a pause of 8 s, so that two publishers do not take turns many times a second. */
#define MQTT_LOSSES 3
#define MQTT_SOON_MS 15000
#define MQTT_YIELD 5

/* libmosquitto is asked this often whether a ping is due. */
#define MQTT_MISC_MS 1000

/* For the last messages of a session that is being closed to leave. */
#define MQTT_LEAVE_MS 2000

#if MQTT_CLIENTS > 63
#error "MQTT_CLIENTS: they and the publisher itself are bits of a 64-bit word"
#endif

#endif
