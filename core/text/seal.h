/* seal.h -- SipHash-2-4: what keeps peers from forging or guessing (seal.c).
 *
 * Keyed with the seed of the port's entropy, it makes ids that nobody guesses, and the
 * mark by which a state comes back unchanged from a client that kept it for us. */
#ifndef SKR_SEAL_H
#define SKR_SEAL_H

#include "skillrom.h"

/* A hash as far as it has come. */
struct skr_sip {
    uint64_t v[4];
    uint64_t word; /* bytes that do not make eight yet */
    uint32_t n;    /* bytes in all */
};

void skri_sip_start(struct skr_sip *s, const uint8_t key[16]);
void skri_sip_add(struct skr_sip *s, const void *bytes, size_t n);
uint64_t skri_sip_end(struct skr_sip *s);

/* What ids are for: each kind has its own row of them. */
enum skr_id_kind { SKR_ID_SESSION, SKR_ID_TASK };

/* Number `count` of a kind: 128 bits. */
void skri_seal_id(const uint8_t key[16], enum skr_id_kind kind, uint32_t count, uint32_t id[4]);

/* The same as 32 hex digits, and back; false when the text is no id. */
void skri_id_text(const uint32_t id[4], char text[32]);
bool skri_id_read(struct skr_span text, uint32_t id[4]);

#endif
