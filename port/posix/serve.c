/* serve.c -- from the command line to a running server: skr_posix_main. */
#include "serve.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "audit.h"
#include "console.h"
#include "exec.h"
#include "image.h"
#include "options.h"
#include "posix.h"
#include "random.h"
#include "reload.h"
#include "tokens.h"
#include "update_file.h"

#define EXIT_BAD_INPUT 1
#define EXIT_USAGE 2

/* Static, because it holds the token table and is too large for a small stack. */
static struct skr_server server;

bool posix_has_handler(const struct skr_device *d, const char *name, size_t n)
{
    for (size_t i = 0; i < d->tool_count; i++) {
        if (strlen(d->tools[i].name) == n && memcmp(d->tools[i].name, name, n) == 0) {
            return true;
        }
    }
    return false;
}

/* Scoped tools may be scripts, which need no handler. */
void posix_log_unhandled(const struct skr_server *s)
{
    struct host_name_list names = {.count = 0};

    for (uint32_t i = 0; i < s->fs->header->tools.count; i++) {
        const struct romfs_tool *tool = &s->fs->tools[i];
        const char *name = romfs_at(s->fs, tool->name);
        if ((tool->flags & ROMFS_SCOPED) == 0 && !posix_has_handler(s->device, name, tool->name.len)) {
            host_name_list_add(&names, name, tool->name.len);
        }
    }
    if (names.count > 0) {
        bool one = names.count == 1;
        host_log("%u tool%s of the image %s no handler in this program and %s not listed: %s", names.count,
                 one ? "" : "s", one ? "has" : "have", one ? "is" : "are", names.text);
    }
    posix_exec_log(s);
}

static bool set_seed(void)
{
    uint8_t seed[16];

    if (!host_random(seed, sizeof seed)) {
        host_log("the system has no random bytes");
        return false;
    }
    skr_server_seed(&server, seed);
    return true;
}

/* The name by which the program was called, without its folder. */
static const char *name_of(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : path;

    return name != NULL && *name != '\0' ? name : "skillromd";
}

/* Serves the image that was loaded, on the transports that the options name. */
static int serve(const struct posix_options *options, struct posix_reload *reload)
{
    reload->server = &server;
    reload->path = options->image;
    reload->remark = posix_log_unhandled;
    skr_server_can_swap(&server, options->reload);
    if (options->update != NULL) {
        reload->update = posix_update_file_start();
    }
    signal(SIGPIPE, SIG_IGN); /* a peer that has left fails one write, and does not end the server */
    if (options->serial[0] != '\0') {
        return posix_serve_serial(&server, options, reload);
    }
    return options->use_stdio ? posix_serve_stdio(&server, options, reload) : posix_serve_net(&server, options, reload);
}

int skr_posix_main(const struct skr_device *device, int argc, char **argv)
{
    struct posix_options options;
    static struct posix_reload reload;
    static struct skr_device with_scripts, recorded;

    host_log_set_name(name_of(argc > 0 ? argv[0] : NULL));
    int code = posix_options_read(&options, argc, argv);
    if (code != POSIX_OPTIONS_RUN) {
        return code;
    }
    if (!posix_tokens_suffice(&options, true)) {
        return EXIT_USAGE;
    }
    if (!posix_image_load(&reload.current, options.image)) {
        return EXIT_BAD_INPUT;
    }
    if (options.update != NULL && !posix_update_file_open(&options, &server, &reload.current)) {
        return EXIT_BAD_INPUT;
    }
    if (options.exec_scripts) {
        if (!posix_exec_start(&server, options.exec_ms)) {
            return EXIT_BAD_INPUT;
        }
        with_scripts = *device;
        with_scripts.script = posix_exec_script;
        with_scripts.tool_called = device->tool_called != NULL ? device->tool_called : posix_exec_ran;
        device = &with_scripts;
    }
    if (options.audit_log != NULL) {
        if (!posix_audit_start(options.audit_log, device, &recorded)) {
            return EXIT_BAD_INPUT;
        }
        device = &recorded;
    }
    int error = skr_server_init(&server, device, reload.current.bytes, reload.current.size);
    if (error != 0) {
        posix_log_refused(&server, options.image, error, "");
        return EXIT_BAD_INPUT;
    }
    if (options.page != 0) {
        skr_server_set_page(&server, options.page);
    }
    if (!set_seed()) {
        return EXIT_BAD_INPUT;
    }
    return serve(&options, &reload);
}
