/* replay.c -- see replay.h. */
#include "replay.h"

#include <stdio.h>
#include <string.h>

#include "../client/client.h"
#include "base/json_out.h"
#include "load/load.h"
#include "load/transcript.h"
#include "program.h"

#define ANY "..."
#define SHOWN 200                /* bytes of a response in a message */
#define MISSING_MS 3000          /* for a device that is not there */
#define RESPONSE_MARGIN_MS 90000 /* beyond the longest deadlineMs of the device's tools, because a line is slow */

/* The connection to the server. */
struct server {
    struct client client;
    struct program program;
    bool selected; /* the client has a device or program */
};

/* ---- Responses ---- */

/* The lines of a text; at least one. A newline at its end begins none. */
struct lines {
    char **line;
    size_t count;
    bool error;
};

static struct lines split(const char *text)
{
    struct lines out = {NULL, 0, false};

    for (const char *p = text;; p++) {
        size_t n = strcspn(p, "\n");
        out.line = xrealloc(out.line, (out.count + 1) * sizeof *out.line);
        out.line[out.count++] = xstrndup(p, n);
        p += n;
        if (*p == '\0' || p[1] == '\0') {
            return out;
        }
    }
}

static const char *text_of(const struct node *map, const char *key)
{
    const struct node *value = map != NULL && map->kind == NODE_MAPPING ? yaml_member(map, key, NULL) : NULL;

    return value != NULL && value->kind == NODE_SCALAR ? value->text : NULL;
}

/* Blocks of a result, or contents of a resource: texts as they are, others by their media type. */
static void add_blocks(struct buf *b, const struct node *blocks)
{
    for (size_t i = 0; blocks != NULL && blocks->kind == NODE_SEQUENCE && i < blocks->count; i++) {
        const char *text = text_of(blocks->items[i], "text"), *mime = text_of(blocks->items[i], "mimeType");
        buf_puts(b, b->n > 0 ? "\n" : "");
        if (text != NULL) {
            buf_puts(b, text);
        } else {
            buf_printf(b, "[%s]", mime != NULL ? mime : "?");
        }
    }
}

/* A response as the lines a manual would show. */
static struct lines lines_of(const struct node *message)
{
    const struct node *result = yaml_member(message, "result", NULL);
    struct buf b = {0};

    if (result == NULL) {
        const char *why = text_of(yaml_member(message, "error", NULL), "message");
        struct lines lines = split(why != NULL ? why : "an error without a message");
        lines.error = true;
        return lines;
    }
    const struct node *structured = yaml_member(result, "structuredContent", NULL);
    add_blocks(&b, yaml_member(result, "content", NULL));
    add_blocks(&b, yaml_member(result, "contents", NULL));
    if (b.n == 0 && structured != NULL) {
        load_json_compact(&b, structured);
    }
    const char *failed = text_of(result, "isError");
    struct lines lines = split(buf_str(&b));
    lines.error = failed != NULL && strcmp(failed, "true") == 0;
    return lines;
}

/* ---- Comparison ---- */

/* The pattern's fixed pieces occur in order, the first at the start, the last at the end. */
static bool line_fits(const char *pattern, const char *text)
{
    const char *any = strstr(pattern, ANY);

    if (any == NULL) {
        return strcmp(pattern, text) == 0;
    }
    size_t first = (size_t)(any - pattern);
    if (strncmp(pattern, text, first) != 0) {
        return false;
    }
    text += first;
    for (const char *piece = any + strlen(ANY);; piece = any + strlen(ANY)) {
        any = strstr(piece, ANY);
        size_t n = any != NULL ? (size_t)(any - piece) : strlen(piece);
        if (any == NULL) {
            return strlen(text) >= n && strcmp(text + strlen(text) - n, piece) == 0;
        }
        const char *found = memmem(text, strlen(text), piece, n);
        if (found == NULL) {
            return false;
        }
        text = found + n;
    }
}

