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

/* To be called in every turn of the loop. `in_use`: skr_conn_uses_old_image is true for some connection. Until it is
 * false, nothing is erased. */
static inline void skr_server_update_turn(struct skr_server_update *u, bool in_use)
{
    u->in_use = u->in_use && in_use;
}

#ifdef __cplusplus
}
#endif

#endif
