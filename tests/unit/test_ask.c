/* test_ask.c -- what transcripts cannot reach of runs that ask and tell: time, lost links, places that run out.
 * The clock is a number that the tests move. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../lint/sandbox.h"
#include "buf.h"
#include "image.h"
#include "skillrom.h"
#include "unity.h"

#define SCHEMA "{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"}}}"
#define CAN "{\"elicitation\":{},\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}"
#define META \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"," \
    "\"io.modelcontextprotocol/clientCapabilities\":" CAN "}"

static struct skr_server server;
static struct skr_conn conns[2];
static struct buf out[2];
static uint32_t clock_ms;
static unsigned notes; /* so many does the teller tell in each call */
static size_t chatter; /* so long is each message of the chatterer */

/* ---- Handlers ---- */

static int run_ask(struct skr_call *call)
{
    bool *asked = skr_job_state(call, sizeof *asked);
    struct skr_reply reply;
    *asked = true;
    if (!skr_ask_form(call, "name", "Name?", SCHEMA, &reply)) {
        return SKR_PENDING;
    }
    skr_put(call, skr_reply_accepted(&reply) ? "accepted" : "declined");
    return 0;
}

static int run_tell(struct skr_call *call)
{
    unsigned *calls = skr_job_state(call, sizeof *calls);
    for (unsigned i = 0; i < notes; i++) {
        skr_log(call, SKR_LOG_ERROR, "something");
        skr_progress(call, (int32_t)*calls, 0, NULL);
    }
    if (++*calls < 3) {
        return SKR_PENDING;
    }
    skr_put(call, "told");
    return 0;
}

#define CHATTERS 40

/* The message of a value is one letter, again and again. */
static int run_chat(struct skr_call *call)
{
    int32_t *said = skr_job_state(call, sizeof *said);
    char message[2048];
    if (++*said > CHATTERS) {
        return 0;
    }
    memset(message, 'a' + *said % 26, chatter);
    message[chatter] = '\0';
    skr_progress(call, *said, 0, message);
    return SKR_PENDING;
}

static int run_task(struct skr_call *call)
{
    bool *again = skr_job_state(call, sizeof *again);
    if (!*again) {
        *again = true;
        return SKR_PENDING;
    }
    skr_put(call, "done");
    return 0;
}

static const struct skr_tool tools[] = {
    {.name = "ask", .run = run_ask, .deadline_ms = 1000, .parallel = true},
    {.name = "task", .run = run_task, .deadline_ms = 1000, .parallel = true, .task = SKR_TASK_OPTIONAL},
    {.name = "tell", .run = run_tell, .deadline_ms = 1000, .parallel = true},
    {.name = "chat", .run = run_chat, .deadline_ms = 1000, .parallel = true},
};
#define TOOLS (sizeof tools / sizeof tools[0])
static const struct skr_device device = {
    .tools = tools, .tool_count = TOOLS, .changes = SKR_CHANGES_TOOLS, .logs = true};

/* ---- Talking ---- */

static struct buf make_image(void)
{
    struct buf image = {0};
    struct diag diag = {.out = stderr};
    static const char about[] = "{\"name\": \"asker\", \"version\": \"1\"}";
    sandbox_open();
    sandbox_file("device.json", about, sizeof about - 1);
    for (size_t i = 0; i < TOOLS; i++) {
        char path[64], text[256];
        snprintf(path, sizeof path, "tools/%s.json", tools[i].name);
        int n = snprintf(text, sizeof text, "{\"name\":\"%s\",\"description\":\"Works.\",\"inputSchema\":{\"type\":\"object\"}}",
                         tools[i].name);
        sandbox_file(path, text, (size_t)n);
    }
    struct outcome loaded = sandbox_load(NULL, &(struct load_options){0});
    if (!loaded.well || !image_build(&loaded.device, &(struct image_options){0}, &diag, &image)) {
        abort();
    }
    sandbox_close();
    return image;
}

static const char *heard(int which)
{
    static char text[65536];
    const void *bytes;
    size_t n;
    while ((n = skr_conn_tx(&conns[which], &bytes)) > 0) {
        buf_add(&out[which], bytes, n);
        skr_conn_tx_done(&conns[which], n);
    }
    snprintf(text, sizeof text, "%s", buf_str(&out[which]));
    out[which].n = 0;
    return text;
}

/* A slow reader: takes one byte. False when there is none. */
static bool hear_a_byte(int which)
{
    const void *bytes;
    if (skr_conn_tx(&conns[which], &bytes) == 0) {
        return false;
    }
    buf_add(&out[which], bytes, 1);
    skr_conn_tx_done(&conns[which], 1);
    return true;
}

static void say(int which, const char *text)
{
    size_t n = strlen(text);
    TEST_ASSERT_EQUAL_size_t(n, skr_conn_rx(&conns[which], text, n));
}

