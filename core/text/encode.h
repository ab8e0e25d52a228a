/* encode.h -- bytes as JSON text, as much of them as there is room for (encode.c).
 *
 * What is made of a character is made whole or not at all. */
#ifndef SKR_ENCODE_H
#define SKR_ENCODE_H

#include "skillrom.h"

/* Bytes on their way: `used` of from[0..n) have become `made` bytes of out[0..room). */
struct skr_encoding {
    const char *from;
    size_t n;
    size_t used;
    char *out;
    size_t room;
    size_t made;
#if SKR_TALK
    bool url; /* skri_encode_base64: the digits that URLs may have, and no padding */
#endif
};

/* UTF-8 text, as the inside of a JSON string. */
void skri_encode_text(struct skr_encoding *e);

/* The same of bytes that may be no text: a bad one becomes U+FFFD. Without `controls`
 * control characters but tab and newline are left out. */
void skri_encode_any(struct skr_encoding *e, bool controls);

/* Two lower-case hex digits for each byte. */
void skri_encode_hex(struct skr_encoding *e);

/* Base64; with `last` the final group is padded and made. */
void skri_encode_base64(struct skr_encoding *e, struct skr_carry *carry, bool last);

/* Back from base64; false when it is none or has no room. Strict: padding is required, with `url`
 * refused, and nothing foreign may stand in it (HDR-05). */
bool skri_decode_base64(struct skr_span in, bool url, char *out, size_t room, size_t *length);

/* A number in decimal, whole or not at all. */
void skri_encode_number(struct skr_encoding *e, uint32_t value);

#endif
