/* test_task_rare.c -- tasks at moments that seldom come: which one makes room, whose they are, what ended them, when they
 * were. And questions that cannot be asked, or are not wanted any more. The device is elicitor.h's; handlers are here. */
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

/* ---- When ---- */

static uint32_t seconds;

static uint32_t device_clock(void *context)
{
    (void)context;
    return seconds;
}

/* [TSK-14] */
static void dates_are_those_of_the_devices_clock(void)
{
    static const struct {
        uint32_t seconds;
        const char *date;
    } rows[] = {{1767323045, "2026-01-02T03:04:05Z"},  {1709251199, "2024-02-29T23:59:59Z"},
                {1767182400, "2025-12-31T12:00:00Z"},  {1772323200, "2026-03-01T00:00:00Z"},
                {0, "1970-01-01T00:00:00Z"},           {951782400, "2000-02-29T00:00:00Z"},
                {4107542400u, "2100-03-01T00:00:00Z"}, {UINT32_MAX, "2106-02-07T06:28:15Z"}};

    asker_device.clock = device_clock;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char part[64];
        seconds = rows[i].seconds;
        asker_start();
        asker_does.run = work;
        asker_send(0, MODERN_CALL("1", "any"));
        snprintf(part, sizeof part, "\"createdAt\":\"%s\"", rows[i].date);
        asker_expect(0, part);
    }
}

/* Without a clock time begins in 2026, and goes on. */
static void a_device_without_a_clock_counts_from_2026(void)
{
    char task[33];

    begin_modern(task);
    asker_tick(900);
    asker_tick(90);
    let_go = true;
    asker_tick(9); /* 999 ms */
    expect("\"createdAt\":\"2026-01-01T00:00:00Z\",\"lastUpdatedAt\":\"2026-01-01T00:00:00Z\"",
           exchange_about(0, "tasks/get", task, true));
    let_go = false;
    begin_modern(task);
    asker_tick(1);
    let_go = true;
    asker_tick(1);
    expect("\"createdAt\":\"2026-01-01T00:00:00Z\",\"lastUpdatedAt\":\"2026-01-01T00:00:01Z\"",
           exchange_about(0, "tasks/get", task, true));
}

/* ---- Whose ---- */

/* [TSK-02] a task of one era is none of the other, and one client's none of another's */
static void tasks_are_those_of_their_client_and_era(void)
{
    char modern[33], legacy[33];

    asker_shake_hands();
    asker_shake_hands_as(1, "2025-11-25");
    asker_call_legacy("any"); /* a call that is not a task */
    begin_modern(modern);
    asker_send(0, TASK_CALL("2", "any"));
    memcpy(legacy, keep_task(asker_heard(0)), sizeof legacy);
    expect("\"error\":{\"code\":-32602", exchange_about(0, "tasks/get", modern, false));
    expect("\"error\":{\"code\":-32602", exchange_about(0, "tasks/get", legacy, true));
    expect("\"error\":{\"code\":-32602", exchange_about(1, "tasks/get", legacy, false));
    expect("\"error\":{\"code\":-32602", exchange_about(0, "tasks/result", "nothing", false));
    expect("\"status\":\"working\"", exchange_about(1, "tasks/get", modern, true)); /* who has its id may ask for it */
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tasks/list\"}\n");
    const char *text = asker_heard(0);
    expect(legacy, text);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, modern), text);
    asker_send(1, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tasks/list\"}\n");
    TEST_ASSERT_EQUAL_STRING("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tasks\":[]}}\n", asker_heard(1));
}

/* [TSK-10] versions before 2025-11-25 have none */
static void older_versions_have_no_tasks(void)
{
    asker_shake_hands_as(0, "2025-06-18");
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tasks/list\"}\n");
    asker_expect(0, "\"error\":{\"code\":-32601");
}

static char sessions[2][33];

static void two_sessions(void)
{
    for (int i = 0; i < 2; i++) {
        asker_begin_session("2025-11-25");
        memcpy(sessions[i], asker_session, sizeof asker_session);
    }
}

static const char *post_as(int session, const char *body)
{
    memcpy(asker_session, sessions[session], sizeof asker_session);
    asker_open_http(session);
    asker_post(session, body);
    return asker_heard(session);
}

/* [TSK-11] over HTTP tasks belong to their session; the POST of tasks/result waits */
static void over_http_tasks_are_those_of_their_session(void)
{
    char body[256];

    two_sessions();
    keep_task(post_as(0, TASK_CALL("1", "any")));
    snprintf(body, sizeof body,
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/result\",\"params\":{\"taskId\":\"%s\"}}", id);
    expect("\"error\":{\"code\":-32602", post_as(1, body));
    TEST_ASSERT_EQUAL_STRING("", post_as(0, body));
    TEST_ASSERT_EQUAL(SKR_WORKING, skr_conn_activity(&asker_conns[0]));
    expect("\"tasks\":[]", post_as(1, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tasks/list\"}"));
    let_go = true;
    asker_tick(1);
    asker_expect(0, "\"text\":\"worked\"");
}

