/* stored.h -- files that a device sends as they lie in its image, deflated. */
#ifndef SKR_STORED_H
#define SKR_STORED_H

#include "relay.h"

/* Asks for it in a resources/read: a member of _meta that only devices of this project know. */
void skr_stored_ask(struct skr_request *q);

/* Makes of an answer with a stored file the one that plain clients get. It lies in in[0..n) and may grow to `room`.
 * Its new length; 0 when it is damaged, and n when nothing is stored in it. */
size_t skr_stored_expand(char *in, size_t n, size_t room);

#endif
