#include "esp_event.h"

extern esp_event_base_t const WIFI_EVENT;
enum { WIFI_EVENT_STA_START = 2, WIFI_EVENT_STA_DISCONNECTED = 5 };
typedef enum { WIFI_MODE_STA = 1 } wifi_mode_t;
typedef struct {
    int magic;
} wifi_init_config_t;
#define WIFI_INIT_CONFIG_DEFAULT()                                                                                     \
    {                                                                                                                  \
        0x1F2F3F4F                                                                                                     \
    }

esp_err_t esp_wifi_init(const wifi_init_config_t *config);
esp_err_t esp_wifi_set_mode(wifi_mode_t mode);
esp_err_t esp_wifi_start(void);
esp_err_t esp_wifi_connect(void);
