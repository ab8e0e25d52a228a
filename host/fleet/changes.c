/* changes.c -- see changes.h. */
#include "changes.h"

uint32_t fleet_list_changes;
