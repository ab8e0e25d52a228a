/* posix.h -- run a device's server as a POSIX program: over stdin and stdout,
 * HTTP, or raw TCP.
 *
 * skillromd is this call with a device that has no tools of its own; examples/pump/main.c passes the example. For
 * a product that should run on a PC, write the same three lines with its own struct skr_device: it has every option of
 * skillromd. */
#ifndef SKR_POSIX_H
#define SKR_POSIX_H

#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the command line (see `skillromd --help`), loads the image, and serves until the input ends or a signal
 * arrives. Returns the exit code: 0 success, 1 failure, 2 wrong command line. Uses no heap. Call it once: the connections
 * are static. */
int skr_posix_main(const struct skr_device *device, int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
