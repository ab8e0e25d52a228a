/* skr_esp_http.h -- serve HTTP over ESP-IDF's sockets (port/sockets).
 *
 *     static struct skr_esp_http net;
 *
 *     skr_esp_http_serve(&net, &server);
 *
 * Call it after nvs_flash_init, esp_netif_init, and the start of Wi-Fi or Bluetooth: before that the numbers of
 * esp_fill_random, of which session key and seed are made, can be guessed. Firmware without radio, as with Ethernet,
 * calls bootloader_random_enable first.
 *
 * The calling task sleeps in poll; handlers run on its stack. menuconfig has the port, the path, a host name, the number
 * of connections, and who may use it. A session key is made at the first start and kept in NVS, namespace "skillrom",
 * key "session_key"; tokens are read from the blob "tokens" there (port/access). */
#ifndef SKR_ESP_HTTP_H
#define SKR_ESP_HTTP_H

#include "../access/skr_access.h"
#include "../sockets/skr_sockets.h"
#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* You provide it; only these functions change it. */
struct skr_esp_http {
    struct skr_access access;
    struct skr_http_config http;
    struct skr_sockets net;
};

/* Prepares the server and listens. Returns 0, or the errno of the socket calls. */
int skr_esp_http_open(struct skr_esp_http *h, struct skr_server *server);

/* Likewise, and serves for ever. Returns only on failure. */
int skr_esp_http_serve(struct skr_esp_http *h, struct skr_server *server);

#ifdef __cplusplus
}
#endif

#endif
