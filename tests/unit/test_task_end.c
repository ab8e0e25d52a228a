/* test_task_end.c -- how tasks end, and what their clients and the device learn of it. */
#include <stdio.h>
#include <string.h>

#include "elicitor.h"
#include "sha256.h"
#include "unity.h"

#define MODERN_CALL(id, name)                                                                                          \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" name "\"," ASKER_META "}}\n"
#define TASK_CALL(id, name)                                                                                            \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" name "\",\"task\":{}}}\n"
#define SCHEMA "{\"type\":\"object\",\"properties\":{}}"

static bool let_go;

static int work(struct skr_call *call)
{
    if (!let_go) {
        return SKR_PENDING;
    }
    skr_put(call, "worked");
    return 0;
}

void setUp(void)
{
    asker_device.clock = NULL;
    asker_device.changes = SKR_CHANGES_TOOLS;
    asker_start();
    asker_does.run = work;
    let_go = false;
}

void tearDown(void)
{
}

static char id[33];

static const char *keep_task(const char *text)
{
    const char *at = strstr(text, "\"taskId\":\"");

    TEST_ASSERT_NOT_NULL_MESSAGE(at, text);
    snprintf(id, sizeof id, "%.32s", at + 10);
    return id;
}

static void begin_modern(char task[33])
{
    asker_send(0, MODERN_CALL("\"m\"", "any"));
    memcpy(task, keep_task(asker_heard(0)), 33);
}

static const char *exchange_about(int which, const char *method, const char *task, bool modern)
{
    char text[512];

    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"%s\",\"params\":{\"taskId\":\"%s\"%s}}\n",
             method, task, modern ? "," ASKER_META : "");
    asker_send(which, text);
    return asker_heard(which);
}

static void expect(const char *part, const char *text)
{
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, part), text);
}

/* ---- What ended them ---- */

static int flood(struct skr_call *call)
{
    for (size_t i = 0; i <= SKR_JOB_OUTPUT_MAX; i++) {
        skr_put(call, "x");
    }
    return 0;
}

static int stop(struct skr_call *call)
{
    return skr_stop(call, SKR_RPC_ERROR, "the drive is gone");
}

static int fail(struct skr_call *call)
{
    return skr_fail(call, "valve is locked");
}

static int complain(struct skr_call *call)
{
    return skr_error(call, 42, "no \"such\" line");
}

static int complain_below_zero(struct skr_call *call)
{
    return skr_error(call, -32042, "no such line");
}

static const char *end_of(int (*run)(struct skr_call *call), const char *method)
{
    asker_start();
    asker_does.run = run;
    asker_shake_hands();
    asker_send(0, TASK_CALL("1", "any"));
    return exchange_about(0, method, keep_task(asker_heard(0)), false);
}

/* [TSK-01] */
static void a_task_has_failed_when_its_tool_call_has(void)
{
    expect("\"status\":\"failed\"", end_of(flood, "tasks/get"));
    expect("the result exceeds SKR_JOB_OUTPUT_MAX (65536 bytes)", end_of(flood, "tasks/result"));
    expect("\"status\":\"failed\"", end_of(stop, "tasks/get"));
    expect("\"status\":\"failed\"", end_of(complain, "tasks/get"));
    expect("\"status\":\"failed\"", end_of(fail, "tasks/get"));
    expect("\"error\":{\"code\":42,\"message\":\"no \\\"such\\\" line\"}", end_of(complain, "tasks/result"));
}

static int complain_later(struct skr_call *call)
{
    return let_go ? complain(call) : SKR_PENDING;
}

static void errors_of_handlers_keep_their_code(void)
{
    char task[33];

    asker_shake_hands();
    asker_does.run = complain;
    asker_call_legacy("any");
    asker_expect(0, "\"id\":1,\"error\":{\"code\":42,\"message\":\"no \\\"such\\\" line\"}");
    asker_does.run = complain_below_zero;
    asker_call_legacy("any");
    asker_expect(0, "\"id\":1,\"error\":{\"code\":-32042,\"message\":\"no such line\"}");
    asker_does.run = complain_later;
    begin_modern(task);
    let_go = true;
    asker_tick(1);
    expect("\"status\":\"failed\"", exchange_about(0, "tasks/get", task, true));
    expect("\"error\":{\"code\":42,\"message\":\"no \\\"such\\\" line\"}", exchange_about(0, "tasks/get", task, true));
}

