/* test_method_complete.c -- completion/complete proposes skills and files that are listed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

void setUp(void)
{
    peer_start(SKR_LINE, 0);
}

void tearDown(void)
{
}

static const char *complete(const char *uri, const char *name, const char *value)
{
    char members[512];

    snprintf(members, sizeof members,
             "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"%s\"},\"argument\":{\"name\":\"%s\",\"value\":\"%s\"}", uri,
             name, value);
    return peer_exchange(peer_modern("completion/complete", members));
}

static void values_are(const char *expected, const char *response)
{
    char whole[600];

    snprintf(whole, sizeof whole, "\"completion\":{\"values\":[%s],\"total\":", expected);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, whole), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"hasMore\":false"), response);
}

static void names_of_listed_skills_are_proposed(void)
{
    values_are("\"alpha\"", complete("skill://{name}/SKILL.md", "name", ""));
    values_are("\"alpha\"", complete("skill://{name}/SKILL.md", "name", "al"));
    values_are("\"alpha\"", complete("skill://{name}/SKILL.md", "name", "alpha"));
    values_are("", complete("skill://{name}/SKILL.md", "name", "h")); /* hidden is not listed */
    values_are("", complete("skill://{name}/SKILL.md", "name", "alphaa"));
    values_are("\"beta\"", complete("skill://group/{name}/SKILL.md", "name", ""));
}

static void paths_are_proposed_in_byte_order(void)
{
    values_are("\"alpha/SKILL.md\",\"alpha/data/all.txt\",\"alpha/data/bytes.bin\",\"alpha/"
               "empty.txt\",\"alpha/long.txt\","
               "\"alpha/my%20notes.md\",\"alpha/zeros.bin\",\"group/beta/SKILL.md\"",
               complete("skill://{+path}", "path", ""));
    values_are("\"alpha/data/all.txt\",\"alpha/data/bytes.bin\"", complete("skill://{+path}", "path", "alpha/d"));
    values_are("", complete("skill://{+path}", "path", "hidden"));
}

/* No compiler writes such an image, but a device must survive it (defect 30). */
static void files_that_belong_to_no_skill_are_not_proposed(void)
{
    char *copy = sample_exact_copy(peer.image.p, peer.image.n);
    struct romfs_header *header = (void *)copy;
    struct romfs_node *nodes = (void *)(copy + header->nodes.off);

    for (uint32_t i = 0; i < header->nodes.count; i++) {
        nodes[i].skill = (nodes[i].flags & ROMFS_DIR) != 0 ? ROMFS_NONE : nodes[i].skill;
    }
    header->crc = romfs_crc32(0, copy + offsetof(struct romfs_header, version),
                              header->meta_size - offsetof(struct romfs_header, version));
    TEST_ASSERT_EQUAL_INT(0, peer_serve(copy, peer.image.n));
    peer_open(SKR_LINE);
    values_are("", complete("skill://{+path}", "path", ""));
    free(copy);
}

static void arguments_of_prompts_have_no_proposals(void)
{
    values_are("",
               peer_exchange(peer_modern("completion/complete", "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},"
                                                                "\"argument\":{\"name\":\"who\",\"value\":\"a\"}")));
}

static void templates_of_the_firmware_have_no_proposals(void)
{
    values_are("", complete("test://item/{n}", "n", "a"));
}

static void is_refused(const char *response)
{
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32602"), response);
}

static void unknown_references_are_refused(void)
{
    static const char *const uris[] = {"",
                                       "skill://",
                                       "skill://alpha/SKILL.md",
                                       "skill://{name}",
                                       "skill://alpha/{name}/SKILL.md",
                                       "skill://nowhere/{name}/SKILL.md",
                                       "{name}/SKILL.md",
                                       "skill://{+path}/x",
                                       "skill://{path}",
                                       "test://item/5",
                                       "{name}/SKILL.mdskill://",
                                       "skill://%zz/{name}/SKILL.md"};

    for (size_t i = 0; i < sizeof uris / sizeof uris[0]; i++) {
        is_refused(complete(uris[i], "name", ""));
    }
    is_refused(complete("skill://{name}/SKILL.md", "path", ""));
    is_refused(complete("skill://{+path}", "name", ""));
    is_refused(peer_exchange(peer_modern("completion/complete", "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"nope\"},"
                                                                "\"argument\":{\"name\":\"who\",\"value\":\"\"}")));
    is_refused(peer_exchange(peer_modern("completion/complete", "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},"
                                                                "\"argument\":{\"name\":\"nope\",\"value\":\"\"}")));
    is_refused(peer_exchange(peer_modern("completion/complete", "\"ref\":{\"type\":\"ref/other\"},"
                                                                "\"argument\":{\"name\":\"who\",\"value\":\"\"}")));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(names_of_listed_skills_are_proposed);
    RUN_TEST(paths_are_proposed_in_byte_order);
    RUN_TEST(files_that_belong_to_no_skill_are_not_proposed);
    RUN_TEST(arguments_of_prompts_have_no_proposals);
    RUN_TEST(templates_of_the_firmware_have_no_proposals);
    RUN_TEST(unknown_references_are_refused);
    return UNITY_END();
}