static void expect(int which, const char *part)
{
    const char *text = heard(which);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, part), text);
}

static bool tick(uint32_t ms)
{
    return skr_server_tick(&server, clock_ms += ms);
}

static void call_modern(const char *name, const char *members)
{
    char text[2048];
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"%s," META "}}\n", name, members);
    say(0, text);
}

static void shake_hands(void)
{
    say(0, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
           "\"capabilities\":" CAN ",\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}}\n");
    expect(0, "\"result\"");
}

static void call_legacy(const char *name)
{
    char text[512];
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"_meta\":{\"progressToken\":1}}}\n",
             name);
    say(0, text);
}

/* ---- HTTP ---- */

static char session[33];

static void post(int which, const char *body)
{
    char text[2048];
    snprintf(text, sizeof text,
             "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
             "Accept: application/json, text/event-stream\r\n%s%s%sContent-Length: %zu\r\n\r\n%s",
             session[0] != '\0' ? "Mcp-Session-Id: " : "", session, session[0] != '\0' ? "\r\n" : "", strlen(body), body);
    say(which, text);
}

static void open_http(int which)
{
    skr_conn_open(&conns[which], &server, SKR_HTTP_1);
}

static void shake_hands_over_http(void)
{
    open_http(0);
    post(0, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
            "\"capabilities\":" CAN ",\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}}");
    const char *at = strstr(heard(0), "Mcp-Session-Id: ");
    TEST_ASSERT_NOT_NULL(at);
    snprintf(session, sizeof session, "%.32s", at + 16);
}

static void resume(int which, const char *event)
{
    char text[512];
    open_http(which);
    snprintf(text, sizeof text,
             "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: %s\r\nLast-Event-ID: %s\r\n\r\n",
             session, event);
    say(which, text);
}

void setUp(void)
{
    static struct buf image;
    static const uint8_t seed[16] = "a seed for tests";
    if (image.p == NULL) {
        image = make_image();
    }
    clock_ms = UINT32_MAX - 500; /* it wraps around in most tests */
    notes = 1;
    session[0] = '\0';
    TEST_ASSERT_EQUAL_INT(0, skr_server_init(&server, &device, image.p, image.n));
    struct skr_http_config config = {.path = "/mcp", .loopback = true};
    memcpy(config.seed, seed, sizeof seed);
    skr_server_http(&server, &config);
    for (int i = 0; i < 2; i++) {
        memset(&conns[i], 0xA5, sizeof conns[i]);
        skr_conn_open(&conns[i], &server, SKR_LINE);
        out[i].n = 0;
    }
    tick(0);
}

void tearDown(void)
{
}

/* ---- Asking ---- */

/* [S2C-03] */
static void a_client_that_does_not_answer_is_waited_for_longer_than_a_handler_but_not_forever(void)
{
    shake_hands();
    call_legacy("ask");
    expect(0, "\"method\":\"elicitation/create\"");
    TEST_ASSERT_TRUE(tick(10));
    TEST_ASSERT_TRUE(tick(SKR_ASK_MS - 20));
    TEST_ASSERT_EQUAL_STRING("", heard(0));
    tick(20);
    expect(0, "\"text\":\"timed out: no answer came within 300000 ms\"}],\"isError\":true");
    TEST_ASSERT_FALSE(tick(1));
}

static void a_peer_that_will_send_nothing_more_has_declined(void)
{
    shake_hands();
    call_legacy("ask");
    expect(0, "\"method\":\"elicitation/create\"");
    skr_conn_heard_all(&conns[0]);
    expect(0, "\"text\":\"declined\"");
}

static void without_a_seed_a_state_cannot_be_given_away(void)
{
    static const uint8_t none[16];
    skr_server_seed(&server, none);
    call_modern("ask", "");
    expect(0, "\"text\":\"cannot ask and remember: the device has no seed (skr_server_seed)\"}],\"isError\":true");
}

/* [STATE-03] */
static void a_state_is_good_for_a_while(void)
{
    char members[512];
    call_modern("ask", "");
    const char *at = strstr(heard(0), "\"requestState\":");
    TEST_ASSERT_NOT_NULL(at);
    snprintf(members, sizeof members, ",%.*s", (int)strcspn(at + 16, "\"") + 17, at);
    tick(SKR_STATE_MS);
    call_modern("ask", members);
    expect(0, "\"input_required\"");
    tick(1);
    call_modern("ask", members);
    expect(0, "\"error\":{\"code\":-32602,\"message\":\"requestState is not one of ours");
}

static void a_lost_line_ends_a_run_that_asks(void)
{
    shake_hands();
    call_legacy("ask");
    expect(0, "\"method\":\"elicitation/create\"");
    skr_conn_close(&conns[0]);
    tick(1);
    TEST_ASSERT_FALSE(tick(1)); /* its place is free */
}

