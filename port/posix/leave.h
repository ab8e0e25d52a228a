/* leave.h -- what a child of the server does on its way to become a sandbox (leave.c). A failure ends
 * it, with a word on stderr. */
#ifndef SKR_LEAVE_H
#define SKR_LEAVE_H

#include <sys/types.h>

#define SKR_NOBODY 65534

/* Says what cannot be done, with errno as the reason, and ends the child. */
void skr_give_up(const char *what) __attribute__((noreturn));

/* Lets go of all that the server has: session, keys, descriptors, user. `server` is its process, with whose end
 * the child ends; `group` is the child's control group (cgroup.h), or 0. */
void skr_leave_server(pid_t server, unsigned group);

/* Takes on the limits of posix_config.h, but for those that bubblewrap itself could not live with. */
void skr_leave_limits(void);

#endif
