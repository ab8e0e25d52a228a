/* skr_esp_http.c -- see skr_esp_http.h. */
#include "skr_esp_http.h"

#include <errno.h>
#include <string.h>

#include "esp_random.h"
#include "nvs.h"
#include "sdkconfig.h"

#define NAMESPACE "skillrom"

/* Each descriptor is a socket, and the stack has no more than this. */
#if SKR_SOCKETS_DESCRIPTORS > CONFIG_LWIP_MAX_SOCKETS
#error "CONFIG_SKILLROM_CONNECTIONS: more than CONFIG_LWIP_MAX_SOCKETS allows"
#endif

/* ---- Where the session key and the tokens are ---- */

static size_t load(void *context, const char *name, void *to, size_t room)
{
    nvs_handle_t nvs;
    size_t n = room;

    (void)context;
    if (nvs_open(NAMESPACE, NVS_READONLY, &nvs) != ESP_OK) {
        return 0;
    }
    esp_err_t error = nvs_get_blob(nvs, name, to, &n);
    nvs_close(nvs);
    return error == ESP_OK ? n : 0;
}

static bool save(void *context, const char *name, const void *from, size_t n)
{
    nvs_handle_t nvs;

    (void)context;
    if (nvs_open(NAMESPACE, NVS_READWRITE, &nvs) != ESP_OK) {
        return false;
    }
    bool stored = nvs_set_blob(nvs, name, from, n) == ESP_OK && nvs_commit(nvs) == ESP_OK;
    nvs_close(nvs);
    return stored;
}

/* The radio makes these bytes random: see skr_esp_http.h for when it has to be on. */
static bool random_bytes(void *context, void *to, size_t n)
{
    (void)context;
    esp_fill_random(to, n);
    return true;
}

/* ---- Serving ---- */

int skr_esp_http_open(struct skr_esp_http *h, struct skr_server *server)
{
    static const struct skr_access_store store = {load, save, random_bytes, NULL};
    static const char *const host = CONFIG_SKILLROM_HTTP_HOST;
    const struct skr_sockets_endpoint where = {.address.port = CONFIG_SKILLROM_HTTP_PORT, .wire = SKR_HTTP_1};

    memset(&h->http, 0, sizeof h->http);
    h->http.path = CONFIG_SKILLROM_HTTP_PATH;
    h->http.hosts = &host;
    h->http.host_count = host[0] != '\0';
#ifdef CONFIG_SKILLROM_ANYONE
    h->http.anyone = true;
#endif
    if (!skr_access_open(&h->access, &store, &h->http)) {
        return EAGAIN;
    }
    skr_server_http(server, &h->http);
    skr_sockets_init(&h->net, server);
    return skr_sockets_listen(&h->net, &where);
}

int skr_esp_http_serve(struct skr_esp_http *h, struct skr_server *server)
{
    int error = skr_esp_http_open(h, server);

    while (error == 0) {
        error = skr_sockets_run_once(&h->net, -1);
    }
    return error;
}
