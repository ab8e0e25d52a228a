/* fleet_config.h -- every limit of the fleet server, with its reason.
 *
 * Nothing is allocated at run time: the tables of devices and builds are mapped once, at the start, in the sizes that
 * options ask for, and the system commits their memory only where it is used. What an option of `skillrom fleet` sets
 * is only a default here. libmosquitto has a heap of its own for packets. */
#ifndef SKR_FLEET_CONFIG_H
#define SKR_FLEET_CONFIG_H

#include "../mqtt/mqtt_config.h"
#include "skillrom.h"

/* ---- How many ---- */

/* Devices that are known at once, present or not. One more takes the place of the one that has been away longest; when
 * all are present, it is left out, and counted. --devices. */
#define FLEET_DEVICES 16384
#define FLEET_DEVICES_MAX 1000000

/* Builds: different contents of devices. A plant has a few kinds, in a few versions. One more takes the row of a build that no
 * device has, that only devices have that are away, or whose devices do not answer. Otherwise its devices are listed and can be
 * called, but nobody finds their tools and skills. --builds. */
#define FLEET_BUILDS 64
#define FLEET_BUILDS_MAX 4096

/* Tools, with resources, and skills of one build that are listed; the rest is left out, with a message. */
#define FLEET_TOOLS 256
#define FLEET_SKILLS 256

/* Requests to devices that are under way or wait for their device's handshake, of all clients together. A client's call
 * that finds no room waits for its turn. */
#define FLEET_REQUESTS 2048

/* Requests to one device at the same time: the next is there when it has answered the one before. A device serves one
 * after the other, and one that is slow keeps its queue short. */
#define FLEET_PER_DEVICE 4

/* Messages of one device in a second that answer nothing, as notifications do. One that sends more is not heard any longer, before
 * the broker's queue for us is full (mosquitto: 1000) and messages of others are lost. */
#define FLEET_STRAYS 400

/* Devices of one call_tool. Their results must fit FLEET_RESULT together. */
#define FLEET_GROUP 4096

/* Greetings and pings on the fleet's own account at once: a quarter of all requests. A dead device holds its place for
 * FLEET_HELLO_MS. */
#define FLEET_PROBES (FLEET_REQUESTS / 4)

/* Devices whose lists are read at once. */
#define FLEET_TOOL_CHECKS 64

/* Devices that are asked at once for their tools before a call, by readers and for tools that their build does not have. */
#define FLEET_ASKS 256

/* Tools of a device that are remembered to only look, as the device itself has said. Otherwise it is asked again. */
#define FLEET_CALM 8

/* Connections to the broker that share the devices. Mosquitto looks at all who have subscribed to a topic whenever one more does, and
 * every device subscribes to the presence of its client: with one client, greeting ten thousand devices takes a hundred times as
 * long as a thousand. And a broker takes only so many messages at once from each connection, 20 unless configured. */
#define FLEET_LINES 8

/* ---- How large ---- */

/* The id of a device, its MQTT client id, and its kind, the server name; with their NUL. host/mqtt knows no longer ones.
 * A row of the table has 2 KB at most in all. */
#define FLEET_ID (MQTT_ID + 1)
#define FLEET_KIND (MQTT_NAME + 1)

/* What a build is called: the digest of its content in hex, or what the device claims, with its NUL. */
#define FLEET_BUILD 65

/* Its descriptions of tools and skills, as the device sends them, and the words of the tools. Committed as they fill. */
#define FLEET_BUILD_TEXT (1u << 20)

/* A result for a client: a file of 2 MB in base64, or results of a few thousand devices. Longer: an error that says so.
 * There is room for one result per job of the core. */
#define FLEET_RESULT (4u << 20)

/* A request to a device: what a client sends at most, and what is put around it. */
#define FLEET_MESSAGE (SKR_REQUEST_MAX + 1024)

/* A URI of a build, with its NUL. Paths in images are shorter; there is nothing at a longer one. */
#define FLEET_URI 1024

/* All kept files together; the least recently used are removed first. --cache-mb. */
#define FLEET_CACHE_MB 64

/* ---- How long, in milliseconds ---- */

/* For a device to answer initialize: it is in memory and takes no time, but sleepy networks do. Then it is silent. */
#define FLEET_HELLO_MS 5000

/* A device that was silent is tried again after this time; before, calls to it fail at once. Then after twice the time, and so on up
 * to ten minutes: what is dead for good is not worth more. */
#define FLEET_SILENT_MS 10000
#define FLEET_SILENT_TIMES 6 /* that it is doubled */

/* For the answer to a call, or its progress. A tool with a deadlineMs of more than a minute needs a larger --answer-ms. */
#define FLEET_RESPONSE_MS 65000

/* For lists and files, which need no work. */
#define FLEET_READ_MS 30000

/* Between two attempts to learn a build when all its devices failed. */
#define FLEET_SURVEY_MS 5000

/* After the broker is back: how long devices have to be announced again before they count as away. The broker sends
 * retained messages at once; this is for a slow network. */
#define FLEET_RETURN_MS 5000

/* A device was announced again without having gone: how long a second one may take to answer the same greeting. More than
 * the difference between the ways through two joined brokers. */
#define FLEET_TWIN_MS 1000

#endif
