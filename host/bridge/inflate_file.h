/* inflate_file.h -- inflates files that a device sends in the compressed form of its image. */
#ifndef BRIDGE_INFLATE_FILE_H
#define BRIDGE_INFLATE_FILE_H

#include "relay.h"

/* Inflates the compressed file in the response in[0..n), which may grow to `room`. Returns the new length; 0 if it is damaged,
 * n if the response has no compressed file. */
size_t bridge_inflate_file_expand(char *in, size_t n, size_t room);

#endif
