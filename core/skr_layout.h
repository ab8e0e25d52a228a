/* skr_layout.h -- puts the layout of the structs into names, so that only code that agrees about it links.
 *
 * Program and core each compile struct skr_server and struct skr_conn. With different profiles or settings they would
 * disagree about the layout, link all the same, and corrupt each other's memory. So the functions that are first given
 * such a struct have a hash of the settings in the names that the linker sees; where the hashes differ it says
 *
 *     undefined reference to `skr_server_init_of_another_configuration_0110111010010110'
 *
 * Then build everything with the same -DSKR_... and the same SKR_USER_CONFIG. In sources the names are as in
 * skillrom.h, and the hash takes no memory. */
#ifndef SKR_LAYOUT_H
#define SKR_LAYOUT_H

#include "skr_config.h"

/* The profile, and every switch and size that changes the size of a struct or the offset of a member; tests/layout
 * finds a missing one. */
#define SKR_MIX(hash, value) ((hash)*1000003u + (value))
#define SKR_MIX_4(hash, a, b, c, d) SKR_MIX(SKR_MIX(SKR_MIX(SKR_MIX(hash, a), b), c), d)
#define SKR_LAYOUT_1 SKR_MIX_4(SKR_BY_PROFILE(1u, 2u, 3u, 4u), SKR_HTTP, SKR_EXTRAS, SKR_JOBS, SKR_INTERACTIVE)
#define SKR_LAYOUT_2 SKR_MIX_4(SKR_LAYOUT_1, SKR_TASKS, SKR_CHANGES, SKR_DIALECTS, SKR_DEFLATE)
#define SKR_LAYOUT_3 SKR_MIX_4(SKR_LAYOUT_2, SKR_REQUEST_MAX, SKR_TOKENS, SKR_OUTPUT_MAX, SKR_JOB_OUTPUT_MAX)
#define SKR_LAYOUT_4 SKR_MIX_4(SKR_LAYOUT_3, SKR_JOB_TEXT, SKR_JOB_STATE, SKR_TX_SCRATCH, SKR_TX_SPANS)
#define SKR_LAYOUT_5 SKR_MIX_4(SKR_LAYOUT_4, SKR_PARAMS, SKR_AUTH, SKR_OAUTH, SKR_UPDATE)
#define SKR_LAYOUT_6 SKR_MIX(SKR_MIX(SKR_LAYOUT_5, SKR_GUARD), SKR_EVENTS)
#define SKR_LAYOUT (SKR_LAYOUT_6 * 0x9E3779B97F4A7C15u >> 48)

/* Sixteen bits of that, as digits that can be part of a name. */
#if SKR_LAYOUT >> 0 & 1
#define SKR_DIGIT_0 1
#else
#define SKR_DIGIT_0 0
#endif
#if SKR_LAYOUT >> 1 & 1
#define SKR_DIGIT_1 1
#else
#define SKR_DIGIT_1 0
#endif
#if SKR_LAYOUT >> 2 & 1
#define SKR_DIGIT_2 1
#else
#define SKR_DIGIT_2 0
#endif
#if SKR_LAYOUT >> 3 & 1
#define SKR_DIGIT_3 1
#else
#define SKR_DIGIT_3 0
#endif
#if SKR_LAYOUT >> 4 & 1
#define SKR_DIGIT_4 1
#else
#define SKR_DIGIT_4 0
#endif
#if SKR_LAYOUT >> 5 & 1
#define SKR_DIGIT_5 1
#else
#define SKR_DIGIT_5 0
#endif
#if SKR_LAYOUT >> 6 & 1
#define SKR_DIGIT_6 1
#else
#define SKR_DIGIT_6 0
#endif
#if SKR_LAYOUT >> 7 & 1
#define SKR_DIGIT_7 1
#else
#define SKR_DIGIT_7 0
#endif
#if SKR_LAYOUT >> 8 & 1
#define SKR_DIGIT_8 1
#else
#define SKR_DIGIT_8 0
#endif
#if SKR_LAYOUT >> 9 & 1
#define SKR_DIGIT_9 1
#else
#define SKR_DIGIT_9 0
#endif
#if SKR_LAYOUT >> 10 & 1
#define SKR_DIGIT_10 1
#else
#define SKR_DIGIT_10 0
#endif
#if SKR_LAYOUT >> 11 & 1
#define SKR_DIGIT_11 1
#else
#define SKR_DIGIT_11 0
#endif
#if SKR_LAYOUT >> 12 & 1
#define SKR_DIGIT_12 1
#else
#define SKR_DIGIT_12 0
#endif
#if SKR_LAYOUT >> 13 & 1
#define SKR_DIGIT_13 1
#else
#define SKR_DIGIT_13 0
#endif
#if SKR_LAYOUT >> 14 & 1
#define SKR_DIGIT_14 1
#else
#define SKR_DIGIT_14 0
#endif
#if SKR_LAYOUT >> 15 & 1
#define SKR_DIGIT_15 1
#else
#define SKR_DIGIT_15 0
#endif

#define SKR_JOIN(name, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                                 \
    name##_of_another_configuration_##a##b##c##d##e##f##g##h##i##j##k##l##m##n##o##p
#define SKR_JOIN_EXPANDED(name, ...) SKR_JOIN(name, __VA_ARGS__)

/* The name that the linker sees. */
#define SKR_CONFIGURED(name)                                                                                           \
    SKR_JOIN_EXPANDED(name, SKR_DIGIT_15, SKR_DIGIT_14, SKR_DIGIT_13, SKR_DIGIT_12, SKR_DIGIT_11, SKR_DIGIT_10,        \
                      SKR_DIGIT_9, SKR_DIGIT_8, SKR_DIGIT_7, SKR_DIGIT_6, SKR_DIGIT_5, SKR_DIGIT_4, SKR_DIGIT_3,       \
                      SKR_DIGIT_2, SKR_DIGIT_1, SKR_DIGIT_0)

/* For a port whose struct also depends on numbers of its own; each is written as a plain number, without parentheses. */
#define SKR_JOIN_NUMBERS(name, a, b, c, d, e, f) name##_##a##_##b##_##c##_##d##_##e##_##f
#define SKR_JOIN_NUMBERS_EXPANDED(...) SKR_JOIN_NUMBERS(__VA_ARGS__)
#define SKR_CONFIGURED_FOR(name, a, b, c, d, e, f) SKR_JOIN_NUMBERS_EXPANDED(SKR_CONFIGURED(name), a, b, c, d, e, f)

#endif