/* ---- Telling ---- */

/* [PRG-02] */
static void what_does_not_rise_or_fit_is_not_told(void)
{
    unsigned progress = 0, messages = 0;
    notes = 100; /* of each kind, in each of three calls */
    shake_hands();
    call_legacy("tell");
    tick(1);
    tick(1);
    const char *text = heard(0);
    for (const char *p = text; (p = strstr(p, "notifications/")) != NULL; p++) {
        progress += strncmp(p, "notifications/progress", 22) == 0;
        messages += strncmp(p, "notifications/message", 21) == 0;
    }
    TEST_ASSERT_TRUE(progress >= 1 && progress <= 3);
    TEST_ASSERT_TRUE(messages >= 10 && messages < 100);
    TEST_ASSERT_NOT_NULL(strstr(text, "\"text\":\"told\""));
}

/* Takes the progress in out[0] apart; each line is as its value says. How many there were. */
static unsigned expect_chatter(void)
{
    static char line[4096], letters[2048];
    unsigned count = 0;
    int last = 0;
    for (const char *p = buf_str(&out[0]); strstr(p, "notifications/progress") != NULL; p = strchr(p, '\n') + 1) {
        const char *at = strstr(p, "\"progress\":");
        TEST_ASSERT_NOT_NULL(at);
        int value = atoi(at + 11);
        TEST_ASSERT_GREATER_THAN_INT(last, value);
        memset(letters, 'a' + value % 26, chatter);
        letters[chatter] = '\0';
        int n = snprintf(line, sizeof line,
                         "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,"
                         "\"progress\":%d,\"message\":\"%s\"}}\n",
                         value, letters);
        TEST_ASSERT_EQUAL_STRING_LEN(line, p, n);
        last = value;
        count++;
    }
    return count;
}

/* [STD-01] [STD-04] [PRG-02] Short messages leave from the scratch buffer, long ones from where they lie. */
static void a_message_lies_still_while_a_slow_reader_takes_it(void)
{
    static const size_t lengths[] = {40, SKR_TX_DIRECT + 40};
    for (unsigned i = 0; i < 2; i++) {
        setUp();
        chatter = lengths[i];
        shake_hands();
        call_legacy("chat");
        for (unsigned said = 0; said < 60; said++) { /* the handler goes on in the middle of a message */
            for (size_t byte = 0; byte < chatter / 2; byte++) {
                (void)hear_a_byte(0);
            }
            tick(1);
        }
        while (hear_a_byte(0)) {
        }
        TEST_ASSERT_GREATER_THAN_UINT(5, expect_chatter());
        TEST_ASSERT_NOT_NULL(strstr(buf_str(&out[0]), "\"id\":1,\"result\":"));
        out[0].n = 0;
    }
}

/* ---- Streams [SSE-08] ---- */

static void what_was_lost_with_the_connection_is_sent_again(void)
{
    shake_hands_over_http();
    post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"tell\",\"_meta\":{\"progressToken\":1}}}");
    expect(0, "id: 1-0\ndata: \n\nid: 1-1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"");
    tick(1);
    skr_conn_close(&conns[0]); /* CAN-05: the run goes on */
    tick(1);
    resume(1, "1-1");
    const char *text = heard(1);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\r\n\r\nid: 1-3\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":0}}"),
                                 text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"id\":7,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"told\"}]}}\n\n"), text);
    TEST_ASSERT_TRUE(skr_conn_finished(&conns[1]));
}

static void what_nobody_comes_back_for_is_dropped(void)
{
    shake_hands_over_http();
    post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"tell\"}}");
    expect(0, "id: 1-0\n");
    skr_conn_close(&conns[0]);
    tick(1);
    tick(1);
    tick(SKR_RESUME_MS);
    resume(1, "1-0");
    expect(1, "HTTP/1.1 405 "); /* nothing is left of it, and it is not taken for the stream of news */
}

static void the_stream_of_one_session_is_not_given_to_another(void)
{
    shake_hands_over_http();
    post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"tell\"}}");
    expect(0, "id: 1-0\n");
    skr_conn_close(&conns[0]);
    tick(1);
    tick(1);
    session[0] = '\0';
    shake_hands_over_http();
    resume(1, "1-0");
    TEST_ASSERT_NULL(strstr(heard(1), "told"));
}

static void a_question_on_a_lost_stream_is_asked_again(void)
{
    shake_hands_over_http();
    post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}");
    expect(0, "id: 1-1\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\"");
    skr_conn_close(&conns[0]);
    resume(1, "1-0");
    expect(1, "id: 1-2\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"elicitation/create\"");
    open_http(0);
    post(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}");
    expect(0, "HTTP/1.1 202 Accepted");
    expect(1, "\"text\":\"accepted\"");
}

