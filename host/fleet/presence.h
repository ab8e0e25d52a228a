/* presence.h -- what the broker tells of devices: they come, go, change, or share an id.
 *
 * Presence is believed as far as the broker's: an announcement is retained there, and taken back by the device or by its
 * will. Where that is not enough, because a device died together with its broker, it is found out by asking. */
#ifndef SKR_FLEET_PRESENCE_H
#define SKR_FLEET_PRESENCE_H

#include "../mqtt/broker.h"
#include "registry.h"

/* Connects to the broker, and follows what it tells from then on. False, after a message, when this program cannot. */
bool fleet_presence_open(const struct mqtt_broker *broker, uint64_t now_ms);

/* What is due. Returns in how many milliseconds it wants to be called again. */
uint32_t fleet_presence_turn(uint64_t now_ms);

#endif
