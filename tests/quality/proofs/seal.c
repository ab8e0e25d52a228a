/* function: skr_id_read, skr_id_text, skr_sip_add
 * property: any text: an id is 32 hex digits and nothing else, and comes out as it went in
 * bound:    34
 * unwind:   11
 * options:  --unwindset memcmp.0:34,skr_id_text.0:34
 * contracts: take_word:word_contract
 * break:    core/text/siphash.c: if (text.n != 32) { -> if (text.n > 32) {
 * break:    core/text/siphash.c: if (digit < 10 || digit > 15) { -> if (digit > 16) {
 * break:    core/text/siphash.c: s->n % 8 == 0 && n >= 8; -> s->n % 8 == 0 && n >= 7;
 */
#include "proof.h"

#include "../../../core/text/siphash.c"

/* Rounds of fixed length over four words. */
void word_contract(struct skr_sip *s)
{
    s->word = 0;
}

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    char digits[32], back[32]; /* of the only length that is looked at: a fixed one is quicker to prove */
    uint32_t id[4];
    struct skr_sip sip = {.n = nondet_u32()};
    switch (nondet_u8()) {
    case 0: PROVE(!skr_id_read((struct skr_span){text, n}, id) || n == 32); break;
    case 1:
        if (skr_id_read((struct skr_span){digits, sizeof digits}, id)) {
            skr_id_text(id, back);
            PROVE(memcmp(back, digits, sizeof back) == 0);
        }
        break;
    default:
        ASSUME(n <= 9);
        skr_sip_add(&sip, text, n);
        (void)skr_sip_end(&sip);
        break;
    }
    return 0;
}
