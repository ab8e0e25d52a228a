/* listener.h -- an address of the options where clients arrive. */
#ifndef SKR_LISTENER_H
#define SKR_LISTENER_H

#include "options.h"

/* Listens there. False, after a message, when that fails. */
bool posix_listener_open(struct skr_sockets *net, const struct posix_listen *wanted);

/* Prints where clients are served: `serving 3 skills, 2 tools at <url>`. `address` has the port that was chosen for 0. */
void posix_listener_announce(const struct posix_listen *listen, const struct skr_sockets_address *address,
                             const char *what, const struct posix_options *options);

#endif
