/* test_job.c -- handlers that ask for time, skills/execute, and what ends a run early. The
 * clock is a number that the tests move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lint/sandbox.h"
#include "skr_args.h"
#include "buf.h"
#include "image.h"
#include "skillrom.h"
#include "talk.h"
#include "unity.h"

#define MANIFEST "---\nname: work\ndescription: Work that takes its time. Use it to test patience.\n---\nWork.\n"
#define BUSY "busy: its last run has not ended yet"

static struct skr_server server;
static struct skr_conn conns[2];
static struct buf out[2];
static uint32_t clock_ms;

/* What handlers were told and did. */
static struct {
    bool let_go;    /* the stubborn one may end */
    bool deny;
    bool cancelled; /* as the handler saw it */
    unsigned calls;
    char record[512];
} seen;

/* ---- Handlers, and what they get: arguments, output, state, a flag, a context [SK-S-04] ---- */

struct progress {
    int32_t wanted;
    int32_t calls;
    bool started;
};

struct slow_args {
    bool has_n;
    int32_t n;
};

static const int64_t one_to_thousand[2] = {1, 1000};
static const struct skr_arg slow_members[] = {
    {.kind = &skr_arg_int, .name = "n", .offset = offsetof(struct slow_args, n), .flags = SKR_ARG_HAS,
     .has = offsetof(struct slow_args, has_n), .size = sizeof(int32_t), .range = one_to_thousand},
};
static const struct skr_object slow_shape = {.members = slow_members, .count = 1, .size = sizeof(struct slow_args),
                                             .closed = true};

/* Ends in the call whose number the argument n says. */
static int run_slow(struct skr_call *call)
{
    struct progress *p = skr_job_state(call, sizeof *p);
    seen.calls++;
    seen.cancelled = skr_cancelled(call);
    if (!p->started) {
        TEST_ASSERT_EQUAL_INT(0, p->calls);
        p->started = true;
        struct slow_args args;
        if (!skr_args_read(call, &slow_shape, &args)) {
            return 0;
        }
        p->wanted = args.has_n ? args.n : 2;
    }
    skr_put(call, ".");
    return ++p->calls < p->wanted && !seen.cancelled ? SKR_PENDING : 0;
}

/* Does not care that nobody waits. */
static int run_stubborn(struct skr_call *call)
{
    seen.cancelled = skr_cancelled(call);
    if (!seen.let_go) {
        return SKR_PENDING;
    }
    skr_put(call, "late");
    return 0;
}

/* The first call asks for time, the second does what the row's name says. */
static int run_named(struct skr_call *call)
{
    bool *again = skr_job_state(call, sizeof *again);
    const char *name = strrchr(skr_tool_run(call)->name, '.') + 1;
    if (!*again) {
        *again = true;
        return SKR_PENDING;
    }
    if (strcmp(name, "flood") == 0) {
        for (int i = 0; i <= SKR_JOB_OUTPUT_MAX / 8; i++) {
            skr_put(call, "12345678");
        }
    } else if (strcmp(name, "garble") == 0) {
        skr_put(call, "a\xFF\r\n\x1B[1mb\tc\x7F \xC2\x85 \xC3\xA9 \xE2\x82");
    } else if (strcmp(name, "fail") == 0) {
        return skr_fail(call, "valve is locked");
    } else if (strcmp(name, "stop") == 0) {
        return skr_stop(call, SKR_FAULT, "the drive is gone");
    } else if (strcmp(name, "need") == 0 && !skr_need(call, SKR_CAP_ROOTS)) {
        return 0;
    }
    return 0;
}

static int run_quick(struct skr_call *call)
{
    struct skr_span json = skr_args_json(call);
    skr_put_span(call, json);
    return 0;
}

static int run_hasty(struct skr_call *call)
{
    (void)call;
    return SKR_PENDING;
}

static bool allow(void *context, const struct skr_conn *from, const char *tool)
{
    TEST_ASSERT_EQUAL_PTR(&seen, context);
    TEST_ASSERT_TRUE(from == &conns[0] || from == &conns[1]);
    return !seen.deny || strcmp(tool, "work.slow") != 0;
}

/* [SK-S-13] what a device can log of each run */
static void ran(void *context, const char *tool, const char *how, uint32_t ms)
{
    size_t n = strlen(seen.record);
    TEST_ASSERT_EQUAL_PTR(&seen, context);
    snprintf(seen.record + n, sizeof seen.record - n, "%s %s %u;", tool, how, (unsigned)ms);
}

