/* replay_plan.c -- see replay_plan.h. */
#include "replay_plan.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../transport/transport_config.h"
#include "base/json_out.h"
#include "base/yaml.h"
#include "schema/schema.h"
#include "text/json_scan.h"

#define WATCHED 12            /* times that everything is read before the first plan, */
#define PAUSE_NS 100000000    /* and the time in between: clocks and counters of seconds change meanwhile */
#define CANNOT "cannot plan:" /* begins the refusal of core/handler/guard.c */

/* ---- What the device says of itself ---- */

struct plan_reading {
    const char *method;
    char *params, *name;
    char *text; /* the last result; "" if there was none */
    bool varies;
};

static void add_reading(struct plan_readings *r, const char *method, const char *member, const char *name)
{
    struct buf params = {0};

    buf_printf(&params, "{\"%s\":", member);
    json_string(&params, name, strlen(name));
    buf_puts(&params, "}");
    r->all = xrealloc(r->all, (r->count + 1) * sizeof *r->all);
    r->all[r->count++] = (struct plan_reading){method, xstrdup(buf_str(&params)), xstrdup(name), NULL, false};
}

static bool needs_arguments(const struct tool *tool)
{
    for (size_t i = 0; tool->args->kind == SHAPE_OBJECT && i < tool->args->count; i++) {
        if (tool->args->members[i].required) {
            return true;
        }
    }
    return false;
}

static struct plan_readings readings_of(const struct device *device)
{
    struct plan_readings r = {NULL, 0};

    for (size_t i = 0; i < device->tool_count; i++) {
        const struct tool *tool = &device->tools[i];
        if (tool->read_only && tool->task != TASK_REQUIRED && !needs_arguments(tool)) {
            add_reading(&r, "tools/call", "name", tool->name);
        }
    }
    for (size_t i = 0; i < device->resource_count; i++) {
        if (!device->resources[i].is_template) {
            add_reading(&r, "resources/read", "uri", device->resources[i].uri);
        }
    }
    return r;
}

static char *read_once(struct client *client, const struct plan_reading *one)
{
    if (!client_request(client, one->method, one->params, true)) {
        return xstrdup("");
    }
    struct skr_span result = skr_scan_get(client->response, "result");
    return xstrndup(result.p != NULL ? result.p : "", result.n);
}

static void read_all(struct client *client, struct plan_readings *r)
{
    for (size_t i = 0; i < r->count; i++) {
        r->all[i].text = read_once(client, &r->all[i]);
    }
}

/* Reads all of it several times, and notes what varies. */
static void watch_readings(struct client *client, struct plan_readings *r)
{
    const struct timespec pause = {0, PAUSE_NS};

    read_all(client, r);
    for (unsigned times = 1; times < WATCHED && r->count > 0; times++) {
        nanosleep(&pause, NULL);
        for (size_t i = 0; i < r->count; i++) {
            r->all[i].varies |= strcmp(r->all[i].text, read_once(client, &r->all[i])) != 0;
        }
    }
}

/* True if everything is as it was; else a message says what is not. */
static bool is_unchanged(const struct check *c, struct client *client, const struct plan_readings *r,
                         const struct step *step)
{
    bool same = true;

    for (size_t i = 0; i < r->count; i++) {
        const struct plan_reading *one = &r->all[i];
        if (!one->varies && strcmp(one->text, read_once(client, one)) != 0) {
            check_report(
                c, LEVEL_E, step->at, "SK-T-05",
                "planning %s changes what %s returns; its handler must ask skr_planning before it moves anything",
                step->name, one->name);
            same = false;
        }
    }
    return same;
}

/* ---- The plan ---- */

/* True when the device lists the tool as one that can plan: firmware without plans would run it. */
static bool is_listed(struct client *client, const char *name)
{
    char params[TRANSPORT_CURSOR + 32] = "{}";
    struct skr_span result, tools, tool, cursor;

    for (unsigned pages = 0; pages < TRANSPORT_PAGES && client_get(client, "tools/list", params, true, &result);
         pages++) {
        tools = skr_scan_get(result, "tools");
        while (tools.p != NULL && skr_scan_item(&tools, &tool)) {
            struct skr_span plans = skr_scan_get(skr_scan_get(tool, "_meta"), "dev.skillrom/plan");
            if (skr_scan_is(skr_scan_get(tool, "name"), name)) {
                return plans.p != NULL && *plans.p == 't';
            }
        }
        cursor = skr_scan_get(result, "nextCursor");
        if (cursor.n == 0 || cursor.n > TRANSPORT_CURSOR) {
            return false;
        }
        (void)snprintf(params, sizeof params, "{\"cursor\":%.*s}", (int)cursor.n, cursor.p);
    }
    return false;
}

/* Why the plan is not the one of a tool call like this; NULL if it is. */
static const char *plan_refused(const struct node *message, const struct step *step)
{
    struct step_lines got = step_lines_of(message);
    bool fails = step->line_count > 0 && step->lines[0].error;

    return got.error && (!fails || strncmp(got.line[0], CANNOT, strlen(CANNOT)) == 0) ? got.line[0] : NULL;
}

enum plan_result replay_plan(const struct check *c, struct client *client, const struct device *device,
                             const struct step *step, struct plan_readings *readings)
{
    const struct tool *tool = transcript_reads(step) ? NULL : transcript_tool(device, step->name);

    if (tool == NULL || !tool->rules.plan) {
        return PLAN_NONE;
    }
    if (!is_listed(client, step->name)) {
        check_report(c, LEVEL_E, step->at, "SK-T-05", "the device does not list %s as a tool that can plan",
                     step->name);
        return PLAN_FAILS;
    }
    if (readings->all == NULL) {
        *readings = readings_of(device);
        watch_readings(client, readings);
    }
    read_all(client, readings);
    const struct node *message = step_request(c, client, device, step, true);
    const char *why = message != NULL ? plan_refused(message, step) : "there is no response";
    if (why != NULL) {
        check_report(c, LEVEL_E, step->at, "SK-T-05", "the plan of %s fails: %s", step->name, why);
    }
    return is_unchanged(c, client, readings, step) && why == NULL ? PLAN_HOLDS : PLAN_FAILS;
}

void replay_plans_missing(const struct check *c, const struct device *device, const bool *called)
{
    for (size_t i = 0; i < device->tool_count; i++) {
        const struct tool *tool = &device->tools[i];
        if (tool->rules.plan && !called[i]) {
            struct check at = check_at(c, tool->disk_path);
            check_report(&at, LEVEL_W, tool->root->at, "SK-T-05",
                         "no transcript calls %s, which can plan, so nothing shows that its plan moves nothing",
                         tool->name);
        }
    }
}
