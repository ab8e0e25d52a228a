/* board_skr.h -- limits of the Netduino Plus 2: those of the smallest profile. It has memory for larger ones. */

#define SKR_PROFILE_TINY
