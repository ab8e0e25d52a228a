/* board_skr.h -- limits of the MPS2 board, the one for measuring: those of the smallest parts. */

#define SKR_PROFILE_TINY
