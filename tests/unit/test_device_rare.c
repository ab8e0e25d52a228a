/* test_device_rare.c -- devices that are unusual but allowed, over the sample's image or a forged copy of it: templates
 * without an end, many values, no resources any more, changes of one kind only, files that are not what they say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive.h"
#include "revisions.h"
#include "unity.h"

static int read_var(struct skr_call *call, struct skr_span var)
{
    skr_put(call, "read ");
    skr_put_span(call, var);
    return 0;
}

static char many_values[8 * 120];
static uint32_t version = 1;

static const struct skr_resource resources[] = {
    {.uri = "test://item/{n}/end",
     .json = "{\"uriTemplate\":\"test://item/{n}/end\",\"name\":\"item\"}",
     .mime = "text/plain",
     .read = read_var,
     .version = &version,
     .values = many_values},
    {.uri = "test://open/{n",
     .json = "{\"uriTemplate\":\"test://open/{n\",\"name\":\"open\"}",
     .mime = "text/plain",
     .read = read_var},
    {.uri = "test://plain",
     .json = "{\"uri\":\"test://plain\",\"name\":\"plain\"}",
     .mime = "text/plain",
     .read = read_var},
};
static const struct skr_tool tools[] = {{.name = "echo", .run = NULL, .task = SKR_TASK_OPTIONAL}};
static struct skr_device device;
static char *forged;

static void serve(enum skr_wire wire)
{
    TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, &device, forged, peer.image.n));
    const struct skr_http_config config = {.path = "/mcp", .loopback = true, .anyone = true, .seed = "0123456789abcde"};
    skr_server_http(&peer.server, &config);
    peer_open(wire);
}

/* A copy of the sample's image, to be changed. */
static void forge(size_t window)
{
    free(forged);
    peer_start(SKR_LINE, window);
    forged = sample_exact_copy(peer.image.p, peer.image.n);
}

static struct romfs_header *header(void)
{
    return (void *)forged;
}

static struct romfs_node *node(const char *path)
{
    const struct romfs_node *found = romfs_find(peer.server.fs, path, strlen(path));

    TEST_ASSERT_NOT_NULL(found);
    return (void *)(forged + ((const char *)found - (const char *)peer.server.fs->image));
}

/* It is an image again, and another than before. */
static void seal(void)
{
    header()->digest[0]++;
    header()->crc = romfs_crc32(0, forged + offsetof(struct romfs_header, version),
                                header()->meta_size - offsetof(struct romfs_header, version));
}

void setUp(void)
{
    device = (struct skr_device){.tools = tools,
                                 .tool_count = 1,
                                 .resources = resources,
                                 .resource_count = sizeof resources / sizeof resources[0]};
    for (int i = 0; i < 120; i++) {
        snprintf(many_values + 5 * i, 6, "v%03d\n", i);
    }
    forge(0);
    serve(SKR_LINE);
}

void tearDown(void)
{
}

static void expect(const char *part, const char *text)
{
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, part), text);
}

static const char *complete(const char *uri, const char *name)
{
    char members[256];

    snprintf(members, sizeof members,
             "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"%s\"},\"argument\":{\"name\":\"%s\",\"value\":\"\"}", uri,
             name);
    return peer_exchange(peer_modern("completion/complete", members));
}

/* ---- Templates ---- */

static void a_template_has_text_after_its_variable_or_none(void)
{
    expect("\"text\":\"read 7\"", peer_exchange(peer_modern("resources/read", "\"uri\":\"test://item/7/end\"")));
    expect("\"code\":-32602", peer_exchange(peer_modern("resources/read", "\"uri\":\"test://item/7/ende\"")));
    expect("\"code\":-32602", peer_exchange(peer_modern("resources/read", "\"uri\":\"test://item//end\"")));
    expect("\"code\":-32602", peer_exchange(peer_modern("resources/read", "\"uri\":\"test://item/1/2/end\"")));
}

/* A mistake of the firmware: it means nothing, and nothing comes of it. */
static void a_template_that_does_not_end_matches_nothing(void)
{
    expect("\"code\":-32602", peer_exchange(peer_modern("resources/read", "\"uri\":\"test://open/7\"")));
    expect("\"code\":-32602", complete("test://open/{n", "n"));
}

