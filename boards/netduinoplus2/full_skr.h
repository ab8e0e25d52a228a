/* full_skr.h -- everything that a serial line can carry: tools that take time, ask and report progress, tasks, prompts and
 * subscriptions, within the 192 KB of RAM that an STM32F405 has. */

#define SKR_PROFILE_FULL
#define SKR_HTTP 0
