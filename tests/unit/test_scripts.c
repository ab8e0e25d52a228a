/* test_scripts.c -- scripts that the program runs itself, without a handler of their own (skr_device.script), as skillromd does
 * with --exec-scripts; and results of scripts with several blocks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

static bool found_file;
static char asked_for[64];

static int run_file(struct skr_call *call)
{
    skr_put(call, "ran ");
    skr_put(call, skr_running_tool(call)->name);
    return 0;
}

static int run_blocks(struct skr_call *call)
{
    skr_put(call, "first");
    skr_begin_text(call);
    skr_put(call, "second");
    return 0;
}

static const struct skr_tool script = {.name = "a file", .run = run_file};

static const struct skr_tool *find(void *context, const struct romfs *fs, const struct romfs_file *file)
{
    TEST_ASSERT_EQUAL_PTR(&found_file, context);
    snprintf(asked_for, sizeof asked_for, "%.*s", (int)file->path.len, romfs_at(fs, file->path));
    return found_file ? &script : NULL;
}

static const struct skr_device runs_files = {.context = &found_file, .script = find};
static const struct skr_tool handler = {.name = "hidden.run", .run = run_blocks};
static const struct skr_device has_a_handler = {.tools = &handler, .tool_count = 1};

static void serve(const struct skr_device *device)
{
    peer_start(SKR_LINE, 0);
    TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, device, peer.image.p, peer.image.n));
    peer_open(SKR_LINE);
    peer_initialize("2025-11-25");
    asked_for[0] = '\0';
}

void setUp(void)
{
    found_file = true;
    serve(&runs_files);
}

void tearDown(void)
{
}

#define EXECUTE(name)                                                                                                  \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"skills/execute\",\"params\":{\"name\":\"hidden\",\"script\":\"" name   \
    "\"}}\n"
#define CALL(name) "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"" name "\"}}\n"

static void expect(const char *part, const char *text)
{
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, part), text);
}

static void a_script_without_a_handler_is_run_by_the_program(void)
{
    expect("\"text\":\"ran a file\"", peer_exchange(EXECUTE("scripts/run.sh")));
    TEST_ASSERT_EQUAL_STRING("scripts/run.sh", asked_for);
    expect("\"text\":\"ran a file\"", peer_exchange(CALL("hidden.run"))); /* [SK-X-19] the tool is the same */
}

static void a_script_that_the_program_does_not_run_is_none(void)
{
    found_file = false;
    expect("\"error\"", peer_exchange(EXECUTE("scripts/run.sh")));
    expect("\"error\"", peer_exchange(CALL("hidden.run")));
    TEST_ASSERT_EQUAL_STRING("scripts/run.sh", asked_for);
}

/* Only tools that stand for a script are looked for among the files. */
static void other_tools_without_a_handler_are_not_asked_for(void)
{
    expect("\"error\"", peer_exchange(CALL("echo")));
    TEST_ASSERT_EQUAL_STRING("", asked_for);
}

static void a_script_may_put_several_blocks(void)
{
    serve(&has_a_handler);
    expect("\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"first\"},{\"type\":\"text\",\"text\":\"second\"}],"
           "\"isError\":false}",
           peer_exchange(EXECUTE("scripts/run.sh")));
}

static struct romfs_tool *tools_of(char *image)
{
    return (void *)(image + ((struct romfs_header *)(void *)image)->tools.off);
}

/* Serves the image with its changed tools: the call is refused, and no file is asked for. Frees the image. */
static void expect_no_handler(char *image, const char *call)
{
    struct romfs_header *header = (void *)image;

    header->crc = romfs_crc32(0, image + offsetof(struct romfs_header, version),
                              header->meta_size - offsetof(struct romfs_header, version));
    TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, &runs_files, image, peer.image.n));
    peer_open(SKR_LINE);
    peer_initialize("2025-11-25");
    asked_for[0] = '\0';
    expect("\"error\"", peer_exchange(call));
    TEST_ASSERT_EQUAL_STRING("", asked_for);
    free(image);
}

/* A tool may be scoped to a skill without being one of its scripts. */
static void a_scoped_tool_that_is_no_script_needs_a_handler(void)
{
    char *image = sample_exact_copy(peer.image.p, peer.image.n);

    tools_of(image)->flags |= ROMFS_SCOPED;
    expect_no_handler(image, CALL("echo"));
}

/* The reverse: such a tool is the device's own, and which file names it says nothing about how it is run. */
static void a_script_whose_tool_is_for_all_needs_a_handler(void)
{
    char *image = sample_exact_copy(peer.image.p, peer.image.n);

    for (uint32_t i = 0; i < ((struct romfs_header *)(void *)image)->tools.count; i++) {
        tools_of(image)[i].flags &= ~(uint32_t)ROMFS_SCOPED;
    }
    expect_no_handler(image, CALL("hidden.run"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_script_without_a_handler_is_run_by_the_program);
    RUN_TEST(a_script_that_the_program_does_not_run_is_none);
    RUN_TEST(other_tools_without_a_handler_are_not_asked_for);
    RUN_TEST(a_script_may_put_several_blocks);
    RUN_TEST(a_scoped_tool_that_is_no_script_needs_a_handler);
    RUN_TEST(a_script_whose_tool_is_for_all_needs_a_handler);
    return UNITY_END();
}
