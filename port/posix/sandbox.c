/* sandbox.c -- a bubblewrap sandbox around one run of a script.
 *
 * A child process copies the skill's files out of the image into memory files, writes
 * down what the sandbox is to look like, and becomes bwrap, which puts the files where
 * they belong in an empty file system. Nothing is left on any disk. The server goes on
 * meanwhile: however large the skill, copying is the child's work.
 *
 *     /skill    the skill, read-only          /tmp     empty, writable, limited
 *     /usr      with /bin and /lib, read-only  nothing else of this machine
 *
 * As root, the child first becomes nobody: the limit on processes does not apply to root, and a hole in the sandbox
 * then leads nowhere. leave.c gives up everything else that the server has, filter.c says which system calls remain,
 * cgroup.c limits the memory of a whole run where that is possible. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "argv.h"
#include "cgroup.h"
#include "console.h"
#include "filter.h"
#include "leave.h"
#include "posix_config.h"
#include "unescape.h"

#define MEGABYTE 1048576u
#define STRING_(x) #x
#define STRING(x) STRING_(x)

static const char *bwrap; /* where it is */

static struct interpreter {
    const char *extension;
    const char *name; /* as the first line of a script calls it */
    const char *path;
    bool there;
} interpreters[POSIX_INTERPRETERS] = {
    [POSIX_SH] = {".sh", "sh", "/bin/sh", false},
    [POSIX_BASH] = {".bash", "bash", "/bin/bash", false},
    [POSIX_PYTHON] = {".py", "python3", "/usr/bin/python3", false},
    [POSIX_LUA] = {".lua", "lua", "/usr/bin/lua", false},
};

/* ---- Reading the image ---- */

static struct romfs_inflate inflate;
static uint8_t window[SKR_WINDOW_MAX];

static bool read_escaped(const struct romfs *fs, const struct romfs_node *node,
                         bool (*take)(void *to, const void *bytes, size_t n), void *to)
{
    struct romfs_unescape text;
    const uint8_t *bytes;
    size_t n, held = 0; /* bytes in the window, which is free now: a call for each line would be slow */

    romfs_unescape_start(&text, fs->image + node->data, node->stored);
    do {
        n = romfs_unescape_next(&text, sizeof window - held, &bytes);
        memcpy(window + held, bytes, n);
        held += n;
        if (n == 0 || held == sizeof window) {
            if (!take(to, window, held)) {
                return false;
            }
            held = 0;
        }
    } while (n > 0);
    return romfs_unescape_whole(&text);
}

/* Calls `take` with the content of the file, piece by piece, until it returns false. Returns false, too, when the
 * file is damaged. */
static bool read_file(const struct romfs *fs, const struct romfs_node *node,
                      bool (*take)(void *to, const void *bytes, size_t n), void *to)
{
    const uint8_t *bytes = fs->image + node->data;
    size_t n;

    if ((node->flags & ROMFS_ESCAPED) != 0) {
        return read_escaped(fs, node, take, to);
    }
    if ((node->flags & ROMFS_DEFLATE) == 0) {
        return take(to, bytes, node->size);
    }
    romfs_inflate_start(&inflate, fs, node, window);
    while ((n = romfs_inflate_next(&inflate, &bytes)) > 0) {
        if (!take(to, bytes, n)) {
            return false;
        }
    }
    return romfs_inflate_whole(&inflate);
}

/* The first line of a file, cut to the length an interpreter's name can need. */
struct line {
    char text[80];
    size_t n;
};

static bool take_line(void *to, const void *bytes, size_t n)
{
    struct line *line = to;
    const char *p = bytes;

    while (n-- > 0 && line->n < sizeof line->text - 1 && *p != '\n' && *p != '\r') {
        line->text[line->n++] = *p++;
    }
    return false;
}

static bool ends_with(struct skr_span s, const char *end)
{
    size_t n = strlen(end);

    return s.n >= n && memcmp(s.p + s.n - n, end, n) == 0;
}

bool posix_sandbox_has(enum posix_interpreter interpreter)
{
    return interpreters[interpreter].there;
}

const char *posix_sandbox_path(enum posix_interpreter interpreter)
{
    return interpreters[interpreter].path;
}

