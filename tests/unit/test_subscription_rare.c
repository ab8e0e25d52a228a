/* test_subscription_rare.c -- images that are swapped for others at awkward moments, or that differ in what is hard to see: flags of
 * a tool, a description, everything. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "revisions.h"
#include "unity.h"

#define NOTIFIES(what) "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/" what "\"}\n"
#define SUBSCRIBE(uri)                                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"" uri "\"}}\n"
#define LISTEN(id, uris)                                                                                               \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"           \
    "\"resourceSubscriptions\":[" uris "]}," META "}}\n"
#define UPDATED "notifications/resources/updated"

static const struct revision a_changed = {"other", "b", '1', "echo", "greet"};
static const struct revision a_gone = {NULL, "b", '1', "echo", "greet"};

void setUp(void)
{
    revision_start(SKR_LINE);
}

void tearDown(void)
{
    revision_forget();
}

static void expect(const char *part, const char *text)
{
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, part), text);
}

static unsigned count(const char *part, const char *text)
{
    unsigned n = 0;

    for (; (text = strstr(text, part)) != NULL; text++) {
        n++;
    }
    return n;
}

/* While the first message leaves, the next image lacks what the second would be about. */
static void what_is_gone_before_it_was_told_is_not_told(void)
{
    const void *bytes;

    peer_initialize("2025-11-25");
    expect("\"result\":{}", peer_exchange(SUBSCRIBE("skill://one/a.md")));
    revision_swap(&a_changed);
    peer.out.n = 0;
    TEST_ASSERT_TRUE(skr_conn_tx(&peer.conn, &bytes) > 0);
    skr_conn_tx_done(&peer.conn, 1); /* of the message about the lists */
    revision_swap(&a_gone);
    const char *text = peer_unasked();
    TEST_ASSERT_EQUAL_MESSAGE(0, count(UPDATED, text), text);
    expect("list_changed", text);
}

/* [SUB-03] two feeds that watch the same, and a client of each era */
static void everybody_who_watches_a_file_is_told(void)
{
    peer_initialize("2025-11-25");
    expect("\"result\":{}", peer_exchange(SUBSCRIBE("skill://one/a.md")));
    expect("acknowledged", peer_exchange(LISTEN("\"f\"", "\"skill://one/a.md\"")));
    expect("acknowledged", peer_exchange(LISTEN("\"g\"", "\"skill://one/a.md\"")));
    revision_swap(&a_changed);
    const char *text = peer_unasked();
    TEST_ASSERT_EQUAL_MESSAGE(3, count(UPDATED, text), text);
}

/* [SUB-03] the request of one era comes between a change and its being told to a feed of the other */
static void a_feed_is_told_of_a_change_that_a_request_of_the_line_met_first(void)
{
    peer_initialize("2025-11-25");
    expect("acknowledged",
           peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"subscriptions/listen\",\"params\":{"
                         "\"notifications\":{\"skillsListChanged\":true}," META "}}\n"));
    revision_swap(&a_changed);
    const char *text = peer_exchange(SUBSCRIBE("skill://one/a.md"));
    expect("\"result\":{}", text);
    expect("subscriptionId\":5}", text);
}

/* [SUB-01] [SUB-06] every feed has its own, and all of them share the places of their connection */
static void what_is_watched_must_be_strings_and_not_too_many(void)
{
    static const char *const paths[] = {
        "alpha/SKILL.md",  "alpha/data/all.txt",  "alpha/data/bytes.bin", "alpha/empty.txt",       "alpha/long.txt",
        "alpha/zeros.bin", "group/beta/SKILL.md", "hidden/SKILL.md",      "hidden/scripts/run.sh", "index.json"};
    enum { PATHS = sizeof paths / sizeof paths[0] };
    char uris[1024] = "", text[2048];

    peer_start(SKR_LINE, 0);
    skr_server_can_swap(&peer.server, true);
    peer_open(SKR_LINE);
    expect("\"code\":-32602", peer_exchange(LISTEN("1", "\"skill://alpha/SKILL.md\",7")));
    for (unsigned i = 0; i < PATHS; i++) {
        size_t n = strlen(uris);
        snprintf(uris + n, sizeof uris - n, "%s\"skill://%s\"", i > 0 ? "," : "", paths[i]);
    }
    for (unsigned feed = 0; feed <= SKR_SUBSCRIPTIONS / PATHS; feed++) {
        snprintf(text, sizeof text, LISTEN("%u", "%s"), feed + 10, uris);
        expect((feed + 1) * PATHS <= SKR_SUBSCRIPTIONS ? "acknowledged" : "\"error\"", peer_exchange(text));
    }
    expect("acknowledged",
           peer_exchange(LISTEN("99", "\"skill://alpha/SKILL.md\""))); /* what was refused holds no place */
}

