/* test_conn.c -- the seam to a port: room, back-pressure, spans, and a connection used again. */
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n"

void setUp(void)
{
    peer_start(SKR_LINE, 0);
}

void tearDown(void)
{
}

static void an_image_with_a_larger_window_than_the_build_has_is_refused(void)
{
    char *copy = sample_exact_copy(peer.image.p, peer.image.n);
    struct romfs_header *h = (void *)copy;
    size_t from = offsetof(struct romfs_header, version);

    h->window = 2u * SKR_WINDOW_MAX;
    h->crc = romfs_crc32(0, copy + from, h->meta_size - from);
    TEST_ASSERT_EQUAL(ROMFS_ERR_WINDOW, skr_server_init(&peer.server, &sample_device, copy, peer.image.n));
    free(copy);
}

static void a_damaged_image_is_refused(void)
{
    char *copy = sample_exact_copy(peer.image.p, peer.image.n);

    copy[100] ^= 1;
    TEST_ASSERT_EQUAL(ROMFS_ERR_CHECKSUM, skr_server_init(&peer.server, &sample_device, copy, peer.image.n));
    free(copy);
}

/* Never asked: only its being there counts. */
static int read_nothing(struct skr_call *call, struct skr_span var)
{
    (void)call;
    (void)var;
    return SKR_NOT_FOUND;
}

/* Starts a server whose device has a good resource and after it this one. */
static int serve_resource(struct skr_resource second, const struct skr_resource **wrong)
{
    static struct skr_resource resources[2];
    static struct skr_device device;

    resources[0] = (struct skr_resource){.uri = "a://b",
                                         .json = " { \"name\" : \"n\", \"uri\" : \"a:\\/\\/b\" } ",
                                         .mime = "text/plain",
                                         .read = read_nothing};
    resources[1] = second;
    device = (struct skr_device){.resources = resources, .resource_count = 2};
    int error = skr_server_init(&peer.server, &device, peer.image.p, peer.image.n);
    *wrong = skr_server_bad_resource(&peer.server);
    TEST_ASSERT_TRUE(*wrong == NULL || *wrong == &resources[1]);
    return error;
}

#define SOUND_TEMPLATE "{\"uriTemplate\":\"x://{n}\",\"name\":\"y\"}"

static void defect_19_a_resource_that_lists_cannot_send_is_refused(void)
{
    static const struct skr_resource unsound[] = {
        {"x://y", "{\"uri\":\"x://y\",\"name\":\"y}", "text/plain", read_nothing, NULL, NULL}, /* a quote */
        {"x://y", "{\"uri\":\"x://y\",\"name\":\"y\"}}", "text/plain", read_nothing, NULL, NULL},
        {"x://y", "{\"uri\":\"x://y\",\"name\":\"\xFF\"}", "text/plain", read_nothing, NULL, NULL},
        {"x://y", "{\"uri\":\"x://y\",\"name\":\"y\"},{}", "text/plain", read_nothing, NULL, NULL},
        {"x://y", "", "text/plain", read_nothing, NULL, NULL},
        {"x://y", "[]", "text/plain", read_nothing, NULL, NULL},
        {"x://y", "\"x://y\"", "text/plain", read_nothing, NULL, NULL},
        {"x://y", "{\"uri\":\"x://y\"}", "text/plain", read_nothing, NULL, NULL}, /* no name */
        {"x://y", "{\"uri\":\"x://y\",\"name\":7}", "text/plain", read_nothing, NULL, NULL},
        {"x://y", "{\"uri\":\"x://z\",\"name\":\"y\"}", "text/plain", read_nothing, NULL, NULL}, /* another URI */
        {"x://y", "{\"uriTemplate\":\"x://y\",\"name\":\"y\"}", "text/plain", read_nothing, NULL, NULL},
        {"x://{n}", "{\"uri\":\"x://{n}\",\"name\":\"y\"}", "text/plain", read_nothing, NULL, NULL},
        {"x://{n}", SOUND_TEMPLATE, "text/\"plain", read_nothing, NULL, NULL},
        {"x://{n}", SOUND_TEMPLATE, "text/plain\n", read_nothing, NULL, NULL},
        {"x://{n}", SOUND_TEMPLATE, "text/plain", read_nothing, "one\n\"two\"", NULL},
        {"x://{n}", SOUND_TEMPLATE, "text/plain", read_nothing, "one\ttwo", NULL},
        {"x://{n}", SOUND_TEMPLATE, NULL, read_nothing, NULL, NULL},
        {"x://{n}", SOUND_TEMPLATE, "text/plain", NULL, NULL, NULL},
        {"x://{n}", NULL, "text/plain", read_nothing, NULL, NULL},
        {NULL, "{}", "text/plain", read_nothing, NULL, NULL},
    };
    const struct skr_resource *wrong;

    for (size_t i = 0; i < sizeof unsound / sizeof unsound[0]; i++) {
        TEST_ASSERT_EQUAL_MESSAGE(SKR_ERR_RESOURCE, serve_resource(unsound[i], &wrong), unsound[i].json);
        TEST_ASSERT_NOT_NULL(wrong);
    }
    TEST_ASSERT_NOT_NULL(strstr(skr_server_reason(SKR_ERR_RESOURCE), "resource"));
    TEST_ASSERT_EQUAL_STRING(romfs_reason(ROMFS_ERR_MAGIC), skr_server_reason(ROMFS_ERR_MAGIC));
}

