/* update_skr.h -- limits of the Pico whose manual can be replaced: the smallest profile, with updates and what they need. */

#define SKR_PROFILE_TINY
#define SKR_CHANGES 1
#define SKR_UPDATE 1
