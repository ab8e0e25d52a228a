/* assert.h -- SKR_ASSERT(condition): what is so however peers behave, and whatever an image holds that was mounted.
 *
 * No check of input: that is code that stays. It stops the program where one of ours is wrong, before memory is spoiled.
 * Off unless SKR_ASSERTS is 1, as it is in every build of the tests; or define SKR_ASSERT in the SKR_USER_CONFIG of a
 * board that has a better way to stop. */
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

#endif