/* It was a file, and is a directory now. */
static struct buf with_a_directory(void)
{
    static struct source files[3];

    files[0] = (struct source){.path = "SKILL.md",
                               .disk_path = "",
                               .mime = "text/markdown",
                               .text = true,
                               .size = 19,
                               .bytes = (uint8_t *)sample_exact_copy("---\nname: one\n---\nX\n", 19)};
    files[1] = (struct source){.path = "a.md", .disk_path = "", .is_dir = true};
    files[2] = (struct source){.path = "a.md/b",
                               .disk_path = "",
                               .mime = "text/plain",
                               .text = true,
                               .size = 1,
                               .bytes = (uint8_t *)sample_exact_copy("b", 1)};
    static struct skill skill = {.path = "one",
                                 .disk_path = "",
                                 .name = "one",
                                 .name_json = "\"one\"",
                                 .listed = true,
                                 .files = files,
                                 .file_count = 3,
                                 .description_json = "\"For tests\"",
                                 .body = 18,
                                 .frontmatter = "{\"name\":\"one\",\"description\":\"For tests\"}"};
    struct device device = {.base = "skill://",
                            .server_info = "{\"name\":\"sample\",\"version\":\"1\"}",
                            .skills = &skill,
                            .skill_count = 1};
    struct diag diag = {.out = stderr};
    struct buf image = {0};
    TEST_ASSERT_TRUE(image_build(&device, &(struct image_options){0}, &diag, &image));
    return image;
}

static void a_file_that_becomes_a_directory_is_not_told(void)
{
    struct buf image = with_a_directory();

    peer_initialize("2025-11-25");
    expect("\"result\":{}", peer_exchange(SUBSCRIBE("skill://one/a.md")));
    TEST_ASSERT_EQUAL(0, skr_server_swap(&peer.server, image.p, image.n));
    const char *text = peer_unasked();
    TEST_ASSERT_EQUAL_MESSAGE(0, count(UPDATED, text), text);
}

static void the_index_is_watched_as_a_file_is(void)
{
    peer_initialize("2025-11-25");
    expect("\"result\":{}", peer_exchange(SUBSCRIBE("skill://index.json")));
    revision_swap(&a_changed);
    expect("\"uri\":\"skill://index.json\"", peer_unasked());
}

/* ---- What has changed ---- */

static struct buf empty(void)
{
    struct device device = {.base = "skill://", .server_info = "{\"name\":\"sample\",\"version\":\"1\"}"};
    struct diag diag = {.out = stderr};
    struct buf image = {0};

    TEST_ASSERT_TRUE(image_build(&device, &(struct image_options){0}, &diag, &image));
    return image;
}

/* The lists that are told of when this image follows the sample's. */
static const char *notified_of(struct buf image)
{
    peer_start(SKR_LINE, 0);
    skr_server_can_swap(&peer.server, true);
    peer_open(SKR_LINE);
    peer_initialize("2025-11-25");
    TEST_ASSERT_EQUAL(0, skr_server_swap(&peer.server, image.p, image.n));
    return peer_unasked();
}

