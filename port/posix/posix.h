/* posix.h -- run a device's server as a POSIX program: over stdin and stdout,
 * HTTP, or raw TCP.
 *
 * skillromd is this call around a device without tools of its own, examples/device/main.c around
 * the example. A product that wants to run on a PC writes the same three lines around its own struct
 * skr_device, and has every option of skillromd. */
#ifndef SKR_POSIX_H
#define SKR_POSIX_H

#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads the command line (`skillromd --help` tells what it may hold), loads the
 * image, and serves until the input ends or a signal comes. Returns the exit
 * code: 0 well, 1 the input is wrong, 2 the call is wrong. Uses no heap. Call it
 * once: the connections are static. */
int skr_posix_main(const struct skr_device *device, int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
