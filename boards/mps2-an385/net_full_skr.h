/* net_full_skr.h -- everything, with the limits of a PC, on a Cortex-M3 with lwIP: what the tests of the PC expect
 * holds here as well. */

#define SKR_PROFILE_HOST
