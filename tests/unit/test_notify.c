/* test_notify.c -- the image is swapped under a line connection: what is told, what is not, and
 * that a response under way stays what it was. */
#include <stdio.h>
#include <string.h>

#include "revisions.h"
#include "unity.h"

#define NOTIFIES(what) "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/" what "\"}\n"
#define UPDATED(uri)                                                                                                   \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"" uri "\"}}"            \
    "\n"
#define BOTH_LISTS NOTIFIES("skills/list_changed") NOTIFIES("resources/list_changed")
#define TAG(id) "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":" id "}"
#define TAGGED(id, what) "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/" what "\",\"params\":{" TAG(id) "}}\n"
#define ACKNOWLEDGED(id, filter)                                                                                       \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{"                        \
    "\"notifications\":{" filter "}," TAG(id) "}}\n"
#define LISTEN(id, filter)                                                                                             \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{" filter    \
    "}," META "}}\n"
#define SUBSCRIBE(uri)                                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"" uri "\"}}\n"
#define UNSUBSCRIBE(uri)                                                                                               \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/unsubscribe\",\"params\":{\"uri\":\"" uri "\"}}\n"
#define CANCEL(id) "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" id "}}\n"
#define PING "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}\n"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n"
#define DONE "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"

static const struct revision b_changed = {"a", "other", '1', "echo", "greet"};
static const struct revision a_changed = {"other", "b", '1', "echo", "greet"};
static const struct revision a_gone = {NULL, "b", '1', "echo", "greet"};
static const struct revision other_tool = {"a", "b", '1', "fail", "greet"};
static const struct revision other_prompt = {"a", "b", '1', "echo", "leave"};
static const struct revision other_text = {"a", "b", '2', "echo", "greet"};

void setUp(void)
{
    revision_start(SKR_LINE);
}

void tearDown(void)
{
    revision_forget();
}

static void expect(const char *expected, const char *got)
{
    TEST_ASSERT_EQUAL_STRING(expected, got);
}

/* ---- The initialize era ---- */

static void a_client_of_the_handshake_hears_once_of_each_list(void)
{
    peer_initialize(NULL);
    expect("", peer_unasked());
    revision_swap(&b_changed);
    expect(BOTH_LISTS, peer_unasked()); /* [SK-X-23] [LCH-01] tools and prompts are as they were */
    expect("", peer_unasked());
    expect(PONG, peer_exchange(PING));
}

static void who_has_not_shaken_hands_hears_nothing(void)
{
    revision_swap(&b_changed);
    expect("", peer_unasked());
    expect(PONG, peer_exchange(PING));
}

static void changes_that_were_missed_are_told_once(void)
{
    peer_initialize(NULL);
    revision_swap(&b_changed);
    revision_swap(&other_tool);
    revision_swap(&first_revision);
    expect(BOTH_LISTS NOTIFIES("tools/list_changed"), peer_unasked()); /* [SUB-14] */
    expect("", peer_unasked());
}

static void tools_and_prompts_are_told_when_they_change(void)
{
    peer_initialize(NULL);
    revision_swap(&other_tool);
    expect(BOTH_LISTS NOTIFIES("tools/list_changed"), peer_unasked());
    revision_swap(&first_revision);
    peer_unasked();
    revision_swap(&other_prompt);
    expect(BOTH_LISTS NOTIFIES("prompts/list_changed"), peer_unasked());
}

static void the_same_image_again_is_no_change(void)
{
    peer_initialize(NULL);
    revision_swap(&first_revision);
    expect("", peer_unasked());
}

static void a_subscribed_file_is_told_when_it_is_another(void)
{
    peer_initialize(NULL);
    expect(DONE, peer_exchange(SUBSCRIBE("skill://one/a.md"))); /* [RES-06] */
    expect(DONE, peer_exchange(SUBSCRIBE("skill://one/a.md")));
    expect(DONE, peer_exchange(SUBSCRIBE("skill://one/b.md")));
    expect(DONE, peer_exchange(SUBSCRIBE("skill://two/SKILL.md")));
    revision_swap(&a_changed);
    expect(BOTH_LISTS UPDATED("skill://one/a.md"), peer_unasked());
    expect(DONE, peer_exchange(UNSUBSCRIBE("skill://one/a.md")));
    revision_swap(&b_changed);
    expect(BOTH_LISTS UPDATED("skill://one/b.md"), peer_unasked());
}

