/* net_full_skr.h -- every dialect of skills, and handlers that ask questions, report progress and become tasks:
 * everything the PC server has, in all of this chip's 64 KB of RAM. */

#define SKR_PROFILE_FULL
#define SKR_OAUTH 0   /* no clock to check tokens by */
#define SKR_DEFLATE 0 /* 12.5 KB for each of its seven connections */
#define SKR_ALARMS 1  /* what its connections leave */
