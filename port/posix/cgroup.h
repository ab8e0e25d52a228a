/* cgroup.h -- one limit on the memory of all processes of a run together, where this system lets
 * the server set one (cgroup.c). */
#ifndef SKR_CGROUP_H
#define SKR_CGROUP_H

#include <stdbool.h>

/* Finds out whether groups can be made. posix_cgroup_give_up: they turned out not to work. */
void posix_cgroup_find(void);
void posix_cgroup_give_up(void);
bool posix_cgroup_can(void);

/* Makes a group for a run and returns its number, from 1; 0 if none can be made. */
unsigned posix_cgroup_make(void);

/* In the child: puts itself, and so whatever it starts, into the group. */
bool posix_cgroup_enter(unsigned group);

/* True when the system has ended a process of the group because its memory was used up. */
bool posix_cgroup_ran_out(unsigned group);

/* Removes it. False as long as a process in it has not ended. */
bool posix_cgroup_remove(unsigned group);

#endif
