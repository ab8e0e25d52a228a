/* tls_config.h -- every limit of port/tls, with its reason.
 *
 * Each may be set on the compiler's command line, to the same value for everything that is linked together. A board's
 * key and certificate are not set here: struct skr_tls_identity. */
#ifndef SKR_TLS_CONFIG_H
#define SKR_TLS_CONFIG_H

#include "skr_config.h"

/* Bytes of a record besides its data, as BearSSL counts it for every cipher it knows. It refuses buffers with less than
 * 512 bytes more. */
#define SKR_TLS_IN_OVERHEAD 325
#define SKR_TLS_OUT_OVERHEAD 85

/* ---- How much, per connection ---- */

/* The buffer for a record from the peer, which must be complete before any of it can be trusted. No client in use
 * can be told to send shorter records, and most send headers and body of a request in one. 2,048 is twice the
 * longest request that profile net accepts, and leaves 1 KB for headers. A longer record gets 413. A PC has
 * room for the longest record of TLS. */
#ifndef SKR_TLS_IN
#define SKR_TLS_IN (SKR_BY_PROFILE(2048, 2048, 2048, 16384) + SKR_TLS_IN_OVERHEAD)
#endif

/* The buffer for a record to the peer: the least that BearSSL accepts. A longer response takes more records, each with 29
 * bytes of its own. */
#ifndef SKR_TLS_OUT
#define SKR_TLS_OUT (SKR_BY_PROFILE(512, 512, 512, 16384) + SKR_TLS_OUT_OVERHEAD)
#endif

/* Certificates that are sent: the device's own, one that signed it, and one more. A root is not sent: clients have it. */
#ifndef SKR_TLS_CHAIN
#define SKR_TLS_CHAIN 3
#endif

/* Random bytes that a connection starts with. BearSSL derives all it needs from them; its generator has no more than 32
 * bytes of state. */
#define SKR_TLS_SEED 32

/* ---- Ciphers ---- */

/* ECDHE-ECDSA with ChaCha20-Poly1305 is always there. 1 adds AES-128-GCM, for peers without ChaCha20 in TLS 1.2:
 * 3.8 KB of flash. */
#ifndef SKR_TLS_AES
#define SKR_TLS_AES SKR_BY_PROFILE(0, 0, 0, 1)
#endif

/* The width of multiplications, in bits, that take the same time for all values: 15 or 31. On Cortex-M0, M0+ and M3 the
 * time of a long multiplication depends on its operands, which would reveal bits of the private key. On Cortex-M4, M33
 * and later, and on PCs, it does not. 15 takes 3.4 KB of flash more. */
#ifndef SKR_TLS_MULTIPLY
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_8M_BASE__)
#define SKR_TLS_MULTIPLY 15
#else
#define SKR_TLS_MULTIPLY 31
#endif
#endif

/* BearSSL's P-256 with such multiplications, and its verification of an ECDSA signature. */
#if SKR_TLS_MULTIPLY == 15
#define SKR_TLS_P256 br_ec_p256_m15
#define SKR_TLS_VERIFY br_ecdsa_i15_vrfy_raw
#else
#define SKR_TLS_P256 br_ec_p256_m31
#define SKR_TLS_VERIFY br_ecdsa_i31_vrfy_raw
#endif

/* ---- Limits that must agree ---- */

#if SKR_TLS_IN < 512 + SKR_TLS_IN_OVERHEAD || SKR_TLS_OUT < 512 + SKR_TLS_OUT_OVERHEAD
#error "SKR_TLS_IN, SKR_TLS_OUT: BearSSL needs at least 837 and 597 bytes"
#endif
#if SKR_TLS_CHAIN < 1
#error "SKR_TLS_CHAIN: at least 1, the device's own certificate"
#endif
#if SKR_TLS_MULTIPLY != 15 && SKR_TLS_MULTIPLY != 31
#error "SKR_TLS_MULTIPLY: 15 or 31"
#endif

#endif
