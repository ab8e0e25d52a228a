/* hosts.h -- the names by which HTTP clients may address this server. */
#ifndef SKR_HOSTS_H
#define SKR_HOSTS_H

#include "listener.h"
#include "options.h"

struct skr_hosts {
    const struct skr_options *options;
    const struct skr_listener *listeners; /* open already */
    size_t listener_count;
    void (*refused)(const struct skr_conn *from, const char *header, struct skr_span value);
};

/* Prepares the server for HTTP: allows the names given as options and the addresses it is bound to. Call it once.
 * False, after a message, when that fails. */
bool skr_hosts_allow(const struct skr_hosts *hosts, struct skr_server *server);

#endif