static void a_hundred_values_are_proposed_and_the_rest_counted(void)
{
    const char *text = complete("test://item/{n}/end", "n");

    expect("\"v098\",\"v099\"],\"total\":120,\"hasMore\":true", text);
}

static void a_file_holds_no_skills(void)
{
    expect("\"code\":-32602", complete("skill://alpha/SKILL.md/{name}/SKILL.md", "name"));
    expect("\"code\":-32602",
           peer_exchange(peer_modern("completion/complete", "\"ref\":{\"type\":\"ref/prompt\",\"name\":7},"
                                                            "\"argument\":{\"name\":\"who\",\"value\":\"\"}")));
}

static void templates_of_image_and_device_are_one_list(void)
{
    const char *text = peer_exchange(peer_modern("resources/templates/list", ""));

    expect("},{\"uriTemplate\":\"test://item/{n}/end\",\"name\":\"item\"},{\"uriTemplate\":\"test://open/{n\"", text);
    header()->templates.len = 0; /* an image whose skills all have their own URIs */
    seal();
    serve(SKR_LINE);
    expect("\"resourceTemplates\":[{\"uriTemplate\":\"test://item/{n}/end\",\"name\":\"item\"},{",
           peer_exchange(peer_modern("resources/templates/list", "")));
}

static void what_lists_would_have_to_escape_is_refused(void)
{
    static const char *const mimes[] = {"text\\plain", "text\"plain", "text\nplain", "text\x1Fplain"};
    struct skr_resource bad = resources[2];

    device.resources = &bad;
    device.resource_count = 1;
    for (size_t i = 0; i < sizeof mimes / sizeof mimes[0]; i++) {
        bad.mime = mimes[i];
        TEST_ASSERT_EQUAL(SKR_ERR_RESOURCE, skr_server_init(&peer.server, &device, forged, peer.image.n));
        TEST_ASSERT_EQUAL_PTR(&bad, skr_server_bad_resource(&peer.server));
    }
}

/* ---- Pages ---- */

static void a_page_has_at_least_one_item(void)
{
    skr_server_set_page(&peer.server, 0);
    const char *text = peer_exchange(peer_modern("resources/list", ""));
    expect("\"nextCursor\":\"", text);
    expect("\"resources\":[{", text);
}

/* The cursor is right for this image, but the program that gave it had more resources. */
static void a_cursor_after_the_end_is_refused(void)
{
    char cursor[64], members[128];
    uint32_t listed = peer.server.fs->header->listed + 1; /* the index */

    skr_server_set_page(&peer.server, listed);
    const char *at = strstr(peer_exchange(peer_modern("resources/list", "")), "\"nextCursor\":\"");
    TEST_ASSERT_NOT_NULL(at);
    TEST_ASSERT_EQUAL(1, sscanf(at, "\"nextCursor\":\"%63[^\"]", cursor));
    snprintf(members, sizeof members, "\"cursor\":\"%s\"", cursor);
    expect("\"resources\":[{\"uri\":\"test://plain\"", peer_exchange(peer_modern("resources/list", members)));
    device.resource_count = 0;
    serve(SKR_LINE);
    expect("\"code\":-32602", peer_exchange(peer_modern("resources/list", members)));
}

/* ---- What is offered ---- */

static void capabilities_are_what_the_device_changes(void)
{
    size_t count = device.resource_count;

    device.changes = SKR_CHANGES_RESOURCES; /* defect 77: and content, because a resource has a version */
    serve(SKR_LINE);
    expect("\"resources\":{\"subscribe\":true,\"listChanged\":true}",
           peer_exchange(peer_modern("server/discover", "")));
    device.changes = 0;
    serve(SKR_LINE);
    expect("\"resources\":{\"subscribe\":true}", peer_exchange(peer_modern("server/discover", "")));
    device.resource_count = 0;
    serve(SKR_LINE);
    expect("\"resources\":{}", peer_exchange(peer_modern("server/discover", "")));
    device.changes = SKR_CHANGES_CONTENT;
    serve(SKR_LINE);
    expect("\"resources\":{\"subscribe\":true}", peer_exchange(peer_modern("server/discover", "")));
    device.resource_count = count;
}

