/* changes.c -- see changes.h. */
#include "changes.h"

uint32_t skr_changes_of_lists;