/* ---- Which one makes room ---- */

/* A client has its share of the places: its own tasks that have ended make room, and nobody else's. */
static void a_client_makes_room_for_its_tasks_itself(void)
{
    char others[33], first[33], body[256];

    let_go = true;
    two_sessions();
    memcpy(others, keep_task(post_as(1, TASK_CALL("1", "any"))), sizeof others);
    for (int i = 0; i < SKR_CLIENT_TASKS; i++) {
        keep_task(post_as(0, TASK_CALL("1", "any")));
        if (i == 0) {
            memcpy(first, id, sizeof first);
        }
    }
    snprintf(body, sizeof body,
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"%s\"}}", first);
    expect("\"status\":\"completed\"", post_as(0, body));
    let_go = false;
    keep_task(post_as(0, TASK_CALL("1", "any"))); /* one more than its share */
    expect("\"error\":{\"code\":-32602", post_as(0, body));
    snprintf(body, sizeof body,
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/get\",\"params\":{\"taskId\":\"%s\"}}", others);
    expect("\"status\":\"completed\"", post_as(1, body));
}

/* [TSK-14] first one whose end its client has seen, then the oldest; never one whose result is leaving */
static void what_was_seen_makes_room_before_what_is_older(void)
{
    char tasks[SKR_JOBS][33];

    let_go = true;
    asker_shake_hands();
    asker_shake_hands_as(1, "2025-11-25");
    for (int i = 0; i < SKR_JOBS; i++) {
        int client = i < SKR_JOBS / 2 ? 0 : 1;
        asker_send(client, TASK_CALL("1", "any"));
        memcpy(tasks[i], keep_task(asker_heard(client)), 33);
    }
    expect("worked", exchange_about(0, "tasks/result", tasks[3], false)); /* seen */
    char text[256];
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tasks/result\",\"params\":{\"taskId\":\"%s\"}}\n", tasks[0]);
    asker_send(0, text);
    TEST_ASSERT_TRUE(asker_hear_a_byte(0)); /* the oldest, but its result is leaving */
    for (int i = 0; i < 2; i++) {
        asker_send(2, MODERN_CALL("1", "any"));
        expect("worked", asker_heard(2));
    }
    expect("worked", asker_heard(0));
    expect("\"error\":{\"code\":-32602", exchange_about(0, "tasks/get", tasks[3], false));
    expect("\"status\":\"completed\"",
           exchange_about(0, "tasks/get", tasks[1], false)); /* the place of a run is free again */
    expect("\"status\":\"completed\"", exchange_about(1, "tasks/get", tasks[SKR_JOBS - 1], false));
}

/* ---- Questions ---- */

static unsigned calls;

/* Asks two things, and is content with the first response to either. */
static int want_one(struct skr_call *call)
{
    struct skr_reply reply;

    if (++calls == 1) {
        return SKR_PENDING; /* so that it is a task by then */
    }
    bool *done = SKR_JOB_STATE_OF(call, bool);
    bool one = !*done && skr_elicit_form(call, "one", "One?", SCHEMA, &reply);
    bool two = !*done && !one && skr_elicit_form(call, "two", "Two?", SCHEMA, &reply);
    *done |= one || two;
    return SKR_PENDING;
}

/* [TSK-07] in 2026-07-28 a question that is not asked again is not open any more */
static void a_task_drops_the_client_requests_that_it_no_longer_asks(void)
{
    char task[33], text[512];

    calls = 0;
    asker_does.run = want_one;
    begin_modern(task);
    snprintf(
        text, sizeof text,
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/update\",\"params\":{\"taskId\":\"%s\",\"inputResponses\":{\"one\":"
        "{\"action\":\"accept\",\"content\":{}}}," ASKER_META "}}\n",
        task);
    asker_send(0, text);
    expect("\"result\":{", asker_heard(0)); /* nothing was asked yet: it counts for nothing */
    asker_tick(1);
    const char *got = exchange_about(0, "tasks/get", task, true);
    expect("\"status\":\"input_required\"", got);
    expect("Two?", got);
    asker_send(0, text);
    (void)asker_heard(0);
    expect("\"status\":\"working\"", exchange_about(0, "tasks/get", task, true));
    expect("\"result\":{", exchange_about(0, "tasks/cancel", task, true));
    asker_send(0, text); /* it is over */
    expect("\"result\":{", asker_heard(0));
}

/* [TSK-11] roots need no params, but say whose task asks */
static int request_roots(struct skr_call *call)
{
    struct skr_reply reply;

    return skr_list_roots(call, "roots", &reply) ? 0 : SKR_PENDING;
}

