/* reload.c -- see reload.h. */
#include "reload.h"

#include "say.h"
#include "serve.h"

void skr_reload_remark(const struct skr_reload *reload)
{
    if (reload->remark != NULL) {
        reload->remark(reload->server);
    }
}

/* Loads the file and hands it to the server. If anything is wrong with it, the previous image is still served. */
static void replace(struct skr_reload *reload)
{
    struct skr_image image;
    char what[64];

    if (!skr_image_load(&image, reload->path)) {
        skr_say("%s: not replaced; still serving the previous image", reload->path);
        return;
    }
    int error = skr_server_swap(reload->server, image.bytes, image.size);
    if (error != 0) {
        skr_say("%s: %s; still serving the previous image", reload->path, romfs_reason(error));
        skr_image_release(&image);
        return;
    }
    reload->old = reload->current;
    reload->current = image;
    skr_describe(reload->server, what, sizeof what);
    skr_say("%s: replaced; now serving %s", reload->path, what);
    skr_reload_remark(reload);
}

void skr_reload_turn(struct skr_reload *reload, bool in_use)
{
    if (in_use) {
        return;
    }
    if (reload->old.bytes != NULL) {
        skr_image_release(&reload->old);
    }
    if (reload->wanted) {
        reload->wanted = false;
        replace(reload);
    }
}
