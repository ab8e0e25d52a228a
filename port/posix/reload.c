/* reload.c -- see reload.h. */
#include "reload.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "console.h"
#include "serve.h"

bool posix_reload_lost_terminal(void)
{
    static int had = -1;
    int fd = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
    bool has = fd >= 0;

    if (has) {
        close(fd);
    }
    had = had < 0 ? has : had;
    return had != 0 && !has;
}

void posix_reload_remark(const struct posix_reload *reload)
{
    if (reload->remark != NULL) {
        reload->remark(reload->server);
    }
}

void posix_log_refused(struct skr_server *s, const char *path, int error, const char *after)
{
    const struct skr_resource *wrong = error == SKR_ERR_RESOURCE ? skr_server_bad_resource(s) : NULL;
    struct host_name_list names = {.count = 0};

    if (error != SKR_ERR_TOOLS) {
        host_log("%s: %s%s",
                 wrong == NULL        ? path
                 : wrong->uri != NULL ? wrong->uri
                                      : "?",
                 skr_server_reason(error), after);
        return;
    }
    for (const struct skr_tool *t = NULL; (t = skr_server_misfit(s, t)) != NULL;) {
        host_name_list_add(&names, t->name, strlen(t->name));
    }
    host_log(
        "%s: the image describes %u tool%s in another way than this program was built for: %s; build the program again%s",
        path, names.count, names.count == 1 ? "" : "s", names.text, after);
}

/* Loads the file and hands it to the server. If anything is wrong with it, the previous image is still served. */
static void replace(struct posix_reload *reload)
{
    struct posix_image image;
    char what[64];

    if (!posix_image_load(&image, reload->path)) {
        host_log("%s: not replaced; still serving the previous image", reload->path);
        return;
    }
    int error = skr_server_swap(reload->server, image.bytes, image.size);
    if (error != 0) {
        posix_log_refused(reload->server, reload->path, error, "; still serving the previous image");
        posix_image_release(&image);
        return;
    }
    reload->old = reload->current;
    reload->current = image;
    posix_describe(reload->server, what, sizeof what);
    host_log("%s: replaced; now serving %s", reload->path, what);
    posix_reload_remark(reload);
}

void posix_reload_turn(struct posix_reload *reload, bool in_use)
{
    if (reload->update != NULL) {
        skr_server_update_turn(reload->update, in_use);
    }
    if (in_use) {
        return;
    }
    if (reload->old.bytes != NULL) {
        posix_image_release(&reload->old);
    }
    if (reload->wanted) {
        reload->wanted = false;
        replace(reload);
    }
}
