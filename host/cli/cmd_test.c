/* cmd_test.c -- `skillrom test`: do a device's manuals still say the truth, and are they found? The transcripts in its skills are
 * replayed against the device, and the questions in queries.txt are ranked by words. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/screen.h"
#include "cli/commands.h"
#include "daemon.h"
#include "cli/pack.h"
#include "queries.h"
#include "replay.h"

struct request {
    const char *dir;
    const char *program; /* NULL: skillromd */
    const char *link;    /* TTY or URL, for the bridge; NULL: a program */
    const char *queries; /* NULL: queries.txt in the folder, if it is there */
    bool all;
    struct pack_options pack;
};

replay_mismatch *cmd_test_mismatch;

/* The image as a file that a child can open; NULL after a message. */
static char *image_file(const struct buf *image)
{
    int fd = memfd_create("skillrom", MFD_CLOEXEC);

    if (fd < 0 || write(fd, image->p, image->n) != (ssize_t)image->n) {
        fprintf(stderr, "skillrom: cannot keep the image: %s\n", strerror(errno));
        return NULL;
    }
    return xasprintf("/proc/%ld/fd/%d", (long)getpid(), fd);
}

/* The command that answers: a program with the image, or this program as a bridge. NULL after a message. */
static char **command_of(const struct request *r, const struct buf *image)
{
    char **argv = xmalloc(8 * sizeof *argv);

    memset(argv, 0, 8 * sizeof *argv);
    if (r->link != NULL) {
        argv[0] = xstrdup("/proc/self/exe");
        argv[1] = xstrdup("bridge");
        argv[2] = xstrdup(r->link);
        argv[3] = xstrdup("--no-cache"); /* what the device says now */
        argv[4] = xstrdup("--quiet");
        argv[5] = xstrdup("--wait-ms");
        argv[6] = xstrdup("3000"); /* it is there, or it is not */
        return argv;
    }
    argv[0] = r->program != NULL ? xstrdup(r->program) : daemon_beside_us("skillromd");
    if (argv[0] == NULL || (argv[1] = image_file(image)) == NULL) {
        return NULL;
    }
    if (access(argv[0], X_OK) != 0) {
        fprintf(stderr, "skillrom: cannot run %s: %s\n", argv[0], strerror(errno));
        return NULL;
    }
    return argv;
}

static void print_replayed(const struct replay_count *n)
{
    printf("%zu step%s of %zu manual%s: %zu as written, %zu not\n", n->steps, screen_plural(n->steps), n->files,
           screen_plural(n->files), n->steps - n->failed, n->failed);
    if (n->kept_back > 0) {
        printf("%zu manual%s not run: %s would change something on the device; --all runs %s\n", n->kept_back,
               screen_plural(n->kept_back), n->kept_back == 1 ? "it" : "they", n->kept_back == 1 ? "it" : "them");
    }
}

static void print_found(const struct queries_count *n)
{
    printf("%zu of %zu question%s find their skill first, %zu %%: by words alone, which is a floor and no model\n",
           n->hits, n->asked, screen_plural(n->asked), n->asked > 0 ? n->hits * 100 / n->asked : 0);
}

/* The file of questions; NULL for none. */
static const char *queries_of(const struct request *r)
{
    const char *usual = xasprintf("%s/" QUERIES_FILE, r->dir);

    return r->queries != NULL ? r->queries : access(usual, F_OK) == 0 ? usual : NULL;
}

static int test(const struct request *r)
{
    struct diag diag = {.out = stdout, .places = true, .colour = screen_has_colour(stdout)};
    const struct check check = {.diag = &diag, .path = r->dir, .rule_ids = true};
    struct replay_count replayed = {0};
    struct queries_count found = {0};
    struct buf image = {0};
    struct device device;
    struct romfs fs;

    if (!pack_device(r->dir, &r->pack, &diag, &device, &image, &fs)) {
        fprintf(stderr, "skillrom: not tested: the folder has %u error%s\n", diag.errors, screen_plural(diag.errors));
        return 1;
    }
    const struct replay_target target = {command_of(r, &image), r->link != NULL, r->all, cmd_test_mismatch};
    bool well = target.argv != NULL && replay(&check, &device, &target, &replayed);
    const char *queries = queries_of(r);
    if (queries != NULL) {
        queries_run(&check, queries, &device, stdout, &found);
    }
    if (well && replayed.files + replayed.kept_back + found.asked == 0 && diag.errors == 0) {
        fprintf(stderr,
                "skillrom: nothing to test in %s: no skill has a transcript, and there is no " QUERIES_FILE "\n",
                r->dir);
        return 1;
    }
    print_replayed(&replayed);
    if (replayed.failed > 0 && r->program == NULL && r->link == NULL) {
        puts("skillromd has no handlers for tools; --program runs a device's own program");
    }
    if (found.asked > 0) {
        print_found(&found);
    }
    return well && diag.errors == 0 ? 0 : 1;
}

/* clang-format off */
static const struct host_option rows[] = {
    HOST_TEXT("--program", "FILE", struct request, program, "the device's own program, started for each file; without it "
        "skillromd, which has no handlers for tools"),
    HOST_TEXT("--link", "TTY|URL", struct request, link, "a device on a serial port or in a network, through `skillrom bridge`; manuals that "
        "call tools without readOnlyHint are not run"),
    HOST_FLAG("--all", struct request, all, "run those, too: on a device that may move"),
    HOST_TEXT("--queries", "FILE", struct request, queries, "questions, instead of those in DIR/queries.txt"),
    HOST_TAKE_IN("--base", "URI", struct request, pack.load.base, pack_take_base, "what URIs begin with, as for pack"),
};
/* clang-format on */

static int run(int argc, char **argv)
{
    struct request r = {.dir = NULL};

    if (host_command_read(&cmd_test, &r, argc, argv) < 0) {
        return 2;
    }
    r.dir = argv[1];
    if (r.program != NULL && r.link != NULL) {
        return host_usage_error("--program and --link: one device at a time");
    }
    return test(&r);
}

const struct host_command cmd_test = {
    .name = "test",
    .run = run,
    .summary = "try what the manuals say, and whether they are found",
    .usage = "DIR [--program FILE | --link TTY|URL] [options]",
    .about =
        "Replays the fenced blocks marked `transcript` in a folder's skills against the device, and compares what it "
        "answers. In them '> line_status line=2' is a call (or a URI to read), '< line 2 ready, ...' its result, "
        "'! line must be at most 4' its error; '...' is any text.\n\n"
        "Then ranks the skills for each question in queries.txt, lines of a skill and a question, by words alone "
        "(BM25 over name and description): a floor, no model. Exits with 1 if anything is not as written.",
    HOST_ROWS(rows),
    .operands = "DIR",
    .least = 1,
    .most = 1,
};
