/* transcript.c -- transcripts in Markdown. See transcript.h. */
#include "load/transcript.h"

#include <string.h>

#include "base/buf.h"
#include "base/json_out.h"
#include "load/load.h"

#define INFO_STRING "transcript"

/* Where the reader of a file is. */
struct reader {
    const struct check *check;
    struct transcript *out;
    size_t fence;  /* length of the open block's fence; 0: outside of a block */
    char fence_of; /* '`' or '~' */
    bool ours;     /* it is a transcript */
    size_t indent; /* of its fence */
    unsigned line;
};

static size_t count_spaces(const char *p, size_t n)
{
    size_t i = 0;

    while (i < n && (p[i] == ' ' || p[i] == '\t')) {
        i++;
    }
    return i;
}

/* How many of the character a line begins with. */
static size_t run_of(const char *p, size_t n, char c)
{
    size_t i = 0;

    while (i < n && p[i] == c) {
        i++;
    }
    return i;
}

/* True for a line that opens or closes a block. */
static bool take_fence(struct reader *r, const char *p, size_t n)
{
    size_t indent = count_spaces(p, n);
    const char *text = p + indent;
    size_t rest = n - indent;
    char c = rest > 0 ? text[0] : '\0';
    size_t length = c == '`' || c == '~' ? run_of(text, rest, c) : 0;

    if (length < 3) {
        return false;
    }
    const char *info = text + length + count_spaces(text + length, rest - length);
    size_t info_length = (size_t)(p + n - info);
    if (r->fence != 0) {
        bool closes = c == r->fence_of && length >= r->fence && info_length == 0;
        r->fence = closes ? 0 : r->fence;
        return closes;
    }
    if (c == '`' && memchr(info, '`', info_length) != NULL) {
        return false; /* a code span */
    }
    size_t word = strlen(INFO_STRING);
    r->fence = length;
    r->fence_of = c;
    r->indent = indent;
    r->ours = info_length >= word && memcmp(info, INFO_STRING, word) == 0 && (info_length == word || info[word] == ' ');
    return true;
}

static void add_step(struct reader *r, const char *p, size_t n, unsigned col)
{
    struct transcript *t = r->out;
    size_t name = 0;

    while (name < n && p[name] != ' ' && p[name] != '\t') {
        name++;
    }
    size_t gap = count_spaces(p + name, n - name);
    t->steps = xrealloc(t->steps, (t->count + 1) * sizeof *t->steps);
    t->steps[t->count++] = (struct step){
        .name = xstrndup(p, name),
        .arguments = xstrndup(p + name + gap, n - name - gap),
        .at = {r->line, col},
        .arguments_at = {r->line, col + (unsigned)(name + gap)},
    };
}

static void add_expected(struct step *step, const char *p, size_t n, bool error, struct pos at)
{
    step->lines = xrealloc(step->lines, (step->line_count + 1) * sizeof *step->lines);
    step->lines[step->line_count++] = (struct expected){xstrndup(p, n), error, at};
}

/* A line inside a transcript. `begun`: the block has a call already. */
static bool take_line(struct reader *r, const char *p, size_t n, bool begun)
{
    size_t indent = count_spaces(p, n);
    size_t skip = indent < r->indent ? indent : r->indent;
    unsigned col = (unsigned)skip + 1;

    p += skip;
    n -= skip;
    if (n == 0 || count_spaces(p, n) == n || p[0] == '#') {
        return begun;
    }
    char sign = p[0];
    size_t gap = n > 1 && p[1] == ' ' ? 2 : 1;
    if (strchr("><!", sign) == NULL || (sign == '>' && count_spaces(p + 1, n - 1) == n - 1)) {
        check_report(r->check, LEVEL_L, (struct pos){r->line, col}, "SK-T-01",
                     "a line of a transcript is '> tool name=value', '< result', '! error' or '# remark'");
        return begun;
    }
    if (sign == '>') {
        size_t more = count_spaces(p + gap, n - gap);
        add_step(r, p + gap + more, n - gap - more, col + (unsigned)(gap + more));
        return true;
    }
    if (!begun) {
        check_report(r->check, LEVEL_L, (struct pos){r->line, col}, "SK-T-01",
                     "a result without a call; a transcript begins with '> tool'");
        return false;
    }
    add_expected(&r->out->steps[r->out->count - 1], p + gap, n - gap, sign == '!',
                 (struct pos){r->line, col + (unsigned)gap});
    return true;
}

struct transcript transcript_read(const struct check *c, const char *text, size_t size)
{
    struct transcript out = {NULL, 0};
    struct reader r = {.check = c, .out = &out};
    bool begun = false;

    for (size_t at = 0; at < size;) {
        const char *p = text + at, *newline = memchr(p, '\n', size - at);
        size_t n = newline != NULL ? (size_t)(newline - p) : size - at;
        at += n + 1;
        n -= n > 0 && p[n - 1] == '\r';
        r.line++;
        if (take_fence(&r, p, n)) {
            begun = false;
        } else if (r.fence != 0 && r.ours) {
            begun = take_line(&r, p, n, begun);
        }
    }
    return out;
}

