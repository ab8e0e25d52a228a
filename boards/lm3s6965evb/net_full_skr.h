/* net_full_skr.h -- as net_skr.h, and with every dialect of skills: what a client on a PC may expect, this chip has. */

#define SKR_DIALECT_B 1
#define SKR_DIALECT_C 1
#define SKR_DIALECT_D 1
#define SKR_DIALECT_E 1
#define SKR_DIALECT_F 1

#include "net_skr.h"