#define TOOL(known_as, handler, ms) {.name = known_as, .run = handler, .deadline_ms = ms}

static const struct skr_tool tools[] = {
    TOOL("work.slow", run_slow, 1000),    TOOL("work.stubborn", run_stubborn, 1000),
    TOOL("work.flood", run_named, 1000),  TOOL("work.garble", run_named, 1000),
    TOOL("work.fail", run_named, 1000),   TOOL("work.stop", run_named, 1000),
    TOOL("work.need", run_named, 1000),   TOOL("work.quick", run_quick, 0),
    TOOL("work.hasty", run_hasty, 0),     TOOL("wait", run_slow, 100000),
    {.name = "waits", .run = run_slow, .deadline_ms = 1000, .parallel = true},
    {.name = "wait_brief", .run = run_slow, .deadline_ms = 1000, .output_max = 4},
    {.name = "wait_quick", .run = run_quick, .output_max = 9},
};
static const struct skr_device device = {.tools = tools, .tool_count = sizeof tools / sizeof tools[0],
                                         .context = &seen, .allow = allow, .ran = ran};

/* ---- The image ---- */

#define SCHEMA_SLOW \
    "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000}}," \
    "\"additionalProperties\":false}"
static void put_tool(const char *name, const char *schema)
{
    char path[96], text[1024];
    snprintf(path, sizeof path, "tools/%s.json", name);
    int n = snprintf(text, sizeof text, "{\"name\":\"%s\",\"description\":\"Works.\",\"inputSchema\":%s}", name, schema);
    sandbox_file(path, text, (size_t)n);
}

static struct buf make_image(void)
{
    static const char *const scripts[] = {"slow", "stubborn", "flood", "garble", "fail", "stop",
                                          "need", "quick",    "hasty", "mute",   "bare"};
    struct buf image = {0};
    struct diag diag = {.out = stderr};
    sandbox_open();
    static const char about[] = "{\"name\": \"worker\", \"version\": \"1\"}";
    sandbox_file("device.json", about, sizeof about - 1);
    sandbox_file("skills/work/SKILL.md", MANIFEST, sizeof MANIFEST - 1);
    for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
        char path[64], name[64];
        snprintf(path, sizeof path, "skills/work/scripts/%s.sh", scripts[i]);
        snprintf(name, sizeof name, "work.%s", scripts[i]);
        sandbox_file(path, "echo\n", 5);
        if (strcmp(scripts[i], "bare") != 0) {
            put_tool(name, strcmp(scripts[i], "slow") == 0 ? SCHEMA_SLOW : "{\"type\":\"object\"}");
        }
    }
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        if (strncmp(tools[i].name, "wait", 4) == 0) {
            put_tool(tools[i].name, "{\"type\":\"object\"}");
        }
    }
    struct outcome loaded = sandbox_load(NULL, &(struct load_options){0});
    if (!loaded.well || !image_build(&loaded.device, &(struct image_options){0}, &diag, &image)) {
        fprintf(stderr, "%s\n", outcome_text(&loaded));
        abort();
    }
    sandbox_close();
    return image;
}

/* ---- Talking ---- */

static void drain(int which)
{
    const void *bytes;
    size_t n;
    while ((n = skr_conn_tx(&conns[which], &bytes)) > 0) {
        buf_add(&out[which], bytes, n);
        skr_conn_tx_done(&conns[which], n);
    }
}

/* What has come out on the connection since this was last asked. */
static const char *heard(int which)
{
    static char text[2 * SKR_JOB_OUTPUT_MAX];
    drain(which);
    snprintf(text, sizeof text, "%s", buf_str(&out[which]));
    out[which].n = 0;
    return text;
}

static void say(int which, const char *text)
{
    size_t n = strlen(text), at = 0;
    while (at < n) {
        size_t taken = skr_conn_rx(&conns[which], text + at, n - at);
        at += taken;
        drain(which);
        TEST_ASSERT_TRUE_MESSAGE(taken > 0 || at == n, "the server takes no more");
    }
}

static void request(int which, const char *id, const char *method, const char *members)
{
    static char text[4096];
    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":{%s%s" META "}}\n", id, method,
             members, members[0] != '\0' ? "," : "");
    say(which, text);
}

