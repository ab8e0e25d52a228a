/* reload.h -- replace the image while it is served (--reload).
 *
 * On SIGHUP, with --reload, the file is loaded again and replaces the current image. Responses that are being sent continue
 * with the older copy, which is released when the last of them has left; a second replacement
 * waits for that, because the core holds two images. */
#ifndef SKR_RELOAD_H
#define SKR_RELOAD_H

#include "../update/updater.h"
#include "image.h"
#include "skillrom.h"

#if !SKR_CHANGES
#error "port/posix: --reload needs SKR_CHANGES"
#endif

struct posix_reload {
    struct skr_server *server;
    const char *path;
    void (*remark)(const struct skr_server *server); /* prints further remarks about an image; may be NULL */
    bool wanted;                                     /* a signal has arrived and has not been handled yet */
    struct posix_image current;                      /* what is served */
    struct posix_image old;           /* what responses that are being sent may still use; bytes NULL: none */
    struct skr_server_update *update; /* with --update; otherwise NULL */
};

/* True while there is an older image that a response may still use. */
static inline bool posix_reload_holds(const struct posix_reload *reload)
{
    return reload->old.bytes != NULL || (reload->update != NULL && reload->update->in_use);
}

/* Releases the older image if possible, and loads a new one if requested. `in_use`: a
 * response from the older one is still being sent. */
void posix_reload_turn(struct posix_reload *reload, bool in_use);

/* SIGHUP also comes when the terminal is closed. True when the program had a terminal at the first call, and has none now. */
bool posix_reload_lost_terminal(void);

/* Calls `remark` for the image being served. To be called after the line that announces it, which must come first for
 * programs that wait for it. */
void posix_reload_remark(const struct posix_reload *reload);

/* Says why skr_server_init or skr_server_swap has refused the image at `path`, with the names of tools that do not fit,
 * then `after`. */
void posix_log_refused(struct skr_server *server, const char *path, int error, const char *after);

#endif
