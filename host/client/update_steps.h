/* update_steps.h -- the requests that put a release on a device, one after the other. The caller sends them
 * (update_steps.c).
 *
 *     client_update_start(&u, &release, goal);
 *     while (client_update_next(&u, &request)) {
 *         ... send it, then client_update_result, client_update_error or client_update_lost
 *     }
 *     ... u.end and u.why tell how it ended
 *
 * Every request may be sent twice. After a lost connection the first one is status again, and the upload goes on where
 * it was. */
#ifndef CLIENT_UPDATE_STEPS_H
#define CLIENT_UPDATE_STEPS_H

#include "release.h"
#include "romfs.h"
#include "text/span.h"
#include "update_plan.h"

/* A release in a file, which stays mapped. */
struct client_release {
    const char *path;
    const uint8_t *file, *image;
    struct romfs_release head;
};

/* False, after a message, when the file is not a release, or its image is not the signed one. */
bool client_release_open(struct client_release *release, const char *path);

struct client_update_goal {
    bool check;   /* only whether the device can take the release */
    bool dry_run; /* only what would be sent */
    bool confirm; /* put it in force after reading a skill back; otherwise it stays on trial */
    bool revert;  /* end a trial instead */
    bool full;    /* send all bytes, even those that the device has */
};

enum client_update_end {
    CLIENT_UPDATE_GOES_ON,
    CLIENT_UPDATE_HAS, /* the release was in force already */
    CLIENT_UPDATE_CHECKED,
    CLIENT_UPDATE_PLANNED,
    CLIENT_UPDATE_ON_TRIAL,
    CLIENT_UPDATE_IN_FORCE,
    CLIENT_UPDATE_REVERTED,
    CLIENT_UPDATE_OTHER,  /* a device of another product, or without updates */
    CLIENT_UPDATE_UNFIT,  /* it cannot take this release, for the reason in `why`; nothing was changed */
    CLIENT_UPDATE_FAILED, /* for the reason in `why` */
};

enum client_update_step {
    CLIENT_STEP_STATUS,
    CLIENT_STEP_REVERT,
    CLIENT_STEP_COMPARE,
    CLIENT_STEP_BLOCKS,
    CLIENT_STEP_BEGIN,
    CLIENT_STEP_WRITE,
    CLIENT_STEP_COMMIT,
    CLIENT_STEP_READ,
    CLIENT_STEP_CONFIRM,
};

#define CLIENT_UPDATE_PARAMS 16384 /* a part in base64, or the URI of a skill */

struct client_update {
    /* for the owner to read */
    enum client_update_end end;
    char why[320];
    uint32_t offset;  /* bytes of the image that the device has */
    uint32_t resumed; /* how many it had when the upload began */
    uint32_t sent;    /* bytes of the image that were sent */
    uint32_t number;  /* of the release in force */

    /* of update_steps.c */
    const struct client_release *release;
    struct client_update_goal goal;
    enum client_update_step step;
    struct {
        uint32_t coming, room, unit, part, keys, min_key;
        bool trial, has_interface;
        uint8_t product[ROMFS_RELEASE_PRODUCT_SIZE], interface_id[ROMFS_INTERFACE_SIZE];
    } device;
    bool planned, begun;
    uint32_t blocks_at; /* where the next CRCs begin */
    uint32_t part;      /* bytes of the request that is pending, */
    bool copies;        /* which copies them */
    unsigned begins, losses;
    uint32_t lost_at; /* the largest offset at a loss */
    struct client_plan plan;
    char params[CLIENT_UPDATE_PARAMS];
};

struct client_update_request {
    const char *method;
    const char *params; /* a JSON object, valid until the response is given */
};

/* `release` must outlive u. */
void client_update_start(struct client_update *u, const struct client_release *release, struct client_update_goal goal);

/* The next request. False when the update has ended. */
bool client_update_next(struct client_update *u, struct client_update_request *request);

/* The outcome of the request: its result; the members of its error, of which the message is a JSON string; or none,
 * because the connection broke and the device may have acted on it. */
void client_update_result(struct client_update *u, struct skr_span result);
void client_update_error(struct client_update *u, int code, struct skr_span message);
void client_update_lost(struct client_update *u);

/* How many bytes are to be sent, after CLIENT_UPDATE_PLANNED. */
uint32_t client_update_planned(const struct client_update *u);

/* Ends it: no request can be sent. */
void client_update_give_up(struct client_update *u, const char *why);

#endif