static void call_tool(int which, const char *id, const char *name, const char *arguments)
{
    char members[1024];
    snprintf(members, sizeof members, "\"name\":\"%s\",\"arguments\":{%s}", name, arguments);
    request(which, id, "tools/call", members);
}

static void execute(int which, const char *id, const char *script, const char *arguments)
{
    char members[1024];
    snprintf(members, sizeof members, "\"name\":\"work\",\"script\":\"%s\",\"arguments\":{%s}", script, arguments);
    request(which, id, "skills/execute", members);
}

static bool tick(uint32_t ms)
{
    clock_ms += ms;
    return skr_server_tick(&server, clock_ms);
}

static void expect(int which, const char *part)
{
    const char *text = heard(which);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, part), text);
    const char *end = strchr(text, '\n');
    TEST_ASSERT_TRUE_MESSAGE(end != NULL && end[1] == '\0', text); /* one message, and all of it */
}

static void expect_silence(int which)
{
    TEST_ASSERT_EQUAL_STRING("", heard(which));
}

static void expect_reason(int which, const char *script, const char *reason)
{
    char data[256];
    snprintf(data, sizeof data, "\"data\":{\"script\":\"%s\",\"name\":\"work\",\"reason\":\"%s\"}", script, reason);
    const char *text = heard(which);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"code\":-32003"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, data), text);
}

void setUp(void)
{
    static struct buf image;
    if (image.p == NULL) {
        image = make_image();
    }
    memset(&seen, 0, sizeof seen);
    clock_ms = UINT32_MAX - 500; /* it wraps around in most tests */
    TEST_ASSERT_EQUAL_INT(0, skr_server_init(&server, &device, image.p, image.n));
    struct skr_http_config config = {.path = "/mcp", .loopback = true};
    skr_server_http(&server, &config);
    for (int i = 0; i < 2; i++) {
        memset(&conns[i], 0xA5, sizeof conns[i]);
        skr_conn_open(&conns[i], &server, SKR_LINE);
        out[i].n = 0;
    }
}

void tearDown(void)
{
}

/* ---- Taking time [SK-S-05] ---- */

static void a_handler_that_asks_for_time_is_answered_when_it_is_done(void)
{
    call_tool(0, "7", "wait", "\"n\":3");
    expect_silence(0);
    TEST_ASSERT_EQUAL_INT(SKR_WORKING, skr_conn_doing(&conns[0]));
    TEST_ASSERT_TRUE(tick(1));
    expect_silence(0);
    TEST_ASSERT_TRUE(tick(1)); /* done, but not sent */
    TEST_ASSERT_EQUAL_INT(SKR_ANSWERING, skr_conn_doing(&conns[0]));
    expect(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"resultType\":\"complete\","
              "\"content\":[{\"type\":\"text\",\"text\":\"...\"}],\"_meta\"");
    TEST_ASSERT_FALSE(tick(1));
    TEST_ASSERT_EQUAL_UINT(3, seen.calls);
    TEST_ASSERT_EQUAL_INT(SKR_IDLE, skr_conn_doing(&conns[0]));
}

static void a_handler_may_be_done_at_once(void)
{
    call_tool(0, "1", "wait", "\"n\":1");
    expect(0, "\"text\":\".\"");
    execute(0, "2", "slow", "\"n\":1");
    expect(0, "\"id\":2,\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\".\"}],\"isError\":false,");
    TEST_ASSERT_FALSE(tick(1));
    TEST_ASSERT_EQUAL_STRING("wait done 0;work.slow done 0;", seen.record);
}

static void a_script_is_answered_alike_and_says_that_it_did_not_fail(void)
{
    execute(0, "\"a\\u00e9\"", "slow", "");
    expect_silence(0);
    tick(1);
    expect(0, "\"id\":\"a\\u00e9\",\"result\":{\"resultType\":\"complete\","
              "\"content\":[{\"type\":\"text\",\"text\":\"..\"}],\"isError\":false,");
}

static void a_client_of_the_older_era_gets_the_older_shape(void)
{
    say(0, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
           "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n");
    heard(0);
    say(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"skills/execute\",\"params\":{\"name\":\"work\",\"script\":\"slow\"}}\n");
    tick(1);
    TEST_ASSERT_EQUAL_STRING("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"..\"}],"
                             "\"isError\":false}}\n",
                             heard(0));
}

