/* replay.c -- see replay.h. */
#include "replay.h"

#include <stdio.h>
#include <string.h>

#include "../client/client.h"
#include "base/json_out.h"
#include "load/load.h"
#include "load/transcript.h"
#include "program.h"
#include "replay_plan.h"
#include "replay_step.h"

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
static size_t lines_fit(const struct step *step, const struct step_lines *got, const char **left)
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

static const char *shown_text(const char *text)
{
    size_t n = utf8_clip(text, strlen(text), SHOWN);

    return text[n] == '\0' ? text : xasprintf("%.*s" ANY, (int)n, text);
}

/* True if the response is as written. */
static bool step_compare(const struct check *c, const struct step *step, const struct step_lines *got)
{
    const char *left;

    if (step->line_count == 0) {
        if (got->error) {
            check_report(c, LEVEL_E, step->at, "SK-T-03", "%s fails: %s", step->name, shown_text(got->line[0]));
        }
        return !got->error;
    }
    const struct expected *first = &step->lines[0];
    if (first->error != got->error) {
        check_report(c, LEVEL_E, first->at, "SK-T-03", "%s %s: %s", step->name,
                     got->error ? "fails" : "does not fail, but returns", shown_text(got->line[0]));
        return false;
    }
    size_t bad = lines_fit(step, got, &left);
    if (bad < step->line_count) {
        check_report(c, LEVEL_E, step->lines[bad].at, "SK-T-03", "instead of this %s returns: %s", step->name,
                     left != NULL ? shown_text(left) : "nothing more");
        return false;
    }
    if (left != NULL) {
        check_report(c, LEVEL_E, step->at, "SK-T-03", "%s returns one line more: %s", step->name, shown_text(left));
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

/* Plans the step, and counts it. */
static void try_plan(const struct check *c, struct client *client, const struct device *device, const struct step *step,
                     struct plan_readings *readings, struct replay_count *count)
{
    enum plan_result result = replay_plan(c, client, device, step, readings);

    if (result != PLAN_NONE) {
        count->plans++;
        count->plans_failed += result == PLAN_FAILS;
        count->planned[transcript_tool(device, step->name) - device->tools] = true;
    }
}

static bool replay_file(const struct check *c, const struct device *device, const struct transcript *t,
                        struct server *server, struct replay_count *count)
{
    struct plan_readings readings = {NULL, 0};

    count->files++;
    for (size_t i = 0; i < t->count; i++) {
        const struct step *step = &t->steps[i];
        try_plan(c, &server->client, device, step, &readings, count);
        const struct node *message = step_request(c, &server->client, device, step, false);
        if (message == NULL) {
            program_show_log(&server->program);
            check_report(c, LEVEL_E, step->at, "SK-T-03", "%s has no response", step->name);
            return false;
        }
        struct step_lines got = step_lines_of(message);
        bool fits = fits_schema(c, step, transcript_tool(device, step->name), message);
        count->steps++;
        count->failed += !step_compare(c, step, &got) || !fits;
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

    count->planned = xmalloc((device->tool_count + 1) * sizeof *count->planned);
    memset(count->planned, 0, (device->tool_count + 1) * sizeof *count->planned);
    server.client.confirms = target->argv != NULL || target->all;
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
    replay_plans_missing(c, device, count->planned);
    return good;
}