static void a_task_that_asks_for_roots_says_which_it_is(void)
{
    char text[256];

    asker_does.run = request_roots;
    asker_send(0,
               "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
               "\"capabilities\":{\"roots\":{}},\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}}\n");
    (void)asker_heard(0);
    asker_send(0, TASK_CALL("1", "any"));
    keep_task(asker_heard(0));
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tasks/result\",\"params\":{\"taskId\":\"%s\"}}\n", id);
    asker_send(0, text);
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\",\"params\":{\"_meta\":{"
             "\"io.modelcontextprotocol/related-task\":{\"taskId\":\"%s\"}}}}\n",
             id);
    TEST_ASSERT_EQUAL_STRING(text, asker_heard(0));
}

static void who_takes_only_json_can_be_asked_by_a_result(void)
{
    char text[1024];

    asker_open_http(0);
    snprintf(
        text, sizeof text,
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json\r\n"
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: ask\r\nContent-Length: %zu\r\n\r\n%s",
        strlen(MODERN_CALL("1", "ask")), MODERN_CALL("1", "ask"));
    asker_send(0, text);
    asker_expect(0, "\"inputRequests\":{\"name\":");
}

/* ---- Without sessions ---- */

static const char *post_sessionless(const char *headers, const char *body)
{
    char text[1024];
    const struct skr_http_config config = {.path = "/mcp", .loopback = true, .anyone = true, .sessionless = true};

    skr_server_http(&asker_server, &config);
    asker_open_http(0);
    snprintf(
        text, sizeof text,
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%sContent-Length: %zu\r\n\r\n%s",
        headers, strlen(body), body);
    asker_send(0, text);
    return asker_heard(0);
}

#define OLDER "MCP-Protocol-Version: 2025-11-25\r\n"

/* [SESS-07] [TSK-10] a client that is forgotten has no tasks, and none is promised */
static void without_sessions_older_clients_have_no_tasks(void)
{
    let_go = true;
    expect("\"text\":\"worked\"", post_sessionless(OLDER, TASK_CALL("1", "any")));
    const char *text = post_sessionless(OLDER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
    expect("\"name\":\"any\"", text);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "taskSupport"), text);
    expect("\"code\":-32601", post_sessionless(OLDER, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tasks/list\"}"));
    expect("io.modelcontextprotocol/tasks", /* those of 2026-07-28 do, and a device without skills says so */
           post_sessionless("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: server/discover\r\n",
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" ASKER_META
                            "}}"));
}

/* ---- Tokens ---- */

static const char *post_with_token(const char *token, const char *name)
{
    char text[1024], body[512];

    snprintf(body, sizeof body,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"," ASKER_META "}}",
             name);
    asker_open_http(0);
    snprintf(
        text, sizeof text,
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer %s\r\n"
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: %s\r\nContent-Length: %zu\r\n\r\n%s",
        token, name, strlen(body), body);
    asker_send(0, text);
    return asker_heard(0);
}

/* [AUTH-08] the share of one person is not used up by another */
static void everybody_has_a_share_of_the_tasks(void)
{
    static struct skr_grant grants[] = {{.name = "one", .rights = SKR_MAY_OPERATE},
                                        {.name = "two", .rights = SKR_MAY_OPERATE}};

    romfs_sha256_of("first", 5, grants[0].sha256);
    romfs_sha256_of("second", 6, grants[1].sha256);
    const struct skr_http_config config = {
        .path = "/mcp", .loopback = true, .grants = grants, .grant_count = 2, .seed = "another seed    "};
    skr_server_http(&asker_server, &config);
    for (int i = 0; i < SKR_CLIENT_TASKS; i++) {
        expect("\"resultType\":\"task\"", post_with_token("first", "any"));
    }
    expect("as many unfinished tasks as one may have", post_with_token("first", "any"));
    expect("\"resultType\":\"task\"", post_with_token("second", "any"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(dates_are_those_of_the_devices_clock);
    RUN_TEST(a_device_without_a_clock_counts_from_2026);
    RUN_TEST(tasks_are_those_of_their_client_and_era);
    RUN_TEST(older_versions_have_no_tasks);
    RUN_TEST(over_http_tasks_are_those_of_their_session);
    RUN_TEST(a_client_makes_room_for_its_tasks_itself);
    RUN_TEST(what_was_seen_makes_room_before_what_is_older);
    RUN_TEST(a_task_drops_the_client_requests_that_it_no_longer_asks);
    RUN_TEST(a_task_that_asks_for_roots_says_which_it_is);
    RUN_TEST(who_takes_only_json_can_be_asked_by_a_result);
    RUN_TEST(without_sessions_older_clients_have_no_tasks);
    RUN_TEST(everybody_has_a_share_of_the_tasks);
    return UNITY_END();
}
