/* exec.c -- scripts of skills as tools: a handler that starts a sandbox, reads what comes
 * out of it, and says which limit ended it. sandbox.c makes the sandbox. */
#include "exec.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "posix_config.h"
#include "skr_args.h"
#include "sandbox.h"
#include "say.h"
#include "schema.h"

#if SKR_DIALECT_F

#define SAID_MAX 1024 /* of stderr that is kept */
#define STRING_(x) #x
#define STRING(x) STRING_(x)

/* A script that runs, or was last asked for. `tool` comes first: the core knows a row by it. */
static struct script {
    struct skr_tool tool;
    char name[160];
    const struct romfs *fs;
    const struct romfs_file *file;
    struct skr_sandbox box; /* pid 0: it does not run */
    size_t printed;         /* bytes that came out of stdout */
    char said[SAID_MAX];    /* what came first out of stderr */
    size_t said_count;
} scripts[SKR_JOBS + 1];

static const struct skr_server *server;
static uint32_t deadline;

static int run(struct skr_call *call);

/* ---- Scripts as tools ---- */

static const struct romfs_skill *owner(const struct romfs *fs, const struct romfs_file *file)
{
    uint32_t number = (uint32_t)(file - fs->files);

    for (uint32_t i = 0; i < fs->header->skills.count; i++) {
        const struct romfs_skill *skill = &fs->skills[i];
        if (number - skill->first_file < skill->file_count) {
            return skill;
        }
    }
    return NULL;
}

/* <skill>.<stem>, for the record of runs. */
static void name_it(struct script *script, const struct romfs *fs, const struct romfs_file *file)
{
    struct romfs_text skill = owner(fs, file)->name;
    const char *path = romfs_at(fs, file->path);
    uint32_t start = file->path.len, end = file->path.len;

    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    for (uint32_t dot = end; dot > start + 1; dot--) {
        if (path[dot - 1] == '.') {
            end = dot - 1;
            break;
        }
    }
    (void)snprintf(script->name, sizeof script->name, "%.*s.%.*s", skill.len > 2 ? (int)skill.len - 2 : 0,
                   romfs_at(fs, skill) + 1,
                   (int)(end - start), path + start);
}

/* The JSON that describes it, empty when nothing does. */
static struct skr_span description(const struct romfs *fs, const struct romfs_file *file)
{
    struct skr_span json = {NULL, 0};

    if (file->tool != ROMFS_NONE) {
        json.p = romfs_at(fs, fs->tools[file->tool].json);
        json.n = fs->tools[file->tool].json.len;
    }
    return json;
}

static bool is_read_only(const struct romfs *fs, const struct romfs_file *file)
{
    struct skr_span hint = skr_rom_member(skr_rom_member(description(fs, file), "annotations"), "readOnlyHint");

    return hint.n == 4 && memcmp(hint.p, "true", 4) == 0;
}

/* It does not run, and its last result has been sent: until then the core knows that by the row. */
static bool is_free(const struct script *script)
{
    for (size_t i = 0; i < SKR_JOBS; i++) {
        if (server->jobs[i].run.tool == &script->tool) {
            return false;
        }
    }
    return script->box.pid == 0;
}

const struct skr_tool *skr_exec_script(void *context, const struct romfs *fs, const struct romfs_file *file)
{
    struct script *script = NULL;

    (void)context;
    if (owner(fs, file) == NULL || skr_sandbox_interpreter(fs, file) == SKR_NO_INTERPRETER) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        struct script *s = &scripts[i];
        if (s->box.pid > 0 && s->fs == fs && s->file == file) {
            return &s->tool; /* and the core says that it is busy */
        }
        if (is_free(s)) {
            script = s; /* there is one more than there are runs */
        }
    }
    if (script == NULL) {
        return NULL;
    }
    name_it(script, fs, file);
    script->fs = fs;
    script->file = file;
    script->tool = (struct skr_tool){.name = script->name, .run = run, .deadline_ms = deadline,
                                    .read_only = is_read_only(fs, file)};
    return &script->tool;
}

/* ---- What comes out ---- */

/* False when more was printed than a result may have. */
static bool read_output(struct skr_call *call, struct script *script)
{
    char bytes[8192];
    ssize_t n;

    while ((n = read(script->box.out, bytes, sizeof bytes)) > 0) {
        script->printed += (size_t)n;
        if (script->printed > SKR_JOB_OUTPUT_MAX) {
            return false;
        }
        skr_put_span(call, (struct skr_span){bytes, (size_t)n});
    }
    return true;
}

static void read_errors(struct script *script)
{
    char bytes[4096];
    ssize_t n;

    while ((n = read(script->box.err, bytes, sizeof bytes)) > 0) {
        size_t room = SAID_MAX - 1 - script->said_count, kept = (size_t)n < room ? (size_t)n : room;
        memcpy(script->said + script->said_count, bytes, kept);
        script->said_count += kept;
        script->said[script->said_count] = '\0';
    }
}

/* ---- How it ended ---- */

/* The limit that a program complains of in words like these, or NULL. A script gets no
 * locale, so the words are always the same. */