static void defect_19_one_that_they_can_send_is_served(void)
{
    char *many = xmalloc(8 * SKR_TOKENS + 100); /* more values than tokens: JSON, then, is all that is asked */

    strcpy(many, "{\"uri\":\"x://y\",\"name\":\"y\",\"_meta\":{\"a\":[0");
    for (int i = 0; i < SKR_TOKENS; i++) {
        strcat(many, ",0");
    }
    strcat(many, "]}}");
    const struct skr_resource sound[] = {
        {"x://y", "{\"name\":\"y\",\"title\":\"\xC3\xBC\",\"uri\":\"x://y\"}", "text/plain", read_nothing, NULL, NULL},
        {"x://{n}", SOUND_TEMPLATE, "text/plain; charset=utf-8", read_nothing, "one\nz\xC3\xBCrich\n", NULL},
        {"x://y", many, "text/plain", read_nothing, NULL, NULL},
    };
    const struct skr_resource *wrong;
    for (size_t i = 0; i < sizeof sound / sizeof sound[0]; i++) {
        TEST_ASSERT_EQUAL_MESSAGE(0, serve_resource(sound[i], &wrong), sound[i].json);
        TEST_ASSERT_NULL(wrong);
    }
    many[strlen(many) - 1] = ']';
    TEST_ASSERT_EQUAL(SKR_ERR_RESOURCE, serve_resource(sound[2], &wrong));
    free(many);
}

static void a_new_connection_has_room_and_nothing_to_send(void)
{
    size_t room;
    const void *bytes;

    TEST_ASSERT_NOT_NULL(skr_conn_rx_room(&peer.conn, &room));
    TEST_ASSERT_EQUAL(SKR_REQUEST_MAX, room);
    TEST_ASSERT_EQUAL(0, skr_conn_tx(&peer.conn, &bytes));
    TEST_ASSERT_EQUAL(SKR_IDLE, skr_conn_activity(&peer.conn));
    TEST_ASSERT_FALSE(skr_conn_finished(&peer.conn));
}

static void bytes_put_in_place_count_like_bytes_copied(void)
{
    size_t room;

    for (size_t at = 0; at < sizeof PING - 1; at += 7) {
        size_t n = sizeof PING - 1 - at < 7 ? sizeof PING - 1 - at : 7;
        char *to = skr_conn_rx_room(&peer.conn, &room);
        TEST_ASSERT_TRUE(room >= n);
        memcpy(to, &PING[at], n);
        skr_conn_rx_done(&peer.conn, n);
    }
    peer_drain();
    TEST_ASSERT_EQUAL_STRING(PONG, buf_str(&peer.out));
}

static void zero_bytes_received_change_nothing(void)
{
    skr_conn_rx_done(&peer.conn, 0);
    TEST_ASSERT_EQUAL(0, skr_conn_rx(&peer.conn, "", 0));
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange(PING));
}

static void the_same_bytes_come_again_until_they_have_left(void)
{
    const void *first, *again;

    peer_send(PING, sizeof PING - 1);
    size_t n = skr_conn_tx(&peer.conn, &first);
    TEST_ASSERT_GREATER_THAN(0, n);
    TEST_ASSERT_EQUAL(n, skr_conn_tx(&peer.conn, &again));
    TEST_ASSERT_EQUAL_PTR(first, again);
    skr_conn_tx_done(&peer.conn, 0);
    TEST_ASSERT_EQUAL(n, skr_conn_tx(&peer.conn, &again));
    skr_conn_tx_done(&peer.conn, 1);
    TEST_ASSERT_EQUAL(n - 1, skr_conn_tx(&peer.conn, &again));
    TEST_ASSERT_EQUAL_PTR((const char *)first + 1, again);
}

