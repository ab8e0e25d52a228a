/* secrets.h -- yours: the network that the lamp joins. */
#define LAMP_SSID "network"
#define LAMP_PASSWORD "password"
