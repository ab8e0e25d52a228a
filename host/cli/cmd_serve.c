/* cmd_serve.c -- `skillrom serve`: pack a folder, run skillromd or another program of port/posix on the result, and,
 * with --watch, pack again when the folder changes and have it replace the image while its clients stay connected.
 *
 * Packing happens in a child process: it allocates freely and ends, so a session
 * of many hours does not grow, and a folder that fails to pack changes nothing.
 *
 * The image is a file that the server opens through its path (struct host_file). On Linux it has no name: however this
 * process ends, nothing remains. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/rom_file.h"
#include "base/screen.h"
#include "base/uri_path.h"
#include "cli/commands.h"
#include "cli/pack.h"
#include "daemon.h"
#include "sha256.h"
#include "system.h"
#include "watch.h"

#define QUIET_MS 150 /* a change counts when nothing else has changed for this long */
#define AWAY_MS 1000 /* how often to look for a folder that has disappeared */

struct serve {
    const char *source;  /* folder or image */
    const char *program; /* that serves it; NULL for skillromd */
    bool watch;
    struct pack_options pack;
    struct daemon daemon;
    int signals;                      /* readable when one has arrived */
    int changes;                      /* readable when the folder has changed, or -1 */
    struct host_file image;           /* the one being served */
    uint8_t build[ROMFS_SHA256_SIZE]; /* of it */
};

/* clang-format off */
static const struct host_option rows[] = {
    HOST_TEXT("--program", "FILE", struct serve, program,
        "run this instead of skillromd, which has no handlers for tools: a device's own program, see port/posix/README.md"),
    HOST_FLAG("--watch", struct serve, watch,
        "pack again when the folder changes, and serve the new image: clients stay connected and are notified. While the folder "
        "does not pack, or a skill that is served has errors, the last good image stays in service"),
    HOST_FLAG("--strict", struct serve, pack.load.strict, "as for pack, and so are the following"),
    HOST_FLAG("--keep-going", struct serve, pack.skip_bad, "accepted as for pack; serve always leaves out skills that have errors"),
    HOST_FLAG("--allow-oversize", struct serve, pack.load.allow_oversize,
        "more than 512 files or 16 MiB in a skill is only a warning"),
    HOST_TAKE_IN("--base", "URI", struct serve, pack.load.base, pack_take_base, "what URIs begin with"),
    HOST_TAKE_MAYBE_IN("--compress", "WINDOW", struct serve, pack.image.window, pack_take_window,
        "deflate files that get smaller"),
};
/* clang-format on */

/* ---- Packing ---- */

/* True, after a message, when a skill that is being served now has errors: its users are better off with the old
 * version. A skill that was never served may be left out. */
static bool would_vanish(const struct serve *s, const struct device *device)
{
    struct romfs fs;

    if (device->left_count == 0 || s->image.fd < 0 || !rom_file_mount(s->image.path, &fs)) {
        return false;
    }
    for (size_t i = 0; i < device->left_count; i++) {
        const char *path = uri_path_encode(device->left[i].path);
        const struct romfs_node *node = romfs_find(&fs, path, strlen(path));
        if (node != NULL && node->skill != ROMFS_NONE) {
            screen_error("skill '%s' is being served and now has errors", device->left[i].path);
            return true;
        }
    }
    return false;
}