static struct buf forged(void (*change)(char *image))
{
    peer_start(SKR_LINE, 0);
    struct buf image = {.p = (uint8_t *)sample_exact_copy(peer.image.p, peer.image.n), .n = peer.image.n};
    struct romfs_header *header = (void *)image.p;
    change((char *)image.p);
    header->digest[0]++;
    header->crc = romfs_crc32(0, (char *)image.p + offsetof(struct romfs_header, version),
                              header->meta_size - offsetof(struct romfs_header, version));
    return image;
}

static void nothing_more(char *image)
{
    (void)image;
}

static void hide_a_tool(char *image)
{
    struct romfs_header *header = (void *)image;

    ((struct romfs_tool *)(void *)(image + header->tools.off))->flags ^= ROMFS_SCOPED;
}

static void drop_skill_tools(char *image)
{
    struct romfs_header *header = (void *)image;

    header->flags ^= ROMFS_NO_SKILL_TOOLS;
}

static void describe_otherwise(char *image)
{
    struct romfs_header *header = (void *)image;
    struct romfs_skill *skill = (void *)(image + header->skills.off);

    image[skill->description.off + 1] = 'X';
}

static void rename_a_skill(char *image)
{
    struct romfs_header *header = (void *)image;
    struct romfs_skill *skill = (void *)(image + header->skills.off);

    image[skill->name.off + 1] = 'X';
}

#define ALWAYS NOTIFIES("skills/list_changed") NOTIFIES("resources/list_changed")

/* [SK-X-23] clients that fetch a list again for nothing would do so at every swap */
static void only_lists_that_changed_are_told_of(void)
{
    TEST_ASSERT_EQUAL_STRING(ALWAYS, notified_of(forged(nothing_more)));
    TEST_ASSERT_EQUAL_STRING(ALWAYS NOTIFIES("tools/list_changed"), notified_of(forged(hide_a_tool)));
    TEST_ASSERT_EQUAL_STRING(ALWAYS NOTIFIES("tools/list_changed") NOTIFIES("prompts/list_changed"),
                             notified_of(forged(drop_skill_tools)));
    TEST_ASSERT_EQUAL_STRING(ALWAYS NOTIFIES("prompts/list_changed"), notified_of(forged(describe_otherwise)));
    TEST_ASSERT_EQUAL_STRING(ALWAYS NOTIFIES("prompts/list_changed"), notified_of(forged(rename_a_skill)));
    TEST_ASSERT_EQUAL_STRING(ALWAYS NOTIFIES("tools/list_changed") NOTIFIES("prompts/list_changed"),
                             notified_of(empty()));
}

/* Nothing of the image is left to be found; what the firmware has is. */
static void an_empty_image_has_no_index_to_be_watched(void)
{
    struct buf image = empty();

    peer_start(SKR_LINE, 0);
    skr_server_can_swap(&peer.server, true);
    peer_open(SKR_LINE);
    peer_initialize("2025-11-25");
    expect("\"result\":{}", peer_exchange(SUBSCRIBE("skill://index.json")));
    expect("\"result\":{}", peer_exchange(SUBSCRIBE("test://fixed")));
    TEST_ASSERT_EQUAL(0, skr_server_swap(&peer.server, image.p, image.n));
    const char *text = peer_unasked();
    TEST_ASSERT_EQUAL_MESSAGE(0, count(UPDATED, text), text);
    expect("\"error\"",
           peer_exchange(
               "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"list_skills\"}}\n"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(what_is_gone_before_it_was_told_is_not_told);
    RUN_TEST(everybody_who_watches_a_file_is_told);
    RUN_TEST(a_feed_is_told_of_a_change_that_a_request_of_the_line_met_first);
    RUN_TEST(what_is_watched_must_be_strings_and_not_too_many);
    RUN_TEST(a_file_that_becomes_a_directory_is_not_told);
    RUN_TEST(the_index_is_watched_as_a_file_is);
    RUN_TEST(only_lists_that_changed_are_told_of);
    RUN_TEST(an_empty_image_has_no_index_to_be_watched);
    return UNITY_END();
}
