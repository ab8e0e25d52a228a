#include <stdbool.h>

#include "esp_err.h"

typedef struct {
    int unused;
} network_prov_scheme_t;
typedef struct {
    void (*event_cb)(void *user_data);
    void *user_data;
} network_prov_event_handler_t;
#define NETWORK_PROV_EVENT_HANDLER_NONE                                                                                \
    {                                                                                                                  \
        NULL, NULL                                                                                                     \
    }
typedef struct {
    network_prov_scheme_t scheme;
    network_prov_event_handler_t scheme_event_handler;
} network_prov_mgr_config_t;
typedef enum {
    NETWORK_PROV_SECURITY_0,
#ifdef CONFIG_ESP_PROTOCOMM_SUPPORT_SECURITY_VERSION_1
    NETWORK_PROV_SECURITY_1
#endif
} network_prov_security_t;

esp_err_t network_prov_mgr_init(network_prov_mgr_config_t config);
esp_err_t network_prov_mgr_is_wifi_provisioned(bool *provisioned);
esp_err_t network_prov_mgr_start_provisioning(network_prov_security_t security, const void *parameters,
                                              const char *name, const char *key);
void network_prov_mgr_wait(void);
esp_err_t network_prov_mgr_deinit(void);
