/* cgroup.h -- one limit on the memory of all processes of a run together, where this system lets
 * the server set one (cgroup.c). */
#ifndef SKR_CGROUP_H
#define SKR_CGROUP_H

#include <stdbool.h>

/* Finds out whether groups can be made. skr_cgroup_give_up: they turned out not to work. */
void skr_cgroup_find(void);
void skr_cgroup_give_up(void);
bool skr_cgroup_can(void);

/* Makes a group for a run and returns its number, from 1; 0 if none can be made. */
unsigned skr_cgroup_make(void);

/* In the child: puts itself, and so whatever it starts, into the group. */
bool skr_cgroup_enter(unsigned group);

/* Has something in the group been ended because its memory was used up? */
bool skr_cgroup_ran_out(unsigned group);

/* Removes it. False as long as a process in it has not ended. */
bool skr_cgroup_remove(unsigned group);

#endif
