/* link.c -- requests to a program on its stdin, answers from its stdout. See link.h. */
#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "daemon.h"

#define HELLO                                                                                                          \
    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"skillrom test\",\"version\":"  \
    "\"1\"}}"

#define ENDED "has ended before it answered"

/* Shows the last of what the program has said, then why we give up. */
static void complain(const struct link *l, const char *why)
{
    char said[2048];
    off_t size = lseek(l->said, 0, SEEK_END);
    off_t from = size > (off_t)sizeof said ? size - (off_t)sizeof said : 0;
    ssize_t n = pread(l->said, said, sizeof said, from);

    if (n > 0) {
        fwrite(said, 1, (size_t)n, stderr);
    }
    fprintf(stderr, "skillrom: the device %s\n", why);
}

static void become(char *const *argv, int in, int out, int said, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 ||
        dup2(said, STDERR_FILENO) < 0) {
        _exit(1);
    }
    signal(SIGPIPE, SIG_DFL);
    execv(argv[0], argv);
    fprintf(stderr, "skillrom: cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(1);
}

/* Pipes to and from a child; -1 where nothing is open. */
static bool open_pipes(struct link *l, int ends[4])
{
    ends[0] = ends[1] = ends[2] = ends[3] = -1;
    l->said = memfd_create("said", MFD_CLOEXEC);
    return l->said >= 0 && pipe2(ends, O_CLOEXEC) == 0 && pipe2(ends + 2, O_CLOEXEC) == 0;
}

static bool send_all(struct link *l, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t sent = write(l->to, p, n);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        p += sent > 0 ? sent : 0;
        n -= sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

/* False, after a message, for an answer that is an error. */
static bool has_result(const struct link *l, const struct node *answer)
{
    const struct node *error = yaml_member(answer, "error", NULL);
    const struct node *why = error != NULL && error->kind == NODE_MAPPING ? yaml_member(error, "message", NULL) : NULL;

    if (error != NULL) {
        complain(l, xasprintf("refuses: %s", why != NULL && why->text != NULL ? why->text : "no reason given"));
    }
    return error == NULL;
}

bool link_start(struct link *l, char *const *argv)
{
    int ends[4];
    pid_t parent = getpid();

    *l = (struct link){.to = -1, .from = -1, .said = -1};
    fflush(NULL);
    if (!open_pipes(l, ends) || (l->pid = fork()) < 0) {
        fprintf(stderr, "skillrom: cannot start %s: %s\n", argv[0], strerror(errno));
        l->pid = 0;
        return false;
    }
    if (l->pid == 0) {
        become(argv, ends[0], ends[3], l->said, parent);
    }
    close(ends[0]);
    close(ends[3]);
    l->to = ends[1];
    l->from = ends[2];
    signal(SIGPIPE, SIG_IGN); /* a program that ends is noticed by what does not come */
    const char told[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    const struct node *answer = link_ask(l, "initialize", HELLO);
    return answer != NULL && has_result(l, answer) && send_all(l, told, strlen(told));
}

/* The next line without its end; NULL after a message. */
static char *next_line(struct link *l)
{
    for (;;) {
        char chunk[65536];
        const uint8_t *newline = l->in.n > 0 ? memchr(l->in.p, '\n', l->in.n) : NULL;
        if (newline != NULL) {
            size_t n = (size_t)(newline - l->in.p);
            char *line = xstrndup((const char *)l->in.p, n);
            memmove(l->in.p, newline + 1, l->in.n - n - 1);
            l->in.n -= n + 1;
            return line;
        }
        struct pollfd wait = {l->from, POLLIN, 0};
        int ready = poll(&wait, 1, (int)(l->deadline_ms + LINK_PATIENCE_MS));
        if (ready < 0 && errno == EINTR) {
            continue;
        }
        ssize_t n = ready > 0 ? read(l->from, chunk, sizeof chunk) : 0;
        if (n <= 0) {
            complain(l, ready == 0 ? "does not answer" : ENDED);
            return NULL;
        }
        buf_add(&l->in, chunk, (size_t)n);
    }
}

const struct node *link_ask(struct link *l, const char *method, const char *params)
{
    struct diag silent = {.silent = true};
    const struct check quiet = {.diag = &silent};
    char *id = xasprintf("%u", ++l->last_id);
    char *request = xasprintf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}\n", id, method, params);

    if (!send_all(l, request, strlen(request))) {
        complain(l, ENDED);
        return NULL;
    }
    for (char *line; (line = next_line(l)) != NULL;) {
        const struct node *message = yaml_parse(&quiet, line, strlen(line), 1, YAML_JSON);
        if (message == NULL || message->kind != NODE_MAPPING) {
            complain(l, "answers what is no JSON");
            return NULL;
        }
        const struct node *of = yaml_member(message, "id", NULL);
        if (of != NULL && yaml_text_is(of, id) && yaml_member(message, "method", NULL) == NULL) {
            return message; /* anything else is a notification */
        }
    }
    return NULL;
}

void link_stop(struct link *l)
{
    if (l->pid == 0) {
        return;
    }
    close(l->to);
    close(l->from);
    close(l->said);
    daemon_end(l->pid);
    l->pid = 0;
}