static void what_a_connection_does_is_reported_immediately(void)
{
    const void *bytes;

    peer_send(PING, 10);
    TEST_ASSERT_EQUAL(SKR_RECEIVING, skr_conn_activity(&peer.conn));
    peer_send(&PING[10], sizeof PING - 11);
    TEST_ASSERT_EQUAL(SKR_RESPONDING, skr_conn_activity(&peer.conn));
    size_t n = skr_conn_tx(&peer.conn, &bytes);
    skr_conn_tx_done(&peer.conn, n);
    TEST_ASSERT_EQUAL(SKR_IDLE, skr_conn_activity(&peer.conn));
}

static void a_waiting_response_holds_back_a_peer_that_sends_on(void)
{
    size_t sent = 0, room = 1;

    while (room > 0) { /* nobody takes answers */
        size_t taken = skr_conn_rx(&peer.conn, PING, sizeof PING - 1);
        sent += taken;
        skr_conn_rx_room(&peer.conn, &room);
        TEST_ASSERT_TRUE(sent <= SKR_REQUEST_MAX + sizeof PING);
    }
    TEST_ASSERT_EQUAL(0, skr_conn_rx(&peer.conn, PING, sizeof PING - 1));
    peer_drain(); /* and then everything comes */
    size_t whole = sent / (sizeof PING - 1);
    TEST_ASSERT_EQUAL(whole * (sizeof PONG - 1), peer.out.n);
    size_t rest = sent % (sizeof PING - 1);
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange(&PING[rest]));
}

static void spans_are_never_more_than_asked_for(void)
{
    struct skr_span spans[SKR_TX_SPANS + 1];

    peer_send(PING, sizeof PING - 1);
    TEST_ASSERT_EQUAL(0, skr_conn_txv(&peer.conn, spans, 0));
    TEST_ASSERT_EQUAL(1, skr_conn_txv(&peer.conn, spans, 1));
    TEST_ASSERT_TRUE(skr_conn_txv(&peer.conn, spans, SKR_TX_SPANS + 1) <= SKR_TX_SPANS);
}

static void a_reopened_connection_knows_nothing_of_the_last_peer(void)
{
    peer_initialize(NULL);
    peer_send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n{\"half", 54);
    skr_conn_open(&peer.conn, &peer.server, SKR_LINE);
    peer.out.n = 0;
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange(PING));
    const char *response = peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "No initialize came before"), response);
}

static void connections_of_one_server_do_not_disturb_each_other(void)
{
    static struct skr_conn other;
    const void *bytes;

    skr_conn_open(&other, &peer.server, SKR_LINE);
    const char *slow = peer_modern("resources/read", "\"uri\":\"skill://alpha/long.txt\"");
    char *expected = strdup(peer_exchange(slow));
    peer.out.n = 0;
    peer_send(slow, strlen(slow));
    size_t n;
    while ((n = skr_conn_tx(&peer.conn, &bytes)) > 0) { /* a ping on the other between any two bytes */
        buf_add(&peer.out, bytes, 1);
        skr_conn_tx_done(&peer.conn, 1);
        TEST_ASSERT_EQUAL(sizeof PING - 1, skr_conn_rx(&other, PING, sizeof PING - 1));
        n = skr_conn_tx(&other, &bytes);
        TEST_ASSERT_EQUAL(sizeof PONG - 1, n);
        TEST_ASSERT_EQUAL_MEMORY(PONG, bytes, n);
        skr_conn_tx_done(&other, n);
    }
    TEST_ASSERT_EQUAL_STRING(expected, buf_str(&peer.out));
    free(expected);
}

/* On a line there is no way to take a response back; but the line must end, or the next
 * response is part of it. */