static void other_requests_are_served_meanwhile(void)
{
    call_tool(0, "1", "wait", "\"n\":4");
    for (int i = 0; i < 3; i++) {
        request(0, "2", "server/discover", "");
        expect(0, "\"id\":2,\"result\"");
        request(0, "3", "skills/list", "");
        expect(0, "\"id\":3,\"result\"");
        execute(0, "4", "quick", "\"line\":1");
        expect(0, "\"text\":\"{\\\"line\\\":1}\"");
        execute(1, "1", "quick", "\"line\":2");
        expect(1, "\"text\":\"{\\\"line\\\":2}\"");
        tick(1);
    }
    expect(0, "\"id\":1,\"result\"");
}

static void its_answer_waits_until_another_has_left(void)
{
    const void *bytes;
    call_tool(0, "1", "wait", "");
    static const char list[] = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n{\"jsonrpc\":\"2.0\",\"id\":3,\"meth";
    skr_conn_rx(&conns[0], list, sizeof list - 1);
    TEST_ASSERT_TRUE(skr_conn_tx(&conns[0], &bytes) > 5);
    skr_conn_tx_done(&conns[0], 5); /* in the middle of the answer to 2, and of request 3 */
    tick(1);
    const char *rest = heard(0);
    TEST_ASSERT_EQUAL_STRING_LEN("nrpc\":\"2.0\",\"id\":2,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":1,", rest, 50);
    say(0, "od\":\"ping\"}\n");
    expect(0, "\"id\":3,\"result\":{}");
}

static void its_answer_may_come_while_a_line_is_dropped(void)
{
    static char half[SKR_REQUEST_MAX];
    memset(half, 'x', sizeof half);
    memcpy(half, "{\"id\":77,\"a\":\"", 14);
    call_tool(0, "1", "wait", "");
    for (int i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL_size_t(sizeof half, skr_conn_rx(&conns[0], half, sizeof half));
    }
    tick(1);
    expect(0, "\"id\":1,\"result\"");
    say(0, "\n");
    expect(0, "\"id\":77,\"error\":{\"code\":-32600");
}

static void a_handler_may_ask_for_time_only_with_a_deadline(void)
{
    execute(0, "1", "hasty", "");
    expect_reason(0, "hasty", "fault");
    TEST_ASSERT_FALSE(tick(1));
}

static void what_must_be_repeated_has_to_fit(void)
{
    static char id[SKR_JOB_TEXT + 3];
    memset(id, 'i', sizeof id - 1);
    id[0] = id[SKR_JOB_TEXT + 1] = '"'; /* two bytes too many */
    call_tool(0, id, "wait", "");
    expect(0, "\"error\":{\"code\":-32600,\"message\":\"id, name and script have more bytes than SKR_JOB_TEXT in all\"}");
    id[SKR_JOB_TEXT - 1] = '"';
    id[SKR_JOB_TEXT] = '\0';
    call_tool(0, id, "wait", "");
    tick(1);
    TEST_ASSERT_NOT_NULL(strstr(heard(0), id));
}

/* ---- One run at a time [SK-S-05], and a record of all [SK-S-13] ---- */

static void a_tool_that_runs_is_busy_for_everybody(void)
{
    execute(0, "1", "slow", "");
    execute(1, "1", "slow", "");
    expect_reason(1, "slow", "busy");
    execute(0, "2", "slow", "");
    expect_reason(0, "slow", "busy");
    call_tool(1, "2", "work.slow", "");
    expect(1, "\"text\":\"" BUSY "\"}],\"isError\":true");
    tick(1);
    expect(0, "\"id\":1,\"result\"");
    execute(1, "3", "slow", "\"n\":1");
    expect(1, "\"id\":3,\"result\"");
    TEST_ASSERT_EQUAL_STRING("work.slow busy 0;work.slow busy 0;work.slow busy 0;work.slow done 0;work.slow done 0;",
                             seen.record);
}

static void more_runs_than_there_is_room_for_are_told_so(void)
{
    for (int i = 1; i <= SKR_JOBS; i++) {
        char id[8];
        snprintf(id, sizeof id, "%d", i);
        call_tool(0, id, "waits", "");
    }
    expect_silence(0);
    call_tool(0, "90", "waits", "");
    expect(0, "\"id\":90,\"result\":{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"busy: ");
    execute(0, "91", "quick", "\"line\":1"); /* what needs no time needs no room */
    expect(0, "\"id\":91,\"result\"");
    tick(1);
    const char *text = heard(0);
    for (int i = 1; i <= SKR_JOBS; i++) {
        char id[16];
        snprintf(id, sizeof id, "\"id\":%d,", i);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, id), text);
    }
    call_tool(0, "92", "waits", "\"n\":1");
    expect(0, "\"text\":\".\"");
}

/* ---- Deadlines [SK-S-06] ---- */

static void at_the_deadline_the_client_is_told_and_a_late_result_is_dropped(void)
{
    execute(0, "1", "stubborn", "");
    tick(100); /* the deadline is counted from here */
    tick(999);
    expect_silence(0);
    TEST_ASSERT_FALSE(seen.cancelled);
    tick(1);
    TEST_ASSERT_TRUE(seen.cancelled);
    const char *text = heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"message\":\"timed out: not done within 1000 ms\",\"data\":{\"script\":\"stubborn\","
                                              "\"name\":\"work\",\"reason\":\"timeout\"}}}\n"),
                                 text);
    execute(0, "2", "stubborn", "");
    expect_reason(0, "stubborn", "busy");
    TEST_ASSERT_TRUE(tick(100000));
    seen.let_go = true;
    TEST_ASSERT_FALSE(tick(1));
    expect_silence(0);
    seen.let_go = false;
    execute(0, "3", "stubborn", "");
    seen.let_go = true;
    tick(1);
    expect(0, "\"id\":3,\"result\"");
    TEST_ASSERT_EQUAL_STRING("work.stubborn timeout 1000;work.stubborn busy 0;work.stubborn done 0;", seen.record);
}