enum posix_interpreter posix_sandbox_interpreter(const struct romfs *fs, const struct romfs_file *file)
{
    struct skr_span path = {romfs_at(fs, file->path), file->path.len};
    struct line line = {.n = 0};

    for (int i = POSIX_SH; i < POSIX_INTERPRETERS; i++) {
        if (ends_with(path, interpreters[i].extension)) {
            return (enum posix_interpreter)i;
        }
    }
    (void)read_file(fs, &fs->nodes[file->node], take_line, &line);
    if (line.n < 2 || memcmp(line.text, "#!", 2) != 0) {
        return POSIX_NO_INTERPRETER;
    }
    for (int i = POSIX_SH; i < POSIX_INTERPRETERS; i++) { /* "#!/bin/sh", "#!/usr/bin/env python3" */
        const char *at = strstr(line.text, interpreters[i].name);
        size_t n = strlen(interpreters[i].name);
        bool word = at != NULL && (at[-1] == '/' || at[-1] == ' ') && (at[n] == '\0' || at[n] == ' ');
        if (word) {
            return (enum posix_interpreter)i;
        }
    }
    return POSIX_NO_INTERPRETER;
}

/* ---- In the child: from here on a failure ends it, with a message on stderr ---- */

static bool take_bytes(void *to, const void *bytes, size_t n)
{
    const char *p = bytes;

    while (n > 0) {
        ssize_t k = write(*(int *)to, p, n);
        if (k < 0) {
            posix_give_up("cannot copy the skill");
        }
        p += k;
        n -= (size_t)k;
    }
    return true;
}

static int memory_file(void)
{
    int fd = memfd_create("skill", 0);

    if (fd < 0) {
        posix_give_up("cannot copy the skill");
    }
    return fd;
}

/* Writes a word of bwrap's command line with a NUL after it, as --args expects. */
static void word(int args, const char *text)
{
    (void)take_bytes(&args, text, strlen(text) + 1);
}

static void words(int args, const char *const *list)
{
    for (; *list != NULL; list++) {
        word(args, *list);
    }
}

/* "/skill/" and the file's path, in which the image escapes quotation marks. */
static void path_inside(const struct romfs *fs, const struct romfs_file *file, char *path, size_t size)
{
    const char *p = romfs_at(fs, file->path);
    size_t n = strlen(strcpy(path, "/skill/"));

    for (uint32_t i = 0; i < file->path.len && n < size - 1; i++) {
        i += p[i] == '\\' && i + 1 < file->path.len;
        path[n++] = p[i];
    }
    path[n] = '\0';
}

/* Hides files of /proc that would reveal how this machine was started, or whose keys it holds. /dev/null is mounted
 * over them, and cannot be opened there. */
static void hide(int args)
{
    static const char *const files[] = {"/proc/cmdline", "/proc/keys",    "/proc/key-users",  "/proc/kallsyms",
                                        "/proc/kcore",   "/proc/modules", "/proc/interrupts", "/proc/timer_list"};

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        if (access(files[i], F_OK) == 0) {
            words(args, (const char *const[]){"--ro-bind", "/dev/null", files[i], NULL});
        }
    }
}

static void add_filter(int args)
{
    char number[16];
    int fd = memory_file();
    size_t size;
    const void *filter = posix_filter(&size);

    (void)take_bytes(&fd, filter, size);
    (void)lseek(fd, 0, SEEK_SET);
    (void)snprintf(number, sizeof number, "%d", fd);
    words(args, (const char *const[]){"--seccomp", number, NULL});
}

static void add_file(int args, const struct romfs *fs, uint32_t node, const char *path)
{
    char number[16];
    int fd = memory_file();

    if (!read_file(fs, &fs->nodes[node], take_bytes, &fd) || lseek(fd, 0, SEEK_SET) != 0) {
        errno = EIO;
        posix_give_up(path);
    }
    (void)snprintf(number, sizeof number, "%d", fd);
    words(args, (const char *const[]){"--perms", "0444", "--file", number, path, NULL});
}