static void a_file_that_goes_and_comes_back_is_still_subscribed_to(void)
{
    peer_initialize(NULL);
    peer_exchange(SUBSCRIBE("skill://one/a.md"));
    revision_swap(&a_gone);
    expect(BOTH_LISTS, peer_unasked());
    revision_swap(&first_revision);
    expect(BOTH_LISTS, peer_unasked()); /* as it was */
    revision_swap(&a_gone);
    revision_swap(&a_changed);
    expect(BOTH_LISTS UPDATED("skill://one/a.md"), peer_unasked());
    revision_swap(&a_gone);
    peer_unasked();
    expect(DONE, peer_exchange(UNSUBSCRIBE("skill://one/a.md"))); /* while it is not there */
    revision_swap(&first_revision);
    expect(BOTH_LISTS, peer_unasked());
}

static void the_index_and_archives_can_be_subscribed_to(void)
{
    peer_initialize(NULL);
    expect(DONE, peer_exchange(SUBSCRIBE("skill://index.json"))); /* [SK-X-23] */
    expect(DONE, peer_exchange(SUBSCRIBE("skill://one.zip")));
    expect(DONE, peer_exchange(SUBSCRIBE("skill://two.tar.gz")));
    revision_swap(&b_changed);
    expect(BOTH_LISTS UPDATED("skill://index.json") UPDATED("skill://one.zip"), peer_unasked());
    revision_swap(&b_changed);
    expect("", peer_unasked());
}

static void subscriptions_are_counted(void)
{
    char text[256];

    peer_initialize(NULL);
    for (unsigned i = 0; i < SKR_SUBSCRIPTIONS + 8; i++) { /* the same one again and again takes one place */
        expect(DONE, peer_exchange(SUBSCRIBE("skill://one/a.md")));
    }
    memset(&peer.conn.legacy.subscriptions.list, 0x55, sizeof peer.conn.legacy.subscriptions.list); /* all are taken */
    snprintf(text, sizeof text, "%s", peer_exchange(SUBSCRIBE("skill://one/b.md")));
    TEST_ASSERT_NOT_NULL(strstr(text, "\"code\":-32603"));
    expect(PONG, peer_exchange(PING));
}

static void another_handshake_forgets_the_one_before(void)
{
    peer_initialize(NULL);
    peer_exchange(SUBSCRIBE("skill://one/a.md"));
    revision_swap(&b_changed);
    peer_initialize(NULL); /* [ERA-12] */
    expect("", peer_unasked());
    revision_swap(&a_changed);
    expect(BOTH_LISTS, peer_unasked());
}

/* ---- 2026-07-28 ---- */

static void a_modern_client_hears_what_it_asked_for(void)
{
    expect(ACKNOWLEDGED("7", "\"skillsListChanged\":true,\"resourceSubscriptions\":[\"skill://one/b.md\"]"),
           peer_exchange(LISTEN("7", "\"skillsListChanged\":true,\"toolsListChanged\":false,\"resourceSubscriptions\":["
                                     "\"skill://none\", \"skill:\\/\\/one\\/b.md\",\"skill://one\"]"))); /* [SUB-13] */
    expect("", peer_unasked());
    revision_swap(&b_changed);
    expect(TAGGED("7", "skills/list_changed") /* [SK-X-24] [SUB-03] */
           "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"skill:/"
           "/one/b.md\"," TAG("7") "}}\n",
           peer_unasked());
    revision_swap(&other_tool);
    TEST_ASSERT_NULL(strstr(peer_unasked(), "tools/list_changed")); /* [SUB-04] */
}

