/* backend.h -- the fleet as the core's server: a device with an image, whose list of skills has those of all builds. */
#ifndef SKR_FLEET_BACKEND_H
#define SKR_FLEET_BACKEND_H

#include "skillrom.h"

extern struct skr_server fleet_server;

/* Initialises the server. False, after a message, when the system has no random bytes. */
bool fleet_backend_open(void);

/* Notifies clients of changed lists. */
void fleet_backend_turn(void);

#endif
