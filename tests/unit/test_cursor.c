/* test_cursor.c -- pages: each item once, in order, and no cursor but the right one. */
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

/* The nextCursor of a response, "" when there is none. */
static const char *next_cursor(const char *response)
{
    static char cursor[64];
    const char *at = strstr(response, "\"nextCursor\":\"");

    cursor[0] = '\0';
    if (at != NULL) {
        sscanf(at, "\"nextCursor\":\"%63[^\"]", cursor);
    }
    return cursor;
}

static const char *exchange_page(const char *method, const char *members, const char *cursor)
{
    char text[512];

    snprintf(text, sizeof text, "%s%s%s%s%s", members, members[0] && cursor[0] ? "," : "",
             cursor[0] ? "\"cursor\":\"" : "", cursor, cursor[0] ? "\"" : "");
    return peer_exchange(peer_modern(method, text));
}

static unsigned count_of(const char *text, const char *what)
{
    unsigned n = 0;

    for (; (text = strstr(text, what)) != NULL; text++) {
        n++;
    }
    return n;
}

/* Walks a list and counts pages and items, told by a text that each item has once. */
static void pages_hold(const char *method, const char *members, const char *item, unsigned items, unsigned page)
{
    char cursor[64] = "";
    unsigned seen = 0, pages = 0;

    skr_server_set_page(&peer.server, page);
    do {
        const char *response = exchange_page(method, members, cursor);
        unsigned here = count_of(response, item);
        TEST_ASSERT_NULL_MESSAGE(strstr(response, "\"error\""), response);
        TEST_ASSERT_TRUE(here <= page);
        seen += here;
        strcpy(cursor, next_cursor(response));
        TEST_ASSERT_TRUE(cursor[0] == '\0' || here == page);
        TEST_ASSERT_LESS_THAN(100, ++pages);
    } while (cursor[0] != '\0');
    TEST_ASSERT_EQUAL(items, seen);
    TEST_ASSERT_EQUAL((items + page - 1) / page, pages);
}

static void every_list_gives_each_item_once_whatever_the_page_size(void)
{
    struct romfs_header *header = (void *)peer.image.p;

    for (unsigned page = 1; page <= 12; page++) {
        pages_hold("skills/list", "", "\"frontmatter\"", 2, page);
        pages_hold("resources/list", "", "{\"uri\"", 9, page);
        pages_hold("resources/list", "\"uri\":\"skill://alpha\"", "{\"uri\"", 7, page);
        /* orphan has no handler and hidden.run is scoped; list_skills and read_skill are after the others */
        pages_hold("tools/list", "", "\"inputSchema\"", 8, page);
        header->flags = ROMFS_NO_SKILL_PROMPTS; /* those of skills need not have arguments to be told by */
        pages_hold("prompts/list", "", "\"arguments\"", 2, page);
        header->flags = 0;
        pages_hold("resources/directory/read", "\"uri\":\"skill://alpha\"", "{\"uri\"", 6, page);
    }
}

static void the_last_page_has_no_cursor(void)
{
    skr_server_set_page(&peer.server, 2);
    TEST_ASSERT_EQUAL_STRING("", next_cursor(exchange_page("skills/list", "", "")));
    skr_server_set_page(&peer.server, 1);
    const char *cursor = next_cursor(exchange_page("skills/list", "", ""));
    TEST_ASSERT_NOT_EQUAL('\0', cursor[0]);
    TEST_ASSERT_EQUAL_STRING("", next_cursor(exchange_page("skills/list", "", cursor)));
}

static void is_refused(const char *method, const char *members, const char *cursor)
{
    const char *response = exchange_page(method, members, cursor);

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32602"), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "Not a cursor of this list"), response);
}

/* Another image may have another list. */
static void a_cursor_is_of_the_image_whose_build_it_names(void)
{
    struct romfs_header *header = (void *)peer.image.p;
    char cursor[64];

    skr_server_set_page(&peer.server, 1);
    strcpy(cursor, next_cursor(exchange_page("skills/list", "", "")));
    for (unsigned i = 0; i < 8; i++) {
        header->digest[i] ^= 1;
        is_refused("skills/list", "", cursor);
        header->digest[i] ^= 1;
    }
    TEST_ASSERT_NULL(strstr(exchange_page("skills/list", "", cursor), "\"error\""));
}

