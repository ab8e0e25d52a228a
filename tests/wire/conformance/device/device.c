/* device.c -- the tables of the fixture: its tools, whose table is generated of tools/,
 * the prompts that it writes, and the resources that the conformance suite reads. */
#define SKR_TOOLS_TABLE
#include "device.h"

#include <string.h>

#include "skr_alarm.h"
#include "tools.h"

uint32_t resource_alarms_version;

int resource_static_text(struct skr_call *call, struct skr_span none)
{
    (void)none;
    skr_put(call, "This is the content of the static text resource.");
    return 0;
}

int resource_watched_resource(struct skr_call *call, struct skr_span none)
{
    return resource_static_text(call, none);
}

int resource_static_binary(struct skr_call *call, struct skr_span none)
{
    (void)none;
    skr_set_binary(call);
    skr_put_span(call, conformance_png);
    return 0;
}

static bool is_digits(struct skr_span text)
{
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] < '0' || text.p[i] > '9') {
            return false;
        }
    }
    return text.n > 0;
}

int resource_template(struct skr_call *call, struct skr_span id)
{
    if (!is_digits(id)) {
        return SKR_NOT_FOUND;
    }
    skr_putf(call, "{\"id\":\"%.*s\",\"templateTest\":true,\"data\":\"Data for ID: %.*s\"}", SKR_SPAN_ARG(id),
             SKR_SPAN_ARG(id));
    return 0;
}

static const struct skr_tool prompts[] = {
    {.name = "test_input_required_result_prompt",
     .run = prompt_elicit_context,
     .deadline_ms = SKR_JOB_DEADLINE_MS,
     .parallel = true},
    {.name = "test_prompt_with_embedded_resource", .run = prompt_with_embedded_resource},
    {.name = "test_prompt_with_image", .run = prompt_with_image},
};

struct skr_alarms conformance_alarms;

/* The fixture has no start of its own on a board: the first use is the start. */
static struct skr_alarms *alarms(void)
{
    if (conformance_alarms.version == NULL) {
        (void)skr_alarms_begin(&conformance_alarms, &resource_alarms_version);
    }
    return &conformance_alarms;
}

int resource_alarms(struct skr_call *call, struct skr_span none)
{
    (void)none;
    return skr_put_alarms(call, alarms());
}

int tool_test_alarm(struct skr_call *call, const struct tool_test_alarm_args *args)
{
    char code[32], text[256];

    memcpy(code, args->code.p, args->code.n);
    code[args->code.n] = '\0';
    memcpy(text, args->text.p, args->text.n);
    text[args->text.n] = '\0';
    skr_alarm(skr_call_server(call), alarms(), code, text);
    skr_put(call, "raised");
    return 0;
}

#if SKR_EVENTS
/* One second before the leap day of 2028. */
static uint32_t leap(void *context)
{
    (void)context;
    return 1835395199;
}
#endif

uint32_t resource_watched_resource_version; /* counted in tools.c */

const struct skr_device conformance_device = {
    .tools = skr_tools,
    .tool_count = SKR_TOOL_COUNT,
    .resources = skr_resources,
    .resource_count = SKR_RESOURCE_COUNT,
    .prompts = prompts,
    .prompt_count = sizeof prompts / sizeof prompts[0],
    .changes = SKR_CHANGES_TOOLS | SKR_CHANGES_PROMPTS, /* and content, because a resource has a version */
    .logs = true,
#if SKR_EVENTS
    .clock = leap,
    .alarms = &conformance_alarms,
#endif
};
