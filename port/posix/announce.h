/* announce.h -- announces this server on the network over mDNS (RFC 6762, 6763): --announce NAME. */
#ifndef SKR_ANNOUNCE_H
#define SKR_ANNOUNCE_H

#include "options.h"

/* Starts to answer questions for _mcp._tcp.local with the name, the port of the first listener for HTTP that other machines
 * reach, and the address of the interface that they come from, on the interfaces that have one now. Its socket becomes the
 * side of posix_serve_net. Does nothing unless --announce was given. False, after a message. */
bool posix_announce_start(const struct posix_options *options, const struct skr_sockets *net);

#endif
