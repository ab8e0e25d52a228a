/* test_job_results.c -- what a run that takes time comes to: what handlers write, calls that are refused, and the
 * response over HTTP and in a batch. */
#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "unity.h"
#include "work.h"

void setUp(void)
{
    work_start();
}

void tearDown(void)
{
}

/* ---- What handlers write [SK-S-08] [SK-S-09] [SK-S-10] ---- */

static void too_much_output_is_an_error_and_nothing_partial(void)
{
    work_execute(0, "1", "flood", "");
    work_tick(1);
    const char *text = work_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"message\":\"the result exceeds SKR_JOB_OUTPUT_MAX (65536 bytes)\""),
                                 text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"reason\":\"output-too-large\""), text);
    TEST_ASSERT_NULL(strstr(text, "12345678"));
    work_call(0, "2", "work.flood", "");
    work_tick(1);
    work_expect(0, "\"text\":\"the result exceeds SKR_JOB_OUTPUT_MAX (65536 bytes)\"}],\"isError\":true");
}

static void a_tool_may_have_a_limit_of_its_own(void)
{
    for (int slow = 0; slow < 2; slow++) {
        const char *name = slow != 0 ? "wait_brief" : "wait_quick";
        work_call(0, "1", name, slow != 0 ? "\"n\":4" : "\"n\":123");
        for (int i = 0; i < 5; i++) {
            work_tick(1);
        }
        work_expect(0, slow != 0 ? "\"text\":\"....\"}]" : "\"text\":\"{\\\"n\\\":123}\"}]");
        work_call(0, "2", name, slow != 0 ? "\"n\":5" : "\"n\":1234");
        for (int i = 0; i < 5; i++) {
            work_tick(1);
        }
        work_expect(0, "exceeds its outputMax");
    }
}

static void output_is_made_clean(void)
{
    work_execute(0, "1", "garble", "");
    work_tick(1);
    work_expect(0, "\"text\":\"a\xEF\xBF\xBD\\n[1mb\\tc  \xC3\xA9 \xEF\xBF\xBD\xEF\xBF\xBD\"}]");
}

static void a_handler_that_ran_and_failed_gives_a_result(void)
{
    work_execute(0, "1", "fail", "");
    work_tick(1);
    work_expect(0, "\"text\":\"valve is locked\"}],\"isError\":true");
    work_call(0, "2", "work.fail", "");
    work_tick(1);
    work_expect(0, "\"text\":\"valve is locked\"}],\"isError\":true");
}

static void a_handler_that_could_not_end_gives_an_error(void)
{
    work_execute(0, "1", "stop", "");
    work_tick(1);
    work_expect_reason(0, "stop", "fault");
    work_call(0, "2", "work.stop", "");
    work_tick(1);
    work_expect(0, "\"text\":\"the drive is gone\"}],\"isError\":true");
    TEST_ASSERT_EQUAL_STRING("work.stop fault 0;work.stop fault 0;", work_seen.record);
}

/* [VAL-13] [VER-22] */
static void what_a_client_cannot_do_is_an_error_also_when_it_is_found_out_late(void)
{
    work_execute(0, "1", "need", "");
    work_tick(1);
    work_expect(0, "\"error\":{\"code\":-32021,\"message\":\"This needs a client that offers roots\","
                   "\"data\":{\"requiredCapabilities\":{\"roots\":{}}}}}");
}

/* ---- Who may [SK-S-11], and with what [SK-S-02] [SK-S-03] ---- */

static void a_device_may_deny(void)
{
    work_seen.deny = true;
    work_execute(0, "1", "slow", "\"n\":0"); /* and says nothing of the arguments */
    work_expect_reason(0, "slow", "denied");
    work_call(0, "2", "work.slow", "");
    work_expect(0, "\"text\":\"denied by this device\"}],\"isError\":true");
    TEST_ASSERT_EQUAL_UINT(0, work_seen.calls);
    TEST_ASSERT_EQUAL_STRING("work.slow denied 0;work.slow denied 0;", work_seen.record);
}

static void scripts_are_found_by_path_name_or_stem(void)
{
    static const char *const good[] = {"scripts/quick.sh", "quick.sh", "quick", "qu\\u0069ck"};
    static const char *const bad[] = {"",          "quic",
                                      "Quick",     "scripts/quick",
                                      "/quick.sh", "../work/scripts/quick.sh",
                                      "SKILL.md",  "quick.sh\\u0000",
                                      ".sh",       "scripts",
                                      "work.quick"};

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        work_execute(0, "1", good[i], "\"line\":1");
        work_expect(0, "\"isError\":false");
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        work_execute(0, "1", bad[i], "\"line\":1");
        work_expect_reason(0, bad[i], "unknown-script");
    }
    work_execute(0, "1", "mute", "");
    work_expect_reason(0, "mute", "no-handler");
    work_execute(0, "1", "bare", "");
    work_expect_reason(0, "bare", "no-handler");
}

