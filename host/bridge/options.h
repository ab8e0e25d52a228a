/* call.h -- the command line of `skillrom bridge`. */
#ifndef SKR_BRIDGE_CALL_H
#define SKR_BRIDGE_CALL_H

#include "../mqtt/broker.h"
#include "../../port/posix/options.h"
#include "cmdline.h"
#include "bridge_config.h"
#include "target.h"
#include "trust.h"

struct bridge_options {
    char paths[BRIDGE_DEVICES][POSIX_PATH];
    struct bridge_target targets[BRIDGE_DEVICES]; /* of those on a network */
    const char *token;                             /* for those; NULL: none */
    struct skr_tls_trust trust;                    /* which of them, at https://, are accepted */
    uint32_t bauds[BRIDGE_DEVICES];            /* 0: try the usual ones */
    char names[BRIDGE_DEVICES][64];
    size_t device_count;
    uint32_t baud; /* --baud, for devices given without a speed */
    bool plain;
    bool alone; /* do not share the port with other bridges */
    bool json;  /* of `skillrom call` */
    bool quiet;
    bool no_changes;
    bool list;
    bool bad_file; /* an option names a file that cannot be used: bad input, not a wrong command line */
    bool no_cache;
    const char *cache; /* folder; NULL: the default */
    uint32_t cache_mb;
    uint32_t wait_ms, answer_ms, poll_ms;
    struct mqtt_broker mqtt; /* where to publish; all zeros: nowhere */
    const char *id, *mqtt_name;  /* there; NULL: none was given */
    struct posix_options net;      /* options for the loop of port/posix */
};

/* Options about the way to a device, which the bridge and `skillrom call` share. */
/* clang-format off */
#define BRIDGE_DEVICE_ROWS                                                                                         \
    HOST_TAKE_IN("--baud", "N", struct bridge_options, baud, posix_take_baud,                                            \
        "speed of a serial line; by default the usual ones are tried"),                                                \
    HOST_FLAG("--plain", struct bridge_options, plain, "use plain lines even if the device has the reliable mode"),    \
    HOST_TAKE_IN("--pin", "sha256:HEX", struct bridge_options, trust, bridge_take_pin,                             \
        "https: the fingerprint of the device's certificate; without it the fingerprint that is seen is printed"),     \
    HOST_TAKE("--ca-file", "FILE", bridge_take_authorities,                                                         \
        "https: accept devices whose certificates these authorities (PEM) have signed; not needed with --pin"),        \
    HOST_TAKE_EACH("--token-file", "FILE", bridge_take_token_file,                                                  \
        "a token, the only word in it, for a device at a URL that wants one; the variable SKILLROM_TOKEN does the "    \
        "same. For the bridge also a list that `skillrom token` writes: who may use --http")
/* clang-format on */
bool bridge_take_pin(void *trust, const char *name, const char *value);
bool bridge_take_authorities(void *call, const char *name, const char *value);
bool bridge_take_token_file(void *call, const char *name, const char *value);

/* A call with its defaults; a word that names a device; and whether tokens and pins fit the devices. The latter are false
 * after a message. */
void bridge_defaults(struct bridge_options *call);
bool bridge_take_device(struct bridge_options *call, const char *word);
bool bridge_check_devices(struct bridge_options *call);

/* Reads it. Returns 0 to go on; otherwise the exit code, after a message. */
int bridge_options_read(struct bridge_options *call, int argc, char **argv);

#endif
