/* uplink.h -- the fleet's sessions with the broker: an MCP client of every device.
 *
 * Two subscriptions cover all devices: announcements and changes. The topic of a device's responses is subscribed to when the device
 * is initialized, so that one that floods can be left out alone. Each connection to the broker has a new id: nothing meant for an
 * earlier one is taken for a response.
 *
 * There are several connections (FLEET_CONNECTIONS), and a device belongs to one of them permanently. They are up and down together:
 * if one is lost, the others reconnect also. */
#ifndef SKR_FLEET_UPLINK_H
#define SKR_FLEET_UPLINK_H

#include "../mqtt/mqtt.h"
#include "registry.h"

/* Events from the broker. */
struct fleet_uplink_events {
    void (*up)(uint64_t now_ms); /* connected: announcements follow */
    void (*down)(uint64_t now_ms);
    void (*online)(struct skr_span id, struct skr_span kind, struct skr_span message, uint64_t now_ms);
    void (*offline)(struct skr_span id, struct skr_span kind, uint64_t now_ms);
    void (*changed)(uint32_t device, uint64_t now_ms);                          /* its lists have changed */
    void (*neighbour_lost)(uint64_t now_ms);                                    /* a joined broker */
    void (*message)(uint32_t device, struct skr_span message, uint64_t now_ms); /* JSON, compact */
    void (*unexpected)(uint32_t device, uint64_t now_ms);                       /* not JSON */
};

/* Connects, and notifies `events` from then on. False, after a message, when this program cannot. */
bool fleet_uplink_open(const struct mqtt_broker *broker, const struct fleet_uplink_events *events, uint64_t now_ms);

/* Notifies the devices (notifications/disconnected) and disconnects. This may wait a moment. */
void fleet_uplink_close(void);

bool fleet_uplink_is_up(void);

/* False while the broker takes no more messages for this device: try again in a later turn. */
bool fleet_uplink_has_room(const struct fleet_device *d);

/* Subscribes to the responses of a device, or unsubscribes. */
void fleet_uplink_subscribe(const struct fleet_device *d, bool on);

/* Sends a message to a device: initialize, or any other. MQTT_TOO_LARGE: more than the broker takes. */
enum mqtt_result fleet_uplink_initialize(const struct fleet_device *d, struct skr_span message);
enum mqtt_result fleet_uplink_send(const struct fleet_device *d, struct skr_span message);

void fleet_uplink_turn(uint64_t now_ms);

/* The descriptors to wait for, FLEET_CONNECTIONS at most, with poll's events. Returns their number. */
unsigned fleet_uplink_wants(int fds[], short events[]);
uint32_t fleet_uplink_wait_ms(uint64_t now_ms);

/* Payload bytes, announcements included. */
uint64_t fleet_uplink_received(void);
uint64_t fleet_uplink_sent(void);

#endif
