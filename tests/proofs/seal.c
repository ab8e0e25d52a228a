/* function: skri_id_read, skri_id_text, skri_sip_add
 * property: any text: an id is 32 hex digits and nothing else, and comes out as it went in
 * bound:    34
 * unwind:   36
 * sources:  core/text/seal.c
 * break:    core/text/seal.c: if (text.n != 32) { -> if (text.n > 32) {
 */
#include "proof.h"

#include "text/seal.h"

int main(void)
{
    size_t n = any_length();
    ANY_BYTES(text, n);
    uint32_t id[4];
    char back[32];
    if (skri_id_read((struct skr_span){text, n}, id)) {
        PROVE(n == 32);
        skri_id_text(id, back);
        PROVE(memcmp(back, text, 32) == 0);
    }
    struct skr_sip sip = {.n = nondet_u32()};
    size_t some = nondet_size();
    ASSUME(some <= 9 && some <= n);
    skri_sip_add(&sip, text, some);
    (void)skri_sip_end(&sip);
    return 0;
}