/* what is done immediately, or asks immediately, needs no task */
static void what_is_done_immediately_is_no_task(void)
{
    let_go = true;
    asker_call_modern("any", "");
    asker_expect(0, "\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"worked\"}]");
    asker_call_modern("ask", "");
    asker_expect(0, "\"inputRequests\":{\"name\":");
}

/* ---- Without sessions ---- */

static int complain_at_length(struct skr_call *call)
{
    static char text[1000];

    memset(text, '\x80', sizeof text - 1); /* no beginning of a character anywhere */
    return skr_error(call, 1, text);
}

static void what_an_error_is_about_is_cut_between_characters(void)
{
    asker_does.run = complain_at_length;
    asker_shake_hands();
    asker_call_legacy("any");
    asker_expect(0, "\"error\":{\"code\":1,\"message\":\"\"}");
}

/* ---- Tokens ---- */

/* [TSK-01] [TOOL-08] whether or not its result was fetched (it was `completed` before that, and `failed` after it) */
static void a_task_without_the_content_that_it_promised_has_failed(void)
{
    char task[33];

    let_go = true;
    asker_shake_hands();
    asker_send(0, TASK_CALL("1", "exact"));
    memcpy(task, keep_task(asker_heard(0)), sizeof task);
    expect("\"status\":\"failed\"", exchange_about(0, "tasks/get", task, false));
    expect("its handler puts no structured content", exchange_about(0, "tasks/result", task, false));
    expect("\"status\":\"failed\"", exchange_about(0, "tasks/get", task, false));
}

static char record[256];

static void ran(void *context, const char *tool, const char *how, uint32_t ms)
{
    size_t n = strlen(record);

    (void)context;
    snprintf(record + n, sizeof record - n, "%s %s %u;", tool, how, (unsigned)ms);
}

/* [SK-S-13] each run once, and how long it took since it was last asked something */
static void tool_calls_are_recorded_once_however_they_end(void)
{
    asker_device.tool_called = ran;
    record[0] = '\0';
    let_go = true;
    asker_shake_hands();
    asker_call_legacy("any");
    asker_send(0, TASK_CALL("2", "any"));
    (void)asker_heard(0);
    TEST_ASSERT_EQUAL_STRING("any done 0;any done 0;", record);
    let_go = false;
    asker_send(0, TASK_CALL("3", "any"));
    (void)asker_heard(0);
    asker_tick(1);
    asker_tick(30);
    let_go = true;
    asker_tick(12);
    TEST_ASSERT_EQUAL_STRING("any done 0;any done 0;any done 42;", record);
    record[0] = '\0';
    asker_call_legacy("ask");
    asker_expect(0, "Name?");
    asker_tick(1);
    asker_tick(500);
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}\n");
    asker_expect(0, "accepted");
    TEST_ASSERT_EQUAL_STRING("ask done 0;", record); /* the time of the client is not that of the handler */
    record[0] = '\0';
    asker_call_modern("ask", "");
    asker_expect(0, "inputRequests");
    TEST_ASSERT_EQUAL_STRING("ask asked 0;", record);
    asker_device.tool_called = NULL;
}

static int put_structured(struct skr_call *call)
{
    skr_begin_structured(call);
    skr_write_object(call, NULL);
    skr_write_end(call);
    return 0;
}

static void a_task_with_the_content_that_it_promised_is_completed(void)
{
    asker_does.run = put_structured;
    asker_shake_hands();
    asker_send(0, TASK_CALL("1", "exact"));
    expect("\"status\":\"completed\"", exchange_about(0, "tasks/get", keep_task(asker_heard(0)), false));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_task_has_failed_when_its_tool_call_has);
    RUN_TEST(errors_of_handlers_keep_their_code);
    RUN_TEST(what_is_done_immediately_is_no_task);
    RUN_TEST(what_an_error_is_about_is_cut_between_characters);
    RUN_TEST(a_task_without_the_content_that_it_promised_has_failed);
    RUN_TEST(tool_calls_are_recorded_once_however_they_end);
    RUN_TEST(a_task_with_the_content_that_it_promised_is_completed);
    return UNITY_END();
}