static void a_tool_that_times_out_is_a_failed_result(void)
{
    call_tool(0, "1", "work.stubborn", "");
    tick(0);
    tick(5000);
    expect(0, "\"text\":\"timed out: not done within 1000 ms\"}],\"isError\":true");
}

static void a_deadline_counts_up_to_its_limit(void)
{
    call_tool(0, "1", "wait", "\"n\":1000");
    tick(0);
    tick(59999);
    expect_silence(0);
    tick(1);
    expect(0, "not done within 60000 ms");
    TEST_ASSERT_TRUE(seen.cancelled);
    TEST_ASSERT_FALSE(tick(1));
}

/* ---- Nobody waits any more [SK-S-07] [CAN-02] [CAN-05] ---- */

static void a_cancelled_request_is_not_answered(void)
{
    execute(0, "\"x\"", "slow", "\"n\":1000");
    tick(1);
    say(0, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n");
    say(0, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":{}}}\n");
    say(0, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}\n");
    say(1, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"x\"}}\n");
    TEST_ASSERT_TRUE(tick(1));
    TEST_ASSERT_FALSE(seen.cancelled);
    say(0, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"x\"}}\n");
    TEST_ASSERT_EQUAL_INT(SKR_IDLE, skr_conn_doing(&conns[0]));
    TEST_ASSERT_FALSE(tick(1));
    TEST_ASSERT_TRUE(seen.cancelled);
    expect_silence(0);
    TEST_ASSERT_EQUAL_STRING("work.slow cancelled 1;", seen.record);
    execute(0, "2", "slow", "\"n\":1");
    expect(0, "\"id\":2,\"result\"");
}

static void a_result_that_was_not_sent_yet_can_be_cancelled(void)
{
    const void *bytes;
    call_tool(0, "1", "wait", "");
    static const char ping[] = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n";
    static const char cancel[] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
    skr_conn_rx(&conns[0], ping, sizeof ping - 1);
    TEST_ASSERT_TRUE(skr_conn_tx(&conns[0], &bytes) > 0);
    tick(1);
    skr_conn_rx(&conns[0], cancel, sizeof cancel - 1);
    expect(0, "\"id\":2,\"result\"");
    TEST_ASSERT_FALSE(tick(1));
}

static void a_link_that_goes_away_cancels(void)
{
    execute(0, "1", "slow", "\"n\":1000");
    tick(1);
    skr_conn_close(&conns[0]);
    TEST_ASSERT_FALSE(tick(1));
    TEST_ASSERT_TRUE(seen.cancelled);
}

static void the_next_link_hears_nothing_of_it(void)
{
    for (int close_first = 0; close_first < 2; close_first++) {
        seen.let_go = false;
        execute(0, "1", "stubborn", "");
        if (close_first != 0) {
            skr_conn_close(&conns[0]);
        }
        memset(&conns[0], 0xA5, sizeof conns[0]);
        skr_conn_open(&conns[0], &server, SKR_LINE);
        TEST_ASSERT_EQUAL_INT(SKR_IDLE, skr_conn_doing(&conns[0]));
        TEST_ASSERT_TRUE(tick(1));
        seen.let_go = true;
        TEST_ASSERT_FALSE(tick(1));
        expect_silence(0);
    }
}

static void a_link_lost_in_the_middle_of_the_answer_frees_the_tool(void)
{
    const void *bytes;
    for (int lost = 0; lost < 2; lost++) {
        call_tool(0, "1", "wait", "");
        tick(1);
        TEST_ASSERT_TRUE(skr_conn_tx(&conns[0], &bytes) > 9);
        skr_conn_tx_done(&conns[0], 9);
        skr_conn_open(&conns[0], &server, SKR_LINE);
    }
    call_tool(0, "1", "wait", "\"n\":1");
    expect(0, "\"text\":\".\"");
}

/* ---- What handlers write [SK-S-08] [SK-S-09] [SK-S-10] ---- */

static void too_much_output_is_an_error_and_nothing_partial(void)
{
    execute(0, "1", "flood", "");
    tick(1);
    const char *text = heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"message\":\"the result exceeds SKR_JOB_OUTPUT_MAX bytes\""), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"reason\":\"output-too-large\""), text);
    TEST_ASSERT_NULL(strstr(text, "12345678"));
    call_tool(0, "2", "work.flood", "");
    tick(1);
    expect(0, "\"text\":\"the result exceeds SKR_JOB_OUTPUT_MAX bytes\"}],\"isError\":true");
}

