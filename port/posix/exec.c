/* exec.c -- scripts of skills as tools: a handler that starts a sandbox, reads what comes out
 * of it, and reports which limit ended it. sandbox.c makes the sandbox. */
#include "exec.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "argv.h"
#include "cgroup.h"
#include "console.h"
#include "posix_config.h"
#include "sandbox.h"
#include "schema.h"
#include "serve.h"
#include "skr_args.h"
#include "skr_text.h"

#if SKR_DIALECTS

#define ERROR_TEXT_MAX 1024 /* of stderr that is kept */
#define SCRIPT_NAME_MAX 160 /* with its NUL; a longer name is cut in the log of runs */
#define STRING_(x) #x
#define STRING(x) STRING_(x)

/* A script that runs, or ran last. `tool` comes first: the core identifies a row by it. */
static struct script {
    struct skr_tool tool;
    char name[SCRIPT_NAME_MAX];
    const struct romfs *fs;
    const struct romfs_file *file;
    struct posix_sandbox box; /* pid 0: it does not run */
    bool has_ended;           /* its process has been waited for; others inside may not have ended yet */
    int status;               /* how, then */
    struct rusage used;
    char printed[SKR_JOB_OUTPUT_MAX]; /* what came out of stdout */
    size_t printed_count;             /* more than fit: it printed too much */
    char error_text[ERROR_TEXT_MAX];  /* the beginning of stderr */
    size_t error_count;
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

/* <skill>.<stem>, for the log of runs. */
static void name_it(char name[SCRIPT_NAME_MAX], const struct romfs *fs, const struct romfs_file *file)
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
    int n = snprintf(name, SCRIPT_NAME_MAX, "%.*s.%.*s", skill.len > 2 ? (int)skill.len - 2 : 0,
                     romfs_at(fs, skill) + 1, (int)(end - start), path + start);
    if (n >= SCRIPT_NAME_MAX) { /* the last byte shows whether a character was cut */
        name[skr_span_clip((struct skr_span){name, SCRIPT_NAME_MAX - 1}, SCRIPT_NAME_MAX - 2).n] = '\0';
    }
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
    struct skr_span hint = skr_scan_get(skr_scan_get(description(fs, file), "annotations"), "readOnlyHint");

    return hint.n == 4 && memcmp(hint.p, "true", 4) == 0;
}

/* True when the script does not run, and its last result has been sent: until then the core refers to the row. */
static bool is_free(const struct script *script)
{
    for (size_t i = 0; i < SKR_JOBS; i++) {
        if (server->jobs[i].call.tool == &script->tool) {
            return false;
        }
    }
    return script->box.pid == 0;
}

const struct skr_tool *posix_exec_script(void *context, const struct romfs *fs, const struct romfs_file *file)
{
    struct script *script = NULL;

    (void)context;
    if (owner(fs, file) == NULL || !posix_sandbox_has(posix_sandbox_interpreter(fs, file))) {
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
    name_it(script->name, fs, file);
    script->fs = fs;
    script->file = file;
    script->tool = (struct skr_tool){
        .name = script->name, .run = run, .deadline_ms = deadline, .read_only = is_read_only(fs, file)};
    return &script->tool;
}

/* ---- What comes out ---- */

static bool has_printed_too_much(const struct script *script)
{
    return script->printed_count > SKR_JOB_OUTPUT_MAX;
}

static void read_output(struct script *script)
{
    char bytes[8192];
    ssize_t n;

    while (!has_printed_too_much(script) && (n = read(script->box.out, bytes, sizeof bytes)) > 0) {
        if ((size_t)n <= SKR_JOB_OUTPUT_MAX - script->printed_count) {
            memcpy(script->printed + script->printed_count, bytes, (size_t)n);
        }
        script->printed_count += (size_t)n;
    }
}

/* A script that writes without end gets no larger share of a turn than any other. */
static void read_errors(struct script *script)
{
    char bytes[16384];
    ssize_t n;

    for (size_t all = 0; all < POSIX_EXEC_TURN && (n = read(script->box.err, bytes, sizeof bytes)) > 0;
         all += (size_t)n) {
        size_t room = ERROR_TEXT_MAX - 1 - script->error_count, kept = (size_t)n < room ? (size_t)n : room;
        memcpy(script->error_text + script->error_count, bytes, kept);
        script->error_count += kept;
        script->error_text[script->error_count] = '\0';
    }
}

/* ---- How it ended ---- */

/* The limit that a program's error message points to, or NULL. A script has no locale, so the messages are always in
 * English. */
static const char *limit_in(const char *text)
{
    static const char memory[] = "it may have " STRING(POSIX_EXEC_MEMORY_MB) " MB of memory a process";
    static const char processes[] = "it may have " STRING(POSIX_EXEC_PROCESSES) " processes";
    static const char scratch[] = "it may write " STRING(POSIX_EXEC_SCRATCH_MB) " MB to /tmp";
    static const char files[] = "it may have " STRING(POSIX_EXEC_FILES) " files open";
    static const char read_only[] = "it may write to /tmp only";
    static const char network[] = "it has no network";
    static const char calls[] = "it may make the system calls of ordinary programs only";
    static const struct {
        const char *words, *limit;
    } hints[] = {
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
        {"Address family not supported", network},
        {"name resolution", network},
        {"Name or service not hints", network},
        {"Function not implemented", calls},
    };

    for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++) {
        if (strstr(text, hints[i].words) != NULL) {
            return hints[i].limit;
        }
    }
    return NULL;
}

