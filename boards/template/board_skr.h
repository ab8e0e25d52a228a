/* board_skr.h -- the board's profile, then single switches and limits of core/skr_config.h. */

#define SKR_PROFILE_TINY
