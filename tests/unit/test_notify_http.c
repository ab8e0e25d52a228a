/* test_notify_http.c -- the image is swapped under HTTP connections: streams of both eras, how they
 * begin and end, and what they carry. */
#include <stdio.h>
#include <string.h>

#include "revisions.h"
#include "unity.h"

#define TAG(id) "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":" id "}"
#define EVENT(json) "data: {\"jsonrpc\":\"2.0\"," json "}\n\n"
#define BOTH_LISTS                                                                                                     \
    EVENT("\"method\":\"notifications/skills/list_changed\"")                                                          \
    EVENT("\"method\":\"notifications/resources/list_changed\"")
#define LISTEN(filter)                                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"subscriptions/"                                                        \
    "listen\",\"params\":{\"notifications\":{" filter "}," META "}}"
#define LISTEN_HEADERS "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n"
#define STREAM_HEAD                                                                                                    \
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nX-Accel-Buffering: "             \
    "no\r\n"                                                                                                           \
    "Connection: close\r\n\r\n"
#define INITIALIZE                                                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-"               \
    "25\","                                                                                                            \
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}"

static const struct revision b_changed = {"a", "other", '1', "echo", "greet"};
static const struct revision other_tool = {"a", "b", '1', "fail", "greet"};

static char session[64]; /* its header line */

void setUp(void)
{
    revision_start(SKR_HTTP_1);
}

void tearDown(void)
{
    revision_forget();
}

/* Takes what there is on a connection. */
static const char *hears(struct skr_conn *c)
{
    static struct buf out;
    const void *bytes;
    size_t n;

    out.n = 0;
    while ((n = skr_conn_tx(c, &bytes)) > 0) {
        buf_add(&out, bytes, n);
        skr_conn_tx_done(c, n);
    }
    return buf_str(&out);
}

static const char *exchange(struct skr_conn *c, const char *request)
{
    TEST_ASSERT_EQUAL(strlen(request), skr_conn_rx(c, request, strlen(request)));
    return hears(c);
}

static void expect(const char *expected, const char *got)
{
    TEST_ASSERT_EQUAL_STRING(expected, got);
}

static void new_session(void)
{
    char id[40];
    const char *at = strstr(peer_exchange(peer_post("", INITIALIZE)), "Mcp-Session-Id: ");

    TEST_ASSERT_NOT_NULL(at);
    TEST_ASSERT_EQUAL(1, sscanf(at, "Mcp-Session-Id: %39[0-9a-f]\r", id));
    snprintf(session, sizeof session, "Mcp-Session-Id: %s\r\n", id);
}

