/* tools_content.c -- handlers whose results are more than a text, of tools and prompts. */
#include <string.h>

#include "device.h"
#include "tools.h"

int tool_test_image_content(struct skr_call *call, const struct tool_test_image_content_args *args)
{
    (void)args;
    skr_begin_image(call, "image/png");
    skr_put_static(call, conformance_png);
    return 0;
}

int tool_test_audio_content(struct skr_call *call, const struct tool_test_audio_content_args *args)
{
    (void)args;
    skr_begin_audio(call, "audio/wav");
    skr_put_static(call, conformance_wav);
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
    skr_put_static(call, conformance_png);
    skr_begin_resource(call, "test://mixed-content-resource", "application/json");
    skr_write_object(call, NULL);
    skr_write_string(call, "test", "data");
    skr_write_int(call, "value", 123);
    skr_write_end(call);
    return 0;
}

/* ---- Prompts ---- */

struct embedded {
    struct skr_span uri;
};

static const struct skr_arg embedded_members[] = {
    {.kind = &skr_arg_string,
     .name = "resourceUri",
     .offset = offsetof(struct embedded, uri),
     .flags = SKR_ARG_REQUIRED},
};
static const struct skr_object embedded_shape = {
    .members = embedded_members, .count = 1, .size = sizeof(struct embedded)};

#define URI_MAX 128

int prompt_with_embedded_resource(struct skr_call *call)
{
    struct embedded args;
    char uri[URI_MAX] = "";

    if (!skr_args_read(call, &embedded_shape, &args)) {
        return 0;
    }
    if (args.uri.n >= URI_MAX) {
        return skr_refuse(call, (struct skr_span){"resourceUri", 11}, "must be shorter");
    }
    memcpy(uri, args.uri.p, args.uri.n);
    skr_begin_resource(call, uri, "text/plain");
    skr_put(call, "Embedded resource content for testing.");
    skr_begin_text(call);
    skr_put(call, "Please process the embedded resource above.");
    return 0;
}

int prompt_with_image(struct skr_call *call)
{
    skr_begin_image(call, "image/png");
    skr_put_static(call, conformance_png);
    skr_begin_text(call);
    skr_put(call, "Please analyze the image above.");
    return 0;
}
