/* presence.h -- follows the announcements of the broker: devices that come, go, change, or share an id.
 *
 * Presence is only as reliable as the broker: an announcement is retained there, and removed by the device or by its will. Where
 * that is not enough, because a device died together with its broker, a probe finds out (requests.h). */
#ifndef SKR_FLEET_PRESENCE_H
#define SKR_FLEET_PRESENCE_H

#include "../mqtt/broker.h"
#include "registry.h"

/* Connects to the broker, and follows it from then on. False, after a message, when this program cannot. */
bool fleet_presence_open(const struct mqtt_broker *broker, uint64_t now_ms);

/* Probes devices that are due. Returns the milliseconds until the next call is due. */
uint32_t fleet_presence_turn(uint64_t now_ms);

#endif
