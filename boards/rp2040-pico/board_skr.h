/* board_skr.h -- limits of the Raspberry Pi Pico. It has the RAM for more; the smallest profile shows what is needed. */

#define SKR_PROFILE_TINY