static const char *limit_in(const char *said)
{
    static const char memory[] = "it may have " STRING(SKR_POSIX_EXEC_MEMORY_MB) " MB of memory a process";
    static const char processes[] = "it may have " STRING(SKR_POSIX_EXEC_PROCESSES) " processes";
    static const char scratch[] = "it may write " STRING(SKR_POSIX_EXEC_SCRATCH_MB) " MB to /tmp";
    static const char files[] = "it may have " STRING(SKR_POSIX_EXEC_FILES) " files open";
    static const char read_only[] = "it may write to /tmp only";
    static const char network[] = "it has no network";
    static const struct {
        const char *words, *limit;
    } known[] = {
        {"annot fork", processes},
        {"Resource temporarily unavailable", processes},
        {"annot allocate memory", memory},
        {"MemoryError", memory},
        {"not enough memory", memory},
        {"No space left on device", scratch},
        {"File too large", scratch},
        {"Too many open files", files},
        {"Read-only file system", read_only},
        {"Permission denied", read_only},
        {"Network is unreachable", network},
        {"Connection refused", network},
        {"name resolution", network},
        {"Name or service not known", network},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strstr(said, known[i].words) != NULL) {
            return known[i].limit;
        }
    }
    return NULL;
}

static int fail_with(struct skr_call *call, const struct script *script, int status)
{
    const char *limit = limit_in(script->said);

    skr_fail(call, "exit status ");
    skr_put_int(call, status);
    if (limit != NULL) {
        skr_put(call, "; in its sandbox ");
        skr_put(call, limit);
    }
    if (script->said_count > 0) {
        skr_put(call, "\n");
        skr_put_span(call, (struct skr_span){script->said, script->said_count});
    }
    return 0;
}

/* bwrap hands a signal that ended the script on as an exit status, as shells do. */
static int ended(struct skr_call *call, const struct script *script, int status, const struct rusage *used)
{
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    long cpu_s = (long)(used->ru_utime.tv_sec + used->ru_stime.tv_sec);

    if (code == 0) {
        return 0;
    }
    if (code == 128 + SIGXCPU || (code == 128 + SIGKILL && cpu_s >= SKR_POSIX_EXEC_CPU_S - 1)) {
        return skr_stop(call, SKR_TIMEOUT,
                        "stopped: it used its " STRING(SKR_POSIX_EXEC_CPU_S) " s of processor time");
    }
    if (code == 128 + SIGXFSZ) {
        return skr_stop(call, SKR_FAULT,
                        "stopped: it may write " STRING(SKR_POSIX_EXEC_SCRATCH_MB) " MB to /tmp");
    }
    if (strncmp(script->said, "bwrap: ", 7) == 0 ||
        strncmp(script->said, SKR_SANDBOX_SAYS ": ", sizeof SKR_SANDBOX_SAYS + 1) == 0) {
        skr_stop(call, SKR_FAULT, "the sandbox could not be made: ");
        skr_put_span(call, (struct skr_span){script->said, script->said_count});
        return 0;
    }
    if (code > 128) {
        skr_stop(call, SKR_FAULT, "ended by signal ");
        skr_put_int(call, code - 128);
        return 0;
    }
    return fail_with(call, script, code);
}

/* ---- The handler ---- */

static int start(struct skr_call *call, struct script *script)
{
    struct skr_span json = skr_args_json(call), argument;
    const char *wrong = skr_schema_mismatch(
        json, skr_rom_member(description(script->fs, script->file), "inputSchema"), &argument);

    if (wrong != NULL) {
        return skr_refuse(call, argument, wrong);
    }
    script->printed = script->said_count = 0;
    script->said[0] = '\0';
    if (!skr_sandbox_start(&script->box, script->fs, owner(script->fs, script->file), script->file,
                           json)) {
        script->box.pid = 0;
        return skr_stop(call, SKR_FAULT, "this machine has no process or file descriptor left");
    }
    return SKR_PENDING;
}

static int run(struct skr_call *call)
{
    struct script *script = (struct script *)(void *)skr_tool_run(call);
    struct rusage used;
    int status;

    if (script->box.pid == 0) {
        return start(call, script);
    }
    read_errors(script);
    bool too_much = !read_output(call, script);
    if (too_much || skr_cancelled(call)) {
        skr_sandbox_kill(&script->box);
    }
    pid_t pid = wait4(script->box.pid, &status, WNOHANG, &used);
    if (pid == 0 || (pid < 0 && errno == EINTR)) {
        return SKR_PENDING;
    }
    read_errors(script);
    too_much |= !read_output(call, script);
    close(script->box.out);
    close(script->box.err);
    script->box.pid = 0;
    if (too_much || script->printed > SKR_JOB_OUTPUT_MAX) {
        return skr_stop(call, SKR_OUTPUT_TOO_LARGE,
                        "stopped: it printed more than " STRING(SKR_JOB_OUTPUT_MAX) " bytes");
    }
    return ended(call, script, status, &used);
}

/* ---- Start ---- */

bool skr_exec_start(const struct skr_server *of, uint32_t deadline_ms)
{
    server = of;
    deadline = deadline_ms;
    return skr_sandbox_check();
}

void skr_exec_ran(void *context, const char *tool, const char *how, uint32_t ms)
{
    (void)context;
    skr_say("ran %s: %s, %u ms", tool, how, (unsigned)ms);
}

#endif
