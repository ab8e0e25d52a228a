/* test_archive_read.c -- archives as a client sees them: which URIs name one, and what
 * resources/read answers. test_archive.c looks at their bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "peer.h"
#include "unity.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static const char *read_uri(const char *uri)
{
    static char members[600];

    snprintf(members, sizeof members, "\"uri\":\"%s\"", uri);
    return peer_exchange(peer_modern("resources/read", members));
}

static void an_archive_is_the_same_in_whatever_portions_it_is_taken(void)
{
    static const size_t windows[] = {0, 256};
    static const char *const uris[] = {"skill://alpha.zip", "skill://alpha.tar.gz"};

    for (size_t i = 0; i < 4; i++) {
        peer_start(SKR_LINE, windows[i / 2]);
        char *whole = xstrdup(read_uri(uris[i % 2]));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(whole, "\"blob\":\""), whole);
        for (size_t portion = 1; portion < 9; portion++) {
            peer.take = portion;
            TEST_ASSERT_EQUAL_STRING(whole, read_uri(uris[i % 2]));
        }
        free(whole);
    }
}

/* What the server sends is what archive.c makes, in base64. */
static void a_read_archive_is_a_blob_of_its_type(void)
{
    peer_start(SKR_LINE, 0);
    const char *response = read_uri("skill://group/beta.zip");
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(response,
               "\"contents\":[{\"uri\":\"skill://group/beta.zip\",\"mimeType\":\"application/zip\",\"blob\":\"UEsDB"),
        response);
    response = read_uri("skill://group/beta.tar.gz");
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(
            response,
            "\"contents\":[{\"uri\":\"skill://group/beta.tar.gz\",\"mimeType\":\"application/gzip\",\"blob\":\"H4sI"),
        response);
}

static void archives_of_unlisted_skills_and_in_any_spelling_are_found(void)
{
    static const char *const uris[] = {"skill://hidden.zip", "SKILL://hidden.tar.gz", "skill://%68idden%2ezip"};

    peer_start(SKR_LINE, 0);
    for (size_t i = 0; i < 3; i++) {
        const char *response = read_uri(uris[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"blob\":\""), response);
    }
}

static void nothing_else_has_an_archive(void)
{
    static const char *const uris[] = {
        "skill://.zip",
        "skill://.tar.gz",
        "skill://group.zip",
        "skill://alpha/data.zip",
        "skill://alpha/.zip",
        "skill://alpha/SKILL.md.zip",
        "skill://alpha.ZIP",
        "skill://alpha.zip/",
        "skill://alpha.zip.zip",
        "skill://alpha.tar",
        "skill://alpha.gz",
        "skill://alpha.tgz",
        "skill://nothing.zip",
        "skill:///alpha.zip",
        "skill://alpha/../alpha.zip",
        "skill://zip",
    };

    peer_start(SKR_LINE, 0);
    for (size_t i = 0; i < sizeof uris / sizeof uris[0]; i++) {
        const char *response = read_uri(uris[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32602"), response);
    }
}

static void an_archive_is_neither_a_skill_nor_a_directory(void)
{
    peer_start(SKR_LINE, 0);
    const char *response = peer_exchange(peer_modern("skills/get", "\"uri\":\"skill://alpha.zip\""));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32602"), response);
    response = peer_exchange(peer_modern("resources/directory/read", "\"uri\":\"skill://alpha.tar.gz\""));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32602"), response);
}

static void archives_are_in_no_list(void)
{
    static const char *const lists[] = {"resources/list", "skills/list", "resources/templates/list"};

    peer_start(SKR_LINE, 0);
    for (size_t i = 0; i < 3; i++) {
        const char *response = peer_exchange(peer_modern(lists[i], ""));
        TEST_ASSERT_NULL_MESSAGE(strstr(response, ".zip"), response);
        TEST_ASSERT_NULL_MESSAGE(strstr(response, ".tar.gz"), response);
    }
    const char *response = peer_exchange(peer_modern("resources/directory/read", "\"uri\":\"skill://\""));
    TEST_ASSERT_NULL_MESSAGE(strstr(response, ".zip"), response);
}

/* Defect 12. A path may be too long for a tar; then the skill is served without archives. */
static void defect_12_a_skill_may_have_no_archives(void)
{
    peer_start(SKR_LINE, 0);
    char *before = xstrdup(read_uri("skill://index.json"));
    struct romfs_header *header = (void *)peer.image.p;
    struct romfs_skill *skills = (void *)(peer.image.p + header->skills.off);
    skills[0].flags |= ROMFS_NO_ARCHIVE;
    image_seal(&peer.image);
    TEST_ASSERT_EQUAL_INT(0, peer_serve(peer.image.p, peer.image.n));
    peer_open(SKR_LINE);
    const char *response = read_uri("skill://index.json");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(before, "skill://alpha.zip"), before);
    TEST_ASSERT_NULL_MESSAGE(strstr(response, "skill://alpha.zip"), response);
    TEST_ASSERT_NULL_MESSAGE(strstr(response, "skill://alpha.tar.gz"), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "skill://alpha/SKILL.md"), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "skill://group/beta.zip"), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\\\"size\\\":4000}]},{\\\"name\\\":\\\"beta\\\""), response);
    response = read_uri("skill://alpha.zip");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32602"), response);
    response = read_uri("skill://group/beta.tar.gz");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"blob\":\""), response);
    free(before);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(an_archive_is_the_same_in_whatever_portions_it_is_taken);
    RUN_TEST(a_read_archive_is_a_blob_of_its_type);
    RUN_TEST(archives_of_unlisted_skills_and_in_any_spelling_are_found);
    RUN_TEST(nothing_else_has_an_archive);
    RUN_TEST(an_archive_is_neither_a_skill_nor_a_directory);
    RUN_TEST(archives_are_in_no_list);
    RUN_TEST(defect_12_a_skill_may_have_no_archives);
    return UNITY_END();
}
