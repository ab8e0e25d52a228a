/* net_skr.h -- the profile of a microcontroller with lwIP and HTTP: profile small, with the sizes
 * that let four connections, lwIP and the stack fit into 24 KB. A board's net_skr.h includes it. */
#ifndef NET_SKR_H
#define NET_SKR_H

#define SKR_PROFILE_SMALL

/* The released skills extension; the dialects before it are 6.4 KB, and in net_full_skr.h. */
#ifndef SKR_DIALECT_B
#define SKR_DIALECT_B 0
#define SKR_DIALECT_C 0
#define SKR_DIALECT_D 0
#define SKR_DIALECT_E 0
#define SKR_DIALECT_F 0
#endif

/* Handlers that ask the client or tell it things: 5.9 KB, and 0.8 KB of RAM for each run; likewise there. */
#ifndef SKR_ASK
#define SKR_ASK 0
#define SKR_NOTES 0
#define SKR_RESUME 0
#define SKR_PARAMS 0
#endif

#ifndef SKR_REQUEST_MAX
#define SKR_REQUEST_MAX 1024
#define SKR_TOKENS 64
#define SKR_OUTPUT_MAX 384
#define SKR_JOBS 1
#define SKR_JOB_OUTPUT_MAX 512
#define SKR_JOB_TEXT 64
#define SKR_JOB_STATE 32
#endif

/* What is shorter goes through the scratch buffer, so that lwIP gets few and long pieces. */
#define SKR_TX_DIRECT 128
#define SKR_TX_SPANS 2

#endif
