/* tls_config.h -- every limit of port/tls, with its reason.
 *
 * Each may be set on the compiler's command line, alike for all that is linked together. What a board has to say
 * beside these, its key and its certificate, is no limit: struct skr_tls_identity. */
#ifndef SKR_TLS_CONFIG_H
#define SKR_TLS_CONFIG_H

#include "skr_config.h"

/* What stands around the bytes of a record, as BearSSL counts it for every cipher it knows; it refuses buffers that do
 * not have 512 bytes beside. */
#define SKR_TLS_IN_OVERHEAD 325
#define SKR_TLS_OUT_OVERHEAD 85

/* ---- How much, per connection ---- */

/* The buffer for a record of the peer, which must be whole before a byte of it can be trusted. No client in use
 * lets itself be told to send shorter records, and most send headers and body of a request in one. 2,048 is twice the
 * longest request that profile net takes, and leaves 1 KB for headers. A longer record gets 413. A PC has
 * room for the longest there is. */
#ifndef SKR_TLS_IN
#define SKR_TLS_IN (SKR_BY_PROFILE(2048, 2048, 2048, 16384) + SKR_TLS_IN_OVERHEAD)
#endif

/* The buffer for a record of ours: the least there is. A longer answer is more records, 29 bytes each. */
#ifndef SKR_TLS_OUT
#define SKR_TLS_OUT (SKR_BY_PROFILE(512, 512, 512, 16384) + SKR_TLS_OUT_OVERHEAD)
#endif

/* Certificates that are sent: the device's own, one that signed it, and one more. A root stays at home. */
#ifndef SKR_TLS_CHAIN
#define SKR_TLS_CHAIN 3
#endif

/* Random bytes that a connection begins with. BearSSL makes all it needs of them; 32 are as many as its generator
 * remembers. */
#define SKR_TLS_SEED 32

/* ---- What there is ---- */

/* ECDHE-ECDSA with ChaCha20-Poly1305 is always there. 1 adds AES-128-GCM, for peers that do not have the other in
 * TLS 1.2: 3.8 KB of flash. */
#ifndef SKR_TLS_AES
#define SKR_TLS_AES SKR_BY_PROFILE(0, 0, 0, 1)
#endif

/* How wide factors may be whose product takes the same time whatever they are: 15 or 31 bits. Cortex-M0, M0+ and M3
 * have no long multiply of which that is true, and the private key would go through it. Cortex-M4, M33 and later have
 * one, and so have PCs. 15 takes 3.4 KB of flash more. */
#ifndef SKR_TLS_MULTIPLY
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_8M_BASE__)
#define SKR_TLS_MULTIPLY 15
#else
#define SKR_TLS_MULTIPLY 31
#endif
#endif

/* ---- Limits that must agree ---- */

#if SKR_TLS_IN < 512 + SKR_TLS_IN_OVERHEAD || SKR_TLS_OUT < 512 + SKR_TLS_OUT_OVERHEAD
#error "SKR_TLS_IN, SKR_TLS_OUT: BearSSL wants 837 and 597 bytes at least"
#endif
#if SKR_TLS_CHAIN < 1
#error "SKR_TLS_CHAIN: the device's own certificate at least"
#endif
#if SKR_TLS_MULTIPLY != 15 && SKR_TLS_MULTIPLY != 31
#error "SKR_TLS_MULTIPLY: 15 or 31"
#endif

#endif
