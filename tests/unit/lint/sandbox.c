/* sandbox.c -- makes the throw-away folder and reads the messages back. */
#include "sandbox.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

static char root[64];

static void must(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "sandbox: %s: %s\n", what, strerror(errno));
        exit(1);
    }
}

void sandbox_open(void)
{
    strcpy(root, "/tmp/skillrom-lint-XXXXXX");
    must(mkdtemp(root) != NULL, "mkdtemp");
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

void sandbox_close(void)
{
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

char *sandbox_path(const char *path)
{
    return xasprintf("%s/%s", root, path);
}

static void make_parents(char *path)
{
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        must(mkdir(path, 0755) == 0 || errno == EEXIST, path);
        *slash = '/';
    }
}

void sandbox_dir(const char *path)
{
    char *full = sandbox_path(path);

    make_parents(full);
    must(mkdir(full, 0755) == 0 || errno == EEXIST, full);
}

static void put(const char *path, const char *mode, const void *bytes, size_t n)
{
    char *full = sandbox_path(path);

    make_parents(full);
    FILE *out = fopen(full, mode);
    must(out != NULL, full);
    must(fwrite(bytes, 1, n, out) == n, full);
    must(fclose(out) == 0, full);
}

void sandbox_file(const char *path, const void *bytes, size_t n)
{
    put(path, "wb", bytes, n);
}

void sandbox_text(const char *path, const char *text)
{
    sandbox_file(path, text, strlen(text));
}

void sandbox_append(const char *path, const void *bytes, size_t n)
{
    put(path, "ab", bytes, n);
}

/* `path:line:col: error: text [SK-V-52]`, the path below the sandbox; line and column may be missing. */
static bool take_apart(char *line, struct message *m)
{
    char *severity = strstr(line, ": error: ");

    *m = (struct message){.error = severity != NULL};
    severity = severity ? severity : strstr(line, ": warning: ");
    if (!severity || strncmp(line, root, strlen(root)) != 0) {
        return false;
    }
    m->text = severity + (m->error ? strlen(": error: ") : strlen(": warning: "));
    *severity = '\0';
    char *col = strrchr(line, ':');
    if (col != NULL) { /* a message about a folder as a whole has no place */
        *col = '\0';
        char *number = strrchr(line, ':');
        if (!number || sscanf(number + 1, "%u", &m->line) != 1 || sscanf(col + 1, "%u", &m->col) != 1) {
            return false;
        }
        *number = '\0';
    }
    m->path = line + strlen(root) + (line[strlen(root)] == '/');
    char *bracket = strrchr(m->text, '[');
    if (bracket && strncmp(bracket, "[SK-", 4) == 0) {
        m->rule = bracket + 1;
        m->rule[strcspn(m->rule, "]")] = '\0';
        bracket[-1] = '\0';
    }
    return true;
}

struct outcome sandbox_load(const char *below, const struct load_options *options)
{
    struct outcome o = {.messages = xmalloc(SANDBOX_MESSAGES_MAX * sizeof *o.messages)};
    char *text = NULL;
    size_t size = 0;
    struct diag diag = {.out = open_memstream(&text, &size)};

    must(diag.out != NULL, "open_memstream");
    o.well = load_device(below ? sandbox_path(below) : root, options, &diag, &o.device);
    fclose(diag.out);
    for (char *save = NULL, *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if (o.count == SANDBOX_MESSAGES_MAX) {
            break; /* enough for any test */
        }
        if (take_apart(line, &o.messages[o.count])) {
            o.count++;
        } else {
            o.odd++;
        }
    }
    return o;
}

struct outcome sandbox_load_plain(void)
{
    return sandbox_load(NULL, &(struct load_options){0});
}

const struct message *outcome_find(const struct outcome *o, bool error, const char *rule, const char *path,
                                   unsigned line, unsigned col)
{
    for (size_t i = 0; i < o->count; i++) {
        const struct message *m = &o->messages[i];
        if (m->error == error && (!rule || (m->rule && strcmp(m->rule, rule) == 0)) && m->line == line &&
            m->col == col && strcmp(m->path, path) == 0) {
            return m;
        }
    }
    return NULL;
}

size_t outcome_count(const struct outcome *o, const char *rule)
{
    size_t count = 0;

    for (size_t i = 0; i < o->count; i++) {
        count += o->messages[i].rule && strcmp(o->messages[i].rule, rule) == 0;
    }
    return count;
}

char *outcome_text(const struct outcome *o)
{
    struct buf b = {0};

    for (size_t i = 0; i < o->count; i++) {
        const struct message *m = &o->messages[i];
        buf_printf(&b, "\n    %s:%u:%u: %s: %s [%s]", m->path, m->line, m->col, m->error ? "error" : "warning", m->text,
                   m->rule ? m->rule : "-");
    }
    return buf_str(&b);
}
