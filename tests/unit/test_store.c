/* test_store.c -- from a URI to what it names: spellings that mean the same find the same,
 * everything else finds nothing. */
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

static const char *exchange_uri(const char *method, const char *uri)
{
    static char members[4000];

    snprintf(members, sizeof members, "\"uri\":\"%s\"", uri);
    return peer_exchange(peer_modern(method, members));
}

static void found(const char *method, const char *uri)
{
    const char *response = exchange_uri(method, uri);

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"result\":{"), response);
}

static void not_found(const char *method, const char *uri)
{
    const char *response = exchange_uri(method, uri);

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32602"), response);
    TEST_ASSERT_NULL_MESSAGE(strstr(response, "\"result\""), response);
}

static void files_are_found_by_their_uri(void)
{
    found("resources/read", "skill://alpha/SKILL.md");
    found("resources/read", "skill://alpha/data/all.txt");
    found("resources/read", "skill://group/beta/SKILL.md");
    found("resources/read", "skill://hidden/SKILL.md");
    found("resources/read", "skill://alpha/my%20notes.md");
}

static void spellings_that_mean_the_same_find_the_same(void)
{
    found("resources/read", "SKILL://alpha/SKILL.md");
    found("resources/read", "sKiLl://alpha/SKILL.md");
    found("resources/read", "skill://Alpha/SKILL.md"); /* the first segment is an authority: RFC 3986, 3.2.2 */
    found("resources/read", "skill://%61lpha/%53KILL.md");
    found("resources/read", "skill://%61%6c%70%68%61/SKILL%2Emd");
    found("resources/read", "skill://alpha/SKILL%2emd");
    found("resources/read", "skill://alpha/%7Aeros.bin");
}

static void the_response_repeats_the_uri_as_it_was_asked(void)
{
    const char *response = exchange_uri("resources/read", "SKILL://%61lpha/SKILL.md");

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"uri\":\"SKILL://%61lpha/SKILL.md\""), response);
}

static const char *const other_spellings[] = {
    "",
    "skill:",
    "skill:/",
    "skill://alpha/skill.md",
    "skill://alpha/SKILL.md/",
    "skill://alpha//SKILL.md",
    "skill:///alpha/SKILL.md",
    "skill://alpha/./SKILL.md",
    "skill://alpha/../alpha/SKILL.md",
    "skill://../alpha/SKILL.md",
    "skill://alpha%2FSKILL.md",
    "skill://alpha%2fSKILL.md",
    "skill://alpha/%2e%2e/SKILL.md",
    "skill://alpha/SKILL.md%",
    "skill://alpha/SKILL.md%4",
    "skill://alpha/SKILL.m%6",
    "skill://alpha/%zzSKILL.md",
    "skill://alpha/SKILL.md%00",
    "skill://alpha/SKILL.md\\u0000",
    "skill://alpha/SKILL.md?x=1",
    "skill://alpha/SKILL.md#a",
    " skill://alpha/SKILL.md",
    "skill://alpha/SKILL.md ",
    "skill://alpha/my notes.md",
    "skill://alpha/my%2520notes.md",
    "skill://alpha/my+notes.md",
    "skills://alpha/SKILL.md",
    "skil://alpha/SKILL.md",
    "http://alpha/SKILL.md",
    "alpha/SKILL.md",
    "/etc/passwd",
    "file:///etc/passwd",
    "skill://alpha/nope",
    "skill://%",
    "skill://%4",
    "skill://%%",
    "test://",
    "test://fixed/",
    "test://fixe",
    "test://fixedd",
    "Test://fixed",
    "test://item/",
    "test://item/a/b",
    "test://item",
    "test://item/{n}/x",
    "xtest://item/5",
};

static void other_spellings_find_nothing(void)
{
    for (size_t i = 0; i < sizeof other_spellings / sizeof other_spellings[0]; i++) {
        not_found("resources/read", other_spellings[i]);
        not_found("skills/get", other_spellings[i]);
        not_found("resources/directory/read", other_spellings[i]);
    }
}

static void a_template_takes_one_segment_that_is_not_empty(void)
{
    found("resources/read", "test://item/5");
    found("resources/read", "test://item/a%2Fb");
    found("resources/read", "test://item/\xC3\xA9");
    found("resources/read", "test://item/{n}");
}

static void directories_are_read_with_their_own_method(void)
{
    found("resources/directory/read", "skill://");
    found("resources/directory/read", "skill://alpha");
    found("resources/directory/read", "skill://alpha/");
    found("resources/directory/read", "skill://alpha/data");
    found("resources/directory/read", "skill://group");
    not_found("resources/directory/read", "skill://alpha//");
    not_found("resources/directory/read", "skill:///alpha");
    not_found("resources/directory/read", "skill://alpha/SKILL.md");
    not_found("resources/directory/read", "test://fixed");
    not_found("resources/read", "skill://alpha");
    not_found("resources/read", "skill://");
}

static void a_directory_names_its_children_in_order(void)
{
    const char *response = exchange_uri("resources/directory/read", "skill://alpha");
    static const char *const names[] = {"\"name\":\"SKILL.md\"", "\"name\":\"data\"",        "\"name\":\"empty.txt\"",
                                        "\"name\":\"long.txt\"", "\"name\":\"my notes.md\"", "\"name\":\"zeros.bin\""};
    const char *at = response;

    for (size_t i = 0; i < 6; i++) {
        at = strstr(at, names[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(at, response);
    }
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"uri\":\"skill://alpha/my%20notes.md\""), response);
}

static void skills_are_got_by_the_uri_of_their_file_only(void)
{
    found("skills/get", "skill://alpha/SKILL.md");
    found("skills/get", "skill://hidden/SKILL.md"); /* not listed, but there */
    not_found("skills/get", "skill://alpha");
    not_found("skills/get", "skill://alpha/long.txt");
    not_found("skills/get", "test://fixed");
}

static void an_unknown_uri_is_quoted_whole_in_data_and_escaped(void)
{
    const char *response = exchange_uri("resources/read", "no\\\"thing\\u0001\\\\");

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"data\":{\"uri\":\"no\\\"thing\\u0001\\\\\"}"), response);
}

static void in_the_older_era_an_unknown_uri_has_its_own_code(void)
{
    peer_initialize(NULL);
    const char *response =
        peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"x:y\"}}\n");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32002"), response);
}

static void a_very_long_escaped_uri_finds_nothing_and_harms_nothing(void)
{
    static char uri[3500];

    for (size_t n = 0; n + 3 < sizeof uri; n += 3) {
        memcpy(uri + n, "%41", 4);
        if (n % 300 == 0) {
            char whole[3600];
            snprintf(whole, sizeof whole, "skill://%s", uri);
            not_found("resources/read", whole);
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(files_are_found_by_their_uri);
    RUN_TEST(spellings_that_mean_the_same_find_the_same);
    RUN_TEST(the_response_repeats_the_uri_as_it_was_asked);
    RUN_TEST(other_spellings_find_nothing);
    RUN_TEST(a_template_takes_one_segment_that_is_not_empty);
    RUN_TEST(directories_are_read_with_their_own_method);
    RUN_TEST(a_directory_names_its_children_in_order);
    RUN_TEST(skills_are_got_by_the_uri_of_their_file_only);
    RUN_TEST(an_unknown_uri_is_quoted_whole_in_data_and_escaped);
    RUN_TEST(in_the_older_era_an_unknown_uri_has_its_own_code);
    RUN_TEST(a_very_long_escaped_uri_finds_nothing_and_harms_nothing);
    return UNITY_END();
}
