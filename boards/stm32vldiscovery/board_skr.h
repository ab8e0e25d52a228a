/* board_skr.h -- limits of the STM32VLDISCOVERY: 8 KB of RAM, so those of the smallest profile. */

#define SKR_PROFILE_TINY
