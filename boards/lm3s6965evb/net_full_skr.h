/* net_full_skr.h -- every dialect of skills, and handlers that ask, tell and become tasks: what a client on a PC may
 * expect, this chip has, in all of its 64 KB of RAM. */

#define SKR_PROFILE_FULL
#define SKR_DEFLATE 0 /* 12.5 KB for each of its seven connections */
