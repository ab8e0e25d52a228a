/* siphash.h -- SipHash-2-4, which keeps peers from forging or guessing (siphash.c).
 *
 * Keyed with the seed from the port's entropy source, it makes ids that nobody can guess. It also makes the tag of a
 * state that a client keeps for us, which shows whether it comes back unchanged. */
#ifndef SKR_SIPHASH_H
#define SKR_SIPHASH_H

#include "skillrom.h"

/* A hash being computed. */
struct skr_sip {
    uint64_t v[4];
    uint64_t word; /* bytes added since the last eight were hashed */
    uint32_t n;    /* bytes added in all */
};

void skr_sip_start(struct skr_sip *s, const uint8_t key[16]);
void skr_sip_add(struct skr_sip *s, const void *bytes, size_t n);
uint64_t skr_sip_end(struct skr_sip *s);

/* An id that cannot be guessed, a different one for every `count`: 128 bits. */
void skr_seal_id(const uint8_t key[16], uint32_t count, uint32_t id[4]);

/* An id as 32 hex digits, and back; false when the text is not an id. */
void skr_id_text(const uint32_t id[4], char text[32]);
bool skr_id_read(struct skr_span text, uint32_t id[4]);

#endif