static void listening_ends_when_it_is_cancelled(void)
{
    peer_exchange(LISTEN("\"x\"", "\"resourcesListChanged\":true"));
    peer_exchange(LISTEN("2", "\"resourcesListChanged\":true"));
    peer_exchange(LISTEN("\"y\"", "\"resourcesListChanged\":true"));
    expect("", peer_exchange(CANCEL("3")));
    expect("", peer_exchange(CANCEL("\"2\"")));
    expect("", peer_exchange(CANCEL("\"x\"")));       /* [SUB-08] */
    expect("", peer_exchange(CANCEL("\"\\u0079\""))); /* [RPC-03] however it is spelled */
    expect("", peer_exchange("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\"}\n"));
    revision_swap(&b_changed);
    expect(TAGGED("2", "resources/list_changed"), peer_unasked());
}

static void listeners_are_notified_each_by_itself_and_both_eras_together(void)
{
    peer_initialize(NULL);
    peer_exchange(LISTEN("1", "\"skillsListChanged\":true")); /* [SUB-06] */
    peer_exchange(LISTEN("\"1\"", "\"resourcesListChanged\":true"));
    revision_swap(&b_changed);
    expect(BOTH_LISTS TAGGED("1", "skills/list_changed") TAGGED("\"1\"", "resources/list_changed"), peer_unasked());
}

static void listening_again_with_the_same_id_replaces(void)
{
    peer_exchange(LISTEN("1", "\"skillsListChanged\":true,\"resourceSubscriptions\":[\"skill://one/b.md\"]"));
    peer_exchange(LISTEN("1", "\"resourcesListChanged\":true")); /* [SER-03] */
    revision_swap(&b_changed);
    expect(TAGGED("1", "resources/list_changed"), peer_unasked());
}

static void there_are_only_so_many_places_to_listen(void)
{
    char text[256];

    for (unsigned i = 0; i < SKR_LISTENS; i++) {
        snprintf(text, sizeof text, LISTEN("%u", "\"skillsListChanged\":true"), i);
        TEST_ASSERT_NOT_NULL(strstr(peer_exchange(text), "acknowledged"));
    }
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(LISTEN("99", "\"skillsListChanged\":true")), "\"code\":-32603"));
    peer_exchange(CANCEL("0"));
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(LISTEN("99", "\"skillsListChanged\":true")), "acknowledged"));
}

static void an_id_too_long_to_keep_is_refused(void)
{
    char text[SKR_LISTEN_ID_MAX + 512], id[SKR_LISTEN_ID_MAX + 3];

    memset(id, '"', sizeof id);
    memset(id + 1, 'i', SKR_LISTEN_ID_MAX);
    id[SKR_LISTEN_ID_MAX + 2] = '\0';
    snprintf(text, sizeof text, LISTEN("%s", "\"skillsListChanged\":true"), id);
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(text), "\"code\":-32603"));
    id[SKR_LISTEN_ID_MAX - 1] = '"';
    id[SKR_LISTEN_ID_MAX] = '\0';
    snprintf(text, sizeof text, LISTEN("%s", "\"skillsListChanged\":true"), id);
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(text), "acknowledged"));
}

static void a_filter_of_the_wrong_type_is_refused_and_takes_no_place(void)
{
    for (unsigned i = 0; i <= SKR_LISTENS; i++) {
        TEST_ASSERT_NOT_NULL(strstr(peer_exchange(LISTEN("1", "\"skillsListChanged\":1")), "\"code\":-32602"));
        TEST_ASSERT_NOT_NULL(strstr(peer_exchange(LISTEN("2", "\"resourceSubscriptions\":{}")), "\"code\":-32602"));
        TEST_ASSERT_NOT_NULL(strstr(peer_exchange(LISTEN("3", "\"resourceSubscriptions\":[\"skill://one/a.md\",1]")),
                                    "\"code\":-32602"));
    }
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(LISTEN("4", "\"skillsListChanged\":true")), "acknowledged"));
    revision_swap(&a_changed);
    expect(TAGGED("4", "skills/list_changed"), peer_unasked());
}

