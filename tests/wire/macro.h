/* macro.h -- what is written short in a transcript and long on the wire. */
#ifndef WIRE_MACRO_H
#define WIRE_MACRO_H

#include "bytes.h"

struct macros {
    struct macro *at;
    size_t count;
};

/* Takes over value. False when the name is not made of capital letters, digits and _. */
bool macro_define(struct macros *m, const char *name, struct bytes *value);

/* Adds text to out with escapes resolved (if wanted), $NAME replaced and $(N*text)
 * repeated. $CURSOR, $SESSION and $LENGTH stay for later. NULL, or what is wrong. */
const char *macro_expand(const struct macros *m, const char *text, size_t n, bool escapes, struct bytes *out);

void macro_free(struct macros *m);

#endif
