/* device.c -- the tables of the fixture: its tools, whose table is generated of tools/,
 * the prompts that it writes, and the resources that the conformance suite reads. */
#define SKR_TOOLS_TABLE
#include "device.h"

#include "tools.h"

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
     .run = prompt_ask_context,
     .deadline_ms = SKR_JOB_DEADLINE_MS,
     .parallel = true},
    {.name = "test_prompt_with_embedded_resource", .run = prompt_with_embedded_resource},
    {.name = "test_prompt_with_image", .run = prompt_with_image},
};

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
};
