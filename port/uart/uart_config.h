/* uart_config.h -- every number of the serial port's reliable mode, with its reason.
 *
 * Each may be set on the compiler's command line, or in the header that
 * SKR_USER_CONFIG names (core/skr_config.h reads it). The defaults fit a device
 * with a receive buffer of 256 bytes and cost it less than 300 bytes of RAM. */
#ifndef SKR_UART_CONFIG_H
#define SKR_UART_CONFIG_H

#include "skr_config.h"

/* 0: the main loop of boards/common speaks plain lines through the core alone, and nothing of port/uart
 * is linked: 2 KB of flash and 300 bytes of RAM less. */
#ifndef SKR_UART_RELIABLE
#define SKR_UART_RELIABLE 1
#endif

/* The receive buffer between the UART's interrupt and skr_uart_rx, in bytes. The
 * host never has more on its way than fits there (see the sum below). */
#ifndef SKR_UART_RX_BUFFER
#define SKR_UART_RX_BUFFER 256
#endif

/* Payload of one frame to the device; a byte that has to be escaped counts twice. It is also
 * the memory a frame takes until its checksum has been verified. */
#ifndef SKR_UART_RX_FRAME
#define SKR_UART_RX_FRAME 64
#endif

/* Bytes of responses that have been sent but not acknowledged; a power of two. It should be the line rate times the
 * round trip time: 128 keep 115200 baud busy for 11 ms. A device with RAM to spare takes more if the host's adapter
 * is slow. */
#ifndef SKR_UART_TX_WINDOW
#define SKR_UART_TX_WINDOW 128
#endif

/* Payload of one frame from the device: half the window, so that one is on the
 * line while the one before is being acknowledged. */
#ifndef SKR_UART_TX_FRAME
#define SKR_UART_TX_FRAME (SKR_UART_TX_WINDOW / 2 < 223 ? SKR_UART_TX_WINDOW / 2 : 223)
#endif

/* Frames with payload that may be unacknowledged at a time. Each is acknowledged by one frame, and those need room in
 * the sender's receive buffer. */
#ifndef SKR_UART_FRAMES_OPEN
#define SKR_UART_FRAMES_OPEN 3
#endif

/* POLLs to a silent peer, each after four times the previous wait: with a first wait of 200 ms the last of five is
 * sent after 68 s. Then the peer is considered gone. */
#ifndef SKR_UART_POLLS
#define SKR_UART_POLLS 5
#endif

/* A host that has been silent for this long is gone, and the device goes back to plain lines, so that a terminal
 * works. A live host sends a POLL every few seconds when it has nothing else to send. */
#ifndef SKR_UART_SILENCE_MS
#define SKR_UART_SILENCE_MS 30000
#endif

/* Part of the device's identity (docs/reference/serial-protocol.md). Change it when the responses of your
 * firmware change although image, tools and resources do not. */
#ifndef SKR_UART_BUILD
#define SKR_UART_BUILD 0
#endif

/* ---- Limits that must agree ---- */

#define SKR_UART_BARE_FRAME 19 /* the most bytes on the line that a frame has around its payload */

/* A handler that blocks for a minute finds all of this waiting when it returns: one frame, the
 * acknowledgements of its own frames, one AGAIN, and the POLLs. None of it may be lost. */
#if SKR_UART_RX_FRAME + SKR_UART_BARE_FRAME * (1 + SKR_UART_FRAMES_OPEN + 1 + SKR_UART_POLLS) > SKR_UART_RX_BUFFER
#error "SKR_UART_RX_FRAME: what the host may send to a busy device must fit SKR_UART_RX_BUFFER"
#endif
#if SKR_UART_TX_WINDOW < 64 || (SKR_UART_TX_WINDOW & (SKR_UART_TX_WINDOW - 1)) || SKR_UART_TX_WINDOW > 16384
#error "SKR_UART_TX_WINDOW: a power of two from 64 to 16384"
#endif
#if SKR_UART_RX_FRAME < 16 || SKR_UART_RX_FRAME > 223 || SKR_UART_TX_FRAME < 16 || SKR_UART_TX_FRAME > 223
#error "SKR_UART_RX_FRAME, SKR_UART_TX_FRAME: from 16 to 223; a frame's length is one byte"
#endif

#endif
