/* broker.c -- see broker.h. */
#include "broker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console.h"
#include "private.h"
#include "text/hex.h"
#include "url.h"

#define PLAIN_PORT 1883
#define TLS_PORT 8883

/* Copies text[0..n), with %40 as '@'. False when it does not fit, or has a NUL or a percent sign without two digits. */
static bool decode_percent(char *to, size_t room, const char *text, size_t n)
{
    size_t used = 0;

    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        if (c == '%') {
            int byte = n - i > 2 ? skr_hex_byte(text + i + 1) : -1;
            if (byte < 0) {
                return false;
            }
            c = (char)byte;
            i += 2;
        }
        if (c == '\0' || used + 1 >= room) {
            return false;
        }
        to[used++] = c;
    }
    to[used] = '\0';
    return true;
}

static const char *take_user(struct mqtt_broker *b, const char *text, size_t n)
{
    const char *colon = memchr(text, ':', n);
    size_t user_n = colon != NULL ? (size_t)(colon - text) : n;
    bool fits = decode_percent(b->user, sizeof b->user, text, user_n);

    if (fits && colon != NULL) {
        fits = decode_percent(b->password, sizeof b->password, colon + 1, n - user_n - 1);
    }
    return !fits                ? "the user or password is too long or has a % that is not followed by two hex digits"
           : b->user[0] == '\0' ? "a password needs a user; give mqtt://USER@HOST"
                                : NULL;
}

const char *mqtt_broker_parse(struct mqtt_broker *b, const char *url)
{
    struct host_url parts;

    b->tls = strncmp(url, "mqtts://", 8) == 0;
    if (!b->tls && strncmp(url, "mqtt://", 7) != 0) {
        return "give mqtt://HOST[:PORT], or mqtts://HOST[:PORT] for TLS";
    }
    if (host_url_parse(&parts, url, b->tls ? 8 : 7) != NULL || strlen(parts.host) >= sizeof b->host) {
        return "not a broker; give a URL such as mqtts://broker.local:8883, with a port from 1 to 65535";
    }
    b->url = url;
    b->user[0] = b->password[0] = '\0';
    b->port = parts.port != 0 ? parts.port : b->tls ? TLS_PORT : PLAIN_PORT;
    strcpy(b->host, parts.host);
    int n = snprintf(b->shown, sizeof b->shown, "mqtt%s://", b->tls ? "s" : "");
    host_url_authority(&parts, b->port, b->shown + n, sizeof b->shown - (size_t)n);
    if (parts.path[0] != '\0' && strcmp(parts.path, "/") != 0) {
        return "a broker has no path; give mqtts://HOST[:PORT]";
    }
    return parts.user != NULL ? take_user(b, parts.user, parts.user_n) : NULL;
}

bool mqtt_take_broker(void *broker, const char *name, const char *url)
{
    const char *error = mqtt_broker_parse(broker, url);
    const char *at = strrchr(url, '@'); /* a password may stand before it */

    if (error != NULL) {
        host_log("%s: %s: %s", name, at != NULL ? at + 1 : url, error);
    }
    return error == NULL;
}

/* The first line of a file that other users cannot read. */
static bool read_password(struct mqtt_broker *b)
{
    bool shared;
    ssize_t n = host_private_read(b->password_file, b->password, sizeof b->password, &shared);

    if (n < 0) {
        return false;
    }
    if (shared) {
        host_log("%s: other users can read this password; run chmod 600 on it", b->password_file);
        return false;
    }
    size_t length = 0;
    while (length < (size_t)n && strchr("\r\n", b->password[length]) == NULL) { /* strchr also stops at a NUL */
        length++;
    }
    if (length == 0 || length == sizeof b->password) {
        host_log("%s: not a password; give a line of 1 to %u bytes", b->password_file,
                 (unsigned)sizeof b->password - 1);
        return false;
    }
    b->password[length] = '\0';
    return true;
}

bool mqtt_broker_check(const struct mqtt_broker *b)
{
    if (!b->tls && (b->ca_file != NULL || b->cert_file != NULL || b->key_file != NULL)) {
        host_log("--mqtt-ca-file, --mqtt-cert and --mqtt-key need mqtts://; the broker is %s", b->shown);
        return false;
    }
    if ((b->cert_file == NULL) != (b->key_file == NULL)) {
        host_log("--mqtt-cert and --mqtt-key are only valid together; give both");
        return false;
    }
    if (b->password_file != NULL && b->user[0] == '\0') {
        host_log("--mqtt-password-file: no user; give one in the URL of the broker, mqtts://USER@%s", b->host);
        return false;
    }
    return true;
}

bool mqtt_broker_password(struct mqtt_broker *b)
{
    const char *variable = getenv("SKILLROM_MQTT_PASSWORD");

    if (b->password_file != NULL) {
        return read_password(b);
    }
    if (b->password[0] == '\0' && b->user[0] != '\0' && variable != NULL) {
        if (strlen(variable) >= sizeof b->password) {
            host_log("SKILLROM_MQTT_PASSWORD: too long; at most %u bytes", (unsigned)sizeof b->password - 1);
            return false;
        }
        strcpy(b->password, variable);
    }
    return true;
}