static void a_tool_may_have_a_limit_of_its_own(void)
{
    for (int slow = 0; slow < 2; slow++) {
        const char *name = slow != 0 ? "wait_brief" : "wait_quick";
        call_tool(0, "1", name, slow != 0 ? "\"n\":4" : "\"n\":123");
        for (int i = 0; i < 5; i++) {
            tick(1);
        }
        expect(0, slow != 0 ? "\"text\":\"....\"}]" : "\"text\":\"{\\\"n\\\":123}\"}]");
        call_tool(0, "2", name, slow != 0 ? "\"n\":5" : "\"n\":1234");
        for (int i = 0; i < 5; i++) {
            tick(1);
        }
        expect(0, "exceeds output_max bytes");
    }
}

static void output_is_made_clean(void)
{
    execute(0, "1", "garble", "");
    tick(1);
    expect(0, "\"text\":\"a\xEF\xBF\xBD\\n[1mb\\tc  \xC3\xA9 \xEF\xBF\xBD\xEF\xBF\xBD\"}]");
}

static void a_handler_that_ran_and_failed_gives_a_result(void)
{
    execute(0, "1", "fail", "");
    tick(1);
    expect(0, "\"text\":\"valve is locked\"}],\"isError\":true");
    call_tool(0, "2", "work.fail", "");
    tick(1);
    expect(0, "\"text\":\"valve is locked\"}],\"isError\":true");
}

static void a_handler_that_could_not_end_gives_an_error(void)
{
    execute(0, "1", "stop", "");
    tick(1);
    expect_reason(0, "stop", "fault");
    call_tool(0, "2", "work.stop", "");
    tick(1);
    expect(0, "\"text\":\"the drive is gone\"}],\"isError\":true");
    TEST_ASSERT_EQUAL_STRING("work.stop fault 0;work.stop fault 0;", seen.record);
}

static void what_a_client_can_do_is_known_only_at_first(void)
{
    execute(0, "1", "need", "");
    tick(1);
    expect(0, "roots\"}],\"isError\":true");
}

/* ---- Who may [SK-S-11], and with what [SK-S-02] [SK-S-03] ---- */

static void a_device_may_deny(void)
{
    seen.deny = true;
    execute(0, "1", "slow", "\"n\":0"); /* and says nothing of the arguments */
    expect_reason(0, "slow", "denied");
    call_tool(0, "2", "work.slow", "");
    expect(0, "\"text\":\"denied by this device\"}],\"isError\":true");
    TEST_ASSERT_EQUAL_UINT(0, seen.calls);
    TEST_ASSERT_EQUAL_STRING("work.slow denied 0;work.slow denied 0;", seen.record);
}

