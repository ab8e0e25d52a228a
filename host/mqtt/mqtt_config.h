/* mqtt_config.h -- every limit of host/mqtt, with its reason. */
#ifndef SKR_MQTT_CONFIG_H
#define SKR_MQTT_CONFIG_H

/* ---- Topics, in bytes ---- */

/* The id of a device or of a client. Brokers accept at least 23; this leaves room for any serial number. */
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

/* Messages of QoS 1 that a session has sent and the broker has not acknowledged; fewer if the broker says so. More than
 * libmosquitto's default of 20 would only wait in its heap. */
#define MQTT_WINDOW 20

/* Messages of QoS 1 that the broker may send us before we acknowledge one. */
#define MQTT_RECEIVE 64

/* Packets handled in one turn of one session, so that a flood on it does not delay the others. */
#define MQTT_PACKETS 32

/* The largest message in either direction: a response of the bridge with a file of 16 MiB in base64. The broker may allow less. */
#define MQTT_MESSAGE (33u << 20)

/* ---- A published device ---- */

/* MCP clients of a published device. When all places are taken, a new client gets the place of the one that has been silent
 * longest, if that was MQTT_SILENT_MS; otherwise an error. At most 63: they are bits of a word. */
#define MQTT_CLIENTS 32
#define MQTT_SILENT_MS 600000

/* Requests of one client that are pending in the core; more wait in the order of arrival. A bridge has 64 places for all
 * clients, so one client cannot starve the others. */
#define MQTT_PASSED 16

/* Requests of each client whose ids are remembered, because joined brokers may deliver a message twice after the connection
 * between them was lost: more than Mosquitto has unacknowledged, 20. */
#define MQTT_RECENT 32

/* Notifications about changes that are remembered so that all clients get one copy of each. */
#define MQTT_LIST_CHANGES 8

/* The beginning of a device's instructions in its announcement; and the whole announcement, with a name that consists of
 * quotes. */
#define MQTT_DESCRIPTION 512
#define MQTT_PRESENCE 2048

/* A cursor in a device's list, with its quotes; a list is read up to a longer one. */
#define MQTT_CURSOR 256

/* Pages of a device's list that are read: a list may never end, and a large device has a few pages. */
#define MQTT_PAGES 256

/* Other publishers with our id that the announcement names. */
#define MQTT_RIVALS 4

/* ---- How long ---- */

/* Between two attempts to describe a device. */
#define MQTT_DESCRIBE_MS 2000

/* After this time without another publisher the id is not in dispute any more. */
#define MQTT_PEACE_MS 60000

/* Seconds without a packet after which each side pings the other: a broker or a device that has vanished is noticed after one and a
 * half of these. */
#define MQTT_KEEPALIVE_S 30

/* For the broker to accept a connection, TLS included, and to respond. */
#define MQTT_CONNECT_MS 15000

/* Between two attempts: the first pause, and the longest; each is twice the one before, and a random half of it is added, so
 * that ten thousand devices do not return to a restarted broker simultaneously. */
#define MQTT_RETRY_MS 250
#define MQTT_RETRY_MAX_MS 30000

/* Connections in a row, each lost so soon after it was made, that show that another client has our id; and the failures that they
 * count as: a pause of 8 s, so that two publishers do not alternate many times a second. */
#define MQTT_LOSSES 3
#define MQTT_SOON_MS 15000
#define MQTT_YIELD 5

/* How often libmosquitto checks whether a ping is due. */
#define MQTT_MISC_MS 1000

/* For the last messages of a session to leave when it is closed. */
#define MQTT_LEAVE_MS 2000

#if MQTT_CLIENTS > 63
#error "MQTT_CLIENTS: they and the publisher itself are bits of a 64-bit word"
#endif

#endif
