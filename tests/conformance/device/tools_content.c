/* tools_content.c -- handlers whose results are more than a text. */
#include "device.h"
#include "tools.h"

int tool_test_image_content(struct skr_call *call, const struct tool_test_image_content_args *args)
{
    (void)args;
    skr_begin_image(call, "image/png");
    skr_lend(call, conformance_png);
    return 0;
}

int tool_test_audio_content(struct skr_call *call, const struct tool_test_audio_content_args *args)
{
    (void)args;
    skr_begin_audio(call, "audio/wav");
    skr_lend(call, conformance_wav);
    return 0;
}

int tool_test_embedded_resource(struct skr_call *call, const struct tool_test_embedded_resource_args *args)
{
    (void)args;
    skr_begin_resource(call, "test://embedded-resource", "text/plain");
    skr_put(call, "This is an embedded resource content.");
    return 0;
}

int tool_test_multiple_content_types(struct skr_call *call, const struct tool_test_multiple_content_types_args *args)
{
    (void)args;
    skr_put(call, "Multiple content types test:");
    skr_begin_image(call, "image/png");
    skr_lend(call, conformance_png);
    skr_begin_resource(call, "test://mixed-content-resource", "application/json");
    skr_write_object(call, NULL);
    skr_write_string(call, "test", "data");
    skr_write_int(call, "value", 123);
    skr_write_end(call);
    return 0;
}
