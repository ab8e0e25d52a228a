/* function: skr_frame_rx
 * property: any byte in any state that is sound: the state stays sound, and nothing is written beside the buffers
 * bound:    24
 * unwind:   20
 * contracts: skr_crc_add:crc_contract
 * sources:  port/uart/frame.c
 * break:    port/uart/frame.c: (uint8_t)(byte - LENGTH_BASE) > f->rx_size -> (uint8_t)(byte - LENGTH_BASE) > f->rx_size + 1
 * break:    port/uart/frame.c: if (more > (uint16_t)(f->end - f->acked)) { -> if (false) {
 */
#include "frame_state.h"

int main(void)
{
    struct skr_frame f = any_frame();

    (void)skr_frame_rx(&f, nondet_u8());
    PROVE(frame_is_sound(&f));
    return 0;
}
