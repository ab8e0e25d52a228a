/* broker.h -- the address and credentials of a broker: the URL and the options that every command on MQTT shares. */
#ifndef SKR_MQTT_BROKER_H
#define SKR_MQTT_BROKER_H

#include <stdbool.h>
#include <stdint.h>

#include "cmdline.h"
#include "mqtt_config.h"

/* All zeros before options are read. */
struct mqtt_broker {
    const char *url; /* as given; messages show `shown` instead; NULL: none was given */
    bool tls;
    char host[MQTT_HOST]; /* without brackets */
    uint16_t port;
    char user[MQTT_USER];             /* empty: no user */
    char password[MQTT_PASSWORD];     /* empty: none */
    char shown[MQTT_HOST + 24];       /* "mqtts://host:8883": for messages */
    const char *ca_file;              /* NULL: the authorities of this system */
    const char *cert_file, *key_file; /* NULL: none */
    const char *password_file;        /* NULL: none */
};

/* Reads mqtt://[USER[:PASSWORD]@]HOST[:PORT] or mqtts://...; %40 in a user's name or password is '@'. Returns NULL, or
 * an error for a message. */
const char *mqtt_broker_parse(struct mqtt_broker *b, const char *url);

/* Likewise for an option or operand: false after a message (host_take_fn). */
bool mqtt_take_broker(void *broker, const char *name, const char *url);

/* After all options: mqtt_broker_check refuses those that contradict each other; mqtt_broker_password reads the password from its
 * file or the variable SKILLROM_MQTT_PASSWORD. False after a message; the first is a wrong command line, the second bad input. */
bool mqtt_broker_check(const struct mqtt_broker *b);
bool mqtt_broker_password(struct mqtt_broker *b);

/* Rows for the options besides the URL; `member` is the struct mqtt_broker in the command's struct. */
/* clang-format off */
#define MQTT_BROKER_ROWS(options, member)                                                                             \
    HOST_TEXT("--mqtt-ca-file", "FILE", options, member.ca_file,                                                           \
        "mqtts: certificate authorities of the broker, PEM (those of this system)"),    \
    HOST_TEXT("--mqtt-cert", "FILE", options, member.cert_file, "mqtts: client certificate, PEM, for brokers that require one"), \
    HOST_TEXT("--mqtt-key", "FILE", options, member.key_file, "mqtts: its private key (PEM)"),                             \
    HOST_TEXT("--mqtt-password-file", "FILE", options, member.password_file,                                               \
        "password of the user in the URL of the broker; or set SKILLROM_MQTT_PASSWORD")
/* clang-format on */

#endif
