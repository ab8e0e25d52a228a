/* board_skr.h -- limits of the LM3S6965 board when it serves its UART alone: those of the smallest parts. */

#define SKR_PROFILE_TINY
