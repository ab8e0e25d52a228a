/* main.c -- the lamp on an ESP32's Wi-Fi, at http://lamp.local/mcp. */
#include "esp_err.h"
#include "esp_event.h"
#include "esp_log.h"
#include "esp_netif.h"
#include "esp_wifi.h"
#include "mdns.h"
#include "network_provisioning/manager.h"
#include "network_provisioning/scheme_softap.h"
#include "nvs_flash.h"
#include "skills.h"
#include "skr_esp_http.h"

extern const struct skr_device lamp_device;

static struct skr_server server;
static struct skr_esp_http net;

/* Joins the network, and again when it was lost. */
static void on_wifi(void *context, esp_event_base_t base, int32_t id, void *data)
{
    (void)context;
    (void)base;
    (void)data;
    if (id == WIFI_EVENT_STA_START || id == WIFI_EVENT_STA_DISCONNECTED) {
        esp_wifi_connect();
    }
}

/* The first time the network's name and password are asked for, at the access point "lamp": a phone with Espressif's app for
 * provisioning joins it. The proof of possession is printed on the device; give each device its own. */
static void join(void)
{
    static const char proof[] = "change-me";
    const network_prov_mgr_config_t config = {.scheme = network_prov_scheme_softap,
                                              .scheme_event_handler = NETWORK_PROV_EVENT_HANDLER_NONE};
    const wifi_init_config_t wifi = WIFI_INIT_CONFIG_DEFAULT();
    bool provisioned = false;

    ESP_ERROR_CHECK(esp_netif_init());
    ESP_ERROR_CHECK(esp_event_loop_create_default());
    esp_netif_create_default_wifi_sta();
    esp_netif_create_default_wifi_ap();
    ESP_ERROR_CHECK(esp_wifi_init(&wifi));
    ESP_ERROR_CHECK(network_prov_mgr_init(config));
    ESP_ERROR_CHECK(network_prov_mgr_is_wifi_provisioned(&provisioned));
    if (!provisioned) {
        ESP_ERROR_CHECK(network_prov_mgr_start_provisioning(NETWORK_PROV_SECURITY_1, proof, "lamp", NULL));
        network_prov_mgr_wait();
    }
    network_prov_mgr_deinit();
    ESP_ERROR_CHECK(esp_event_handler_register(WIFI_EVENT, ESP_EVENT_ANY_ID, on_wifi, NULL));
    ESP_ERROR_CHECK(esp_wifi_set_mode(WIFI_MODE_STA));
    ESP_ERROR_CHECK(esp_wifi_start());
    esp_wifi_connect();
}

static void announce(void)
{
    mdns_txt_item_t path = {"path", CONFIG_SKILLROM_HTTP_PATH};

    ESP_ERROR_CHECK(mdns_init());
    ESP_ERROR_CHECK(mdns_hostname_set("lamp"));
    ESP_ERROR_CHECK(mdns_service_add("lamp", "_mcp", "_tcp", CONFIG_SKILLROM_HTTP_PORT, &path, 1));
}

void app_main(void)
{
    ESP_ERROR_CHECK(nvs_flash_init());
    int error = skr_server_init(&server, &lamp_device, skills_image, skills_image_size);
    if (error == 0) {
        join();
        announce();
        error = skr_esp_http_serve(&net, &server);
    }
    ESP_LOGE("lamp", "not served, error %d", error);
}