static void add_skill(int args, const struct romfs *fs, const struct romfs_skill *skill)
{
    char path[1024];

    add_file(args, fs, skill->node, "/skill/SKILL.md");
    for (uint32_t i = 0; i < skill->file_count; i++) {
        const struct romfs_file *file = &fs->files[skill->first_file + i];
        path_inside(fs, file, path, sizeof path);
        add_file(args, fs, file->node, path);
    }
}

/* The layout of the sandbox; the skill's files go between the two. */
/* clang-format off */
static const char *const outside[] = {
    "--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent",
    "--clearenv", "--cap-drop", "ALL", "--hostname", "skill",
    "--uid", STRING(POSIX_NOBODY), "--gid", STRING(POSIX_NOBODY),
    "--ro-bind", "/usr", "/usr", "--ro-bind-try", "/bin", "/bin", "--ro-bind-try", "/lib", "/lib",
    "--ro-bind-try", "/lib64", "/lib64", "--ro-bind-try", "/etc/alternatives", "/etc/alternatives",
    "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--tmpfs", "/skill", NULL};
/* clang-format on */
static const char *const inside[] = {"--remount-ro", "/skill", "--perms", "0700", "--size", NULL};
static const char *const after_size[] = {"--tmpfs", "/tmp", "--remount-ro", "/", "--chdir", "/tmp", NULL};

/* The limits under which bwrap itself could not run are set inside. For the number of processes dash and busybox have
 * -p, bash has -u. */
static const char limits[] = "ulimit -n " STRING(POSIX_EXEC_FILES) "; ulimit -p " STRING(
    POSIX_EXEC_PROCESSES) " 2>/dev/null || ulimit -u " STRING(POSIX_EXEC_PROCESSES) "; exec \"$@\"";

/* Becomes bwrap around a script. `skill` may be NULL: none. */
static void __attribute__((noreturn))
become_sandbox(const struct romfs *fs, const struct romfs_skill *skill, const char *interpreter, const char *script,
               struct skr_span arguments)
{
    char args_number[16], size[24];
    int args = memory_file();

    words(args, outside);
    hide(args);
    add_filter(args);
    if (skill != NULL) {
        add_skill(args, fs, skill);
    }
    (void)snprintf(size, sizeof size, "%u", POSIX_EXEC_SCRATCH_MB * MEGABYTE);
    words(args, inside);
    word(args, size);
    words(args, after_size);
    (void)lseek(args, 0, SEEK_SET);
    (void)snprintf(args_number, sizeof args_number, "%d", args);
    posix_leave_limits();

    const char *call[10 + POSIX_EXEC_WORDS + 1] = {bwrap, "--args", args_number, "--",        "/bin/sh",
                                                   "-c",  limits,   "sh",        interpreter, script};
    call[10 + posix_argv_words(arguments, call + 10)] = NULL;
    execve(bwrap, (char *const *)call, (char *const[]){NULL});
    posix_give_up(bwrap);
}

/* ---- In the server ---- */

static bool make_pipe(int ends[2])
{
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    (void)fcntl(ends[0], F_SETFL, O_NONBLOCK); /* ours alone: a script expects to block */
    return true;
}