static void calls_of_another_shape_are_refused(void)
{
    work_request(0, "1", "skills/execute", "\"name\":\"nobody\",\"script\":\"slow\"");
    work_expect(0, "\"error\":{\"code\":-32002,\"message\":\"No skill named nobody\",\"data\":{\"name\":\"nobody\"}}");
    static const char *const bad[] = {"",
                                      "\"name\":\"work\"",
                                      "\"script\":\"slow\"",
                                      "\"name\":1,\"script\":\"slow\"",
                                      "\"name\":\"work\",\"script\":[]",
                                      "\"name\":\"work\",\"script\":\"slow\",\"arguments\":[]",
                                      "\"name\":\"work\",\"script\":\"slow\",\"arguments\":\"x\""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        work_request(0, "1", "skills/execute", bad[i]);
        work_expect(0, "\"code\":-32602");
    }
}

/* [SK-S-03] and the place is free again immediately */
static void arguments_that_do_not_fit_are_refused_by_name(void)
{
    static const struct {
        const char *arguments, *name, *why;
    } bad[] = {
        {"\"n\":1001", "n", "must be at most 1000"},
        {"\"n\":\"1\"", "n", "must be a whole number"},
        {"\"m\":1", "m", "is not known"},
        {"\"a\\\"b\\u0001\":1", "a\\\"b", "is not known"},
        {"\"n\":1,\"n\":1", "n", "is given twice"},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char error[256], text[128];
        snprintf(text, sizeof text, "%s %s", bad[i].name, bad[i].why);
        snprintf(error, sizeof error,
                 "\"error\":{\"code\":-32602,\"message\":\"%s\",\"data\":{\"script\":\"slow\",\"argument\":\"%s\"}}",
                 text, bad[i].name);
        work_execute(0, "1", "slow", bad[i].arguments);
        work_expect(0, error);
        work_call(0, "2", "work.slow", bad[i].arguments);
        const char *response = work_heard(0);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, text), response);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"isError\":true"), response);
    }
    TEST_ASSERT_NOT_NULL(strstr(work_seen.record, "work.slow bad-argument 0;"));
}

/* ---- HTTP and batches ---- */

static const char *post(const char *headers, const char *body)
{
    static char text[4096];

    snprintf(text, sizeof text,
             "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json\r\n"
             "%sContent-Length: %zu\r\n\r\n%s",
             headers, strlen(body), body);
    return text;
}

#define EXECUTE_HEADERS "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: skills/execute\r\n"
#define EXECUTE_SLOW(id)                                                                                               \
    "{\"jsonrpc\":\"2.0\",\"id\":" id                                                                                  \
    ",\"method\":\"skills/execute\",\"params\":{\"name\":\"work\",\"script\":\"slow\",\"arguments\":{\"n\":3}," META   \
    "}}"

static void over_http_the_connection_waits(void)
{
    skr_conn_open(&work_conns[0], &work_server, SKR_HTTP_1);
    work_send(0, post(EXECUTE_HEADERS, EXECUTE_SLOW("1")));
    work_send(0, post(MODERN, DISCOVER)); /* sent without waiting */
    work_expect_silence(0);
    TEST_ASSERT_EQUAL_INT(SKR_WORKING, skr_conn_activity(&work_conns[0]));
    skr_conn_timed_out(&work_conns[0]); /* a port would not; it must do no harm */
    work_tick(1);
    work_expect_silence(0);
    work_tick(1);
    const char *text = work_heard(0);
    struct response r = peer_response(text);
    TEST_ASSERT_EQUAL_INT(200, r.status);
    TEST_ASSERT_EQUAL_STRING_LEN("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\"", r.body, 32);
    r = peer_response(r.end);
    TEST_ASSERT_EQUAL_INT(200, r.status);
    TEST_ASSERT_NOT_NULL(strstr(r.body, "supportedVersions"));
    TEST_ASSERT_EQUAL_STRING("", r.end);
}

static void an_http_client_that_hangs_up_cancels(void)
{
    skr_conn_open(&work_conns[0], &work_server, SKR_HTTP_1);
    work_send(0, post(EXECUTE_HEADERS, EXECUTE_SLOW("1")));
    skr_conn_close(&work_conns[0]);
    TEST_ASSERT_FALSE(work_tick(1));
    TEST_ASSERT_TRUE(work_seen.cancelled);
}

