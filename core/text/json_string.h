/* json_string.h -- the inside of JSON strings: characters, escapes, and comparing escaped text. */
#ifndef SKR_JSON_STRING_H
#define SKR_JSON_STRING_H

#include "skillrom.h"

/* The control characters that have a one-letter escape, and these letters. */
#define SKR_JSON_ESCAPES 5
extern const char skr_json_letters[], skr_json_controls[];

/* Maps a character from one of these lists to the other; any other character is returned unchanged. */
char skr_json_exchange(char c, const char *from, const char *to);

/* 0 to 15; -1: not a hex digit. */
int skr_hex_digit(char c);

/* The length of the UTF-8 character that text[0..n) begins with, 0 when it is not valid. */
size_t skr_utf8_char(const char *text, size_t n);

/* Decodes the byte or escape at p into out, which has room for 4 bytes. Returns how many it wrote; *used gets how many
 * it read. Half a surrogate pair has no meaning and becomes U+FFFD. */
unsigned skr_json_decode(const char *p, const char *end, char *out, unsigned *used);

/* True when a string with this between its quotes decodes to `text`. */
bool skr_json_same_text(struct skr_span inside, struct skr_span text);

/* True when two ids, as they were written, are the same (RPC-03). Neither can be decoded in place: responses repeat
 * both as they came. */
bool skr_json_same_id(struct skr_span one, struct skr_span other);

#endif
