/* devices.c -- see devices.h. */
#include "devices.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console.h"
#include "http.h"
#include "private.h"
#include "serial.h"
#include "tcp.h"

/* ---- Tokens ---- */

static const char in_token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/=";

/* True if the word has only characters of a token (RFC 6750). */
static bool is_token(const char *word)
{
    return *word != '\0' && word[strspn(word, in_token)] == '\0';
}

/* Reads the file, which must belong to the user; no other user may have the right to read it. False after a message. */
static bool read_token_file(const char *path, char token[TRANSPORT_TOKEN])
{
    bool shared;
    ssize_t n = host_private_read(path, token, TRANSPORT_TOKEN - 1, &shared);

    if (n < 0) {
        return false;
    }
    token[n] = '\0';
    while (n > 0 && strchr(" \t\r\n", token[n - 1]) != NULL) {
        token[--n] = '\0';
    }
    if (!is_token(token)) {
        host_log("%s: not a token; the file must have one word, as `skillrom token NAME > FILE` writes it", path);
        return false;
    }
    if (shared) {
        host_log("%s: other users can read this token; run chmod 600 on it", path);
        return false;
    }
    return true;
}

/* ---- Options ---- */

bool transport_take_pin(void *into, const char *name, const char *value)
{
    (void)name;
    return transport_trust_pin(into, value);
}

bool transport_take_authorities(void *into, const char *name, const char *value)
{
    struct transport_devices *d = into;

    (void)name;
    d->bad_file = !transport_trust_file(&d->trust, value);
    return !d->bad_file;
}

bool transport_take_token_file(void *into, const char *name, const char *value)
{
    static char token[TRANSPORT_TOKEN];
    struct transport_devices *d = into;

    (void)name;
    d->bad_file = !read_token_file(value, token);
    d->token = token;
    return !d->bad_file;
}

void transport_devices_init(struct transport_devices *d)
{
    memset(d, 0, sizeof *d);
    d->wait_ms = TRANSPORT_WAIT_MS;
    d->response_ms = TRANSPORT_RESPONSE_MS;
}

/* ---- Devices ---- */

/* Sets a device's name: letters, digits and hyphens. */
static bool set_name(struct transport_devices *d, const char *word, size_t n)
{
    char *name = d->names[d->count];

    if (n == 0 || n >= sizeof d->names[0]) {
        host_log("%.*s: a device's name has 1 to %u characters; give it one, as in pump=/dev/ttyACM0", (int)n, word,
                 (unsigned)sizeof d->names[0] - 1);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        char c = word[i];
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        name[i] = good ? c : '-';
    }
    name[n] = '\0';
    for (size_t i = 0; i < d->count; i++) {
        if (strcmp(d->names[i], name) == 0) {
            host_log("%s: two devices have this name; give each its own, as in pump=/dev/ttyACM0", name);
            return false;
        }
    }
    return true;
}

/* Whether a path is a URL whose scheme was forgotten: pump.local, or 127.0.0.1:7700/mcp. */
static bool is_host(const char *path)
{
    return strchr("/.", *path) == NULL && strpbrk(path, ":.") != NULL && access(path, F_OK) != 0;
}

/* Sets the path of the device, without a speed, and its target if it is a URL. */
static bool set_path(struct transport_devices *d, const char *word, bool is_url)
{
    const char *comma = is_url ? NULL : strrchr(word, ',');
    size_t n = comma != NULL ? (size_t)(comma - word) : strlen(word), at = d->count;

    if (n == 0 || n >= sizeof d->paths[0]) {
        host_log("%s: not a serial port; give TTY or TTY,BAUD, as in /dev/ttyACM0,115200", word);
        return false;
    }
    if (comma != NULL && !posix_take_baud(&d->bauds[at], word, comma + 1)) {
        return false;
    }
    memcpy(d->paths[at], word, n);
    d->paths[at][n] = '\0';
    if (!is_url && is_host(d->paths[at])) {
        host_log("%s: no such file or serial port; give a device on the network as a URL, http://%s", word,
                 d->paths[at]);
        return false;
    }
    const char *wrong = is_url ? transport_target_parse(&d->targets[at], word) : NULL;
    if (wrong != NULL) {
        host_log("%s: %s", word, wrong);
    }
    return wrong == NULL;
}

