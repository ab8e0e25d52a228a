/* net.c -- NVS as a folder, NVS in the environment; a network that is there, and components that have nothing to do. */
#define CONFIG_ESP_PROTOCOMM_SUPPORT_SECURITY_VERSION_1 1

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "esp_event.h"
#include "esp_netif.h"
#include "esp_random.h"
#include "esp_wifi.h"
#include "mdns.h"
#include "network_provisioning/manager.h"
#include "network_provisioning/scheme_softap.h"
#include "nvs.h"
#include "nvs_flash.h"

esp_event_base_t const WIFI_EVENT = "WIFI_EVENT";
const network_prov_scheme_t network_prov_scheme_softap;

static esp_event_handler_t on_wifi;

void esp_fill_random(void *to, size_t n)
{
    if (getrandom(to, n, 0) != (ssize_t)n) {
        abort();
    }
}

/* ---- NVS ---- */

static FILE *open_blob(const char *key, const char *mode)
{
    char path[4096];

    if (strlen(key) > 15) { /* NVS refuses longer ones */
        abort();
    }
    snprintf(path, sizeof path, "%s/%s", getenv("NVS"), key);
    return fopen(path, mode);
}

esp_err_t nvs_flash_init(void)
{
    return ESP_OK;
}

/* A namespace that nothing was written to cannot be opened for reading; here that is found out by the blob. */
esp_err_t nvs_open(const char *name, nvs_open_mode_t mode, nvs_handle_t *handle)
{
    *handle = mode;
    return strlen(name) <= 15 ? ESP_OK : ESP_FAIL;
}

esp_err_t nvs_get_blob(nvs_handle_t handle, const char *key, void *to, size_t *length)
{
    FILE *file = open_blob(key, "rb");

    (void)handle;
    if (file == NULL) {
        return ESP_FAIL;
    }
    size_t n = fread(to, 1, *length, file);
    bool whole = getc(file) == EOF;
    fclose(file);
    *length = n;
    return whole ? ESP_OK : ESP_FAIL;
}

esp_err_t nvs_set_blob(nvs_handle_t handle, const char *key, const void *from, size_t length)
{
    FILE *file = handle == NVS_READWRITE ? open_blob(key, "wb") : NULL;

    if (file == NULL || fwrite(from, 1, length, file) != length || fclose(file) != 0) {
        return ESP_FAIL;
    }
    return ESP_OK;
}

esp_err_t nvs_commit(nvs_handle_t handle)
{
    return handle == NVS_READWRITE ? ESP_OK : ESP_FAIL;
}

void nvs_close(nvs_handle_t handle)
{
    (void)handle;
}

/* ---- Wi-Fi ---- */

esp_err_t esp_event_loop_create_default(void)
{
    return ESP_OK;
}

esp_err_t esp_event_handler_register(esp_event_base_t base, int32_t id, esp_event_handler_t handler, void *arg)
{
    (void)id, (void)arg;
    on_wifi = handler;
    return base == WIFI_EVENT ? ESP_OK : ESP_FAIL;
}

esp_err_t esp_netif_init(void)
{
    return ESP_OK;
}

esp_netif_t *esp_netif_create_default_wifi_sta(void)
{
    return NULL;
}

esp_netif_t *esp_netif_create_default_wifi_ap(void)
{
    return NULL;
}

esp_err_t esp_wifi_init(const wifi_init_config_t *config)
{
    return config->magic == 0x1F2F3F4F ? ESP_OK : ESP_FAIL;
}

esp_err_t esp_wifi_set_mode(wifi_mode_t mode)
{
    return mode == WIFI_MODE_STA ? ESP_OK : ESP_FAIL;
}

esp_err_t esp_wifi_start(void)
{
    on_wifi(NULL, WIFI_EVENT, WIFI_EVENT_STA_START, NULL);
    return ESP_OK;
}

esp_err_t esp_wifi_connect(void)
{
    return ESP_OK;
}

/* ---- The registry's components ---- */

esp_err_t network_prov_mgr_init(network_prov_mgr_config_t config)
{
    (void)config;
    return ESP_OK;
}

esp_err_t network_prov_mgr_is_wifi_provisioned(bool *provisioned)
{
    *provisioned = false;
    return ESP_OK;
}

esp_err_t network_prov_mgr_start_provisioning(network_prov_security_t security, const void *parameters,
                                              const char *name, const char *key)
{
    (void)parameters, (void)name, (void)key;
    return security == NETWORK_PROV_SECURITY_1 ? ESP_OK : ESP_FAIL;
}

void network_prov_mgr_wait(void)
{
}

esp_err_t network_prov_mgr_deinit(void)
{
    return ESP_OK;
}

esp_err_t mdns_init(void)
{
    return ESP_OK;
}

esp_err_t mdns_hostname_set(const char *name)
{
    return strcmp(name, "lamp") == 0 ? ESP_OK : ESP_FAIL;
}

esp_err_t mdns_service_add(const char *instance, const char *service, const char *proto, uint16_t port,
                           mdns_txt_item_t txt[], size_t count)
{
    fprintf(stderr, "%s.%s.%s at port %u, %s=%s\n", instance, service, proto, (unsigned)port, txt[0].key, txt[0].value);
    return count == 1 ? ESP_OK : ESP_FAIL;
}
