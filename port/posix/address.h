/* address.h -- numeric socket addresses as text, in both directions. There is no name
 * look-up: it allocates, it can block, and a server is bound to an address. */
#ifndef SKR_ADDRESS_H
#define SKR_ADDRESS_H

#include "../sockets/skr_sockets.h"

/* "[" + the longest IPv6 address + "]" + NUL. */
#define POSIX_ADDRESS_TEXT (46 + 2)

/* Reads "127.0.0.1:7700", "[::1]:7700" or "localhost:7700", which is 127.0.0.1. */
bool posix_address_parse(struct skr_sockets_address *address, const char *text);

/* Writes the host part as in a URL or a Host header: an IPv6 address in brackets. `text` has room for
 * POSIX_ADDRESS_TEXT bytes. */
void posix_address_host(const struct skr_sockets_address *address, char *text);

/* Writes host and port, as in 127.0.0.1:40312. */
#define POSIX_ADDRESS_WHO (POSIX_ADDRESS_TEXT + 6)
void posix_address_who(const struct skr_sockets_address *address, char who[POSIX_ADDRESS_WHO]);

#endif