bool transcript_reads(const struct step *step)
{
    return strstr(step->name, "://") != NULL;
}

/* ---- Arguments ---- */

/* A JSON text as it is sent; NULL when it is none. */
static char *json_of(const char *text, size_t n)
{
    struct diag silent = {.silent = true};
    const struct check quiet = {.diag = &silent};
    struct buf b = {0};
    const struct node *node = n > 0 ? yaml_parse(&quiet, text, n, 1, YAML_JSON) : NULL;

    if (node == NULL || silent.errors > 0) {
        return NULL;
    }
    load_json_compact(&b, node);
    return buf_str(&b);
}

/* What the schema says about an argument; NULL: nothing. */
static const struct node *property_of(const struct tool *tool, const char *name)
{
    const struct node *schema =
        tool != NULL && tool->root != NULL ? yaml_member(tool->root, "inputSchema", NULL) : NULL;
    const struct node *all =
        schema != NULL && schema->kind == NODE_MAPPING ? yaml_member(schema, "properties", NULL) : NULL;

    return all != NULL && all->kind == NODE_MAPPING ? yaml_member(all, name, NULL) : NULL;
}

static bool is_text(const struct tool *tool, const char *name)
{
    const struct node *property = property_of(tool, name);
    const struct node *type =
        property != NULL && property->kind == NODE_MAPPING ? yaml_member(property, "type", NULL) : NULL;

    return type != NULL && yaml_text_is(type, "string");
}

/* How long a word is: up to a blank that is not inside quotes. */
static size_t word_length(const char *p)
{
    bool quoted = false;
    size_t n = 0;

    for (; p[n] != '\0' && (quoted || (p[n] != ' ' && p[n] != '\t')); n++) {
        if (p[n] == '\\' && quoted && p[n + 1] != '\0') {
            n++;
        } else if (p[n] == '"') {
            quoted = !quoted;
        }
    }
    return n;
}

/* One word, name=value, as a member. */
static bool add_word(struct buf *json, const char *word, size_t n, const struct tool *tool)
{
    const char *equals = memchr(word, '=', n);

    if (equals == NULL || equals == word) {
        return false;
    }
    const char *name = xstrndup(word, (size_t)(equals - word));
    const char *value = equals + 1;
    size_t length = (size_t)(word + n - value);
    char *as_json = is_text(tool, name) && *value != '"' ? NULL : json_of(value, length);
    buf_puts(json, json->n == 1 ? "" : ",");
    json_string(json, name, strlen(name));
    buf_puts(json, ":");
    if (as_json != NULL) {
        buf_puts(json, as_json);
    } else {
        json_string(json, value, length);
    }
    return true;
}

char *transcript_arguments(const struct check *c, const struct step *step, const struct tool *tool)
{
    const char *p = step->arguments;
    struct buf json = {0};

    if (*p == '{') {
        char *object = json_of(p, strlen(p));
        if (object == NULL) {
            check_report(c, LEVEL_L, step->arguments_at, "SK-T-01", "these arguments are not a JSON object");
        }
        return object;
    }
    buf_puts(&json, "{");
    while (*p != '\0') {
        size_t n = word_length(p);
        if (!add_word(&json, p, n, tool)) {
            check_report(c, LEVEL_L, step->arguments_at, "SK-T-01",
                         "'%s': arguments are words name=value, or a JSON object", excerpt(p, n));
            return NULL;
        }
        p += n;
        p += strspn(p, " \t");
    }
    buf_puts(&json, "}");
    return buf_str(&json);
}

/* ---- Before anything is run ---- */

const struct tool *transcript_tool(const struct device *device, const char *name)
{
    for (size_t i = 0; i < device->tool_count; i++) {
        if (strcmp(device->tools[i].name, name) == 0) {
            return &device->tools[i];
        }
    }
    return NULL;
}

static bool is_served(const struct device *device, const char *name)
{
    bool own = strcmp(name, "list_skills") == 0 || strcmp(name, "read_skill") == 0;

    return transcript_tool(device, name) != NULL || (own && !device->no_skill_tools) ||
           (device->panel != NULL && strcmp(name, "show_panel") == 0);
}

static void check_file(const struct check *c, const struct device *device, const struct source *file)
{
    struct check at = check_at(c, file->disk_path);
    struct transcript t = transcript_read(&at, (const char *)file->bytes, file->size);

    for (size_t i = 0; i < t.count; i++) {
        const struct step *step = &t.steps[i];
        if (transcript_reads(step)) {
            continue;
        }
        if (!is_served(device, step->name)) {
            check_report(&at, LEVEL_L, step->at, "SK-T-02", "the device has no tool '%s'; correct the name",
                         excerpt_str(step->name));
        }
        transcript_arguments(&at, step, transcript_tool(device, step->name));
    }
}

void transcripts_check(const struct check *c, const struct device *device)
{
    for (size_t i = 0; i < device->skill_count; i++) {
        for (size_t k = 0; k < device->skills[i].file_count; k++) {
            const struct source *file = &device->skills[i].files[k];
            if (file->text && file->size > 0 && load_stem(file->path, ".md") != NULL) {
                check_file(c, device, file);
            }
        }
    }
}
