/* test_http_session.c -- sessions of the older era: made by initialize, shown with every request, ended by DELETE; and
 * what becomes of them when there are too many, or the server is started anew. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

#define INITIALIZE                                                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-"               \
    "25\","                                                                                                            \
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"

void setUp(void)
{
    peer_start(SKR_HTTP_1, 512);
}

void tearDown(void)
{
}

static void new_session(char session[64])
{
    const char *at = strstr(peer_exchange(peer_post("", INITIALIZE)), "Mcp-Session-Id: ");

    TEST_ASSERT_NOT_NULL(at);
    TEST_ASSERT_EQUAL(1, sscanf(at, "Mcp-Session-Id: %63[0-9a-f]\r", session));
}

static int status_in(const char *session)
{
    char headers[128];

    snprintf(headers, sizeof headers, "Mcp-Session-Id: %.63s\r\n", session);
    return peer_status(peer_post(headers, LIST));
}

static void an_older_client_gets_a_session_and_must_show_it(void)
{
    char session[64];

    new_session(session);
    TEST_ASSERT_EQUAL(32, strlen(session));
    TEST_ASSERT_EQUAL(400, peer_status(peer_post("", LIST)));
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
    TEST_ASSERT_EQUAL(200, peer_status(request));
    TEST_ASSERT_EQUAL(404, status_in(session));
    TEST_ASSERT_EQUAL(404, peer_status(request));
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

#define SET_LEVEL "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"logging/setLevel\",\"params\":{\"level\":\"error\"}}"

static void set_level_in(const char *session)
{
    char headers[128];

    snprintf(headers, sizeof headers, "Mcp-Session-Id: %s\r\n", session);
    TEST_ASSERT_EQUAL(200, peer_status(peer_post(headers, SET_LEVEL)));
}

static void end(const char *session)
{
    char request[256];

    snprintf(request, sizeof request, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: %s\r\n\r\n", session);
    TEST_ASSERT_EQUAL(200, peer_status(request));
}

/* The number of sessions whose log level is another than they began with. */
static int levels(void)
{
    int count = 0;

    for (int i = 0; i < SKR_SESSIONS; i++) {
        count += peer.server.sessions[i].legacy.version != SKR_V_NONE &&
                 peer.server.sessions[i].legacy.log_level != SKR_LEVEL_WARNING;
    }
    return count;
}

static void there_may_be_more_sessions_than_places(void)
{
    static char sessions[3 * SKR_SESSIONS][64];

    for (int i = 0; i < 3 * SKR_SESSIONS; i++) {
        new_session(sessions[i]);
    }
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 3 * SKR_SESSIONS; i++) {
            TEST_ASSERT_EQUAL(200, status_in(sessions[i]));
        }
    }
}

/* Defect 27: 2,000 times initialize ended every session. */
static void who_only_initializes_takes_nothing_from_others(void)
{
    char used[64], flood[64];

    new_session(used);
    set_level_in(used);
    for (int i = 0; i < 2000; i++) {
        new_session(flood);
    }
    TEST_ASSERT_EQUAL(1, levels());
    TEST_ASSERT_EQUAL(200, status_in(used));
}

/* Of every version that has sessions, though only the newest are many. */
static void a_session_of_any_version_gets_its_place_back(void)
{
    static const char *const versions[] = {"2025-03-26", "2025-06-18", "2025-11-25"};
    char session[64], flood[64], body[256];

    for (unsigned i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        snprintf(body, sizeof body,
                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\","
                 "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}",
                 versions[i]);
        const char *at = strstr(peer_exchange(peer_post("", body)), "Mcp-Session-Id: ");
        TEST_ASSERT_NOT_NULL(at);
        TEST_ASSERT_EQUAL(1, sscanf(at, "Mcp-Session-Id: %63[0-9a-f]\r", session));
        for (int k = 0; k <= SKR_SESSIONS; k++) {
            new_session(flood);
        }
        TEST_ASSERT_EQUAL_MESSAGE(200, status_in(session), versions[i]);
    }
}