static void made_up_cursors_are_refused(void)
{
    static const char *const bad[] = {"0",
                                      "1",
                                      "1.",
                                      ".",
                                      ".1",
                                      "1.1",
                                      "1.00",
                                      "01.1",
                                      "-1.1",
                                      "1.1.1",
                                      "abc",
                                      " ",
                                      "1 .1",
                                      "99999999999.1",
                                      "4294967296.1",
                                      "1.4294967296",
                                      "1.99999999999999999999",
                                      "0.0",
                                      "2.3456789",
                                      "\\u0031.5",
                                      "1.-5",
                                      "+1.5",
                                      "0x1.5",
                                      "4294967295.4294967295"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        is_refused("skills/list", "", bad[i]);
        is_refused("resources/directory/read", "\"uri\":\"skill://alpha\"", bad[i]);
    }
}

static void an_empty_cursor_is_refused(void)
{
    const char *response = peer_exchange(peer_modern("skills/list", "\"cursor\":\"\""));

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32602"), response);
}

static void an_altered_cursor_is_refused(void)
{
    char cursor[64], altered[80];

    skr_server_set_page(&peer.server, 1);
    strcpy(cursor, next_cursor(exchange_page("skills/list", "", "")));
    for (size_t i = 0; cursor[i] != '\0'; i++) {
        for (char c = '.'; c <= '9'; c++) {
            strcpy(altered, cursor);
            altered[i] = c;
            if (c != '/' && strcmp(altered, cursor) != 0) {
                is_refused("skills/list", "", altered);
            }
        }
    }
    snprintf(altered, sizeof altered, "%s0", cursor);
    is_refused("skills/list", "", altered);
}

static void a_cursor_of_one_list_is_refused_by_the_others(void)
{
    static const struct {
        const char *method, *members;
    } lists[] = {{"skills/list", ""},
                 {"resources/list", ""},
                 {"tools/list", ""},
                 {"prompts/list", ""},
                 {"resources/directory/read", "\"uri\":\"skill://alpha\""},
                 {"resources/directory/read", "\"uri\":\"skill://\""},
                 {"resources/directory/read", "\"uri\":\"skill://alpha/data\""}};
    enum { LISTS = sizeof lists / sizeof lists[0] };
    char cursors[LISTS][64];

    skr_server_set_page(&peer.server, 1);
    for (unsigned i = 0; i < LISTS; i++) {
        strcpy(cursors[i], next_cursor(exchange_page(lists[i].method, lists[i].members, "")));
        TEST_ASSERT_NOT_EQUAL('\0', cursors[i][0]);
    }
    for (unsigned i = 0; i < LISTS; i++) {
        for (unsigned k = 0; k < LISTS; k++) {
            if (i != k) {
                is_refused(lists[i].method, lists[i].members, cursors[k]);
            }
        }
    }
}

static void a_cursor_of_another_image_is_refused(void)
{
    char cursor[64];

    skr_server_set_page(&peer.server, 1);
    strcpy(cursor, next_cursor(exchange_page("skills/list", "", "")));
    peer_start(SKR_LINE, 512); /* the same skills, stored otherwise */
    skr_server_set_page(&peer.server, 1);
    is_refused("skills/list", "", cursor);
}

static void a_list_in_one_page_refuses_any_cursor(void)
{
    is_refused("resources/templates/list", "", "1.5");
}

static void a_cursor_that_is_no_string_is_refused(void)
{
    static const char *const bad[] = {"1", "null", "true", "{}", "[]", "[\"1.1\"]"};
    char members[64];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(members, sizeof members, "\"cursor\":%s", bad[i]);
        const char *response = peer_exchange(peer_modern("skills/list", members));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32602"), response);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(every_list_gives_each_item_once_whatever_the_page_size);
    RUN_TEST(the_last_page_has_no_cursor);
    RUN_TEST(made_up_cursors_are_refused);
    RUN_TEST(a_cursor_is_of_the_image_whose_build_it_names);
    RUN_TEST(an_empty_cursor_is_refused);
    RUN_TEST(an_altered_cursor_is_refused);
    RUN_TEST(a_cursor_of_one_list_is_refused_by_the_others);
    RUN_TEST(a_cursor_of_another_image_is_refused);
    RUN_TEST(a_list_in_one_page_refuses_any_cursor);
    RUN_TEST(a_cursor_that_is_no_string_is_refused);
    return UNITY_END();
}
