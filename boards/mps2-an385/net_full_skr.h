/* net_full_skr.h -- everything, with the limits of a PC, on a Cortex-M3 with lwIP: so the tests for the PC can run
 * here. */

#define SKR_PROFILE_HOST
