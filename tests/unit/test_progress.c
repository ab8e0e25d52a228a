/* test_progress.c -- what a run tells while it works, and when it is not told. The device is elicitor.h's. */
#include <stdio.h>
#include <string.h>

#include "elicitor.h"
#include "unity.h"

#define CALL(members)                                                                                                  \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"any\"," members                    \
    "\"_meta\":{\"progressToken\":5}}}\n"

static int32_t progress;

void setUp(void)
{
    asker_start();
    asker_shake_hands();
    progress = 1;
}

void tearDown(void)
{
}

/* Takes three calls, and tells something in each. */
static int run_and_report(struct skr_call *call)
{
    int32_t *calls = SKR_JOB_STATE_OF(call, int32_t);

    skr_log(call, SKR_LOG_ERROR, "noted");
    skr_progress(call, progress * ++*calls, 0, NULL);
    return *calls < 3 ? SKR_PENDING : 0;
}

/* [PRG-02] */
static void progress_below_zero_is_none(void)
{
    asker_does.run = run_and_report;
    progress = -1;
    asker_send(0, CALL(""));
    asker_tick(1);
    asker_tick(1);
    const char *text = asker_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"result\""), text);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "notifications/progress"), text);
}

static size_t log_size;

static int log_much(struct skr_call *call)
{
    static char text[SKR_JOB_MESSAGES + 8];

    memset(text, 'n', log_size);
    text[log_size] = '\0';
    skr_log(call, SKR_LOG_ERROR, text);
    skr_put(call, "told");
    return 0;
}

/* Each byte that is too much, whether of the text or of what follows it. */
static void a_message_that_fills_the_room_for_messages_is_sent_and_no_longer_one(void)
{
    static const char head[] =
        "\"method\":\"notifications/message\",\"params\":{\"level\":\"error\",\"logger\":\"any\",\"data\":\"";
    size_t most = SKR_JOB_MESSAGES - 4 - (sizeof head - 1) - 2; /* length and number; quote and brace */

    asker_does.run = log_much;
    for (log_size = most - 1; log_size < most + 5; log_size++) {
        asker_send(0, CALL(""));
        const char *text = asker_heard(0);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"text\":\"told\""), text);
        TEST_ASSERT_EQUAL(log_size <= most, strstr(text, head) != NULL);
    }
}

/* Begins its stream, then tells something and closes it. */
static int log_and_close(struct skr_call *call)
{
    unsigned *calls = SKR_JOB_STATE_OF(call, unsigned);

    skr_log(call, SKR_LOG_ERROR, *calls == 0 ? "soon" : "now");
    if (*calls == 1) {
        skr_close_stream(call, 20);
    }
    return ++*calls < 3 ? SKR_PENDING : 0;
}

/* [SSE-09] what was told before it is sent, and then when to come back */
static void a_stream_is_closed_after_what_was_told(void)
{
    asker_start();
    asker_does.run = log_and_close;
    asker_shake_hands_over_http();
    asker_post(0, CALL(""));
    asker_expect(0, "\"data\":\"soon\"");
    asker_tick(1);
    asker_expect(0, "\"data\":\"now\"}}\n\nretry: 20\n\n");
    TEST_ASSERT_TRUE(skr_conn_finished(&asker_conns[0]));
}

/* [TSK-09] neither the call that made the task nor the one that waits for its end */
static void a_task_notifies_nobody(void)
{
    char id[64], text[256];

    asker_does.run = run_and_report;
    asker_send(0, CALL("\"task\":{},"));
    const char *heard = asker_heard(0);
    const char *at = strstr(heard, "\"taskId\":\"");
    TEST_ASSERT_NOT_NULL_MESSAGE(at, heard);
    TEST_ASSERT_NULL_MESSAGE(strstr(heard, "notifications/"), heard);
    TEST_ASSERT_EQUAL(1, sscanf(at, "\"taskId\":\"%63[0-9a-f]\"", id));
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/result\",\"params\":{\"taskId\":\"%s\"}}\n", id);
    asker_send(0, text);
    asker_tick(1);
    asker_tick(1);
    heard = asker_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(heard, "\"id\":2,\"result\""), heard);
    TEST_ASSERT_NULL_MESSAGE(strstr(heard, "notifications/message"), heard);
    TEST_ASSERT_NULL_MESSAGE(strstr(heard, "notifications/progress"), heard);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(progress_below_zero_is_none);
    RUN_TEST(a_message_that_fills_the_room_for_messages_is_sent_and_no_longer_one);
    RUN_TEST(a_stream_is_closed_after_what_was_told);
    RUN_TEST(a_task_notifies_nobody);
    return UNITY_END();
}
