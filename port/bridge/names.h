/* names.h -- several devices as one server: whose a name is.
 *
 * Each device has a name of its own, from the command line or its port's. To clients
 *     tools and prompts   run_dose             are   pump_run_dose
 *     URIs                skill://daily-check        skill://pump/daily-check
 * and lists go on from one device to the next by their cursors, so that nothing has to be
 * put together here. With one device nothing is changed. */
#ifndef SKR_NAMES_H
#define SKR_NAMES_H

#include "relay.h"

/* The devices, which have their names. */
void skr_names_init(struct skr_relay *relays, size_t count);

/* Which device the request in q->text is for; its text is changed to what that device knows.
 * NULL: none, and q holds the error that says so. */
struct skr_relay *skr_names_route(struct skr_request *q);

/* q->value is what the device answered: makes it what clients know. */
void skr_names_result(struct skr_request *q);

/* Puts the device's name in front of the ids of tasks in a JSON text. Its new length. */
size_t skr_names_tasks(const struct skr_relay *r, char *text, size_t n, size_t room);

/* q->value is a device's answer. If it was asked for all, with initialize or server/discover:
 * adds what it says to what others have said; an error adds nothing. The device to ask next;
 * NULL: none, and q->value speaks for all. */
struct skr_relay *skr_names_introduce(struct skr_request *q);

#endif
