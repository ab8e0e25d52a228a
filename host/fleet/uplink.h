/* uplink.h -- the fleet's session with the broker: an MCP client for every device at once.
 *
 * Two subscriptions tell of all devices: announcements and changes. What a device sends to this client is subscribed to when
 * it is greeted, so that one that floods can be left out alone. Each connection to the broker has an id of its own: nothing
 * meant for an earlier one is taken for an answer.
 *
 * There are several connections (FLEET_LINES), and a device belongs to one of them for good. They are up and down together: if one
 * is lost, the others begin again, too. */
#ifndef SKR_FLEET_UPLINK_H
#define SKR_FLEET_UPLINK_H

#include "../mqtt/mqtt.h"
#include "registry.h"

/* What comes from the broker. */
struct fleet_uplink_events {
    void (*up)(uint64_t now_ms); /* connected: announcements follow */
    void (*down)(uint64_t now_ms);
    void (*online)(struct skr_span id, struct skr_span kind, struct skr_span message, uint64_t now_ms);
    void (*offline)(struct skr_span id, struct skr_span kind, uint64_t now_ms);
    void (*changed)(uint32_t device, uint64_t now_ms); /* it says that its lists have changed */
    void (*neighbour_lost)(uint64_t now_ms);           /* a broker behind ours */
    void (*message)(uint32_t device, struct skr_span message, uint64_t now_ms); /* JSON, compact */
    void (*noise)(uint32_t device, uint64_t now_ms);                            /* something else */
};

/* Begins. False, after a message, when this program cannot. */
bool fleet_uplink_open(const struct mqtt_broker *broker, const struct fleet_uplink_events *events, uint64_t now_ms);

/* Says farewell and ends. This may wait a moment. */
void fleet_uplink_close(void);

bool fleet_uplink_is_up(void);

/* False while the broker takes no more for this device: offer again in a later turn. */
bool fleet_uplink_has_room(const struct fleet_device *d);

/* Hears what a device sends to us, or does so no longer: a device that floods is not heard. */
void fleet_uplink_hear(const struct fleet_device *d, bool hear);

/* Sends a message to a device: its first one (initialize), and all others. MQTT_TOO_LARGE: more than the broker takes. */
enum mqtt_result fleet_uplink_greet(const struct fleet_device *d, struct skr_span message);
enum mqtt_result fleet_uplink_send(const struct fleet_device *d, struct skr_span message);

void fleet_uplink_turn(uint64_t now_ms);

/* What to wait for: the descriptors, FLEET_LINES at most, with poll's events. Returns how many. */
unsigned fleet_uplink_wants(int fds[], short events[]);
uint32_t fleet_uplink_wait_ms(uint64_t now_ms);

/* Payload bytes that have come and gone, announcements included. */
uint64_t fleet_uplink_received(void);
uint64_t fleet_uplink_sent(void);

#endif
