/* function: skr_frame_tx, _put, _taken, _tick, _hello, _welcome, _accept
 * property: any call in any state that is sound: the state stays sound, and nothing is written beside the buffers
 * bound:    24
 * unwind:   22
 * contracts: skr_crc_add:crc_contract payload_now:payload_contract
 * break:    port/uart/frame.c: (uint16_t)(f->end - f->acked) < f->tx_size) { -> true) {
 * break:    port/uart/frame.c: while (n < room) { -> while (n <= room) {
 */
#include "frame_state.h"

#include "../../../port/uart/frame.c"

/* At most what there is. */
uint8_t payload_contract(const struct skr_frame *f)
{
    uint8_t n = nondet_u8();

    ASSUME(n <= (uint16_t)(f->end - f->sent));
    return n;
}

int main(void)
{
    struct skr_frame f = any_frame();
    uint8_t bytes[2], identity[SKR_FRAME_IDENTITY];
    const uint8_t *payload;
    size_t n = nondet_size();

    switch (nondet_u8()) {
    case 0:
        ASSUME(n <= sizeof bytes);
        PROVE(skr_frame_tx(&f, bytes, n) <= n);
        break;
    case 1:
        ASSUME(n <= sizeof bytes);
        PROVE(skr_frame_put(&f, bytes, n) <= n);
        break;
    case 2:
        ASSUME(n <= skr_frame_payload(&f, &payload));
        PROVE(__CPROVER_r_ok(payload, n));
        skr_frame_taken(&f, n);
        break;
    case 3: (void)skr_frame_tick(&f, nondet_u32()); break;
    case 4: skr_frame_hello(&f, nondet_u16(), nondet_u16()); break;
    case 5: (void)skr_frame_welcome(&f); break;
    default: (void)skr_frame_accept(&f, identity); break;
    }
    PROVE(frame_is_sound(&f));
    return 0;
}