static void what_cannot_be_honoured_ends_immediately(void)
{
    static const char ended[] =
        ACKNOWLEDGED("5", "") "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"resultType\":\"complete\"," TAG(
            "5") "}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                 "cancelled\",\"params\":{\"requestId\":5," TAG("5") "}}\n";

    expect(ended,
           peer_exchange(LISTEN("5", "\"resourceSubscriptions\":[\"skill://none\",\"test://text\"]"))); /* [SUB-12] */
    expect(ended, peer_exchange(LISTEN("5", "")));
    skr_server_can_swap(&peer.server, false);
    expect(ended, peer_exchange(LISTEN("5", "\"skillsListChanged\":true"))); /* [SK-X-22] */
}

static void the_server_ends_what_it_promised(void)
{
    peer_initialize(NULL);
    peer_exchange(LISTEN("5", "\"skillsListChanged\":true"));
    peer_exchange(LISTEN("\"six\"", "\"skillsListChanged\":true"));
    skr_conn_end(&peer.conn);
    expect("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"resultType\":\"complete\"," TAG(
               "5") "}}\n" /* [SUB-09] */
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                    "cancelled\",\"params\":{\"requestId\":5," TAG(
                        "5") "}}\n" /* [SUB-10] */
                             "{\"jsonrpc\":\"2.0\",\"id\":\"six\",\"result\":{\"resultType\":\"complete\"," TAG(
                                 "\"six\"") "}}\n"
                                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
                                            "cancelled\",\"params\":{\"requestId\":\"six\"," TAG("\"six\"") "}}\n",
           peer_unasked());
    TEST_ASSERT_EQUAL(SKR_IDLE, skr_conn_activity(&peer.conn));
}

/* ---- Answers under way ---- */

#define READ_LONG peer_modern("resources/read", "\"uri\":\"skill://one/long.txt\"")

static size_t count_of(const char *text, char c)
{
    size_t n = 0;

    for (; *text != '\0'; text++) {
        n += *text == c;
    }
    return n;
}

static void a_response_being_sent_stays_what_it_was(void)
{
    const void *bytes;
    struct buf out = {0};

    peer_initialize(NULL);
    const char *request = READ_LONG;
    TEST_ASSERT_EQUAL(strlen(request), skr_conn_rx(&peer.conn, request, strlen(request)));
    size_t n = skr_conn_tx(&peer.conn, &bytes);
    n = n > 100 ? 100 : n;
    buf_add(&out, bytes, n);
    skr_conn_tx_done(&peer.conn, n);
    TEST_ASSERT_FALSE(skr_conn_uses_old_image(&peer.conn));
    revision_swap(&other_text);
    TEST_ASSERT_TRUE(skr_conn_uses_old_image(&peer.conn));
    const char *rest = peer_unasked();
    buf_add(&out, rest, strlen(rest));
    TEST_ASSERT_FALSE(skr_conn_uses_old_image(&peer.conn));
    revision_forget(); /* from here on the first image is gone */
    char *end = strchr(buf_str(&out), '\n');
    expect(BOTH_LISTS, end + 1); /* notified after the response, not within */
    *end = '\0';
    TEST_ASSERT_TRUE(count_of((char *)out.p, '1') >= REVISION_LONG); /* [SK-A-08] */
    TEST_ASSERT_TRUE(count_of((char *)out.p, '2') < 20);
    const char *next = peer_exchange(READ_LONG);
    TEST_ASSERT_TRUE(count_of(next, '2') >= REVISION_LONG);
}

static void notifications_do_not_disturb_a_request_that_is_coming(void)
{
    peer_initialize(NULL);
    peer_send(PING, 20);
    revision_swap(&b_changed);
    expect(BOTH_LISTS, peer_unasked());
    expect(PONG, peer_exchange(&PING[20]));
}

static void notifications_that_leave_in_small_portions_are_whole(void)
{
    peer.take = 3;
    peer_initialize(NULL);
    peer_exchange(SUBSCRIBE("skill://one/b.md"));
    revision_swap(&b_changed);
    expect(BOTH_LISTS UPDATED("skill://one/b.md"), peer_unasked());
}

