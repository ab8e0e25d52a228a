/* device.c -- the tables of the fixture: its tools, in the order of their names, and
 * the resources that the conformance suite reads. */
#include "device.h"

static const unsigned char png[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00,
    0x00, 0x1f, 0x15, 0xc4, 0x89, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x44, 0x41, 0x54, 0x78,
    0xda, 0x63, 0xfc, 0xcf, 0xc0, 0xf0, 0x1f, 0x00, 0x05, 0x05, 0x02, 0x00, 0x5f, 0xc8,
    0xf1, 0xd2, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
};

static int read_text(struct skr_call *call, struct skr_span none)
{
    (void)none;
    skr_put(call, "This is the content of the static text resource.");
    return 0;
}

static int read_binary(struct skr_call *call, struct skr_span none)
{
    struct skr_span bytes = {(const char *)png, sizeof png};
    (void)none;
    skr_put_binary(call);
    skr_put_span(call, bytes);
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
    skr_put(call, "{\"id\":\"");
    skr_put_span(call, id);
    skr_put(call, "\",\"templateTest\":true,\"data\":\"Data for ID: ");
    skr_put_span(call, id);
    skr_put(call, "\"}");
    return 0;
}

#define AT_ONCE(tool, handler)                                                                               \
    {                                                                                                        \
        .name = tool, .run = handler                                                                         \
    }
#define LATER(tool, handler)                                                                                 \
    {                                                                                                        \
        .name = tool, .run = handler, .deadline_ms = SKR_JOB_DEADLINE_MS, .parallel = true                   \
    }

#define TASK(tool, handler, use)                                                                             \
    {                                                                                                        \
        .name = tool, .run = handler, .deadline_ms = SKR_JOB_DEADLINE_MAX_MS, .parallel = true, .task = use  \
    }

static const struct skr_tool tools[] = {
    TASK("confirm_delete", tool_confirm_delete, SKR_TASK_OPTIONAL),
    AT_ONCE("echo", tool_echo),
    TASK("failing_job", tool_failing_job, SKR_TASK_REQUIRED),
    AT_ONCE("greet", tool_greet),
    AT_ONCE("json_schema_2020_12_tool", tool_text),
    TASK("multi_input", tool_multi_input, SKR_TASK_OPTIONAL),
    TASK("protocol_error_job", tool_protocol_error_job, SKR_TASK_OPTIONAL),
    TASK("slow_compute", tool_slow_compute, SKR_TASK_OPTIONAL),
    LATER("test_ask_too_much", tool_test_ask_too_much),
    LATER("test_ask_url", tool_test_ask_url),
    LATER("test_elicitation", tool_test_elicitation),
    LATER("test_elicitation_sep1034_defaults", tool_test_elicitation_sep1034_defaults),
    LATER("test_elicitation_sep1330_enums", tool_test_elicitation_sep1330_enums),
    AT_ONCE("test_error_handling", tool_test_error_handling),
    LATER("test_input_required_result_capabilities", tool_ask_what_can_be_asked),
    LATER("test_input_required_result_elicitation", tool_ask_name),
    LATER("test_input_required_result_list_roots", tool_ask_roots),
    LATER("test_input_required_result_multi_round", tool_ask_in_rounds),
    LATER("test_input_required_result_multiple_inputs", tool_ask_three),
    LATER("test_input_required_result_request_state", tool_ask_with_state),
    LATER("test_input_required_result_sampling", tool_ask_model),
    LATER("test_input_required_result_tampered_state", tool_ask_with_state),
    LATER("test_logging_tool", tool_test_logging_tool),
    AT_ONCE("test_missing_capability", tool_test_missing_capability),
    LATER("test_reconnection", tool_test_reconnection),
    LATER("test_sampling", tool_test_sampling),
    AT_ONCE("test_simple_text", tool_text),
    AT_ONCE("test_streaming_elicitation", tool_test_streaming_elicitation),
    LATER("test_tool_with_logging", tool_test_tool_with_logging),
    LATER("test_tool_with_progress", tool_test_tool_with_progress),
    TASK("test_tool_with_task", tool_test_tool_with_task, SKR_TASK_OPTIONAL),
    AT_ONCE("test_trigger_prompt_change", tool_test_trigger_prompt_change),
    AT_ONCE("test_trigger_tool_change", tool_test_trigger_tool_change),
    AT_ONCE("test_x_mcp_header", tool_text),
};

static const struct skr_tool prompts[] = {
    LATER("test_input_required_result_prompt", prompt_ask_context),
};

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
    .tools = tools,
    .tool_count = sizeof tools / sizeof tools[0],
    .resources = resources,
    .resource_count = sizeof resources / sizeof resources[0],
    .prompts = prompts,
    .prompt_count = sizeof prompts / sizeof prompts[0],
    .changes = SKR_CHANGES_TOOLS | SKR_CHANGES_PROMPTS,
    .logs = true,
};
