/* assert.h -- SKR_ASSERT(condition): an invariant, true whatever peers send and whatever a mounted image contains.
 *
 * Not for checking input: such checks are always compiled in. A violated invariant is a bug in skillrom, and stops the
 * program before memory is corrupted. Off unless SKR_ASSERTS is 1, as it is in every build of the tests; a board that
 * has a better way to stop can define SKR_ASSERT in its SKR_USER_CONFIG. */
#ifndef SKR_ASSERT_H
#define SKR_ASSERT_H

#include "skr_config.h"

#ifndef SKR_ASSERT
#if SKR_ASSERTS
#define SKR_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define SKR_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif
#endif

/* SKR_MISUSE(handler, rule): the firmware's handler of this name has broken a rule of skillrom.h, both as texts. The
 * tool call ends with an error that says so; a test build may define this in its SKR_USER_CONFIG, to stop where it
 * happens. */
#ifndef SKR_MISUSE
#define SKR_MISUSE(handler, rule) ((void)0)
#endif

#endif
