/* devices.h -- the devices of a command line: serial ports and URLs, the options about them, and a transport to each. */
#ifndef TRANSPORT_DEVICES_H
#define TRANSPORT_DEVICES_H

#include "../../port/posix/endpoint.h"
#include "../../port/posix/options.h"
#include "cmdline.h"
#include "target.h"
#include "transport.h"
#include "trust.h"

#define TRANSPORT_DAY_MS 86400000

struct transport_devices {
    size_t count;
    char paths[TRANSPORT_DEVICES][POSIX_PATH]; /* as the user calls them */
    char names[TRANSPORT_DEVICES][64];
    struct transport_target targets[TRANSPORT_DEVICES]; /* of those on a network */
    uint32_t bauds[TRANSPORT_DEVICES];                  /* given with a serial port; 0 for --baud */
    uint32_t baud;                                      /* 0 tries the usual ones */
    bool plain;                                         /* never request the reliable mode */
    bool alone;                                         /* do not share a serial port with other bridges */
    const char *token;                                  /* for a device at a URL; NULL sends none */
    struct skr_tls_trust trust;                         /* for devices at https:// */
    bool bad_file; /* an option names an unusable file: bad input, not a wrong command line */
    uint32_t wait_ms, response_ms;
};

/* Rows of a command line whose struct `type` has a struct transport_devices as `member`. */
/* clang-format off */
#define TRANSPORT_ROWS(type, member)                                                                                  \
    HOST_TAKE_IN("--baud", "N", type, member.baud, posix_take_baud,                                                   \
        "speed of a serial line; by default the usual ones are tried"),                                               \
    HOST_FLAG("--plain", type, member.plain, "use plain lines even if the device has the reliable mode"),             \
    HOST_TAKE_IN("--pin", "sha256:HEX", type, member.trust, transport_take_pin,                                       \
        "https: the fingerprint of the device's certificate; without it the actual fingerprint is printed"),          \
    HOST_TAKE_IN("--ca-file", "FILE", type, member, transport_take_authorities,                                       \
        "https: accept devices whose certificates these authorities (PEM) have signed; not needed with --pin"),       \
    HOST_TAKE_IN("--device-token", "FILE", type, member, transport_take_token_file,                                   \
        "a file whose only word is the token for a device at a URL; the variable SKILLROM_TOKEN has the token itself"),\
    HOST_TIME("--wait", type, member.wait_ms, 1, TRANSPORT_DAY_MS,                                          \
        "how long a request waits for a missing device (10s)"),                                                     \
    HOST_TIME("--response-timeout", type, member.response_ms, 1, TRANSPORT_DAY_MS,                                      \
        "how long a request waits for its response (65s)")
/* clang-format on */
bool transport_take_pin(void *trust, const char *name, const char *value);
bool transport_take_authorities(void *devices, const char *name, const char *value);
bool transport_take_token_file(void *devices, const char *name, const char *value);

/* Sets the defaults of the options. */
void transport_devices_init(struct transport_devices *d);

/* Adds a device: [NAME=]TTY[,BAUD] or [NAME=]URL. False after a message. */
bool transport_devices_add(struct transport_devices *d, const char *word);

/* Checks that token and pin fit the devices. False after a message. */
bool transport_devices_check(struct transport_devices *d);

/* Checks that no path is something else than a serial port; a missing port may still appear. False after a message. */
bool transport_devices_check_ports(const struct transport_devices *d);

/* Initialises the transport to device i. `d` must outlive it. */
struct transport *transport_devices_open(struct transport_devices *d, size_t i);

#endif
