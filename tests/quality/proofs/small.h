/* small.h -- a server whose buffers and tables are small: what its code does at a limit does not depend on where that is, but the
 * solver's time does. Comes before any other header of the core, and sources are included, not
 * compiled beside, so that all of them see it. */
#ifndef SKR_PROOF_SMALL_H
#define SKR_PROOF_SMALL_H

#include "proof.h"

#include "skr_config.h"

#ifndef SMALL_REQUEST
#define SMALL_REQUEST 8
#endif
#ifndef SMALL_OUTPUT
#define SMALL_OUTPUT 12
#endif

#undef SKR_REQUEST_MAX
#define SKR_REQUEST_MAX SMALL_REQUEST
#undef SKR_TOKENS
#define SKR_TOKENS 4
#undef SKR_OUTPUT_MAX
#define SKR_OUTPUT_MAX SMALL_OUTPUT
#undef SKR_JOB_OUTPUT_MAX
#define SKR_JOB_OUTPUT_MAX 4
#undef SKR_JOB_MESSAGES
#define SKR_JOB_MESSAGES 4
#undef SKR_TX_SCRATCH
#define SKR_TX_SCRATCH 4
#undef SKR_WINDOW_MAX
#define SKR_WINDOW_MAX 4
#undef SKR_SUBSCRIPTIONS
#define SKR_SUBSCRIPTIONS 1
#undef SKR_SESSIONS
#define SKR_SESSIONS 2
#undef SKR_PARAMS
#define SKR_PARAMS 2

#include "skillrom.h"

#endif