static bool write_image(int fd, const struct buf *image)
{
    for (size_t at = 0; at < image->n;) {
        ssize_t n = write(fd, (const char *)image->p + at, image->n - at);
        if (n < 0 && errno != EINTR) {
            screen_error("cannot keep the image: %s", strerror(errno));
            return false;
        }
        at += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static int pack_now(const struct serve *s, int fd)
{
    struct diag diag = {.out = stderr, .places = true, .colour = screen_has_colour(stderr)};
    struct buf image = {0};
    struct device device;
    struct romfs fs;

    if (!pack_device(s->source, &s->pack, &diag, &device, &image, &fs)) {
        screen_error("not packed: %u error%s, %u warning%s", diag.errors, screen_plural(diag.errors), diag.warnings,
                     screen_plural(diag.warnings));
        return 1;
    }
    pack_print_left(&device);
    if (would_vanish(s, &device)) {
        return 1;
    }
    return write_image(fd, &image) ? 0 : 1;
}

static bool pack_in_child(const struct serve *s, int fd)
{
    int status;

    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        screen_error("cannot start packing: %s", strerror(errno));
        return false;
    }
    if (pid == 0) {
        sigprocmask(SIG_SETMASK, &s->daemon.mask, NULL);
        int code = pack_now(s, fd);
        fflush(NULL);
        _exit(code);
    }
    if (waitpid(pid, &status, 0) != pid) {
        return false;
    }
    if (WIFSIGNALED(status)) {
        screen_error("packing ended with signal %d, %s", WTERMSIG(status), strsignal(WTERMSIG(status)));
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* True when the image has changed. A process that opens the path of the old one then gets the new bytes. Takes the file. */
static bool image_is_new(struct serve *s, struct host_file *file)
{
    struct romfs_header h;

    if (pread(file->fd, &h, sizeof h, 0) != (ssize_t)sizeof h || memcmp(s->build, h.digest, sizeof s->build) == 0) {
        host_file_close(file);
        return false;
    }
    memcpy(s->build, h.digest, sizeof s->build);
    if (s->image.fd >= 0) {
        return host_file_replace(&s->image, file);
    }
    s->image = *file;
    return true;
}

enum packed { PACK_FAILED, PACK_SAME, PACK_NEW };

static enum packed pack_image(struct serve *s)
{
    struct host_file file;

    if (!host_file_open(&file)) {
        screen_error("cannot keep an image: %s", strerror(errno));
        return PACK_FAILED;
    }
    if (!pack_in_child(s, file.fd)) {
        host_file_close(&file);
        return PACK_FAILED;
    }
    return image_is_new(s, &file) ? PACK_NEW : PACK_SAME;
}

static bool watch_again(struct serve *s)
{
    if (s->changes >= 0) {
        close(s->changes);
    }
    s->changes = s->watch ? watch_open(s->source) : -1;
    return !s->watch || s->changes >= 0;
}

/* The folder has changed and is quiet again. */
static void pack_again(struct serve *s)
{
    char build[17];

    watch_again(s); /* if the folder has disappeared for a moment, packing reports it */
    enum packed packed = pack_image(s);
    if (packed == PACK_FAILED) {
        screen_error("still serving the last good image");
    }
    if (packed != PACK_NEW) {
        return;
    }
    romfs_sha256_hex(s->build, 8, build);
    screen_error("packed again, build %s", build);
    daemon_reload(&s->daemon);
}

/* ---- Serving ---- */

/* Blocks the signals the loop waits for and makes them readable. */
static bool take_signals(struct serve *s)
{
    sigset_t wanted;

    host_signals_to_end(&wanted);
    sigaddset(&wanted, SIGCHLD);
    signal(SIGCHLD, SIG_DFL); /* it may be inherited as ignored, and then the exit status of packing would be lost */
    if (sigprocmask(SIG_BLOCK, NULL, &s->daemon.mask) == 0 && (s->signals = host_signals_open(&wanted)) >= 0) {
        return true;
    }
    screen_error("cannot wait for signals: %s", strerror(errno));
    return false;
}

/* True when a signal that arrived means to stop. */
static bool signals_end(const struct serve *s)
{
    int number;

    while ((number = host_signals_next(s->signals)) == SIGCHLD) {
    }
    return number != 0;
}

static int serve_until_end(struct serve *s)
{
    bool changed = false;
    int code = 1;

    for (;;) {
        struct pollfd waits[2] = {{s->signals, POLLIN, 0}, {s->changes, POLLIN, 0}};
        bool lost = s->watch && s->changes < 0; /* the folder itself has disappeared */
        int ready = poll(waits, 2, changed ? QUIET_MS : lost ? AWAY_MS : -1);
        if (ready < 0 && errno != EINTR) {
            screen_error("poll: %s", strerror(errno));
            return 1;
        }
        if (ready > 0 && waits[0].revents != 0 && signals_end(s)) {
            return 0;
        }
        if (daemon_has_ended(&s->daemon, &code)) {
            return code;
        }
        if (ready > 0 && waits[1].revents != 0) {
            watch_drain(s->changes);
            changed = true;
        } else if (ready == 0 && (!lost || watch_again(s))) {
            changed = false;
            pack_again(s);
        }
    }
}

static int serve_folder(struct serve *s)
{
    int code = 1;

    if (take_signals(s) && watch_again(s) && pack_image(s) == PACK_NEW && daemon_start(&s->daemon, s->image.path)) {
        code = serve_until_end(s);
        daemon_stop(&s->daemon);
    }
    host_file_close(&s->image);
    return code;
}

static int serve_main(int argc, char **argv)
{
    struct serve s = {.changes = -1, .image.fd = -1, .pack.skip_bad = true, .pack.image.take = true};
    struct stat st;
    struct romfs fs;
    int count = host_command_read(&cmd_serve, &s, argc, argv);

    if (count < 0) {
        return 2;
    }
    s.source = argv[1];
    if (!daemon_find(&s.daemon, s.program, s.watch, argv + 2, count - 1)) {
        return 1;
    }
    if (stat(s.source, &st) != 0) {
        screen_error("%s: %s", s.source, strerror(errno));
        return 1;
    }
    if (S_ISDIR(st.st_mode)) {
        return serve_folder(&s);
    }
    if (s.watch) {
        return host_usage_error("--watch needs a folder; '%s' is an image", s.source);
    }
    if (s.pack.load.base != NULL) {
        return host_usage_error("--base needs a folder; '%s' is an image and has its own", s.source);
    }
    if (!rom_file_open(s.source, &fs)) {
        return 1;
    }
    daemon_become(&s.daemon, xstrdup(s.source));
    return 1;
}

const struct host_command cmd_serve = {
    .name = "serve",
    .run = serve_main,
    .group = "Author",
    .summary = "serve a folder or image with skillromd",
    .usage = "DIR|FILE.rom [options] [skillromd options]",
    .about =
        "Packs a folder into an image in memory, then runs skillromd, found beside this program. Skills that have errors are "
        "left out, with a message. Unknown options, and all words after --, go to skillromd, which otherwise gets "
        "--http 127.0.0.1:7700. See skillromd --help.",
    HOST_ROWS(rows),
    .examples = {{"skillrom serve desk-lamp --watch",
                  "serve a folder at http://127.0.0.1:7700/mcp, and again after each change"},
                 {"skillrom serve desk-lamp.rom --http 127.0.0.1:8000", "serve an image at another port"}},
    .operands = {"DIR or FILE.rom"},
    .least = 1,
    .most = HOST_ANY_NUMBER,
    .passes_on = true,
};
