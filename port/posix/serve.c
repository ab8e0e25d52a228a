/* serve.c -- from the command line to a running server: skr_posix_main. */
#include "posix.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "image.h"
#include "options.h"
#include "say.h"
#include "serve.h"

#define EXIT_WELL 0
#define EXIT_INPUT_WRONG 1
#define EXIT_CALL_WRONG 2

/* Static, because it holds the token table and is too large for a small stack. */
static struct skr_server server;

/* Tools that clients will see: described in the image, and done by the device. */
static unsigned count_tools(const struct skr_device *device)
{
    unsigned count = 0;

    for (size_t i = 0; i < device->tool_count; i++) {
        const char *name = device->tools[i].name;
        if (romfs_find_tool(&server.fs, name, strlen(name)) != NULL) {
            count++;
        }
    }
    return count;
}

static void describe(char *what, size_t size, const struct skr_device *device)
{
    unsigned skills = (unsigned)server.fs.header->listed;
    unsigned tools = count_tools(device);

    (void)snprintf(what, size, "%u skill%s, %u tool%s", skills, skills == 1 ? "" : "s", tools,
                   tools == 1 ? "" : "s");
}

int skr_posix_main(const struct skr_device *device, int argc, char **argv)
{
    struct skr_options options;
    struct skr_image image;
    char what[64];

    switch (skr_options_parse(&options, argc, argv)) {
    case SKR_OPTIONS_DONE: return EXIT_WELL;
    case SKR_OPTIONS_WRONG: return EXIT_CALL_WRONG;
    case SKR_OPTIONS_RUN: break;
    }
    if (!skr_image_map(&image, options.image)) {
        return EXIT_INPUT_WRONG;
    }
    int error = skr_server_init(&server, device, image.bytes, image.size);
    if (error != 0) {
        skr_say("%s: %s", options.image, romfs_reason(error));
        return EXIT_INPUT_WRONG;
    }
    if (options.page != 0) {
        server.page = options.page;
    }
    signal(SIGPIPE, SIG_IGN); /* a peer that left is an error of one write, not the end of the server */
    describe(what, sizeof what, device);
    return options.use_stdio ? skr_serve_stdio(&server, what) : skr_serve_net(&server, &options, what);
}