/* Sealed: a script must not store data in its stdin, where no limit counts it. */
static int input_file(struct skr_span input)
{
    const int seals = F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_WRITE | F_SEAL_SEAL;
    int fd = memfd_create("arguments", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    if (fd >= 0 && (write(fd, input.p, input.n) != (ssize_t)input.n || lseek(fd, 0, SEEK_SET) != 0 ||
                    fcntl(fd, F_ADD_SEALS, seals) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

bool posix_sandbox_start(struct posix_sandbox *box, const struct romfs *fs, const struct romfs_skill *skill,
                         const struct romfs_file *file, struct skr_span arguments)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1}, in = input_file(arguments);
    char script[1024] = "/dev/null";
    const char *interpreter = "/bin/sh";
    const pid_t server = getpid();

    box->pid = -1;
    box->group = posix_cgroup_make();
    if (in >= 0 && make_pipe(out) && make_pipe(err) && (box->group != 0 || !posix_cgroup_can())) {
        if (file != NULL) {
            path_inside(fs, file, script, sizeof script);
            interpreter = posix_sandbox_path(posix_sandbox_interpreter(fs, file));
        }
        box->pid = fork();
    }
    if (box->pid == 0) {
        dup2(in, STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        dup2(err[1], STDERR_FILENO);
        posix_leave_server(server, box->group);
        become_sandbox(fs, skill, interpreter, script, arguments);
    }
    if (box->pid < 0 && box->group != 0) {
        (void)posix_cgroup_remove(box->group);
    }
    const int done_with[] = {in, out[1], err[1], box->pid < 0 ? out[0] : -1, box->pid < 0 ? err[0] : -1};
    for (size_t i = 0; i < sizeof done_with / sizeof done_with[0]; i++) {
        if (done_with[i] >= 0) {
            close(done_with[i]);
        }
    }
    box->out = out[0];
    box->err = err[0];
    return box->pid > 0;
}

void posix_sandbox_kill(const struct posix_sandbox *box)
{
    /* Both: killing bwrap alone would leave what it has just started and not yet tied to itself, and before setsid
     * there is no group. */
    (void)kill(-box->pid, SIGKILL);
    (void)kill(box->pid, SIGKILL);
}

bool posix_sandbox_end(const struct posix_sandbox *box, bool *out_of_memory)
{
    *out_of_memory = box->group != 0 && posix_cgroup_ran_out(box->group);
    if (box->group != 0 && !posix_cgroup_remove(box->group)) {
        return false;
    }
    close(box->out);
    close(box->err);
    return true;
}

/* ---- At start ---- */

static bool find_bwrap(void)
{
    static const char *const places[] = {"/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"};

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (access(places[i], X_OK) == 0) {
            bwrap = places[i];
            return true;
        }
    }
    host_log("--exec-scripts needs bubblewrap, and bwrap was not found; "
             "on Debian: apt-get install bubblewrap");
    return false;
}

/* Runs an empty script to its end. False when that fails; `text` then has *n bytes of its error message. */
static bool try_sandbox(char *text, size_t size, ssize_t *n)
{
    struct posix_sandbox box;
    bool out_of_memory;
    int status;

    if (!posix_sandbox_start(&box, NULL, NULL, NULL, (struct skr_span){"{}", 2})) {
        *n = snprintf(text, size, "%s", strerror(errno));
        return false;
    }
    while (waitpid(box.pid, &status, 0) < 0 && errno == EINTR) {
    }
    *n = read(box.err, text, size);
    while (!posix_sandbox_end(&box, &out_of_memory)) {
        (void)poll(NULL, 0, 1);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* With a limit on the memory of all processes together, or else without. */
static bool can_sandbox(void)
{
    char text[256];
    ssize_t n;

    posix_cgroup_find();
    if (posix_cgroup_can() && try_sandbox(text, sizeof text, &n)) {
        return true;
    }
    posix_cgroup_give_up();
    if (try_sandbox(text, sizeof text, &n)) {
        return true;
    }
    while (n > 0 && text[n - 1] == '\n') {
        n--;
    }
    host_log("--exec-scripts: bubblewrap cannot make a sandbox here: %.*s", n > 0 ? (int)n : 0, text);
    host_log("most likely this system forbids user namespaces; see the sysctls user.max_user_namespaces, "
             "kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns");
    return false;
}

/* Makes sure that descriptors 0 to 2 are open, so that no other one is taken for a script's stdin, stdout or stderr. */
static void fill_standard(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) {
            (void)open("/dev/null", O_RDWR); /* gets the lowest free number, which is this one */
        }
    }
}

bool posix_sandbox_check(void)
{
    size_t size;

    /* It may be inherited as ignored, and then we would not be told how a child ended. */
    signal(SIGCHLD, SIG_DFL);
    fill_standard();
    if (posix_filter(&size) == NULL) {
        host_log("--exec-scripts: there is no system call filter for this processor");
        return false;
    }
    if (!find_bwrap() || !can_sandbox()) {
        return false;
    }
    for (int i = POSIX_SH; i < POSIX_INTERPRETERS; i++) {
        interpreters[i].there = access(interpreters[i].path, X_OK) == 0;
    }
    return true;
}