static void a_response_broken_off_by_damage_ends_its_line(void)
{
    peer_start(SKR_LINE, 512);
    char *whole = xstrdup(peer_exchange(peer_modern("resources/read", "\"uri\":\"skill://alpha/long.txt\"")));
    char *copy = sample_exact_copy(peer.image.p, peer.image.n);
    struct romfs_header *h = (void *)copy;
    TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, &sample_device, copy, peer.image.n));
    const struct romfs_node *node = romfs_find(peer.server.fs, "alpha/long.txt", 14);
    TEST_ASSERT_TRUE((node->flags & ROMFS_DEFLATE) != 0);
    memset(copy + node->data + node->stored / 2, 0xFF, node->stored / 2); /* file data: not under the checksum */
    TEST_ASSERT_TRUE(node->data >= h->meta_size);
    peer_open(SKR_LINE);
    const char *response = peer_exchange(peer_modern("resources/read", "\"uri\":\"skill://alpha/long.txt\""));
    size_t n = strlen(response) - 1;
    TEST_ASSERT_EQUAL_MESSAGE('\n', response[n], "the line has no end");
    TEST_ASSERT_TRUE(n < strlen(whole) - 1);
    TEST_ASSERT_EQUAL_STRING_LEN_MESSAGE(whole, response, n, "more than a part of the response came"); /* (defect 30) */
    free(whole);
    TEST_ASSERT_EQUAL_STRING(PONG, peer_exchange(PING));
    free(copy);
}

/* The last response of a connection leaves first. */
static void a_connection_is_finished_when_its_last_byte_has_left(void)
{
    const void *bytes;
    size_t n;

    peer_start(SKR_LINE, 0);
    peer_open(SKR_LINE_TCP);
    peer_send("GET / HTTP/1.1\r\n", 16);
    TEST_ASSERT_FALSE(skr_conn_finished(&peer.conn));
    while ((n = skr_conn_tx(&peer.conn, &bytes)) > 0) {
        TEST_ASSERT_FALSE(skr_conn_finished(&peer.conn));
        skr_conn_tx_done(&peer.conn, 1);
    }
    TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
    skr_conn_rx_done(&peer.conn, 0); /* a port that has nothing to report */
    TEST_ASSERT_EQUAL(0, skr_conn_tx(&peer.conn, &bytes));
}

/* Texts of a kilobyte and more are sent from where they are, each by itself, and there are more than one write holds. */
static void a_response_of_many_long_pieces_comes_in_several_writes(void)
{
    peer_start(SKR_HTTP_1, 0);
    struct buf body = {0};
    buf_puts(&body, "[");
    for (int i = 0; i < 2 * SKR_TX_SPANS; i++) {
        buf_printf(
            &body,
            "%s{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://alpha/long.txt\"}}",
            i > 0 ? "," : "", i);
    }
    buf_puts(&body, "]\n");
    peer_open(SKR_LINE);
    peer_initialize("2025-03-26");
    char *whole = strdup(peer_exchange(buf_str(&body)));
    TEST_ASSERT_NULL(strstr(whole, "\"error\""));
    struct skr_span spans[SKR_TX_SPANS];
    TEST_ASSERT_TRUE(peer_send(body.p, body.n - 1));
    peer_send("\n", 1);
    peer.out.n = 0;
    size_t n;
    while ((n = skr_conn_txv(&peer.conn, spans, SKR_TX_SPANS)) > 0) {
        for (size_t i = 0; i < n; i++) {
            buf_add(&peer.out, spans[i].p, spans[i].n);
            skr_conn_tx_done(&peer.conn, spans[i].n);
        }
    }
    TEST_ASSERT_EQUAL_STRING(whole, buf_str(&peer.out));
    free(whole);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(an_image_with_a_larger_window_than_the_build_has_is_refused);
    RUN_TEST(a_damaged_image_is_refused);
    RUN_TEST(defect_19_a_resource_that_lists_cannot_send_is_refused);
    RUN_TEST(defect_19_one_that_they_can_send_is_served);
    RUN_TEST(a_new_connection_has_room_and_nothing_to_send);
    RUN_TEST(bytes_put_in_place_count_like_bytes_copied);
    RUN_TEST(zero_bytes_received_change_nothing);
    RUN_TEST(the_same_bytes_come_again_until_they_have_left);
    RUN_TEST(what_a_connection_does_is_reported_immediately);
    RUN_TEST(a_waiting_response_holds_back_a_peer_that_sends_on);
    RUN_TEST(spans_are_never_more_than_asked_for);
    RUN_TEST(a_reopened_connection_knows_nothing_of_the_last_peer);
    RUN_TEST(connections_of_one_server_do_not_disturb_each_other);
    RUN_TEST(a_response_broken_off_by_damage_ends_its_line);
    RUN_TEST(a_connection_is_finished_when_its_last_byte_has_left);
    RUN_TEST(a_response_of_many_long_pieces_comes_in_several_writes);
    return UNITY_END();
}
