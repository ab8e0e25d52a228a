/* bridge.h -- `skillrom bridge`: a serial device as an ordinary MCP server. */
#ifndef SKR_BRIDGE_H
#define SKR_BRIDGE_H

/* Serves until the client on stdin leaves or a signal arrives. argv[0] is "bridge". Returns the exit code: 0 success,
 * 1 bad input, 2 usage error. Uses no heap. */
int skr_bridge_main(int argc, char **argv);

/* What `skillrom bridge --help` prints after "usage: skillrom bridge ". */
extern const char skr_bridge_help[];

#endif
