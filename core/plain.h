/* plain.h -- how far text needs no attention in a JSON string. */
#ifndef SKR_PLAIN_H
#define SKR_PLAIN_H

#include "skillrom.h"

/* How many bytes at the front of text[0..n) are neither control characters, quotes nor
 * backslashes; with `ascii` the first byte above 0x7F ends the run, too. */
size_t skr_plain_run(const char *text, size_t n, bool ascii);

#endif