/* [TSK-04] [TSK-10] without a deadline no run can become a task */
static void a_tool_without_a_deadline_is_no_task(void)
{
    peer_initialize("2025-11-25");
    const char *text = peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
    expect("\"name\":\"echo\"", text);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "taskSupport"), text);
    expect("/acknowledged\"", peer_exchange(peer_modern("subscriptions/listen", "\"notifications\":{\"taskIds\":7}")));
}

/* ---- What can be watched ---- */

#define SUBSCRIBE(uri)                                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"" uri "\"}}\n"

/* A template has no version of its own, and an image that cannot be swapped never changes. */
static void what_never_changes_is_subscribed_to_in_vain(void)
{
    device.changes = SKR_CHANGES_CONTENT;
    serve(SKR_LINE);
    peer_initialize("2025-11-25");
    expect("\"result\":{}", peer_exchange(SUBSCRIBE("test://item/7/end")));
    expect("\"result\":{}", peer_exchange(SUBSCRIBE("skill://alpha/SKILL.md")));
    version++;
    skr_server_notify(&peer.server, SKR_CHANGES_CONTENT);
    peer.out.n = 0;
    peer_drain();
    TEST_ASSERT_EQUAL_STRING("", buf_str(&peer.out));
}

/* ---- Files that are not what they say ---- */

/* A stored file that is shorter or longer than promised breaks its response off. */
static void a_text_that_is_not_as_long_as_promised_breaks_off(void)
{
    for (int more = -1; more <= 1; more += 2) {
        peer_start_raw_text(SKR_LINE);
        free(forged);
        forged = sample_exact_copy(peer.image.p, peer.image.n);
        node("alpha/long.txt")->json_size += (uint32_t)more;
        seal();
        serve(SKR_LINE);
        const char *text = peer_exchange(peer_modern("resources/read", "\"uri\":\"skill://alpha/long.txt\""));
        TEST_ASSERT_NULL_MESSAGE(strstr(text, "}\n"), text);
        TEST_ASSERT_EQUAL('\n', text[strlen(text) - 1]);
        expect("\"result\":", peer_exchange(peer_modern("server/discover", "")));
    }
}

/* a range of a damaged file is found as far as it goes */
static void a_range_of_a_file_that_cannot_be_inflated_breaks_off(void)
{
    forge(512);
    const struct romfs_node *file = node("alpha/long.txt");
    memset(forged + file->data, 0xFF, file->stored);
    seal();
    serve(SKR_LINE);
    const char *text =
        peer_exchange(peer_modern("tools/call", "\"name\":\"read_skill\",\"arguments\":{\"name\":\"alpha\",\"path\":"
                                                "\"long.txt\",\"offset\":100,\"length\":50}"));
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "valve"), text);
    expect("\"result\":", peer_exchange(peer_modern("server/discover", "")));
}

static void paths_longer_than_any_archive_holds_do_not_fit(void)
{
    static char path[600];

    memset(path, 'a', sizeof path);
    TEST_ASSERT_TRUE(romfs_archive_path_fits(path, 100));
    TEST_ASSERT_FALSE(romfs_archive_path_fits(path, 101)); /* a name of more than 100 bytes cannot be split */
    path[100] = '/';
    TEST_ASSERT_TRUE(romfs_archive_path_fits(path, 201));
    for (size_t n = 257; n <= sizeof path; n++) {
        TEST_ASSERT_FALSE(romfs_archive_path_fits(path, n));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_template_has_text_after_its_variable_or_none);
    RUN_TEST(a_template_that_does_not_end_matches_nothing);
    RUN_TEST(a_hundred_values_are_proposed_and_the_rest_counted);
    RUN_TEST(a_file_holds_no_skills);
    RUN_TEST(templates_of_image_and_device_are_one_list);
    RUN_TEST(what_lists_would_have_to_escape_is_refused);
    RUN_TEST(a_page_has_at_least_one_item);
    RUN_TEST(a_cursor_after_the_end_is_refused);
    RUN_TEST(capabilities_are_what_the_device_changes);
    RUN_TEST(a_tool_without_a_deadline_is_no_task);
    RUN_TEST(what_never_changes_is_subscribed_to_in_vain);
    RUN_TEST(a_text_that_is_not_as_long_as_promised_breaks_off);
    RUN_TEST(a_range_of_a_file_that_cannot_be_inflated_breaks_off);
    RUN_TEST(paths_longer_than_any_archive_holds_do_not_fit);
    return UNITY_END();
}
