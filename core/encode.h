/* encode.h -- bytes as JSON text, as much of them as there is room for (encode.c).
 *
 * What is made of a character is made whole or not at all. */
#ifndef SKR_ENCODE_H
#define SKR_ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SKR_NUMBER_MAX 10 /* digits */

/* Writes a number in decimal; returns its length. */
unsigned skr_put_number(char *out, uint32_t value);

/* Writes from[0..n) as the inside of a JSON string; *used gets how many bytes of it went.
 * Returns how many bytes were made. */
size_t skr_escape(const char *from, size_t n, char *out, size_t room, size_t *used);

/* Writes two lower-case hex digits for each of n bytes. */
void skr_put_hex(char *out, const char *from, size_t n);

#endif
