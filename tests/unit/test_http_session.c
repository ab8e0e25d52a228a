/* test_http_session.c -- sessions of the older era: made by initialize, shown with every request,
 * ended by DELETE or by being idle longest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "talk.h"
#include "unity.h"

#define LIST "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"

#define INITIALIZE                                                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-"               \
    "25\","                                                                                                            \
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"

void setUp(void)
{
    talk_start(SKR_HTTP_1, 512);
}

void tearDown(void)
{
}

static void new_session(char session[64])
{
    const char *at = strstr(talk_ask(talk_post("", INITIALIZE)), "Mcp-Session-Id: ");
    TEST_ASSERT_NOT_NULL(at);
    TEST_ASSERT_EQUAL(1, sscanf(at, "Mcp-Session-Id: %63[0-9a-f]\r", session));
}

static int status_in(const char *session)
{
    char headers[128];
    snprintf(headers, sizeof headers, "Mcp-Session-Id: %s\r\n", session);
    return talk_status(talk_post(headers, LIST));
}

static void an_older_client_gets_a_session_and_must_show_it(void)
{
    char session[64];
    new_session(session);
    TEST_ASSERT_EQUAL(32, strlen(session));
    TEST_ASSERT_EQUAL(400, talk_status(talk_post("", LIST)));
    TEST_ASSERT_EQUAL(200, status_in(session));
    session[0] = session[0] == '0' ? '1' : '0';
    TEST_ASSERT_EQUAL(404, status_in(session));
}

static void a_session_that_was_ended_is_gone(void)
{
    char session[64], request[256];
    new_session(session);
    snprintf(request, sizeof request, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: %s\r\n\r\n", session);
    TEST_ASSERT_EQUAL(200, status_in(session));
    TEST_ASSERT_EQUAL(200, talk_status(request));
    TEST_ASSERT_EQUAL(404, status_in(session));
    TEST_ASSERT_EQUAL(404, talk_status(request));
}

static void every_session_id_is_another(void)
{
    char last[64] = "", session[64];
    for (int i = 0; i < 2 * SKR_SESSIONS; i++) {
        new_session(session);
        TEST_ASSERT_NOT_EQUAL(0, strcmp(last, session));
        strcpy(last, session);
    }
}

static void when_all_places_are_taken_the_session_idle_longest_ends(void)
{
    static char sessions[SKR_SESSIONS + 1][64];
    for (int i = 0; i < SKR_SESSIONS; i++) {
        new_session(sessions[i]);
    }
    TEST_ASSERT_EQUAL(200, status_in(sessions[0])); /* now the second is idle longest */
    new_session(sessions[SKR_SESSIONS]);
    TEST_ASSERT_EQUAL(404, status_in(sessions[1]));
    TEST_ASSERT_EQUAL(200, status_in(sessions[0]));
    for (int i = 2; i <= SKR_SESSIONS; i++) {
        TEST_ASSERT_EQUAL(200, status_in(sessions[i]));
    }
}

/* Defect 27: 2,000 times initialize ended every session. */
static void who_only_initializes_ends_no_session_that_is_in_use(void)
{
    char used[64], fresh[64], flood[64];
    new_session(used);
    TEST_ASSERT_EQUAL(200, status_in(used));
    for (int i = 0; i < 2000; i++) {
        new_session(flood);
    }
    TEST_ASSERT_EQUAL(200, status_in(used));
    new_session(fresh);
    for (int i = 0; i < SKR_SESSIONS_UNUSED / 2; i++) {
        new_session(flood);
    }
    TEST_ASSERT_EQUAL(200, status_in(fresh)); /* a newcomer has time for its first request */
}

/* Among many that were used, a few that are new do not push each other out. */
static void a_new_session_is_not_ended_by_the_next_new_one(void)
{
    char session[64], first[64], second[64];
    for (int i = 0; i < SKR_SESSIONS; i++) {
        new_session(session);
        TEST_ASSERT_EQUAL(200, status_in(session));
    }
    new_session(first);
    new_session(second);
    TEST_ASSERT_EQUAL(200, status_in(first));
    TEST_ASSERT_EQUAL(200, status_in(second));
}

static void what_resembles_a_session_id_is_none(void)
{
    char session[64], other[80];
    new_session(session);
    snprintf(other, sizeof other, "%s0", session);
    TEST_ASSERT_EQUAL(404, status_in(other));
    snprintf(other, sizeof other, "%.31s", session);
    TEST_ASSERT_EQUAL(404, status_in(other));
    TEST_ASSERT_EQUAL(404, status_in(""));
    TEST_ASSERT_EQUAL(404, status_in("00000000000000000000000000000000")); /* a free place looks like this */
    TEST_ASSERT_EQUAL(200, status_in(session));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(an_older_client_gets_a_session_and_must_show_it);
    RUN_TEST(a_session_that_was_ended_is_gone);
    RUN_TEST(every_session_id_is_another);
    RUN_TEST(when_all_places_are_taken_the_session_idle_longest_ends);
    RUN_TEST(who_only_initializes_ends_no_session_that_is_in_use);
    RUN_TEST(a_new_session_is_not_ended_by_the_next_new_one);
    RUN_TEST(what_resembles_a_session_id_is_none);
    return UNITY_END();
}
