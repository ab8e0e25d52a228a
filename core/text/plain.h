/* plain.h -- runs of text without certain bytes. "Plain" is what needs no escape in a JSON string: no control
 * characters, quotes or backslashes. */
#ifndef SKR_PLAIN_H
#define SKR_PLAIN_H

#include "skillrom.h"

/* How many bytes at the front of text[0..n) are plain, ASCII and not DEL. */
size_t skr_plain_run(const char *text, size_t n);

/* Copies the plain bytes at the front of text[0..n); returns how many. More of out[0..n) may be overwritten. */
size_t skr_plain_copy(char *out, const char *text, size_t n);

#if SKR_HTTP
/* How many bytes at the front of text[0..n) are not control characters of ASCII; DEL does not count as one. */
size_t skr_print_run(const char *text, size_t n);
#endif

#endif
