/* routing.h -- several devices as one server: routes each request to the device that its names belong to.
 *
 * Each device has a name, given on the command line or taken from its port. To clients
 *     tools and prompts   run_dose             are   pump_run_dose
 *     URIs                skill://daily-check        skill://pump/daily-check
 * and the cursor of a list leads from one device to the next, so that lists need not be merged here. With one device
 * nothing is changed. */
#ifndef BRIDGE_ROUTING_H
#define BRIDGE_ROUTING_H

#include "relay.h"

/* Sets the devices, which have their names already. */
void bridge_routing_init(struct bridge_relay *relays, size_t count);

/* Returns the device that the request in q->text is for, and removes the device's name from the text. NULL if there
 * is none; q then holds the error. */
struct bridge_relay *bridge_routing_route(struct bridge_request *q);

/* Adds the device's name to its response, q->value. */
void bridge_routing_result(struct bridge_request *q);

/* Puts the device's name before the task ids in a JSON text. Returns the new length. */
size_t bridge_routing_tasks(const struct bridge_relay *r, char *text, size_t n, size_t room);

/* Merges q->value, a device's response to initialize or server/discover, with those of the others; an error adds nothing.
 * Returns the next device for the request; NULL if none is left, and q->value is the response for all. Does nothing for other
 * methods. */
struct bridge_relay *bridge_routing_merge(struct bridge_request *q);

#endif
