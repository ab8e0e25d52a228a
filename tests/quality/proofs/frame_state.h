/* frame_state.h -- every state that a struct skr_frame can be in, by the invariants of port/uart/frame.c. The proofs show
 * that no call leaves them, so they hold after any number of calls. */
#ifndef SKR_FRAME_STATE_H
#define SKR_FRAME_STATE_H

#include "proof.h"

#include "frame.h"

#define HEAD_AND_CRC 10

/* Any checksum may come out, so every frame may be taken for whole, and for damaged. */
uint32_t crc_contract(uint32_t crc, uint8_t byte)
{
    (void)crc;
    (void)byte;
    return nondet_u32();
}

static uint8_t rx[BOUND], tx[BOUND];

static bool frame_is_sound(const struct skr_frame *f)
{
    unsigned in = (uint8_t)(f->in_head[1] - 0x20), out = (uint8_t)(f->out_head[1] - 0x20);

    return f->rx == rx && f->tx == tx && f->rx_size == BOUND && f->tx_size == BOUND && f->held <= f->rx_size &&
           f->taken <= f->held && f->state <= SKR_FRAME_ON && f->in <= 2 && f->polls <= SKR_UART_POLLS &&
           (uint16_t)(f->sent - f->acked) <= (uint16_t)(f->end - f->acked) && /* (1) */
           (uint16_t)(f->end - f->acked) <= f->tx_size &&
           (f->in == 0 || f->in_at < 2 || (in <= f->rx_size && f->in_at < HEAD_AND_CRC + in)) &&
           (f->out_at == 0xFF || (out <= f->tx_size && f->out_at < HEAD_AND_CRC + out));
}

static struct skr_frame any_frame(void)
{
    struct skr_frame f;

    f.rx = rx;
    f.tx = tx;
    __CPROVER_havoc_object(rx);
    __CPROVER_havoc_object(tx);
    ASSUME(frame_is_sound(&f));
    return f;
}

#endif
