/* find.h -- `skillrom find`: devices that announce themselves in this network, by mDNS (RFC 6762) and DNS-SD (RFC 6763).
 *
 * The type of service is _mcp._tcp. TXT has path=/mcp, and tls=1 where it is https. */
#ifndef SKR_FIND_H
#define SKR_FIND_H

int bridge_find_main(int argc, char **argv);

#endif
