/* leave.h -- what a child of the server does before it becomes a sandbox (leave.c). A failure ends it, with a message
 * on stderr. */
#ifndef SKR_LEAVE_H
#define SKR_LEAVE_H

#include <sys/types.h>

#define POSIX_NOBODY 65534

/* Prints what cannot be done, with errno as the reason, and ends the child. */
void posix_give_up(const char *what) __attribute__((noreturn));

/* Gives up everything it has from the server: session, keys, descriptors, user. `server` is the server's process,
 * with which the child ends; `group` is the child's control group (cgroup.h), or 0. */
void posix_leave_server(pid_t server, unsigned group);

/* Sets the limits of posix_config.h, except those under which bubblewrap itself could not run. */
void posix_leave_limits(void);

#endif