static int fail_with(struct skr_call *call, const struct script *script, int status)
{
    const char *limit = limit_in(script->error_text);

    const size_t room = SKR_JOB_OUTPUT_MAX - ERROR_TEXT_MAX - 256; /* for the sentence */

    skr_fail(call, "exit status ");
    skr_put_int(call, status);
    if (limit != NULL) {
        skr_put(call, "; in its sandbox ");
        skr_put(call, limit);
    }
    if (script->error_count > 0) {
        skr_put(call, "\n");
        skr_put_span(call, (struct skr_span){script->error_text, script->error_count});
    }
    if (script->printed_count > 0) {
        skr_put(call, "\n");
        skr_put_span(call,
                     (struct skr_span){script->printed, script->printed_count < room ? script->printed_count : room});
    }
    return 0;
}

/* bwrap reports a signal that ended the script as an exit status, as shells do. */
static int ended(struct skr_call *call, const struct script *script)
{
    int code = WIFEXITED(script->status) ? WEXITSTATUS(script->status) : 128 + WTERMSIG(script->status);
    long cpu_s = (long)(script->used.ru_utime.tv_sec + script->used.ru_stime.tv_sec);

    if (code == 0) {
        skr_put_span(call, (struct skr_span){script->printed, script->printed_count});
        return 0;
    }
    if (code == 128 + SIGSYS) {
        return skr_stop(call, SKR_RPC_ERROR, "stopped: it made a system call of another architecture");
    }
    if (code == 128 + SIGXCPU || (code == 128 + SIGKILL && cpu_s >= POSIX_EXEC_CPU_S - 1)) {
        return skr_stop(call, SKR_TIMEOUT, "stopped: it used its " STRING(POSIX_EXEC_CPU_S) " s of processor time");
    }
    if (code == 128 + SIGXFSZ) {
        return skr_stop(call, SKR_RPC_ERROR, "stopped: it may write " STRING(POSIX_EXEC_SCRATCH_MB) " MB to /tmp");
    }
    if (strncmp(script->error_text, "bwrap: ", 7) == 0 ||
        strncmp(script->error_text, POSIX_SANDBOX_NAME ": ", sizeof POSIX_SANDBOX_NAME + 1) == 0) {
        skr_stop(call, SKR_RPC_ERROR, "the sandbox could not be made: ");
        skr_put_span(call, (struct skr_span){script->error_text, script->error_count});
        return 0;
    }
    if (code > 128) {
        skr_stop(call, SKR_RPC_ERROR, "ended by signal ");
        skr_put_int(call, code - 128);
        return 0;
    }
    return fail_with(call, script, code);
}

/* ---- The handler ---- */

/* The error in the arguments, and which one has it; NULL if all are valid. */
static const char *mismatch(const struct script *script, struct skr_span json, struct skr_span *argument)
{
    static const char command_line[] =
        "{\"properties\":{\"argv\":{\"type\":\"array\"}},\"additionalProperties\":false}";
    static const char argv[] = "argv";
    struct skr_span text = description(script->fs, script->file), schema = {command_line, sizeof command_line - 1};

    if (text.p != NULL) {
        schema = skr_scan_get(text, "inputSchema");
    }
    const char *wrong = posix_schema_mismatch(json, schema, argument);
    if (wrong == NULL && (wrong = posix_argv_wrong(json)) != NULL) {
        *argument = (struct skr_span){argv, sizeof argv - 1};
    } else if (wrong != NULL && text.p == NULL && !skr_span_eq(*argument, skr_span_of(argv))) {
        wrong = "is unknown: no tool describes this script, so it takes only argv, its command line";
    }
    return wrong;
}

