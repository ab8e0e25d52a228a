/* hosts.h -- who may use this server over HTTP: the names by which clients may address it, and their tokens. */
#ifndef SKR_HOSTS_H
#define SKR_HOSTS_H

#include "address.h"
#include "options.h"

struct posix_hosts {
    const struct posix_options *options;
    const struct skr_sockets *net; /* listening already */
    void (*refused)(const struct skr_conn *from, const char *header, struct skr_span value);
};

/* Prepares the server for HTTP, if it is served: allows the names and tokens given as options and the addresses it is
 * bound to. Call it once. False, after a message, when that fails. */
/* Reads the tokens again, if there are any. False: there are none, or the previous ones stay, after a message. */
bool posix_hosts_reload(const struct posix_options *options, struct skr_server *server);

bool posix_hosts_allow(const struct posix_hosts *hosts, struct skr_server *server);

#endif
