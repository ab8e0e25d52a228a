/* publish.h -- `skillrom bridge --mqtt`: the devices of the bridge, published on a broker (host/mqtt). */
#ifndef SKR_BRIDGE_PUBLISH_H
#define SKR_BRIDGE_PUBLISH_H

#include "../mqtt/mqtt_config.h"
#include "options.h"

#define BRIDGE_PUBLISH_FDS                                                                                             \
    (MQTT_CLIENTS + 2) /* descriptors: the broker, every client, and the publisher's own connection */

/* Begins, if the command line wants it. False after a message. */
bool bridge_publish_open(const struct bridge_options *options);

/* In every turn of the bridge: whether a device is there; moves messages. */
void bridge_publish_turn(bool there, uint64_t now_ms);

/* What the device carries may have changed. */
void bridge_publish_changed(void);

/* What to wait for; returns how many descriptors. And for how many ms. */
unsigned bridge_publish_wants(int fds[BRIDGE_PUBLISH_FDS], short events[BRIDGE_PUBLISH_FDS]);
uint32_t bridge_publish_wait_ms(uint64_t now_ms);

/* The bridge ends: tells the broker. */
void bridge_publish_end(void);

#endif
