/* device.c -- the tables of the fixture: its tools, whose table is generated of tools/,
 * the prompts that it writes, and the resources that the conformance suite reads. */
#define SKR_TOOLS_TABLE
#include "tools.h"

#include "device.h"

static int read_text(struct skr_call *call, struct skr_span none)
{
    (void)none;
    skr_put(call, "This is the content of the static text resource.");
    return 0;
}

static int read_binary(struct skr_call *call, struct skr_span none)
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

static int read_template(struct skr_call *call, struct skr_span id)
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

uint32_t watched_version;

static const struct skr_resource resources[] = {
    {
        .uri = "test://static-text",
        .json = "{\"uri\":\"test://static-text\",\"name\":\"static-text\",\"mimeType\":\"text/plain\"}",
        .mime = "text/plain",
        .read = read_text,
    },
    {
        .uri = "test://static-binary",
        .json = "{\"uri\":\"test://static-binary\",\"name\":\"static-binary\",\"mimeType\":\"image/png\"}",
        .mime = "image/png",
        .read = read_binary,
    },
    {
        .uri = "test://watched-resource",
        .json = "{\"uri\":\"test://watched-resource\",\"name\":\"watched-resource\","
                "\"mimeType\":\"text/plain\"}",
        .mime = "text/plain",
        .read = read_text,
        .version = &watched_version,
    },
    {
        .uri = "test://template/{id}/data",
        .json = "{\"uriTemplate\":\"test://template/{id}/data\",\"name\":\"template\","
                "\"description\":\"A number as JSON\",\"mimeType\":\"application/json\"}",
        .mime = "application/json",
        .read = read_template,
    },
};

const struct skr_device conformance_device = {
    .tools = skr_tools,
    .tool_count = SKR_TOOL_COUNT,
    .resources = resources,
    .resource_count = sizeof resources / sizeof resources[0],
    .prompts = prompts,
    .prompt_count = sizeof prompts / sizeof prompts[0],
    .changes = SKR_CHANGES_TOOLS | SKR_CHANGES_PROMPTS | SKR_CHANGES_CONTENT,
    .logs = true,
};
