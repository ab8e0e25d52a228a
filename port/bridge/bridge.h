/* bridge.h -- `skillrom bridge`: a serial device as an ordinary MCP server. */
#ifndef SKR_BRIDGE_H
#define SKR_BRIDGE_H

/* Serves until the client on stdin leaves or a signal comes. argv[0] is "bridge". Returns the
 * exit code: 0 well, 1 the input is wrong, 2 the call is wrong. Uses no heap. */
int skr_bridge_main(int argc, char **argv);

/* What `skillrom bridge --help` prints behind "usage: skillrom bridge ". */
extern const char skr_bridge_help[];

#endif
