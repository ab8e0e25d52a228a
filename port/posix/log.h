/* log.h -- the log of requests on stderr (--log), one line for each:
 *
 *     skillromd: alice tools/call run_dose 200 ok 312 bytes 4 ms
 */
#ifndef SKR_POSIX_LOG_H
#define SKR_POSIX_LOG_H

#include "address.h"
#include "options.h"

#define POSIX_LOG_HELP                                                                                                 \
    "log each finished request on stderr: who sent it (the name of its token, or its address), its method "            \
    "and what it is about, how it ended, the bytes sent, and the time it took"

/* Starts it, if the options ask for it. `who` writes where a connection comes from; NULL: there is only one, which is
 * `alone`. */
void posix_log_start(struct skr_server *server, const struct posix_options *options, const char *alone,
                     void (*who)(const struct skr_conn *from, char who[POSIX_ADDRESS_WHO]));

#endif
