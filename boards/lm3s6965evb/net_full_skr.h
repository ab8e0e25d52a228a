/* net_full_skr.h -- every dialect of skills, and handlers that ask questions, report progress and become tasks:
 * everything the PC server has, in all of this chip's 64 KB of RAM. */

#define SKR_DIALECT_B 1
#define SKR_DIALECT_C 1
#define SKR_DIALECT_D 1
#define SKR_DIALECT_E 1
#define SKR_DIALECT_F 1

#define SKR_ASK 1
#define SKR_NOTES 1
#define SKR_RESUME 1
#define SKR_PARAMS 4
#define SKR_TASKS 1
#define SKR_SWAP 1
#define SKR_STREAMS 4

#define SKR_REQUEST_MAX 2048
#define SKR_TOKENS 128
#define SKR_OUTPUT_MAX 512
#define SKR_JOBS 6
#define SKR_JOB_OUTPUT_MAX 2048
#define SKR_JOB_TEXT 96
#define SKR_JOB_STATE 64

#include "net_skr.h"
