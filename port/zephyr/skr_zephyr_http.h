/* skr_zephyr_http.h -- serve HTTP over Zephyr's sockets (port/sockets).
 *
 *     static struct skr_zephyr_http net;
 *
 *     skr_zephyr_http_serve(&net, &server);
 *
 * The calling thread sleeps in zsock_poll; handlers run on its stack. Kconfig has the port, the path, the number of
 * connections, and who may use it. With CONFIG_SKILLROM_SETTINGS a session key is made at the first start and kept at
 * skillrom/session_key, and tokens are read from skillrom/tokens (port/access). */
#ifndef SKR_ZEPHYR_HTTP_H
#define SKR_ZEPHYR_HTTP_H

#include "../access/skr_access.h"
#include "../sockets/skr_sockets.h"
#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The system has no random bytes: nothing is served. errno values are positive. */
#define SKR_ZEPHYR_NO_RANDOM (-1)

/* You provide it; only these functions change it. */
struct skr_zephyr_http {
    struct skr_access access;
    struct skr_http_config http;
    struct skr_sockets net;
};

/* Prepares the server and listens. Returns 0, SKR_ZEPHYR_NO_RANDOM, or the errno of settings or sockets. */
int skr_zephyr_http_open(struct skr_zephyr_http *h, struct skr_server *server);

/* Likewise, and serves for ever. Returns only on failure. */
int skr_zephyr_http_serve(struct skr_zephyr_http *h, struct skr_server *server);

#ifdef __cplusplus
}
#endif

#endif
