/* fleet_config.h -- every limit of the fleet server, with its reason.
 *
 * Nothing is allocated at run time: the tables of devices and builds are mapped once, at the start, in the sizes that
 * options set, and the system commits their memory only where it is used. Where `skillrom fleet` has an option, the value
 * here is its default. libmosquitto has its own heap for packets. */
#ifndef SKR_FLEET_CONFIG_H
#define SKR_FLEET_CONFIG_H

#include "../mqtt/mqtt_config.h"
#include "skillrom.h"

/* ---- How many ---- */

/* Devices, present or not. One more takes the row of the one that has been away longest; when all are present, it is left
 * out, and counted. --max-devices. */
#define FLEET_DEVICES 16384
#define FLEET_DEVICES_MAX 1000000

/* Distinct builds. A plant has a few kinds of device, in a few versions. One more takes the row of a build that no
 * device has, whose devices are all away, or whose devices do not respond. Otherwise its devices are listed and can be
 * called, but find_tools does not find their tools, and their skills are not listed. --max-builds. */
#define FLEET_BUILDS 64
#define FLEET_BUILDS_MAX 4096

/* Tools and resources together, and skills, of one build; the rest is left out, with a message. */
#define FLEET_TOOLS 256
#define FLEET_SKILLS 256

/* Requests that are pending at devices or wait for their device's handshake, of all clients together. A client's call
 * that finds no room waits for its turn. */
#define FLEET_REQUESTS 2048

/* Requests that are pending at one device. A device serves them one after the other: more would only wait in its queue. */
#define FLEET_PER_DEVICE 4

/* Messages of one device in a second that are not responses, such as notifications. A device that sends more is ignored, before
 * the broker's queue for us is full (mosquitto: 1000) and messages of others are lost. */
#define FLEET_UNEXPECTED 400

/* Devices of one call_tool. Their results must fit FLEET_RESULT together. */
#define FLEET_GROUP 4096

/* No probe (initialize or ping) begins while more requests than these are pending. A dead device holds its row for
 * FLEET_INITIALIZE_MS. */
#define FLEET_PROBES (FLEET_REQUESTS / 4)

/* Devices whose lists are read simultaneously. */
#define FLEET_SURVEYS 64

/* Devices whose tools are checked simultaneously before a call: for read-only tokens, and for tools that their build lacks. */
#define FLEET_TOOL_CHECKS 256

/* Tools of a device that are remembered as read-only, as the device itself describes them. Others are checked again. */
#define FLEET_READ_ONLY 8

/* Connections to the broker that share the devices. Mosquitto looks at all subscribers of a topic whenever another subscribes, and
 * every device subscribes to the presence of its client: with one client, initializing ten thousand devices takes a hundred times as
 * long as a thousand. A broker also limits the unacknowledged messages of each connection, 20 by default. */
#define FLEET_CONNECTIONS 8

/* Devices that a roll-out handles at a time: 130 KB each, for the blocks that a device has. --parallel is how many are updated;
 * few, so that a release that fails does so on few devices. */
#define FLEET_ROLLOUT_LANES 16
#define FLEET_ROLLOUT_PARALLEL 4

/* --share and --stop-after, unless they are given. */
#define FLEET_ROLLOUT_SHARE 100
#define FLEET_ROLLOUT_FAILURES 1

/* ---- How large ---- */

/* The id of a device, its MQTT client id, and its kind, the server name; with their NUL. host/mqtt has the same limits.
 * A row of the table has 2 KB at most in all. */
#define FLEET_ID (MQTT_ID + 1)
#define FLEET_KIND (MQTT_NAME + 1)

/* The name of a build: the digest of its content in hex, with its NUL. */
#define FLEET_BUILD 65

/* Descriptions of tools and skills of a build, as the device sends them, and the words of the tools. Committed as they fill. */
#define FLEET_BUILD_TEXT (1u << 20)

/* A result for a client: a file of 2 MB in base64, or results of a few thousand devices. A longer one becomes an error.
 * There is room for one result per job of the core. */
#define FLEET_RESULT (4u << 20)

/* A request to a device: the largest request of a client, and the members around it. */
#define FLEET_MESSAGE (SKR_REQUEST_MAX + 1024)

/* A URI of a build, with its NUL. Paths in images are shorter; there is nothing at a longer one. */
#define FLEET_URI 1024

/* All cached files together; the least recently used are removed first. --cache-mb. */
#define FLEET_CACHE_MB 64

/* ---- How long, in milliseconds ---- */

/* For a device to respond to initialize: it needs no time, but slow networks do. Then it is silent. */
#define FLEET_INITIALIZE_MS 5000

/* A silent device is probed again after this time; until then calls to it fail immediately. Then after twice the time, and so on up
 * to ten minutes. */
#define FLEET_SILENT_MS 10000
#define FLEET_SILENT_TIMES 6 /* that it is doubled */

/* For the response to a call, or its progress. A tool with a deadlineMs of more than a minute needs a larger --response-timeout. */
#define FLEET_RESPONSE_MS 65000

/* A roll-out begins when no device has been announced for this time. The broker sends retained announcements immediately. */
#define FLEET_ROLLOUT_GATHER_MS 1000

/* For lists and files, which need no work. */
#define FLEET_READ_MS 30000

/* Between two attempts to read the lists of a build. */
#define FLEET_SURVEY_MS 5000

/* After the broker is back: the time for devices to be announced again before they count as away. The broker sends
 * retained messages immediately; this is for a slow network. */
#define FLEET_RETURN_MS 5000

/* A device was announced again without having gone: the time for a second one to respond to the same initialize. More than
 * the difference between two routes through joined brokers. */
#define FLEET_DUPLICATE_MS 1000

#endif
