/* Tests of port/uart/uart.c: a device on a line that it shares with logs, and a host that speaks frames to it. */
#include <string.h>

#include "../../port/uart/uart.h"
#include "peer.h"
#include "unity.h"

static struct skr_uart uart;
static struct skr_frame host;
static uint8_t host_rx[223], host_tx[1024];
static char said[2 * SKR_REQUEST_MAX];
static size_t said_n;

void setUp(void)
{
    peer_start(SKR_LINE, 0);
    skr_uart_open(&uart, &peer.server, &peer.conn);
    skr_frame_open(&host, host_rx, sizeof host_rx, host_tx, sizeof host_tx);
    said_n = 0;
}

void tearDown(void)
{
}

#define PING(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"ping\"}\n"
#define PONG(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":{}}\n"

/* Takes what the device sends, `room` bytes at a time, as text. */
static const char *hear(size_t room)
{
    size_t n;

    said_n = 0;
    while ((n = skr_uart_tx(&uart, (uint8_t *)said + said_n, room)) > 0) {
        said_n += n;
    }
    said[said_n] = '\0';
    return said;
}

static void receive(const char *text)
{
    size_t n = strlen(text);

    TEST_ASSERT_EQUAL(n, skr_uart_rx(&uart, (const uint8_t *)text, n));
}

/* Passes bytes between host and device until both are silent; what the device sent arrives in `said`. */
static void exchange(void)
{
    uint8_t bytes[64], identity[SKR_FRAME_IDENTITY];
    const uint8_t *payload;
    size_t up, down;

    do {
        up = skr_frame_tx(&host, bytes, sizeof bytes);
        TEST_ASSERT_EQUAL(up, skr_uart_rx(&uart, bytes, up));
        down = skr_uart_tx(&uart, bytes, sizeof bytes);
        for (size_t i = 0; i < down; i++) {
            if (skr_frame_rx(&host, bytes[i]) == SKR_FRAME_WELCOMED) {
                TEST_ASSERT_TRUE(skr_frame_accept(&host, identity));
            }
            size_t n = skr_frame_payload(&host, &payload);
            memcpy(said + said_n, payload, n);
            said_n += n;
            skr_frame_taken(&host, n);
        }
    } while (up > 0 || down > 0);
    said[said_n] = '\0';
}

static void a_message_between_log_lines_is_answered(void)
{
    receive("\r\nboot: ok {\n[  0.1] nothing\n" PING("1"));
    TEST_ASSERT_NOT_NULL(strstr(hear(64), PONG("1")));
}

static void a_response_that_is_partly_out_keeps_the_firmware_from_printing(void)
{
    uint8_t byte;

    receive(PING("1"));
    TEST_ASSERT_TRUE(skr_uart_may_print(&uart));
    TEST_ASSERT_EQUAL(0, skr_uart_tx(&uart, &byte, 0));
    TEST_ASSERT_EQUAL(1, skr_uart_tx(&uart, &byte, 1));
    TEST_ASSERT_FALSE(skr_uart_may_print(&uart));
    TEST_ASSERT_EQUAL_STRING(&PONG("1")[1], hear(7));
    TEST_ASSERT_TRUE(skr_uart_may_print(&uart));
}

static void a_line_waits_while_the_core_has_no_room(void)
{
    static const char ping[] = PING("1");
    size_t sent = 0, took;

    do {
        took = skr_uart_rx(&uart, (const uint8_t *)ping, sizeof ping - 1);
        sent += took;
    } while (took == sizeof ping - 1);
    TEST_ASSERT_GREATER_THAN(sizeof ping, sent);
    hear(64);
    TEST_ASSERT_EQUAL(sizeof ping - 1 - took, skr_uart_rx(&uart, (const uint8_t *)ping + took, sizeof ping - 1 - took));
    TEST_ASSERT_EQUAL_STRING(PONG("1"), hear(64));
}

static void a_host_that_says_hello_is_served_in_frames(void)
{
    skr_frame_hello(&host, 7, 200);
    exchange();
    TEST_ASSERT_EQUAL(SKR_FRAME_ON, host.state);
    TEST_ASSERT_EQUAL(strlen(PING("2")), skr_frame_put(&host, PING("2"), strlen(PING("2"))));
    receive("a log line of the host\n");
    exchange();
    TEST_ASSERT_EQUAL_STRING(PONG("2"), said);
}

static void a_host_that_falls_silent_or_leaves_ends_its_connection(void)
{
    skr_frame_hello(&host, 7, 200);
    exchange();
    skr_uart_tick(&uart, SKR_UART_SILENCE_MS);
    TEST_ASSERT_EQUAL(SKR_FRAME_OFF, uart.frame.state);
    skr_frame_hello(&host, 8, 200);
    exchange();
    skr_frame_leave(&host, true);
    exchange();
    TEST_ASSERT_EQUAL(SKR_FRAME_OFF, uart.frame.state);
    receive(PING("3"));
    TEST_ASSERT_EQUAL_STRING(PONG("3"), hear(64));
}

/* Back in plain mode the device says so with a frame; a response waits until that has left, and so does a log. */
static void a_frame_that_is_partly_out_keeps_everything_else_back(void)
{
    uint8_t bytes[64];

    skr_frame_hello(&host, 7, 200);
    exchange();
    skr_uart_tick(&uart, SKR_UART_SILENCE_MS);
    TEST_ASSERT_EQUAL(1, skr_frame_put(&host, "x", 1));
    size_t n = skr_frame_tx(&host, bytes, sizeof bytes);
    TEST_ASSERT_EQUAL(n, skr_uart_rx(&uart, bytes, n));
    TEST_ASSERT_EQUAL(3, skr_uart_tx(&uart, bytes, 3));
    TEST_ASSERT_FALSE(skr_uart_may_print(&uart));
    receive(PING("4"));
    TEST_ASSERT_NULL(strstr(hear(3), PONG("4")) == said ? said : NULL);
    TEST_ASSERT_NOT_NULL(strstr(said, PONG("4"))); /* after the rest of the frame */
    TEST_ASSERT_TRUE(skr_uart_may_print(&uart));
}

static void the_identity_changes_with_the_page_and_the_tools(void)
{
    uint8_t one[SKR_FRAME_IDENTITY], other[SKR_FRAME_IDENTITY];
    struct skr_device fewer = *peer.server.device;

    skr_uart_identity(&peer.server, one);
    peer.server.page++;
    skr_uart_identity(&peer.server, other);
    TEST_ASSERT_NOT_EQUAL(0, memcmp(one, other, sizeof one));
    peer.server.page--;
    fewer.tool_count--;
    peer.server.device = &fewer;
    skr_uart_identity(&peer.server, other);
    TEST_ASSERT_NOT_EQUAL(0, memcmp(one, other, sizeof one));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_message_between_log_lines_is_answered);
    RUN_TEST(a_response_that_is_partly_out_keeps_the_firmware_from_printing);
    RUN_TEST(a_line_waits_while_the_core_has_no_room);
    RUN_TEST(a_host_that_says_hello_is_served_in_frames);
    RUN_TEST(a_host_that_falls_silent_or_leaves_ends_its_connection);
    RUN_TEST(a_frame_that_is_partly_out_keeps_everything_else_back);
    RUN_TEST(the_identity_changes_with_the_page_and_the_tools);
    return UNITY_END();
}
