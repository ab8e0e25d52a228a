/* full_skr.h -- everything that a serial line can carry, with the limits of a PC, for which this board has the
 * memory: so the tests for the PC can run here, on a Cortex-M3. */

#define SKR_PROFILE_HOST
#define SKR_HTTP 0