static void an_image_that_does_not_mount_changes_nothing(void)
{
    static const uint32_t rubbish[64];

    peer_initialize(NULL);
    TEST_ASSERT_EQUAL(ROMFS_ERR_MAGIC, skr_server_swap(&peer.server, rubbish, sizeof rubbish));
    expect("", peer_unasked());
    TEST_ASSERT_TRUE(count_of(peer_exchange(READ_LONG), '1') >= REVISION_LONG);
    revision_swap(&other_text);
    TEST_ASSERT_TRUE(count_of(peer_exchange(READ_LONG), '2') >= REVISION_LONG);
}

static void a_cursor_of_the_image_before_is_refused(void)
{
    char request[256], cursor[64];

    skr_server_set_page(&peer.server, 1);
    const char *at = strstr(peer_exchange(peer_modern("skills/list", "")), "\"nextCursor\":\"");
    TEST_ASSERT_NOT_NULL(at);
    TEST_ASSERT_EQUAL(1, sscanf(at, "\"nextCursor\":\"%63[^\"]", cursor));
    snprintf(request, sizeof request, "\"cursor\":\"%s\"", cursor);
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(peer_modern("skills/list", request)), "\"result\""));
    revision_swap(&b_changed);
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(peer_modern("skills/list", request)), "\"code\":-32602"));
}

static void capabilities_promise_what_is_kept(void)
{
    static const char promised[] = "\"resources\":{\"subscribe\":true,\"listChanged\":true},"
                                   "\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true}";
    const char *discover = peer_modern("server/discover", "");

    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(discover), promised)); /* [SK-X-22] */
    TEST_ASSERT_NOT_NULL(
        strstr(buf_str(&peer.out), "\"skills\":{\"listChanged\":true")); /* [SK-D-07] [SK-E-10] [SK-F-12] */
    TEST_ASSERT_NOT_NULL(strstr(buf_str(&peer.out), "\"ttlMs\":0,\"cacheScope\":\"public\"")); /* [CACHE-05] */
    skr_server_can_swap(&peer.server, false);
    TEST_ASSERT_NULL(strstr(peer_exchange(discover), "\"listChanged\":true"));
    TEST_ASSERT_NULL(strstr(buf_str(&peer.out), "\"ttlMs\":0"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_client_of_the_handshake_hears_once_of_each_list);
    RUN_TEST(who_has_not_shaken_hands_hears_nothing);
    RUN_TEST(changes_that_were_missed_are_told_once);
    RUN_TEST(tools_and_prompts_are_told_when_they_change);
    RUN_TEST(the_same_image_again_is_no_change);
    RUN_TEST(a_subscribed_file_is_told_when_it_is_another);
    RUN_TEST(a_file_that_goes_and_comes_back_is_still_subscribed_to);
    RUN_TEST(the_index_and_archives_can_be_subscribed_to);
    RUN_TEST(subscriptions_are_counted);
    RUN_TEST(another_handshake_forgets_the_one_before);
    RUN_TEST(a_modern_client_hears_what_it_asked_for);
    RUN_TEST(listening_ends_when_it_is_cancelled);
    RUN_TEST(listeners_are_notified_each_by_itself_and_both_eras_together);
    RUN_TEST(listening_again_with_the_same_id_replaces);
    RUN_TEST(there_are_only_so_many_places_to_listen);
    RUN_TEST(an_id_too_long_to_keep_is_refused);
    RUN_TEST(a_filter_of_the_wrong_type_is_refused_and_takes_no_place);
    RUN_TEST(what_cannot_be_honoured_ends_immediately);
    RUN_TEST(the_server_ends_what_it_promised);
    RUN_TEST(a_response_being_sent_stays_what_it_was);
    RUN_TEST(notifications_do_not_disturb_a_request_that_is_coming);
    RUN_TEST(notifications_that_leave_in_small_portions_are_whole);
    RUN_TEST(an_image_that_does_not_mount_changes_nothing);
    RUN_TEST(a_cursor_of_the_image_before_is_refused);
    RUN_TEST(capabilities_promise_what_is_kept);
    return UNITY_END();
}