static bool is_any(const struct expected *e)
{
    return strcmp(e->text, ANY) == 0;
}

/* Compares lines, where one of nothing but ANY stands for any number. The index of the first expected line that nothing fits;
 * the count of them when all do, and `*left` is the first line that was not expected, or NULL. */
static size_t lines_fit(const struct step *step, const struct lines *got, const char **left)
{
    size_t want = 0, have = 0, any = SIZE_MAX, any_have = 0, furthest = 0;

    *left = NULL;
    while (have < got->count) {
        furthest = want > furthest ? want : furthest;
        if (want < step->line_count && is_any(&step->lines[want])) {
            any = want++;
            any_have = have;
        } else if (want < step->line_count && line_fits(step->lines[want].text, got->line[have])) {
            want++;
            have++;
        } else if (any != SIZE_MAX) {
            want = any + 1;
            have = ++any_have;
        } else {
            *left = got->line[have];
            return want;
        }
    }
    while (want < step->line_count && is_any(&step->lines[want])) {
        want++;
    }
    return want < step->line_count && furthest > want ? furthest : want;
}

static const char *shown(const char *text)
{
    size_t n = utf8_clip(text, strlen(text), SHOWN);

    return text[n] == '\0' ? text : xasprintf("%.*s" ANY, (int)n, text);
}

/* True if the response is as written. */
static bool compare(const struct check *c, const struct step *step, const struct lines *got)
{
    const char *left;

    if (step->line_count == 0) {
        if (got->error) {
            check_report(c, LEVEL_E, step->at, "SK-T-03", "%s fails: %s", step->name, shown(got->line[0]));
        }
        return !got->error;
    }
    const struct expected *first = &step->lines[0];
    if (first->error != got->error) {
        check_report(c, LEVEL_E, first->at, "SK-T-03", "%s %s: %s", step->name,
                     got->error ? "fails" : "does not fail, but returns", shown(got->line[0]));
        return false;
    }
    size_t bad = lines_fit(step, got, &left);
    if (bad < step->line_count) {
        check_report(c, LEVEL_E, step->lines[bad].at, "SK-T-03", "instead of this %s returns: %s", step->name,
                     left != NULL ? shown(left) : "nothing more");
        return false;
    }
    if (left != NULL) {
        check_report(c, LEVEL_E, step->at, "SK-T-03", "%s returns one line more: %s", step->name, shown(left));
    }
    return left == NULL;
}

/* True if structured content fits the outputSchema of its tool, or one of both is missing: the server itself refuses a result
 * without it. */
static bool fits_schema(const struct check *c, const struct step *step, const struct tool *tool,
                        const struct node *message)
{
    const struct node *result = yaml_member(message, "result", NULL);
    const struct node *content = result != NULL ? yaml_member(result, "structuredContent", NULL) : NULL;
    const struct node *schema = tool != NULL ? yaml_member(tool->root, "outputSchema", NULL) : NULL;
    struct buf value = {0}, rules = {0};
    char member[CLIENT_MEMBER];

    if (schema == NULL || content == NULL) {
        return true;
    }
    load_json_compact(&value, content);
    load_json_compact(&rules, schema);
    const char *wrong = client_schema_mismatch(skr_span_of(buf_str(&value)), skr_span_of(buf_str(&rules)), member);
    if (wrong != NULL) {
        check_report(c, LEVEL_E, step->at, "SK-T-03",
                     "%s: structured content does not fit the outputSchema: %s %s; correct the handler or the schema",
                     step->name, member, wrong);
    }
    return wrong == NULL;
}

/* ---- Requests ---- */