static int start(struct skr_call *call, struct script *script)
{
    struct skr_span json = skr_args_json(call), argument;
    const char *wrong = mismatch(script, json, &argument);

    if (wrong != NULL) {
        return skr_refuse(call, argument, wrong);
    }
    script->printed_count = script->error_count = 0;
    script->has_ended = false;
    memset(&script->used, 0, sizeof script->used);
    script->status = SIGKILL; /* in case the surrounding program has waited for it first */
    script->error_text[0] = '\0';
    if (!posix_sandbox_start(&script->box, script->fs, owner(script->fs, script->file), script->file, json)) {
        script->box.pid = 0;
        return skr_stop(call, SKR_RPC_ERROR, "this machine has no process or file descriptor left");
    }
    return SKR_PENDING;
}

static int run(struct skr_call *call)
{
    struct script *script = (struct script *)(void *)skr_running_tool(call);
    bool out_of_memory;

    if (script->box.pid == 0) {
        return start(call, script);
    }
    read_errors(script);
    read_output(script);
    if (!script->has_ended && (has_printed_too_much(script) || skr_cancelled(call))) {
        posix_sandbox_kill(&script->box);
    }
    if (!script->has_ended) {
        pid_t pid = wait4(script->box.pid, &script->status, WNOHANG, &script->used);
        if (pid == 0 || (pid < 0 && errno == EINTR)) {
            return SKR_PENDING;
        }
        script->has_ended = true;
        read_errors(script);
        read_output(script);
    }
    if (!posix_sandbox_end(&script->box, &out_of_memory)) {
        return SKR_PENDING;
    }
    script->box.pid = 0;
    if (out_of_memory) {
        return skr_stop(call, SKR_RPC_ERROR,
                        "stopped: all its processes together may have " STRING(POSIX_EXEC_TOTAL_MB) " MB of memory");
    }
    if (has_printed_too_much(script)) {
        return skr_stop(call, SKR_OUTPUT_TOO_LARGE,
                        "stopped: it printed more than " STRING(SKR_JOB_OUTPUT_MAX) " bytes");
    }
    return ended(call, script);
}

/* ---- Start ---- */

bool posix_exec_start(const struct skr_server *of, uint32_t deadline_ms)
{
    server = of;
    deadline = deadline_ms;
    return posix_sandbox_check();
}

/* True for a file under scripts/ that has no handler in the device. */
static bool is_script(const struct skr_server *s, const struct romfs_file *file)
{
    static const char folder[] = "scripts/";
    const struct romfs *fs = s->fs;

    if (file->path.len < sizeof folder || memcmp(romfs_at(fs, file->path), folder, sizeof folder - 1) != 0) {
        return false;
    }
    return file->tool == ROMFS_NONE ||
           !posix_has_handler(s->device, romfs_at(fs, fs->tools[file->tool].name), fs->tools[file->tool].name.len);
}

static void report_missing(enum posix_interpreter interpreter, const struct host_name_list *names)
{
    if (names->count > 0) {
        host_log("%u script%s cannot be run, because %s is not installed: %s", names->count,
                 names->count == 1 ? "" : "s", posix_sandbox_path(interpreter), names->text);
    }
}

void posix_exec_log(const struct skr_server *s)
{
    static struct host_name_list runnable, missing[POSIX_INTERPRETERS];
    char name[SCRIPT_NAME_MAX];

    if (s->device->script != posix_exec_script) {
        return;
    }
    memset(&runnable, 0, sizeof runnable);
    memset(missing, 0, sizeof missing);
    for (uint32_t i = 0; i < s->fs->header->files.count; i++) {
        const struct romfs_file *file = &s->fs->files[i];
        enum posix_interpreter by = is_script(s, file) ? posix_sandbox_interpreter(s->fs, file) : POSIX_NO_INTERPRETER;
        if (by != POSIX_NO_INTERPRETER && owner(s->fs, file) != NULL) {
            name_it(name, s->fs, file);
            host_name_list_add(posix_sandbox_has(by) ? &runnable : &missing[by], name, strlen(name));
        }
    }
    for (int i = POSIX_SH; i < POSIX_INTERPRETERS; i++) {
        report_missing((enum posix_interpreter)i, &missing[i]);
    }
    if (runnable.count == 0) {
        host_log("this image has no script that can be run");
        return;
    }
    host_log("%u script%s can be run: %s", runnable.count, runnable.count == 1 ? "" : "s", runnable.text);
    host_log("skills/execute runs them, and tools/call those that a tool describes; arguments come as JSON on "
             "stdin, and the words of {\"argv\": [...]} on the command line");
    if (!posix_cgroup_can()) {
        host_log("no control group can be made here: the memory of scripts is limited to " STRING(
            POSIX_EXEC_MEMORY_MB) " MB a process, not in all (port/posix/README.md)");
    }
}

void posix_exec_ran(void *context, const char *tool, const char *how, uint32_t ms)
{
    (void)context;
    host_log("ran %s: %s, %u ms", tool, how, (unsigned)ms);
}

#endif