static void scripts_are_found_by_path_name_or_stem(void)
{
    static const char *const good[] = {"scripts/quick.sh", "quick.sh", "quick", "qu\\u0069ck"};
    static const char *const bad[] = {"", "quic", "Quick", "scripts/quick", "/quick.sh", "../work/scripts/quick.sh",
                                      "SKILL.md", "quick.sh\\u0000", ".sh", "scripts", "work.quick"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        execute(0, "1", good[i], "\"line\":1");
        expect(0, "\"isError\":false");
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        execute(0, "1", bad[i], "\"line\":1");
        expect_reason(0, bad[i], "unknown-script");
    }
    execute(0, "1", "mute", "");
    expect_reason(0, "mute", "no-handler");
    execute(0, "1", "bare", "");
    expect_reason(0, "bare", "no-handler");
}

static void calls_of_another_shape_are_refused(void)
{
    request(0, "1", "skills/execute", "\"name\":\"nobody\",\"script\":\"slow\"");
    expect(0, "\"error\":{\"code\":-32002,\"message\":\"No skill named nobody\",\"data\":{\"name\":\"nobody\"}}");
    static const char *const bad[] = {"", "\"name\":\"work\"", "\"script\":\"slow\"", "\"name\":1,\"script\":\"slow\"",
                                      "\"name\":\"work\",\"script\":[]", "\"name\":\"work\",\"script\":\"slow\",\"arguments\":[]",
                                      "\"name\":\"work\",\"script\":\"slow\",\"arguments\":\"x\""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        request(0, "1", "skills/execute", bad[i]);
        expect(0, "\"code\":-32602");
    }
}

/* [SK-S-03] and the place is free again at once */
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
        snprintf(error, sizeof error, "\"error\":{\"code\":-32602,\"message\":\"%s\",\"data\":{\"script\":\"slow\",\"argument\":\"%s\"}}",
                 text, bad[i].name);
        execute(0, "1", "slow", bad[i].arguments);
        expect(0, error);
        call_tool(0, "2", "work.slow", bad[i].arguments);
        const char *answer = heard(0);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer, text), answer);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer, "\"isError\":true"), answer);
    }
    TEST_ASSERT_NOT_NULL(strstr(seen.record, "work.slow bad-argument 0;"));
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
#define EXECUTE_SLOW(id) \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"skills/execute\",\"params\":{\"name\":\"work\",\"script\":\"slow\",\"arguments\":{\"n\":3}," META "}}"

static void over_http_the_connection_waits(void)
{
    skr_conn_open(&conns[0], &server, SKR_HTTP_1);
    say(0, post(EXECUTE_HEADERS, EXECUTE_SLOW("1")));
    say(0, post(MODERN, DISCOVER)); /* sent without waiting */
    expect_silence(0);
    TEST_ASSERT_EQUAL_INT(SKR_WORKING, skr_conn_doing(&conns[0]));
    skr_conn_timed_out(&conns[0]); /* a port would not; it must do no harm */
    tick(1);
    expect_silence(0);
    tick(1);
    const char *text = heard(0);
    struct response r = talk_response(text);
    TEST_ASSERT_EQUAL_INT(200, r.status);
    TEST_ASSERT_EQUAL_STRING_LEN("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\"", r.body, 32);
    r = talk_response(r.end);
    TEST_ASSERT_EQUAL_INT(200, r.status);
    TEST_ASSERT_NOT_NULL(strstr(r.body, "supportedVersions"));
    TEST_ASSERT_EQUAL_STRING("", r.end);
}

static void an_http_client_that_hangs_up_cancels(void)
{
    skr_conn_open(&conns[0], &server, SKR_HTTP_1);
    say(0, post(EXECUTE_HEADERS, EXECUTE_SLOW("1")));
    skr_conn_close(&conns[0]);
    TEST_ASSERT_FALSE(tick(1));
    TEST_ASSERT_TRUE(seen.cancelled);
}

/* Opens an HTTP connection and a session on it; the header that names the session. */
static const char *open_session(int which)
{
    static char header[96];
    skr_conn_open(&conns[which], &server, SKR_HTTP_1);
    say(which, post("", "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\","
                        "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"));
    const char *at = strstr(heard(which), "Mcp-Session-Id: ");
    TEST_ASSERT_NOT_NULL(at);
    snprintf(header, sizeof header, "%.48s\r\n", at);
    return header;
}