/* Sends a step's request. Returns the response; NULL after a message. */
static const struct node *request_step(const struct check *c, struct client *client, const struct device *device,
                                       const struct step *step)
{
    struct diag silent = {.silent = true};
    const struct check quiet = {.diag = &silent};
    bool reads = transcript_reads(step);
    struct buf params = {0};

    buf_puts(&params, reads ? "{\"uri\":" : "{\"name\":");
    json_string(&params, step->name, strlen(step->name));
    if (!reads) {
        const char *arguments = transcript_arguments(c, step, transcript_tool(device, step->name));
        buf_printf(&params, ",\"arguments\":%s", arguments != NULL ? arguments : "{}");
    }
    buf_puts(&params, "}");
    if (!client_request(client, reads ? "resources/read" : "tools/call", buf_str(&params), reads)) {
        return NULL;
    }
    return yaml_parse(&quiet, client->response.p, client->response.n, 1, YAML_JSON);
}

/* True if no step changes anything. */
static bool only_reads(const struct transcript *t, const struct device *device)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct tool *tool = transcript_tool(device, t->steps[i].name);
        if (!transcript_reads(&t->steps[i]) && tool != NULL && !tool->read_only) {
            return false;
        }
    }
    return true;
}

static bool replay_file(const struct check *c, const struct device *device, const struct transcript *t,
                        struct server *server, struct replay_count *count)
{
    count->files++;
    for (size_t i = 0; i < t->count; i++) {
        const struct step *step = &t->steps[i];
        const struct node *message = request_step(c, &server->client, device, step);
        if (message == NULL) {
            program_show_log(&server->program);
            check_report(c, LEVEL_E, step->at, "SK-T-03", "%s has no response", step->name);
            return false;
        }
        struct lines got = lines_of(message);
        bool fits = fits_schema(c, step, transcript_tool(device, step->name), message);
        count->steps++;
        count->failed += !compare(c, step, &got) || !fits;
    }
    return true;
}

/* ---- The server ---- */

static bool server_start(struct server *s, const struct replay_target *target)
{
    if (s->selected) {
        return true;
    }
    if (target->argv == NULL) {
        s->selected = client_select_device(&s->client, target->device);
        return s->selected;
    }
    if (!program_start(&s->program, target->argv)) {
        return false;
    }
    client_select_program(&s->client, target->argv[0], s->program.stream);
    s->selected = true;
    return true;
}

static void server_stop(struct server *s)
{
    if (s->selected) {
        client_close(&s->client);
        program_stop(&s->program);
        s->selected = false;
    }
}

/* Runs one file with a transcript, on a program that is started for it or on the device. */
static bool start_and_replay(const struct check *c, const struct device *device, const struct transcript *t,
                             const struct replay_target *target, struct server *server, struct replay_count *count)
{
    if (target->argv == NULL && !target->all && !only_reads(t, device)) {
        count->kept_back++;
        return true;
    }
    bool good = server_start(server, target) && replay_file(c, device, t, server, count);
    if (target->argv != NULL) {
        server_stop(server);
    }
    return good;
}

bool replay(const struct check *c, const struct device *device, const struct replay_target *target,
            struct replay_count *count)
{
    static struct server server = {.client = {.name = "skillrom test", .quiet = true, .signals = -1}};
    bool good = true;

    server.client.wait_ms = MISSING_MS;
    server.client.response_ms = RESPONSE_MARGIN_MS;
    for (size_t i = 0; i < device->tool_count; i++) {
        uint32_t ms = device->tools[i].deadline_ms + RESPONSE_MARGIN_MS;
        server.client.response_ms = ms > server.client.response_ms ? ms : server.client.response_ms;
    }
    for (size_t i = 0; good && i < device->skill_count; i++) {
        for (size_t k = 0; good && k < device->skills[i].file_count; k++) {
            const struct source *file = &device->skills[i].files[k];
            struct check at = check_at(c, file->disk_path);
            struct transcript t = {NULL, 0};
            if (file->text && file->size > 0 && load_stem(file->path, ".md") != NULL) {
                t = transcript_read(&at, (const char *)file->bytes, file->size);
            }
            if (t.count > 0) {
                good = start_and_replay(&at, device, &t, target, &server, count);
            }
        }
    }
    server_stop(&server);
    return good;
}