static void of_sessions_that_all_hold_something_the_one_idle_longest_loses_it(void)
{
    static char sessions[SKR_SESSIONS][64];
    char another[64];

    for (int i = 0; i < SKR_SESSIONS; i++) {
        new_session(sessions[i]);
        set_level_in(sessions[i]);
    }
    TEST_ASSERT_EQUAL(200, status_in(sessions[0])); /* now the second is idle longest */
    new_session(another);
    TEST_ASSERT_EQUAL(SKR_SESSIONS - 1, levels());
    set_level_in(another);
    TEST_ASSERT_EQUAL(200, status_in(sessions[1])); /* back, with the level that all begin with */
    TEST_ASSERT_EQUAL(SKR_SESSIONS - 1, levels());
    TEST_ASSERT_EQUAL(200, status_in(sessions[0]));
}

static void an_ended_session_does_not_come_back_when_its_place_is_gone(void)
{
    static char older[64], ended[64], younger[64], flood[64];

    new_session(older);
    new_session(ended);
    end(ended);
    for (int i = 0; i < 2 * SKR_SESSIONS; i++) {
        new_session(flood);
    }
    TEST_ASSERT_EQUAL(404, status_in(ended));
    TEST_ASSERT_EQUAL(404, status_in(older)); /* it has no place, either, and might be the ended one */
    new_session(younger);
    for (int i = 0; i < 2 * SKR_SESSIONS; i++) {
        new_session(flood);
    }
    TEST_ASSERT_EQUAL(200, status_in(younger));
}

/* Of those without a place only the ended one and older ones may have been ended. */
static void the_next_session_after_an_ended_one_comes_back(void)
{
    static char ended[64], next[64], flood[64];

    new_session(ended);
    new_session(next);
    end(ended);
    for (int i = 0; i < 2 * SKR_SESSIONS; i++) {
        new_session(flood);
    }
    TEST_ASSERT_EQUAL(404, status_in(ended));
    TEST_ASSERT_EQUAL(200, status_in(next));
}

/* ---- Restarts ---- */

static void restart(const char *seed, const char *key)
{
    struct skr_http_config config = peer.server.http;

    memcpy(config.seed, seed, sizeof config.seed);
    config.session_key = (const uint8_t *)key;
    TEST_ASSERT_EQUAL(0, peer_serve(peer.image.p, peer.image.n));
    skr_server_http(&peer.server, &config);
    peer_open(SKR_HTTP_1);
}

#define KEY "sixteen secrets!"

static void a_session_survives_a_restart_if_its_key_does(void)
{
    char session[64];

    restart("0123456789abcdef", KEY);
    new_session(session);
    restart("another seed .. ", KEY);
    TEST_ASSERT_EQUAL(200, status_in(session));
    restart("a third seed .. ", KEY);
    TEST_ASSERT_EQUAL(200, status_in(session));
    restart("a third seed .. ", "another 16 bytes");
    TEST_ASSERT_EQUAL(404, status_in(session));
    restart("a fourth seed ..", NULL);
    TEST_ASSERT_EQUAL(404, status_in(session));
}

/* Nobody has ended it. */
static void one_of_an_older_start_may_lose_its_place_and_come_back(void)
{
    char session[64], flood[64];

    restart("0123456789abcdef", KEY);
    new_session(session);
    restart("another seed .. ", KEY);
    for (int turn = 0; turn < 3; turn++) {
        TEST_ASSERT_EQUAL(200, status_in(session));
        for (int i = 0; i < 2 * SKR_SESSIONS; i++) {
            new_session(flood);
        }
    }
}

/* All 64 bits of it: an attacker has to guess every one. */
static void both_halves_of_a_tag_depend_on_the_key(void)
{
    char one[64], other[64];

    restart("0123456789abcdef", KEY);
    new_session(one);
    restart("0123456789abcdef", "another 16 bytes");
    new_session(other);
    TEST_ASSERT_EQUAL_STRING_LEN(one, other, 16); /* the number and what the client can do */
    TEST_ASSERT_NOT_EQUAL(0, memcmp(one + 16, other + 16, 8));
    TEST_ASSERT_NOT_EQUAL(0, memcmp(one + 24, other + 24, 8));
}

static void no_bit_of_an_id_can_be_changed(void)
{
    char session[64], forged[64];

    restart("0123456789abcdef", KEY);
    new_session(session);
    restart("another seed .. ", KEY);
    for (int i = 0; i < 32; i++) {
        for (int bit = 0; bit < 4; bit++) {
            strcpy(forged, session);
            int digit = forged[i] <= '9' ? forged[i] - '0' : forged[i] - 'a' + 10;
            forged[i] = "0123456789abcdef"[digit ^ 1 << bit];
            TEST_ASSERT_EQUAL(404, status_in(forged));
        }
    }
    TEST_ASSERT_EQUAL(200, status_in(session));
}

