/* net_skr.h -- limits of a board with lwIP and HTTP: four connections, lwIP and the stack fit into 24 KB. */

#define SKR_PROFILE_NET