/* Opens an HTTP connection and a session on it; the header that names the session. */
static const char *open_session(int which)
{
    static char header[96];

    skr_conn_open(&work_conns[which], &work_server, SKR_HTTP_1);
    work_send(
        which,
        post("",
             "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\","
             "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"));
    const char *at = strstr(work_heard(which), "Mcp-Session-Id: ");
    TEST_ASSERT_NOT_NULL(at);
    snprintf(header, sizeof header, "%.48s\r\n", at);
    return header;
}

#define LEGACY_SLOW                                                                                                    \
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"skills/execute\",\"params\":{\"name\":\"work\",\"script\":\"slow\",\"arguments\":{\"n\":3}}}"
#define CANCEL_5 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}"

static void a_session_cancels_from_another_connection(void)
{
    const char *session = open_session(0);

    skr_conn_open(&work_conns[1], &work_server, SKR_HTTP_1);
    work_send(0, post(session, LEGACY_SLOW));
    work_send(1, post("", CANCEL_5)); /* of no session: means nothing */
    work_heard(1);
    work_tick(1);
    TEST_ASSERT_FALSE(work_seen.cancelled);
    work_send(1, post(session, CANCEL_5));
    TEST_ASSERT_EQUAL_INT(202, peer_response(work_heard(1)).status);
    TEST_ASSERT_EQUAL_INT(202, peer_response(work_heard(0)).status); /* nothing to say, but the POST ends */
    work_tick(1);
    TEST_ASSERT_TRUE(work_seen.cancelled);
    work_send(0, post(session, "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"}"));
    TEST_ASSERT_EQUAL_INT(200, peer_response(work_heard(0)).status);
}

static void hanging_up_does_not_cancel_what_a_session_asked(void)
{
    work_send(0, "");
    const char *session = open_session(0);
    work_send(0, post(session, LEGACY_SLOW));
    skr_conn_close(&work_conns[0]);
    TEST_ASSERT_TRUE(work_tick(1));
    TEST_ASSERT_FALSE(work_seen.cancelled);
    TEST_ASSERT_FALSE(work_tick(1));
    TEST_ASSERT_EQUAL_UINT(3, work_seen.calls);
    TEST_ASSERT_EQUAL_STRING("work.slow done 1;", work_seen.record);
}

#define BATCH                                                                                                          \
    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}," LEGACY_SLOW "," CANCEL_5                                    \
    ",{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]"

static void a_batch_waits_for_each_of_its_elements(void)
{
    work_send(0,
              "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\","
              "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n");
    work_heard(0);
    work_send(0, BATCH "\n{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n");
    work_tick(1);
    work_tick(1);
    TEST_ASSERT_EQUAL_STRING(
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":"
        "{\"content\":[{\"type\":\"text\",\"text\":\"...\"}],\"isError\":false}},"
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}]\n{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n",
        work_heard(0));
}

static void a_batch_over_http_waits_too(void)
{
    const char *session = open_session(0);

    work_send(0, post(session, BATCH));
    work_tick(1);
    work_tick(1);
    const char *text = work_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "Transfer-Encoding: chunked"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"text\":\"...\""), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"id\":2,\"result\":{}}\r\n1\r\n]\r\n0\r\n\r\n"), text);
}

/* What ran before on the connection has nothing to do with it. */
static void a_script_that_is_not_there_is_not_recorded(void)
{
    work_execute(0, "1", "stop", "");
    work_tick(1);
    TEST_ASSERT_NOT_NULL(strstr(work_seen.record, "work.stop"));
    work_seen.record[0] = '\0';
    work_heard(0);
    work_execute(0, "2", "none", "");
    work_expect_reason(0, "none", "unknown-script");
    TEST_ASSERT_EQUAL_STRING("", work_seen.record);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_script_that_is_not_there_is_not_recorded);
    RUN_TEST(too_much_output_is_an_error_and_nothing_partial);
    RUN_TEST(a_tool_may_have_a_limit_of_its_own);
    RUN_TEST(output_is_made_clean);
    RUN_TEST(a_handler_that_ran_and_failed_gives_a_result);
    RUN_TEST(a_handler_that_could_not_end_gives_an_error);
    RUN_TEST(what_a_client_cannot_do_is_an_error_also_when_it_is_found_out_late);
    RUN_TEST(a_device_may_deny);
    RUN_TEST(scripts_are_found_by_path_name_or_stem);
    RUN_TEST(calls_of_another_shape_are_refused);
    RUN_TEST(arguments_that_do_not_fit_are_refused_by_name);
    RUN_TEST(over_http_the_connection_waits);
    RUN_TEST(an_http_client_that_hangs_up_cancels);
    RUN_TEST(a_session_cancels_from_another_connection);
    RUN_TEST(hanging_up_does_not_cancel_what_a_session_asked);
    RUN_TEST(a_batch_waits_for_each_of_its_elements);
    RUN_TEST(a_batch_over_http_waits_too);
    return UNITY_END();
}
