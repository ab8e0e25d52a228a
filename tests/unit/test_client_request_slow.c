/* test_client_request_slow.c -- tool calls with client requests whose client reads slowly: bytes that are being sent
 * do not move. The device is elicitor.h's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elicitor.h"
#include "unity.h"

#define ENOUGH 200000 /* bytes of all that comes in one test */

static char text[ENOUGH];

void setUp(void)
{
    asker_start();
}

void tearDown(void)
{
}

static void hear_bytes(int which, size_t n)
{
    while (n-- > 0 && asker_hear_a_byte(which)) {
    }
}

/* Short texts leave from the scratch buffer, long ones from where they lie. */
static const size_t lengths[] = {40, SKR_TX_DIRECT + 400};

/* ---- Telling ---- */

/* Takes progress apart; each line is as its value says. How many there are. */
static unsigned count_chatter(const char *p)
{
    static char line[4096];
    unsigned count = 0;

    for (int last = 0; strstr(p, "notifications/progress") != NULL; count++) {
        const char *at = strstr(p, "\"progress\":");
        TEST_ASSERT_NOT_NULL(at);
        int value = atoi(at + 11);
        TEST_ASSERT_GREATER_THAN_INT(last, value);
        int n = snprintf(line, sizeof line,
                         "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,"
                         "\"progress\":%d,\"message\":\"%s\"}}\n",
                         value, asker_chatter(value));
        TEST_ASSERT_EQUAL_STRING_LEN(line, p, n);
        last = value;
        p += n;
    }
    return count;
}

/* [STD-01] [STD-04] [PRG-02] */
static void a_message_lies_still_while_it_leaves(void)
{
    for (unsigned i = 0; i < 2; i++) {
        asker_start();
        asker_does.chatter = lengths[i];
        asker_shake_hands();
        asker_call_legacy("chat");
        for (unsigned said = 0; said < 60; said++) { /* the handler goes on in the middle of a message */
            hear_bytes(0, asker_does.chatter / 2);
            asker_tick(1);
        }
        hear_bytes(0, ENOUGH);
        snprintf(text, sizeof text, "%s", asker_heard(0));
        TEST_ASSERT_GREATER_THAN_UINT(5, count_chatter(text));
        TEST_ASSERT_NOT_NULL(strstr(text, "\"id\":1,\"result\":"));
    }
}

/* ---- Asking ---- */

static void reply(int id)
{
    char body[128];

    snprintf(body, sizeof body, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"action\":\"accept\",\"content\":{}}}",
             id);
    asker_post(1, body);
    asker_expect(1, "HTTP/1.1 202 Accepted");
}

/* [SSE-02] [S2C-02] a reply on another connection takes the question before it away */
static void a_client_request_lies_still_while_it_leaves(void)
{
    char elicitation[4096];

    for (unsigned i = 0; i < 4; i++) {
        asker_start();
        asker_does.chatter = lengths[i % 2];
        asker_shake_hands_over_http();
        asker_open_http(1);
        asker_post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"both\"}}");
        hear_bytes(0, 680); /* the head, the first question, and some of the second */
        reply(1);
        if (i >= 2) {
            reply(2); /* before it has been asked to the end */
        }
        hear_bytes(0, ENOUGH);
        if (i < 2) {
            reply(2);
        }
        asker_tick(1);
        snprintf(text, sizeof text, "%s", asker_heard(0));
        snprintf(elicitation, sizeof elicitation,
                 "data: {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"elicitation/create\",\"params\":{\"message\":\"%s\","
                 "\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}}}\n\n",
                 asker_elicitation());
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, elicitation), text);
        TEST_ASSERT_NOT_NULL(strstr(text, "\"text\":\"ooo")); /* and then its room is had again */
        TEST_ASSERT_NULL(strstr(text, "isError"));
    }
}

/* Defect 11: a run that was given up while its question left made room for another, which wrote over it. */
static void a_client_request_lies_still_when_its_tool_call_is_given_up(void)
{
    char elicitation[4096];

    asker_does.chatter = lengths[1];
    asker_shake_hands();
    asker_call_legacy("nag");
    hear_bytes(0, 100);
    skr_conn_rx_end(&asker_conns[0]);
    asker_tick(1); /* its handler ends */
    asker_send(1, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"," ASKER_META
                  "}}\n");
    asker_expect(1, "Name?");
    hear_bytes(0, ENOUGH);
    snprintf(elicitation, sizeof elicitation,
             "\"params\":{\"message\":\"%s\",\"requestedSchema\":", asker_elicitation());
    snprintf(text, sizeof text, "%s", asker_heard(0));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, elicitation), text);
    TEST_ASSERT_FALSE(asker_tick(1)); /* and then its place is free again */
    TEST_ASSERT_NULL(asker_server.jobs[0].call.tool);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_message_lies_still_while_it_leaves);
    RUN_TEST(a_client_request_lies_still_while_it_leaves);
    RUN_TEST(a_client_request_lies_still_when_its_tool_call_is_given_up);
    return UNITY_END();
}
