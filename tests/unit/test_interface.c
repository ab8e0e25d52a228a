/* test_interface.c -- a program refuses an image that describes its tools in another way than it was built for, by name, and
 * serves every other (defect 78). The table has a change of a tool's file in each row; image and program are made of its two
 * sides, in both directions, at the start and by a swap. */
#include <stdio.h>
#include <string.h>

#include "image/image.h"
#include "lint/sandbox.h"
#include "peer.h"
#include "unity.h"

#define SCHEMA                                                                                                         \
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"rpm\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":90}}}"
#define TOOL(members) "{\"name\":\"spin\",\"description\":\"Spins.\"," members "}"

struct change {
    const char *what, *before, *after;
    bool differs;
};

static const struct change changes[] = {
    {"a limit", TOOL(SCHEMA),
     TOOL(
         "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"rpm\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":91}}}"),
     true},
    {"a type", TOOL(SCHEMA),
     TOOL("\"inputSchema\":{\"type\":\"object\",\"properties\":{\"rpm\":{\"type\":\"string\"}}}"), true},
    {"an argument's name", TOOL(SCHEMA),
     TOOL(
         "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"Rpm\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":90}}}"),
     true},
    {"an argument less", TOOL(SCHEMA), TOOL("\"inputSchema\":{\"type\":\"object\"}"), true},
    {"required", TOOL(SCHEMA),
     TOOL(
         "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"rpm\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":90}},"
         "\"required\":[\"rpm\"]}"),
     true},
    {"a default", TOOL(SCHEMA),
     TOOL(
         "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"rpm\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":90,"
         "\"default\":9}}}"),
     true},
    {"the order of an enum",
     TOOL(
         "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"way\":{\"type\":\"string\",\"enum\":[\"left\",\"right\"]}}}"),
     TOOL(
         "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"way\":{\"type\":\"string\",\"enum\":[\"right\",\"left\"]}}}"),
     true},
    {"inside an array",
     TOOL(
         "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"l\":{\"type\":\"array\",\"maxItems\":2,\"items\":{\"type\":"
         "\"integer\",\"maximum\":1}}}}"),
     TOOL(
         "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"l\":{\"type\":\"array\",\"maxItems\":2,\"items\":{\"type\":"
         "\"integer\",\"maximum\":2}}}}"),
     true},
    {"a property called title",
     TOOL("\"inputSchema\":{\"type\":\"object\",\"properties\":{\"title\":{\"type\":\"boolean\"}}}"),
     TOOL("\"inputSchema\":{\"type\":\"object\",\"properties\":{\"title\":{\"type\":\"string\"}}}"), true},
    {"an outputSchema", TOOL(SCHEMA), TOOL(SCHEMA ",\"outputSchema\":{\"type\":\"object\"}"), true},
    {"readOnlyHint", TOOL(SCHEMA), TOOL(SCHEMA ",\"annotations\":{\"readOnlyHint\":true}"), true},
    {"a deadline", TOOL(SCHEMA), TOOL(SCHEMA ",\"x-skillrom\":{\"deadlineMs\":1000}"), true},
    {"another deadline", TOOL(SCHEMA ",\"x-skillrom\":{\"deadlineMs\":1000}"),
     TOOL(SCHEMA ",\"x-skillrom\":{\"deadlineMs\":1001}"), true},
    {"a task", TOOL(SCHEMA ",\"x-skillrom\":{\"deadlineMs\":1000}"),
     TOOL(SCHEMA ",\"x-skillrom\":{\"deadlineMs\":1000,\"task\":\"optional\"}"), true},
    {"nothing", TOOL(SCHEMA), TOOL(SCHEMA), false},
    {"words for people", TOOL(SCHEMA),
     TOOL(
         "\"title\":\"Spin\",\"inputSchema\":{\"$comment\":\"c\",\"description\":\"d\",\"type\":\"object\",\"properties\":{\"rpm\":"
         "{\"title\":\"t\",\"description\":\"d\",\"examples\":[1],\"deprecated\":true,\"type\":\"integer\",\"minimum\":1,"
         "\"maximum\":90}}}"),
     false},
    {"the order of members", TOOL(SCHEMA),
     TOOL(
         "\"inputSchema\":{\"properties\":{\"rpm\":{\"maximum\":90,\"minimum\":1,\"type\":\"integer\"}},\"type\":\"object\"}"),
     false},
    {"other annotations", TOOL(SCHEMA),
     TOOL(SCHEMA ",\"annotations\":{\"idempotentHint\":true,\"readOnlyHint\":false}"), false},
    {"the order of what is for the handler", TOOL(SCHEMA ",\"x-skillrom\":{\"deadlineMs\":1000,\"outputMax\":9}"),
     TOOL(SCHEMA ",\"x-skillrom\":{\"outputMax\":9,\"deadlineMs\":1000}"), false},
};
#define CHANGES (sizeof changes / sizeof changes[0])

/* A device's image, and the table that tools.h would have of its tools. */
struct made {
    struct buf image;
    struct skr_tool tools[3];
    struct skr_device device;
};

static int run(struct skr_call *call)
{
    skr_put(call, "spins");
    return 0;
}

static const char same_json[] = "{\"name\":\"stop\",\"description\":\"Stops.\",\"inputSchema\":{\"type\":\"object\"}}";

static const char about[] = "{\"name\":\"d\",\"version\":\"1\"}";

