/* names.h -- several devices as one server: which device a name belongs to.
 *
 * Each device has a name, given on the command line or taken from its port. To clients
 *     tools and prompts   run_dose             are   pump_run_dose
 *     URIs                skill://daily-check        skill://pump/daily-check
 * and the cursor of a list leads from one device to the next, so that lists need not be merged here. With one device
 * nothing is changed. */
#ifndef SKR_NAMES_H
#define SKR_NAMES_H

#include "relay.h"

/* Sets the devices, which have their names already. */
void bridge_routing_init(struct bridge_relay *relays, size_t count);

/* Returns the device that the request in q->text is for, and removes the device's name from the text. NULL: there is
 * none, and q holds the error. */
struct bridge_relay *bridge_routing_route(struct bridge_request *q);

/* q->value is what the device answered: adds the device's name to it. */
void bridge_routing_result(struct bridge_request *q);

/* Puts the device's name before the task ids in a JSON text. Returns the new length. */
size_t bridge_routing_tasks(const struct bridge_relay *r, char *text, size_t n, size_t room);

/* q->value is a device's answer. If the request was initialize or server/discover, which concern all devices: adds
 * the answer to those of the others; an error adds nothing. Returns the device to ask next; NULL: none is left, and
 * q->value is the answer for all. */
struct bridge_relay *bridge_routing_introduce(struct bridge_request *q);

#endif
