/* cmd_test.c -- `skillrom test`: are a device's manuals still correct, and are they found? Replays the transcripts in its skills
 * against the device, and ranks the skills for the queries in queries.txt with keywords. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/screen.h"
#include "cli/commands.h"
#include "cli/pack.h"
#include "daemon.h"
#include "queries.h"
#include "replay.h"
#include "system.h"

struct test_options {
    const char *dir;
    const char *program; /* NULL for skillromd */
    const char *link;    /* TTY or URL of a device; NULL for a program */
    const char *queries; /* NULL for queries.txt in the folder, if there is one */
    bool all;
    struct pack_options pack;
};

/* The image as a file that a child can open; NULL after a message. */
static char *image_file(const struct buf *image, struct host_file *file)
{
    if (!host_file_open(file) || write(file->fd, image->p, image->n) != (ssize_t)image->n) {
        screen_error("cannot keep the image: %s", strerror(errno));
        return NULL;
    }
    return file->path;
}

/* The command of the program that serves the image; NULL after a message. */
static char **program_of(const struct test_options *o, const struct buf *image, struct host_file *file)
{
    char **argv = xmalloc(3 * sizeof *argv);

    argv[0] = o->program != NULL ? xstrdup(o->program) : daemon_beside_us("skillromd");
    argv[2] = NULL;
    if (argv[0] == NULL || (argv[1] = image_file(image, file)) == NULL) {
        return NULL;
    }
    if (access(argv[0], X_OK) != 0) {
        screen_error("cannot run %s: %s", argv[0], strerror(errno));
        return NULL;
    }
    return argv;
}

static void print_replayed(const struct replay_count *n)
{
    printf("%zu step%s of %zu manual%s: %zu passed, %zu failed\n", n->steps, screen_plural(n->steps), n->files,
           screen_plural(n->files), n->steps - n->failed, n->failed);
    if (n->plans > 0) {
        printf("%zu plan%s of %zu tool call%s: %zu moved nothing, %zu failed\n", n->plans, screen_plural(n->plans),
               n->plans, screen_plural(n->plans), n->plans - n->plans_failed, n->plans_failed);
    }
    if (n->kept_back > 0) {
        printf("%zu manual%s not run: %s would change something on the device; --allow-writes runs %s\n", n->kept_back,
               screen_plural(n->kept_back), n->kept_back == 1 ? "it" : "they", n->kept_back == 1 ? "it" : "them");
    }
}

static void print_found(const struct queries_count *n)
{
    printf("%zu of %zu quer%s find their skill first, %zu%% (keyword match only)\n", n->hits, n->total,
           n->total == 1 ? "y" : "ies", n->total > 0 ? n->hits * 100 / n->total : 0);
}

/* The file of queries; NULL if there is none. */
static const char *queries_of(const struct test_options *o)
{
    const char *usual = xasprintf("%s/" QUERIES_FILE, o->dir);

    return o->queries != NULL ? o->queries : access(usual, F_OK) == 0 ? usual : NULL;
}

static int test_device(const struct test_options *o)
{
    struct diag diag = {.out = stdout, .places = true, .colour = screen_has_colour(stdout)};
    const struct check check = {.diag = &diag, .path = o->dir, .rule_ids = true};
    struct replay_count replayed = {0};
    struct queries_count found = {0};
    struct buf image = {0};
    struct device device;
    struct romfs fs;
    struct host_file file = {.fd = -1};

    if (!pack_device(o->dir, &o->pack, &diag, &device, &image, &fs)) {
        screen_error("not tested: the folder has %u error%s", diag.errors, screen_plural(diag.errors));
        return 1;
    }
    const struct replay_target target = {o->link == NULL ? program_of(o, &image, &file) : NULL, o->link, o->all};
    bool well = (target.argv != NULL || target.device != NULL) && replay(&check, &device, &target, &replayed);
    host_file_close(&file);
    const char *queries = queries_of(o);
    if (queries != NULL) {
        queries_run(&check, queries, &device, stdout, &found);
    }
    if (well && replayed.files + replayed.kept_back + found.total == 0 && diag.errors == 0) {
        screen_error("nothing to test in %s: no skill has a transcript, and there is no " QUERIES_FILE, o->dir);
        return 1;
    }
    print_replayed(&replayed);
    if (replayed.failed > 0 && o->program == NULL && o->link == NULL) {
        puts("skillromd has no handlers for tools; --program runs a device's own program");
    }
    if (found.total > 0) {
        print_found(&found);
    }
    return well && diag.errors == 0 ? 0 : 1;
}

/* clang-format off */
static const struct host_option rows[] = {
    HOST_TEXT("--program", "FILE", struct test_options, program, "the device's own program, started for each file; without it "
        "skillromd, which has no handlers for tools"),
    HOST_TEXT("--link", "TTY|URL", struct test_options, link, "a device on a serial port or the network; manuals that "
        "call tools without readOnlyHint are not run"),
    HOST_FLAG("--allow-writes", struct test_options, all, "also run those, on a device that may move"),
    HOST_TEXT("--queries", "FILE", struct test_options, queries, "queries, instead of those in DIR/queries.txt"),
    HOST_TAKE_IN("--base", "URI", struct test_options, pack.load.base, pack_take_base, "the start of URIs, as for pack"),
};
/* clang-format on */

static int test_main(int argc, char **argv)
{
    struct test_options o = {.dir = NULL};

    if (host_command_read(&cmd_test, &o, argc, argv) < 0) {
        return 2;
    }
    o.dir = argv[1];
    if (o.program != NULL && o.link != NULL) {
        return host_usage_error("--program and --link name two devices; leave out one");
    }
    return test_device(&o);
}

const struct host_command cmd_test = {
    .name = "test",
    .run = test_main,
    .group = "Author",
    .summary = "check the manuals against the device, and whether they are found",
    .usage = "DIR [--program FILE | --link TTY|URL] [options]",
    .about =
        "Replays the fenced blocks marked `transcript` in a folder's skills against the device, and compares its "
        "responses. In them '> line_status line=2' is a tool call (or a URI to read), '< line 2 ready, ...' its result, "
        "'! line must be at most 4' its error; '...' is any text. Tool calls that a person has to confirm are confirmed. A call "
        "of a tool with \"plan\": true is planned first: what the device's other tools and resources say must not change.\n\n"
        "Then ranks the skills for each query in queries.txt, lines of a skill and a query, with keywords alone "
        "(BM25 over name and description). Exits with 1 if a response differs or a query finds another skill first.",
    HOST_ROWS(rows),
    .examples = {{"skillrom test desk-lamp --program desk-lamp/build/desk-lamp",
                  "replay the transcripts of its manuals"},
                 {"skillrom test desk-lamp --link http://127.0.0.1:7700/mcp --allow-writes",
                  "replay them on a device that is running"}},
    .operands = {"DIR"},
    .least = 1,
    .most = 1,
};
