/* tools.c -- handlers of the fixture's tools. The names and what each has to do are
 * the conformance suite's; tools/<name>.json describes them. */
#include "tools.h"

#include "device.h"

int tool_echo(struct skr_call *call, const struct tool_echo_args *args)
{
    if (args->has_text) {
        skr_put_span(call, args->text);
    } else {
        skr_put(call, "nothing to repeat");
    }
    return 0;
}

int tool_json_schema_2020_12_tool(struct skr_call *call, const struct tool_json_schema_2020_12_tool_args *args)
{
    (void)args;
    skr_put(call, "This is a simple text response for testing.");
    return 0;
}

int tool_test_simple_text(struct skr_call *call, const struct tool_test_simple_text_args *args)
{
    (void)args;
    skr_put(call, "This is a simple text response for testing.");
    return 0;
}

int tool_test_error_handling(struct skr_call *call, const struct tool_test_error_handling_args *args)
{
    (void)args;
    return skr_fail(call, "This tool intentionally returns an error for testing");
}

int tool_test_missing_capability(struct skr_call *call, const struct tool_test_missing_capability_args *args)
{
    (void)args;
    if (skr_need(call, SKR_CAP_SAMPLING)) {
        skr_put(call, "This client can sample.");
    }
    return 0;
}

int tool_test_streaming_elicitation(struct skr_call *call, const struct tool_test_streaming_elicitation_args *args)
{
    (void)args;
    if (skr_need(call, SKR_CAP_ELICITATION)) {
        skr_put(call, "This client can elicit; there is nothing to ask.");
    }
    return 0;
}

int tool_test_trigger_tool_change(struct skr_call *call, const struct tool_test_trigger_tool_change_args *args)
{
    (void)args;
    skr_server_notify(skr_call_server(call), SKR_CHANGES_TOOLS);
    skr_put(call, "told that the tools have changed");
    return 0;
}

int tool_test_trigger_prompt_change(struct skr_call *call, const struct tool_test_trigger_prompt_change_args *args)
{
    (void)args;
    skr_server_notify(skr_call_server(call), SKR_CHANGES_PROMPTS);
    skr_put(call, "told that the prompts have changed");
    return 0;
}

int tool_test_trigger_resource_change(struct skr_call *call, const struct tool_test_trigger_resource_change_args *args)
{
    (void)args;
    resource_watched_resource_version++;
    skr_server_notify(skr_call_server(call), SKR_CHANGES_CONTENT);
    skr_put(call, "told that test://watched-resource has changed");
    return 0;
}

int tool_test_x_mcp_header(struct skr_call *call, const struct tool_test_x_mcp_header_args *args)
{
    (void)args;
    skr_put(call, "This is a simple text response for testing.");
    return 0;
}
