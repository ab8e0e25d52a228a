/* changes.h -- how often lists have become others: clients are told in the next turn (fleet.c). */
#ifndef SKR_FLEET_CHANGES_H
#define SKR_FLEET_CHANGES_H

#include <stdint.h>

/* Skills and resources: a build has been learned, or a device has come back with another one. */
extern uint32_t fleet_list_changes;

#endif
