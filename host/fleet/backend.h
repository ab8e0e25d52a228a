/* front.h -- the fleet as the core sees it: a device with an image of its own, whose tools and skills are those of others. */
#ifndef SKR_FLEET_FRONT_H
#define SKR_FLEET_FRONT_H

#include "skillrom.h"

extern struct skr_server fleet_server;

/* Initialises it. False, after a message, when the system has no random bytes. */
bool fleet_backend_open(void);

/* In every turn: tells clients of lists that have changed. */
void fleet_backend_turn(void);

#endif
