/* encode.h -- encodes bytes as JSON text, as many as fit (encode.c).
 *
 * The encoding of a character is written whole or not at all. */
#ifndef SKR_ENCODE_H
#define SKR_ENCODE_H

#include "skillrom.h"

/* An encoding in progress: `used` of from[0..n) have become `made` bytes of out[0..room). */
struct skr_encoding {
    const char *from;
    size_t n;
    size_t used;
    char *out;
    size_t room;
    size_t made;
    bool url; /* skr_encode_base64, with SKR_INTERACTIVE: URL-safe digits, no padding */
};

/* UTF-8 text, escaped for the inside of a JSON string. */
void skr_encode_text(struct skr_encoding *e);

/* Likewise for bytes that may not be UTF-8: an invalid one becomes U+FFFD. Without `controls`, control characters other
 * than tab and newline are left out. */
void skr_encode_any(struct skr_encoding *e, bool controls);

/* Two lower-case hex digits for each byte. */
void skr_encode_hex(struct skr_encoding *e);

/* Base64. An incomplete group of three bytes waits in `carry`; with `last` it is padded and written. */
void skr_encode_base64(struct skr_encoding *e, struct skr_carry *carry, bool last);

/* Decodes base64; false when it is invalid or does not fit. Strict: padding is required, with `url` refused, and no
 * other characters are accepted (HDR-05). */
bool skr_decode_base64(struct skr_span in, bool url, char *out, size_t room, size_t *length);

/* A number in decimal, whole or not at all. */
void skr_encode_number(struct skr_encoding *e, uint32_t value);

#endif
