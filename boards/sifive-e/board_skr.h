/* board_skr.h -- limits of the FE310: those of the smallest profile, as on the Cortex-M boards it is compared with. */

#define SKR_PROFILE_TINY
