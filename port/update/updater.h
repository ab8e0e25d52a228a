/* updater.h -- updates over every transport: the methods skillrom/update/... of a server (updater.c).
 *
 *     static struct skr_update_config config = {...};
 *     static struct skr_server_update update;
 *
 *     const void *image = skr_server_update_open(&update, &config, &server, slots);
 *     skr_server_init(&server, &device, image, config.room);
 *     skr_server_update_start(&update);
 *     for (;;) {
 *         ...
 *         skr_server_update_turn(&update, skr_conn_uses_old_image(&conn));
 *     } */
#ifndef SKR_UPDATER_H
#define SKR_UPDATER_H

#include "skillrom.h"
#include "update.h"

#ifdef __cplusplus
extern "C" {
#endif

#if SKR_UPDATE

/* Its fields are private. */
struct skr_server_update {
    struct skr_updater updater;
    struct skr_update update;
    struct skr_server *server;
    const void *const *slots;
    bool in_use; /* a response may still use the slot that is not served */
};

/* Reads the records, after a reset. slots[i] is where slot i can be read in place. Returns the image to serve. */
const void *skr_server_update_open(struct skr_server_update *u, const struct skr_update_config *config,
                                   struct skr_server *server, const void *const slots[2]);

/* Offers the methods, after skr_server_init: clients are promised notifications of changes. */
void skr_server_update_start(struct skr_server_update *u);

/* To be called in every turn of the loop. `in_use`: skr_conn_uses_old_image is true for some connection; of a port with
 * connections of its own, skr_lwip_uses_old_image or skr_sockets_uses_old_image. Until it is false, nothing is
 * erased. */
static inline void skr_server_update_turn(struct skr_server_update *u, bool in_use)
{
    u->in_use = u->in_use && in_use;
}

/* For firmware that checks a release itself: true while one is on trial. A reset ends a trial. */
static inline bool skr_server_update_on_trial(const struct skr_server_update *u)
{
    return u->update.trial;
}

/* Puts the release on trial in force. Returns SKR_UPDATE_OK also when nothing is on trial. */
static inline enum skr_update_error skr_server_update_confirm(struct skr_server_update *u)
{
    return skr_update_confirm(&u->update, u->update.trial ? u->update.coming : u->update.number);
}

#endif

#ifdef __cplusplus
}
#endif

#endif