static const char *get(const char *headers)
{
    static char text[512];

    snprintf(text, sizeof text, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n%s\r\n", headers);
    return text;
}

static void open_stream(struct skr_conn *c)
{
    skr_conn_open(c, &peer.server, SKR_HTTP_1);
    expect(STREAM_HEAD, exchange(c, get(session)));
    TEST_ASSERT_EQUAL(SKR_WAITING, skr_conn_activity(c));
}

static void subscribe(const char *verb, const char *uri)
{
    char body[200];

    snprintf(body, sizeof body,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/%s\",\"params\":{\"uri\":\"%s\"}}", verb, uri);
    TEST_ASSERT_EQUAL(200, peer_status(peer_post(session, body)));
}

/* So that the session has something to lose. */
static void set_level(void)
{
    TEST_ASSERT_EQUAL(200,
                      peer_status(peer_post(session, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"logging/setLevel\","
                                                     "\"params\":{\"level\":\"error\"}}")));
}

/* ---- 2026-07-28 ---- */

static void listening_is_a_stream_that_stays_open(void)
{
    expect(STREAM_HEAD EVENT("\"method\":\"notifications/subscriptions/"
                             "acknowledged\",\"params\":{\"notifications\":{" /* [SUB-07] */
                             "\"resourcesListChanged\":true}," TAG("4") "}"),
           peer_exchange(peer_post(LISTEN_HEADERS, LISTEN("\"resourcesListChanged\":true"))));
    TEST_ASSERT_EQUAL(SKR_WAITING, skr_conn_activity(&peer.conn));
    TEST_ASSERT_FALSE(skr_conn_finished(&peer.conn));
    revision_swap(&b_changed);
    expect(EVENT("\"method\":\"notifications/resources/list_changed\",\"params\":{" TAG("4") "}"), hears(&peer.conn));
    revision_forget();
    revision_swap(&first_revision);
    expect(EVENT("\"method\":\"notifications/resources/list_changed\",\"params\":{" TAG("4") "}"), hears(&peer.conn));
    skr_conn_timed_out(&peer.conn); /* a port without SKR_WAITING does no harm */
    TEST_ASSERT_FALSE(skr_conn_finished(&peer.conn));
    skr_conn_keep_alive(&peer.conn);
    expect(":\n\n", hears(&peer.conn)); /* [SSE-05] */
    expect("", hears(&peer.conn));
    skr_conn_end(&peer.conn);
    expect(EVENT("\"id\":4,\"result\":{\"resultType\":\"complete\"," TAG("4") "}"), hears(&peer.conn)); /* [SUB-09] */
    TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
    skr_conn_close(&peer.conn);
    TEST_ASSERT_EQUAL(0, peer.server.streams.open);
}

static void bytes_on_a_stream_are_dropped(void)
{
    peer_exchange(peer_post(LISTEN_HEADERS, LISTEN("\"resourcesListChanged\":true")));
    for (unsigned i = 0; i < 2 * SKR_REQUEST_MAX / 100; i++) {
        expect("", peer_exchange("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                                 "application/json\r\nContent-Length: 2\r\n\r\n{}"));
    }
    TEST_ASSERT_EQUAL(SKR_WAITING, skr_conn_activity(&peer.conn));
    revision_swap(&b_changed);
    TEST_ASSERT_NOT_NULL(strstr(hears(&peer.conn), "list_changed"));
}

static void a_client_that_takes_no_stream_is_refused_and_holds_nothing(void)
{
    char request[1024];

    snprintf(request, sizeof request,
             "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: "
             "application/json\r\n" LISTEN_HEADERS "Content-Length: %zu\r\n\r\n%s",
             strlen(LISTEN("\"skillsListChanged\":true")), LISTEN("\"skillsListChanged\":true"));
    TEST_ASSERT_EQUAL(406, peer_status(request)); /* [HTTP-04] */
    TEST_ASSERT_EQUAL(0, peer.server.streams.open);
    TEST_ASSERT_EQUAL(200, peer_status(peer_post(MODERN, DISCOVER)));
    revision_swap(&b_changed);
    expect("", hears(&peer.conn));
}

static void streams_are_counted(void)
{
    static struct skr_conn other;

    skr_server_set_streams(&peer.server, 1);
    peer_exchange(peer_post(LISTEN_HEADERS, LISTEN("\"resourcesListChanged\":true")));
    skr_conn_open(&other, &peer.server, SKR_HTTP_1);
    const char *refused = exchange(&other, peer_post(LISTEN_HEADERS, LISTEN("\"resourcesListChanged\":true")));
    TEST_ASSERT_NOT_NULL(strstr(refused, "HTTP/1.1 503 ")); /* [SUB-06] [HTTP-06] */
    TEST_ASSERT_NOT_NULL(strstr(refused, "Retry-After: "));
    TEST_ASSERT_NOT_NULL(strstr(refused, "\"code\":-32603"));
    skr_conn_close(&peer.conn);
    TEST_ASSERT_NOT_NULL(
        strstr(exchange(&other, peer_post(LISTEN_HEADERS, LISTEN("\"resourcesListChanged\":true"))), "acknowledged"));
}

static void a_connection_without_a_stream_hears_nothing(void)
{
    TEST_ASSERT_EQUAL(200, peer_status(peer_post(MODERN, DISCOVER)));
    revision_swap(&b_changed);
    expect("", hears(&peer.conn)); /* [TRAP-18] */
    TEST_ASSERT_EQUAL(200, peer_status(peer_post(MODERN, DISCOVER)));
}

/* ---- The initialize era ---- */

static void a_session_hears_on_its_stream(void)
{
    static struct skr_conn stream;
    char request[128];

    new_session();
    open_stream(&stream); /* [SESS-06] */
    TEST_ASSERT_EQUAL(200,
                      peer_status(peer_post(session, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\","
                                                     "\"params\":{\"uri\":\"skill://one/b.md\"}}")));
    revision_swap(&b_changed);
    expect("", hears(&peer.conn)); /* [SSE-10] not on the connection of its requests */
    expect(BOTH_LISTS EVENT("\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"skill://one/b.md\"}"),
           hears(&stream));
    expect("", hears(&stream));
    snprintf(request, sizeof request, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n%s\r\n", session);
    uint32_t before = skr_server_notification_count(&peer.server);
    TEST_ASSERT_EQUAL(200, peer_status(request));
    TEST_ASSERT_NOT_EQUAL(before, skr_server_notification_count(&peer.server)); /* so that the port asks the stream */
    expect("", hears(&stream));
    TEST_ASSERT_TRUE(skr_conn_finished(&stream));
}

static void what_a_session_missed_it_hears_when_its_stream_opens(void)
{
    static struct skr_conn stream;

    new_session();
    revision_swap(&b_changed);
    revision_swap(&other_tool);
    skr_conn_open(&stream, &peer.server, SKR_HTTP_1);
    expect(STREAM_HEAD BOTH_LISTS EVENT("\"method\":\"notifications/tools/list_changed\""),
           exchange(&stream, get(session)));
    skr_conn_close(&stream);
    open_stream(&stream);
    expect("", hears(&stream));
}

static void a_newer_stream_takes_the_place_of_the_older(void)
{
    static struct skr_conn older, newer;

    new_session();
    open_stream(&older);
    open_stream(&newer);
    expect("", hears(&older));
    TEST_ASSERT_TRUE(skr_conn_finished(&older));
    skr_conn_close(&older);
    revision_swap(&b_changed);
    expect(BOTH_LISTS, hears(&newer)); /* [LCH-01] */
    TEST_ASSERT_EQUAL(1, peer.server.streams.open);
}

static void a_stream_ends_with_the_server_and_says_nothing(void)
{
    static struct skr_conn stream;

    new_session();
    open_stream(&stream);
    skr_conn_end(&stream);
    expect("", hears(&stream));
    TEST_ASSERT_TRUE(skr_conn_finished(&stream));
}

static void a_stream_keeps_its_session_alive(void)
{
    static struct skr_conn stream;
    char mine[64];

    new_session();
    memcpy(mine, session, sizeof mine);
    open_stream(&stream);
    for (unsigned i = 0; i < 3 * SKR_SESSIONS; i++) {
        new_session();
        skr_conn_keep_alive(&stream);
        expect(":\n\n", hears(&stream));
    }
    revision_swap(&b_changed);
    expect(BOTH_LISTS, hears(&stream));
}

/* ... and not only when others have nothing to lose */
static void a_stream_that_is_kept_alive_is_not_the_one_idle_longest(void)
{
    static struct skr_conn stream;

    new_session();
    open_stream(&stream);
    for (unsigned i = 0; i < 3 * SKR_SESSIONS; i++) {
        new_session();
        set_level();
        skr_conn_keep_alive(&stream);
        expect(":\n\n", hears(&stream));
    }
    TEST_ASSERT_FALSE(skr_conn_finished(&stream));
    revision_swap(&b_changed);
    expect(BOTH_LISTS, hears(&stream));
}

/* A port that looks seldom must see that something happened, even if it was two things. */
static void what_happens_between_two_looks_adds_up(void)
{
    static struct skr_conn stream;
    char request[128];

    new_session();
    open_stream(&stream);
    uint32_t before = skr_server_notification_count(&peer.server);
    snprintf(request, sizeof request, "DELETE /mcp HTTP/1.1\r\nHost: localhost\r\n%s\r\n", session);
    TEST_ASSERT_EQUAL(200, peer_status(request));
    revision_swap(&b_changed);
    TEST_ASSERT_NOT_EQUAL(before, skr_server_notification_count(&peer.server));
}

#define EVERYTHING                                                                                                     \
    BOTH_LISTS EVENT("\"method\":\"notifications/tools/list_changed\"")                                                \
        EVENT("\"method\":\"notifications/prompts/list_changed\"")

static void a_session_that_is_displaced_ends_its_stream_and_may_come_back(void)
{
    static struct skr_conn stream;
    char mine[64];

    new_session();
    memcpy(mine, session, sizeof mine);
    open_stream(&stream);
    uint32_t before = skr_server_notification_count(&peer.server);
    for (unsigned i = 0; i < SKR_SESSIONS; i++) { /* also by others that have something to lose */
        new_session();
        set_level();
    }
    TEST_ASSERT_NOT_EQUAL(before, skr_server_notification_count(&peer.server)); /* so that the port asks the stream */
    expect("", hears(&stream));
    TEST_ASSERT_TRUE(skr_conn_finished(&stream));
    memcpy(session, mine, sizeof mine);
    skr_conn_open(&stream, &peer.server, SKR_HTTP_1);
    expect(STREAM_HEAD EVERYTHING, exchange(&stream, get(session)));
}

/* What it had subscribed to is gone, and nobody knows what the image was. */
static void after_a_restart_everything_may_have_changed(void)
{
    static struct skr_conn stream;
    struct skr_http_config config = peer.server.http;

    config.session_key = (const uint8_t *)"sixteen secrets!";
    skr_server_http(&peer.server, &config);
    new_session();
    open_stream(&stream);
    revision_start(SKR_HTTP_1);
    config.seed[0]++;
    skr_server_http(&peer.server, &config);
    skr_conn_open(&stream, &peer.server, SKR_HTTP_1);
    expect(STREAM_HEAD EVERYTHING, exchange(&stream, get(session))); /* [LCH-01] */
    skr_conn_close(&stream);
    open_stream(&stream); /* told once */
    revision_swap(&b_changed);
    expect(BOTH_LISTS, hears(&stream));
}

static void who_may_not_have_a_stream_is_told_why(void)
{
    new_session();
    TEST_ASSERT_EQUAL(400, peer_status(get("")));
    TEST_ASSERT_EQUAL(404, peer_status(get("Mcp-Session-Id: 00000000000000000000000000000000\r\n"))); /* [SESS-03] */
    TEST_ASSERT_EQUAL(405, peer_status(get(MODERN)));                                                 /* [HTTP-12] */
    char request[256];
    snprintf(request, sizeof request, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n%s\r\n",
             session);
    TEST_ASSERT_EQUAL(406, peer_status(request));
    TEST_ASSERT_NOT_NULL(
        strstr(peer_exchange("PUT /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n"), "Allow: POST, GET, DELETE\r\n"));
    skr_server_set_streams(&peer.server, 0);
    TEST_ASSERT_EQUAL(503, peer_status(get(session)));
    skr_server_can_swap(&peer.server, false);
    TEST_ASSERT_EQUAL(405, peer_status(get(session))); /* [CAP-03] nothing is promised then */
    TEST_ASSERT_NULL(strstr(peer_exchange(peer_post("", INITIALIZE)), "\"listChanged\":true"));
    TEST_ASSERT_EQUAL(0, peer.server.streams.open);
}

static void a_response_being_sent_keeps_its_length_and_its_image(void)
{
    static const struct revision longer = {"a", "b and much more", '2', "echo", "greet"};
    const char *request = peer_post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: resources/read\r\n"
                                    "Mcp-Name: skill://one/long.txt\r\n",
                                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{"
                                    "\"uri\":\"skill://one/long.txt\"," META "}}");
    struct buf out = {0};
    const void *bytes;

    TEST_ASSERT_EQUAL(strlen(request), skr_conn_rx(&peer.conn, request, strlen(request)));
    size_t n = skr_conn_tx(&peer.conn, &bytes);
    n = n > 100 ? 100 : n;
    buf_add(&out, bytes, n);
    skr_conn_tx_done(&peer.conn, n);
    revision_swap(&longer);
    TEST_ASSERT_TRUE(skr_conn_uses_old_image(&peer.conn));
    const char *rest = hears(&peer.conn);
    buf_add(&out, rest, strlen(rest));
    TEST_ASSERT_FALSE(skr_conn_uses_old_image(&peer.conn));
    struct response r = peer_response(buf_str(&out));
    TEST_ASSERT_EQUAL(200, r.status); /* [SK-A-08] */
    expect("", r.end);
    TEST_ASSERT_NOT_NULL(strstr(r.body, "11111111"));
    TEST_ASSERT_NULL(strstr(r.body, "22222222"));
}

/* ... but one that begins now has nothing to do with the image of what its connection said before (defect 30) */
static void a_stream_on_a_connection_that_was_used_holds_no_older_image(void)
{
    new_session();
    revision_swap(&b_changed);
    const char *request = get(session);
    TEST_ASSERT_EQUAL(strlen(request), skr_conn_rx(&peer.conn, request, strlen(request)));
    TEST_ASSERT_FALSE(skr_conn_uses_old_image(&peer.conn));
    expect(STREAM_HEAD BOTH_LISTS, hears(&peer.conn));
}

/* Others that hold nothing come and go instead. */
static void a_session_that_watches_anything_keeps_its_place(void)
{
    static struct skr_conn stream;
    char watching[sizeof session];

    new_session();
    memcpy(watching, session, sizeof session);
    subscribe("subscribe", "skill://one/a.md");
    subscribe("subscribe", "skill://one/b.md");
    subscribe("unsubscribe", "skill://one/a.md");
    for (unsigned i = 0; i <= SKR_SESSIONS; i++) {
        new_session();
    }
    memcpy(session, watching, sizeof session);
    open_stream(&stream);
    revision_swap(&b_changed);
    expect(BOTH_LISTS EVENT("\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"skill://one/b.md\"}"),
           hears(&stream));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_session_that_watches_anything_keeps_its_place);
    RUN_TEST(listening_is_a_stream_that_stays_open);
    RUN_TEST(bytes_on_a_stream_are_dropped);
    RUN_TEST(a_client_that_takes_no_stream_is_refused_and_holds_nothing);
    RUN_TEST(streams_are_counted);
    RUN_TEST(a_connection_without_a_stream_hears_nothing);
    RUN_TEST(a_session_hears_on_its_stream);
    RUN_TEST(what_a_session_missed_it_hears_when_its_stream_opens);
    RUN_TEST(a_newer_stream_takes_the_place_of_the_older);
    RUN_TEST(a_stream_ends_with_the_server_and_says_nothing);
    RUN_TEST(a_stream_keeps_its_session_alive);
    RUN_TEST(a_stream_that_is_kept_alive_is_not_the_one_idle_longest);
    RUN_TEST(what_happens_between_two_looks_adds_up);
    RUN_TEST(a_session_that_is_displaced_ends_its_stream_and_may_come_back);
    RUN_TEST(after_a_restart_everything_may_have_changed);
    RUN_TEST(who_may_not_have_a_stream_is_told_why);
    RUN_TEST(a_response_being_sent_keeps_its_length_and_its_image);
    RUN_TEST(a_stream_on_a_connection_that_was_used_holds_no_older_image);
    return UNITY_END();
}
