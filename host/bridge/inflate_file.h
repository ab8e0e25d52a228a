/* stored.h -- files that a device sends in the compressed form they have in its image. */
#ifndef SKR_STORED_H
#define SKR_STORED_H

#include "relay.h"

/* Turns an answer with a compressed file into the one that clients expect. It is in[0..n) and may grow to `room`.
 * Returns its new length; 0 if it is damaged, n if it contains no compressed file. */
size_t bridge_inflate_file_expand(char *in, size_t n, size_t room);

#endif
