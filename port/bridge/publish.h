/* publish.h -- `skillrom bridge --mqtt`: the devices of the bridge, published on a broker (port/mqtt). */
#ifndef SKR_BRIDGE_PUBLISH_H
#define SKR_BRIDGE_PUBLISH_H

#include "../mqtt/mqtt_config.h"
#include "call.h"

#define SKR_PUBLISH_FDS                                                                                                \
    (SKR_MQTT_CLIENTS + 2) /* descriptors: the broker, every client, and the publisher's own connection */

/* Begins, if the command line wants it. False after a message. */
bool skr_publish_open(const struct skr_bridge_call *call);

/* In every turn of the bridge: whether a device is there; moves messages. */
void skr_publish_turn(bool there, uint64_t now_ms);

/* What the device carries may have changed. */
void skr_publish_changed(void);

/* What to wait for; returns how many descriptors. And for how many ms. */
unsigned skr_publish_wants(int fds[SKR_PUBLISH_FDS], short events[SKR_PUBLISH_FDS]);
uint32_t skr_publish_wait_ms(uint64_t now_ms);

/* The bridge ends: tells the broker. */
void skr_publish_end(void);

#endif