/* A connection remembers the id that was right. */
static void a_right_id_makes_no_other_right_on_its_connection(void)
{
    char session[64], forged[64];

    new_session(session);
    for (int i = 0; i < 32; i++) {
        strcpy(forged, session);
        forged[i] = forged[i] == '0' ? '1' : '0';
        TEST_ASSERT_EQUAL(200, status_in(session));
        TEST_ASSERT_EQUAL(404, status_in(forged));
        TEST_ASSERT_EQUAL(404, status_in(forged));
    }
    TEST_ASSERT_EQUAL(200, status_in(session));
    end(session);
    TEST_ASSERT_EQUAL(404, status_in(session));
}

static void one_that_was_ended_after_a_restart_does_not_come_back(void)
{
    static char first[64], second[64], flood[64];

    restart("0123456789abcdef", KEY);
    new_session(first);
    new_session(second);
    restart("another seed .. ", KEY);
    TEST_ASSERT_EQUAL(200, status_in(first));
    end(first);
    TEST_ASSERT_EQUAL(404, status_in(first));
    TEST_ASSERT_EQUAL(200, status_in(second)); /* others of the same start go on */
    for (int i = 0; i < 2 * SKR_SESSIONS; i++) {
        new_session(flood);
    }
    TEST_ASSERT_EQUAL(404, status_in(first));
    TEST_ASSERT_EQUAL(404, status_in(second)); /* until nothing is known any more of who was ended */
    restart("a third seed .. ", KEY);
    TEST_ASSERT_EQUAL(200, status_in(second));
}

static void the_table_of_a_restarted_server_is_empty(void)
{
    char session[64];

    restart("0123456789abcdef", KEY);
    new_session(session);
    end(session);
    restart("another seed .. ", KEY); /* nothing is known of its end, and the id is as good as a new one */
    TEST_ASSERT_EQUAL(200, status_in(session));
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

/* The places of ended sessions are given away in the order of their ends, which need not be that of their numbers. */
static void sessions_that_ended_in_another_order_do_not_come_back(void)
{
    static char sessions[SKR_SESSIONS][64];
    char another[64];

    for (int i = 0; i < SKR_SESSIONS; i++) {
        new_session(sessions[i]);
        set_level_in(sessions[i]);
    }
    end(sessions[5]);
    end(sessions[3]);
    for (int i = 0; i < 2; i++) {
        new_session(another);
        set_level_in(another);
    }
    TEST_ASSERT_EQUAL(404, status_in(sessions[5]));
    TEST_ASSERT_EQUAL(404, status_in(sessions[3]));
    TEST_ASSERT_EQUAL(200, status_in(sessions[4])); /* it has its place */
    TEST_ASSERT_EQUAL(200, status_in(sessions[6]));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(an_older_client_gets_a_session_and_must_show_it);
    RUN_TEST(a_session_that_was_ended_is_gone);
    RUN_TEST(every_session_id_is_another);
    RUN_TEST(there_may_be_more_sessions_than_places);
    RUN_TEST(who_only_initializes_takes_nothing_from_others);
    RUN_TEST(a_session_of_any_version_gets_its_place_back);
    RUN_TEST(of_sessions_that_all_hold_something_the_one_idle_longest_loses_it);
    RUN_TEST(an_ended_session_does_not_come_back_when_its_place_is_gone);
    RUN_TEST(the_next_session_after_an_ended_one_comes_back);
    RUN_TEST(a_session_survives_a_restart_if_its_key_does);
    RUN_TEST(one_of_an_older_start_may_lose_its_place_and_come_back);
    RUN_TEST(both_halves_of_a_tag_depend_on_the_key);
    RUN_TEST(no_bit_of_an_id_can_be_changed);
    RUN_TEST(a_right_id_makes_no_other_right_on_its_connection);
    RUN_TEST(one_that_was_ended_after_a_restart_does_not_come_back);
    RUN_TEST(the_table_of_a_restarted_server_is_empty);
    RUN_TEST(what_resembles_a_session_id_is_none);
    RUN_TEST(sessions_that_ended_in_another_order_do_not_come_back);
    return UNITY_END();
}