/* [CAN-02] over HTTP, from another connection, while a stream is open */
static void a_cancelled_stream_just_ends(void)
{
    shake_hands_over_http();
    post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}");
    expect(0, "elicitation/create");
    open_http(1);
    post(1, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}");
    expect(1, "HTTP/1.1 202 Accepted");
    TEST_ASSERT_EQUAL_STRING("", heard(0));
    TEST_ASSERT_TRUE(skr_conn_finished(&conns[0]));
    tick(1);
    TEST_ASSERT_FALSE(tick(1));
}

static void the_end_of_a_session_ends_what_it_could_have_picked_up(void)
{
    char text[256];
    shake_hands_over_http();
    post(0, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}");
    expect(0, "elicitation/create");
    skr_conn_close(&conns[0]);
    open_http(1);
    snprintf(text, sizeof text, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: %s\r\n\r\n", session);
    say(1, text);
    expect(1, "HTTP/1.1 200 OK");
    tick(1);
    TEST_ASSERT_FALSE(tick(1));
}

/* ---- Tasks ---- */

static void get_task(const char *id)
{
    char text[1024];
    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"%s\"," META "}}\n", id);
    say(0, text);
}

/* [TSK-14] */
static void a_task_is_kept_for_its_time(void)
{
    char id[33];
    call_modern("task", "");
    const char *at = strstr(heard(0), "\"taskId\":\"");
    TEST_ASSERT_NOT_NULL(at);
    snprintf(id, sizeof id, "%.32s", at + 10);
    get_task(id);
    expect(0, "\"status\":\"working\"");
    tick(30000); /* before its handler is called again */
    get_task(id);
    expect(0, "\"status\":\"completed\",\"createdAt\":\"2026-01-01T00:00:00Z\",\"lastUpdatedAt\":\"2026-01-01T00:00:30Z\"");
    tick(1000 + SKR_TASK_KEEP_MS - 30000);
    get_task(id);
    expect(0, "No such task, or it is no longer kept");
}

static void a_lost_line_takes_its_tasks_with_it(void)
{
    shake_hands();
    say(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"task\",\"task\":{}}}\n");
    expect(0, "\"task\":{\"taskId\"");
    skr_conn_open(&conns[0], &server, SKR_LINE);
    shake_hands();
    say(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tasks/list\"}\n");
    expect(0, "\"result\":{\"tasks\":[]}");
}

/* ---- Changes [LCH-01] [SUB-04] ---- */

static void changes_of_the_firmware_are_told_to_whoever_was_promised_them(void)
{
    shake_hands();
    say(1, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true,"
           "\"promptsListChanged\":true}," META "}}\n");
    expect(1, "\"notifications\":{\"toolsListChanged\":true},");
    skr_server_changed(&server, SKR_CHANGES_TOOLS | SKR_CHANGES_PROMPTS);
    skr_server_changed(&server, SKR_CHANGES_TOOLS);
    TEST_ASSERT_EQUAL_STRING("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n", heard(0));
    TEST_ASSERT_EQUAL_STRING("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{"
                             "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":9}}}\n",
                             heard(1));
    skr_server_changed(&server, SKR_CHANGES_RESOURCES); /* nobody was promised that */
    TEST_ASSERT_EQUAL_STRING("", heard(0));
    TEST_ASSERT_EQUAL_STRING("", heard(1));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_client_that_does_not_answer_is_waited_for_longer_than_a_handler_but_not_forever);
    RUN_TEST(a_peer_that_will_send_nothing_more_has_declined);
    RUN_TEST(without_a_seed_a_state_cannot_be_given_away);
    RUN_TEST(a_state_is_good_for_a_while);
    RUN_TEST(a_lost_line_ends_a_run_that_asks);
    RUN_TEST(what_does_not_rise_or_fit_is_not_told);
    RUN_TEST(a_message_lies_still_while_a_slow_reader_takes_it);
    RUN_TEST(what_was_lost_with_the_connection_is_sent_again);
    RUN_TEST(what_nobody_comes_back_for_is_dropped);
    RUN_TEST(the_stream_of_one_session_is_not_given_to_another);
    RUN_TEST(a_question_on_a_lost_stream_is_asked_again);
    RUN_TEST(a_cancelled_stream_just_ends);
    RUN_TEST(the_end_of_a_session_ends_what_it_could_have_picked_up);
    RUN_TEST(a_task_is_kept_for_its_time);
    RUN_TEST(a_lost_line_takes_its_tasks_with_it);
    RUN_TEST(changes_of_the_firmware_are_told_to_whoever_was_promised_them);
    return UNITY_END();
}
