/* board_skr.h -- the smallest profile, with updates and what they need. */

#define SKR_PROFILE_TINY
#define SKR_CHANGES 1
#define SKR_UPDATE 1
