/* full_skr.h -- everything that a serial line can carry, with the limits of a PC, which this board has the memory for:
 * what the tests of the PC expect holds here as well, on a Cortex-M3. */

#define SKR_PROFILE_HOST
#define SKR_HTTP 0
