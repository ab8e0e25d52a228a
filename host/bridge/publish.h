/* publish.h -- `skillrom bridge --mqtt`: the devices of the bridge, published on a broker (host/mqtt). */
#ifndef BRIDGE_PUBLISH_H
#define BRIDGE_PUBLISH_H

#include "../mqtt/mqtt_config.h"
#include "options.h"

#define BRIDGE_PUBLISH_FDS                                                                                             \
    (MQTT_CLIENTS + 2) /* descriptors: the broker, every client, and the publisher's own connection */

/* Starts publishing, if --mqtt was given. False after a message. */
bool bridge_publish_open(const struct bridge_options *options);

/* Moves messages, in every turn of the bridge; `there` if a device is connected. */
void bridge_publish_turn(bool there, uint64_t now_ms);

/* Publishes again, because the device's content may have changed. */
void bridge_publish_changed(void);

/* The descriptors to wait for, of which the number is returned; and for how many ms. */
unsigned bridge_publish_wants(int fds[BRIDGE_PUBLISH_FDS], short events[BRIDGE_PUBLISH_FDS]);
uint32_t bridge_publish_wait_ms(uint64_t now_ms);

/* Disconnects from the broker. */
void bridge_publish_end(void);

#endif
