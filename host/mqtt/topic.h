/* topic.h -- writes and parses the topics of MCP over MQTT.
 *
 *   control             $mcp-server/{server}/{name}                 initialize
 *   server's presence   $mcp-server/presence/{server}/{name}        retained; empty: away
 *   server's changes    $mcp-server/capability/{server}/{name}      changed lists and resources
 *   client's presence   $mcp-client/presence/{client}               disconnected
 *   client's changes    $mcp-client/capability/{client}
 *   rpc                 $mcp-rpc/{client}/{server}/{name}           everything else, in both directions
 *
 * {server} is the MQTT client id of a device, {client} that of an MCP client, each one level; {name} may have several. */
#ifndef SKR_MQTT_TOPIC_H
#define SKR_MQTT_TOPIC_H

#include <stdbool.h>
#include <stddef.h>

#include "mqtt_config.h"
#include "skillrom.h"

enum mqtt_topic_kind {
    MQTT_TOPIC_NONE, /* not a topic of MCP */
    MQTT_TOPIC_CONTROL,
    MQTT_TOPIC_SERVER_PRESENCE,
    MQTT_TOPIC_SERVER_CHANGES,
    MQTT_TOPIC_CLIENT_PRESENCE,
    MQTT_TOPIC_CLIENT_CHANGES,
    MQTT_TOPIC_RPC,
};

/* The parts of a topic, which point into its text; empty where the kind has none. */
struct mqtt_topic {
    enum mqtt_topic_kind kind;
    struct skr_span client, server, name;
};

/* An id: 1 to MQTT_ID bytes of UTF-8 without '/', '+', '#' and control characters. "presence" and "capability" are
 * invalid: the control topic of such a device would be the presence topic of another. */
bool mqtt_topic_is_id(struct skr_span id);

/* A name: levels like ids, separated by '/', none of them empty, MQTT_NAME bytes in all. */
bool mqtt_topic_is_name(struct skr_span name);

/* Parses a topic. MQTT_TOPIC_NONE for one that is not of MCP or has an invalid part. */
struct mqtt_topic mqtt_topic_parse(const char *topic);

/* Writes the topic of this kind. Parts that the kind does not have may be NULL. A part may also be a wildcard, "+" as an id, "+"
 * or "#" as the last level of a name, to make a filter. Every part must have been checked, or be a literal. */
void mqtt_topic_write(char to[MQTT_TOPIC], enum mqtt_topic_kind kind, const char *client, const char *server,
                      const char *name);

#endif