#define LEGACY_SLOW \
    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"skills/execute\",\"params\":{\"name\":\"work\",\"script\":\"slow\",\"arguments\":{\"n\":3}}}"
#define CANCEL_5 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}"

static void a_session_cancels_from_another_connection(void)
{
    const char *session = open_session(0);
    skr_conn_open(&conns[1], &server, SKR_HTTP_1);
    say(0, post(session, LEGACY_SLOW));
    say(1, post("", CANCEL_5)); /* of no session: means nothing */
    heard(1);
    tick(1);
    TEST_ASSERT_FALSE(seen.cancelled);
    say(1, post(session, CANCEL_5));
    TEST_ASSERT_EQUAL_INT(202, talk_response(heard(1)).status);
    TEST_ASSERT_EQUAL_INT(202, talk_response(heard(0)).status); /* nothing to say, but the POST ends */
    tick(1);
    TEST_ASSERT_TRUE(seen.cancelled);
    say(0, post(session, "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"}"));
    TEST_ASSERT_EQUAL_INT(200, talk_response(heard(0)).status);
}

static void hanging_up_does_not_cancel_what_a_session_asked(void)
{
    say(0, "");
    const char *session = open_session(0);
    say(0, post(session, LEGACY_SLOW));
    skr_conn_close(&conns[0]);
    TEST_ASSERT_TRUE(tick(1));
    TEST_ASSERT_FALSE(seen.cancelled);
    TEST_ASSERT_FALSE(tick(1));
    TEST_ASSERT_EQUAL_UINT(3, seen.calls);
    TEST_ASSERT_EQUAL_STRING("work.slow done 1;", seen.record);
}

#define BATCH \
    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}," LEGACY_SLOW "," CANCEL_5 ",{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}]"

static void a_batch_waits_for_each_of_its_elements(void)
{
    say(0, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\","
           "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n");
    heard(0);
    say(0, BATCH "\n{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}\n");
    tick(1);
    tick(1);
    TEST_ASSERT_EQUAL_STRING("[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":"
                             "{\"content\":[{\"type\":\"text\",\"text\":\"...\"}],\"isError\":false}},"
                             "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}]\n{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n",
                             heard(0));
}

static void a_batch_over_http_waits_too(void)
{
    const char *session = open_session(0);
    say(0, post(session, BATCH));
    tick(1);
    tick(1);
    const char *text = heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "Transfer-Encoding: chunked"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"text\":\"...\""), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"id\":2,\"result\":{}}\r\n1\r\n]\r\n0\r\n\r\n"), text);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_handler_that_asks_for_time_is_answered_when_it_is_done);
    RUN_TEST(a_handler_may_be_done_at_once);
    RUN_TEST(a_script_is_answered_alike_and_says_that_it_did_not_fail);
    RUN_TEST(a_client_of_the_older_era_gets_the_older_shape);
    RUN_TEST(other_requests_are_served_meanwhile);
    RUN_TEST(its_answer_waits_until_another_has_left);
    RUN_TEST(its_answer_may_come_while_a_line_is_dropped);
    RUN_TEST(a_handler_may_ask_for_time_only_with_a_deadline);
    RUN_TEST(what_must_be_repeated_has_to_fit);
    RUN_TEST(a_tool_that_runs_is_busy_for_everybody);
    RUN_TEST(more_runs_than_there_is_room_for_are_told_so);
    RUN_TEST(at_the_deadline_the_client_is_told_and_a_late_result_is_dropped);
    RUN_TEST(a_tool_that_times_out_is_a_failed_result);
    RUN_TEST(a_deadline_counts_up_to_its_limit);
    RUN_TEST(a_cancelled_request_is_not_answered);
    RUN_TEST(a_result_that_was_not_sent_yet_can_be_cancelled);
    RUN_TEST(a_link_that_goes_away_cancels);
    RUN_TEST(the_next_link_hears_nothing_of_it);
    RUN_TEST(a_link_lost_in_the_middle_of_the_answer_frees_the_tool);
    RUN_TEST(too_much_output_is_an_error_and_nothing_partial);
    RUN_TEST(a_tool_may_have_a_limit_of_its_own);
    RUN_TEST(output_is_made_clean);
    RUN_TEST(a_handler_that_ran_and_failed_gives_a_result);
    RUN_TEST(a_handler_that_could_not_end_gives_an_error);
    RUN_TEST(what_a_client_can_do_is_known_only_at_first);
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
