/* topic.h -- the topics of MCP over MQTT: built from names that are checked, and taken apart into such names.
 *
 *   control             $mcp-server/{server}/{name}                 initialize
 *   server's presence   $mcp-server/presence/{server}/{name}        retained; empty: away
 *   server's changes    $mcp-server/capability/{server}/{name}      changed lists and resources
 *   client's presence   $mcp-client/presence/{client}               disconnected
 *   client's changes    $mcp-client/capability/{client}
 *   rpc                 $mcp-rpc/{client}/{server}/{name}           everything else, both ways
 *
 * {server} is the MQTT client id of a device, {client} that of an MCP client, each one level; {name} may have several. */
#ifndef SKR_MQTT_TOPIC_H
#define SKR_MQTT_TOPIC_H

#include <stdbool.h>
#include <stddef.h>

#include "skillrom.h"
#include "mqtt_config.h"

enum mqtt_topic_kind {
    MQTT_TOPIC_NONE, /* not one of ours */
    MQTT_TOPIC_CONTROL,
    MQTT_TOPIC_SERVER_PRESENCE,
    MQTT_TOPIC_SERVER_CHANGES,
    MQTT_TOPIC_CLIENT_PRESENCE,
    MQTT_TOPIC_CLIENT_CHANGES,
    MQTT_TOPIC_RPC,
};

/* The parts of a topic, pieces of its text; empty where the kind has none. */
struct mqtt_topic {
    enum mqtt_topic_kind kind;
    struct skr_span client, server, name;
};

/* An id: 1 to MQTT_ID bytes of UTF-8 without '/', '+', '#' and control characters. "presence" and "capability" are none:
 * the device's control topic would be another's presence. */
bool mqtt_topic_is_id(struct skr_span id);

/* A name: levels like ids, separated by '/', none of them empty, MQTT_NAME bytes in all. */
bool mqtt_topic_is_name(struct skr_span name);

/* Takes a topic apart. MQTT_TOPIC_NONE for one that is not ours or has a part that is no id or no name. */
struct mqtt_topic mqtt_topic_parse(const char *topic);

/* Writes the topic of this kind. Parts that the kind does not have may be NULL. A part may also be a wildcard, "+" as an id, "+"
 * or "#" as the last level of a name, to make a filter. Every part must have been checked, or be a literal. */
void mqtt_topic_write(char to[MQTT_TOPIC], enum mqtt_topic_kind kind, const char *client, const char *server,
                      const char *name);

#endif