bool transport_devices_add(struct transport_devices *d, const char *all)
{
    const char *equals = strchr(all, '='), *scheme = strstr(all, "://");

    equals = scheme == NULL || equals < scheme ? equals : NULL; /* a URL may have its own */
    const char *word = equals != NULL ? equals + 1 : all;
    if (d->count == TRANSPORT_DEVICES) {
        host_log("%s: at most %d devices can be served as one; leave one out", word, TRANSPORT_DEVICES);
        return false;
    }
    if (!set_path(d, word, scheme != NULL)) {
        return false;
    }
    const char *path = d->paths[d->count], *slash = strrchr(path, '/');
    const char *usual = scheme != NULL ? d->targets[d->count].host : slash != NULL ? slash + 1 : path;
    if (equals != NULL ? !set_name(d, all, (size_t)(equals - all)) : !set_name(d, usual, strlen(usual))) {
        return false;
    }
    d->count++;
    return true;
}

bool transport_devices_check(struct transport_devices *d)
{
    unsigned count = 0, secure = 0;
    const char *variable = getenv("SKILLROM_TOKEN");

    if (d->token == NULL && variable != NULL && *variable != '\0') {
        if (!is_token(variable)) {
            host_log("SKILLROM_TOKEN: not a token; a token has only letters, digits and -._~+/=");
            return false;
        }
        d->token = variable;
    }
    for (size_t i = 0; i < d->count; i++) {
        count += d->targets[i].scheme >= TRANSPORT_SCHEME_HTTP;
        secure += d->targets[i].scheme == TRANSPORT_SCHEME_HTTPS;
    }
    if (d->token != NULL && count > 1) {
        host_log("one token would be shown to %u devices; run a bridge for each", count);
        return false;
    }
    if (d->trust.pin != NULL && secure != 1) {
        host_log("--pin is for one device at https://, and there are %u", secure);
        return false;
    }
    return true;
}

bool transport_devices_check_ports(const struct transport_devices *d)
{
    for (size_t i = 0; i < d->count; i++) {
        if (d->targets[i].scheme != TRANSPORT_SCHEME_NONE) {
            continue;
        }
        int fd = open(d->paths[i], O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        bool other = fd >= 0 ? !isatty(fd) : errno == EISDIR;
        if (fd >= 0) {
            close(fd);
        }
        if (other) {
            host_log("%s: not a serial port; skillrom find shows those on USB", d->paths[i]);
            return false;
        }
    }
    return true;
}

/* ---- Transports ---- */

static struct transport *init_transport(struct transport_devices *d, size_t i)
{
    static struct transport_serial serial[TRANSPORT_DEVICES];
    static struct transport_tcp tcp[TRANSPORT_DEVICES];
    static struct transport_http http[TRANSPORT_DEVICES];

    switch (d->targets[i].scheme) {
    case TRANSPORT_SCHEME_TCP:
        tcp[i].target = d->targets[i];
        transport_tcp_init(&tcp[i]);
        return &tcp[i].base;
    case TRANSPORT_SCHEME_HTTP:
    case TRANSPORT_SCHEME_HTTPS:
        http[i].target = d->targets[i];
        http[i].token = d->token;
        http[i].trust = &d->trust;
        transport_http_init(&http[i]);
        return &http[i].base;
    default:
        serial[i].baud = d->bauds[i] != 0 ? d->bauds[i] : d->baud;
        serial[i].plain = d->plain;
        serial[i].alone = d->alone;
        transport_serial_init(&serial[i]);
        return &serial[i].base;
    }
}

struct transport *transport_devices_open(struct transport_devices *d, size_t i)
{
    struct transport *t = init_transport(d, i);

    t->path = d->paths[i];
    t->label = d->count > 1 ? d->names[i] : "device";
    t->quiet = host_console.quiet;
    return t;
}