/* `stop` is the same in all of them. */
static struct made make(const char *spin, const char *turn)
{
    struct made made = {.image = {0}};
    struct diag diag = {.out = stderr};

    sandbox_open();
    sandbox_file("device.json", about, sizeof about - 1);
    sandbox_file("tools/spin.json", spin, strlen(spin));
    sandbox_file("tools/stop.json", same_json, sizeof same_json - 1);
    if (turn != NULL) {
        sandbox_file("tools/turn.json", turn, strlen(turn));
    }
    struct outcome loaded = sandbox_load(NULL, &(struct load_options){0});
    TEST_ASSERT_TRUE_MESSAGE(loaded.well && image_build(&loaded.device, &(struct image_options){0}, &diag, &made.image),
                             outcome_text(&loaded));
    for (size_t i = 0; i < loaded.device.tool_count; i++) {
        const struct tool *tool = &loaded.device.tools[i];
        made.tools[i] = (struct skr_tool){.name = tool->name, .run = run, .interface_id = tool->interface_id};
        TEST_ASSERT_NOT_EQUAL_UINT32(0, tool->interface_id);
    }
    made.device.tool_count = loaded.device.tool_count;
    sandbox_close();
    return made;
}

static int start(struct made *program, const struct made *image)
{
    program->device.tools = program->tools;
    return skr_server_init(&peer.server, &program->device, image->image.p, image->image.n);
}

static void expect_misfit(const struct skr_tool *expected, const char *what)
{
    const struct skr_tool *found = skr_server_misfit(&peer.server, NULL);

    TEST_ASSERT_EQUAL_PTR_MESSAGE(expected, found, what);
    TEST_ASSERT_NULL_MESSAGE(skr_server_misfit(&peer.server, found), what);
}

static void check_pair(struct made *program, const struct made *image, const struct change *c)
{
    TEST_ASSERT_EQUAL_MESSAGE(c->differs ? SKR_ERR_TOOLS : 0, start(program, image), c->what);
    if (c->differs) {
        expect_misfit(&program->tools[0], c->what);
    }
    TEST_ASSERT_EQUAL_MESSAGE(0, start(program, program), c->what);
    skr_server_can_swap(&peer.server, true);
    const struct romfs *served = peer.server.fs;
    TEST_ASSERT_EQUAL_MESSAGE(c->differs ? SKR_ERR_TOOLS : 0,
                              skr_server_swap(&peer.server, image->image.p, image->image.n), c->what);
    if (c->differs) {
        TEST_ASSERT_EQUAL_PTR_MESSAGE(served, peer.server.fs, c->what);
        expect_misfit(&program->tools[0], c->what);
    }
}

static void what_a_handler_relies_on_is_compared_and_nothing_else_is(void)
{
    for (size_t i = 0; i < CHANGES; i++) {
        struct made before = make(changes[i].before, NULL), after = make(changes[i].after, NULL);
        check_pair(&before, &after, &changes[i]);
        check_pair(&after, &before, &changes[i]);
        bool same =
            memcmp(((const struct romfs_header *)(const void *)before.image.p)->interface_id,
                   ((const struct romfs_header *)(const void *)after.image.p)->interface_id, ROMFS_INTERFACE_SIZE) == 0;
        TEST_ASSERT_EQUAL_MESSAGE(changes[i].differs, !same, changes[i].what);
    }
    printf("%zu changes of a tool, each in both directions, at the start and by a swap\n", CHANGES);
}

#define TURN(type)                                                                                                               \
    "{\"name\":\"turn\",\"description\":\"Turns.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"" type \
    "\"}}}}"

static void every_tool_that_differs_is_named(void)
{
    struct made program = make(changes[0].before, TURN("string")), image = make(changes[0].after, TURN("boolean"));

    TEST_ASSERT_EQUAL(SKR_ERR_TOOLS, start(&program, &image));
    const struct skr_tool *first = skr_server_misfit(&peer.server, NULL),
                          *second = skr_server_misfit(&peer.server, first);
    TEST_ASSERT_EQUAL_STRING("spin", first->name);
    TEST_ASSERT_EQUAL_STRING("turn", second->name);
    TEST_ASSERT_NULL(skr_server_misfit(&peer.server, second));
    TEST_ASSERT_NOT_NULL(strstr(skr_server_reason(SKR_ERR_TOOLS), "build both again"));
}

/* skillromd has no handlers; a row written by hand has no id; a tool that one side lacks is in no list. */
static void what_promises_nothing_is_served(void)
{
    struct made program = make(changes[0].before, TURN("string")), image = make(changes[0].after, NULL);
    struct made nothing = {.device = {.tools = NULL}};

    TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, &nothing.device, image.image.p, image.image.n));
    program.tools[0].interface_id = 0;
    TEST_ASSERT_EQUAL(0, start(&program, &image));
    struct made fewer = make(changes[0].before, NULL), more = make(changes[0].before, TURN("string"));
    TEST_ASSERT_EQUAL(0, start(&fewer, &more));
    TEST_ASSERT_NULL(skr_server_misfit(&peer.server, NULL));
}

void setUp(void)
{
}

void tearDown(void)
{
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(what_a_handler_relies_on_is_compared_and_nothing_else_is);
    RUN_TEST(every_tool_that_differs_is_named);
    RUN_TEST(what_promises_nothing_is_served);
    return UNITY_END();
}
