/* test_notify_random.c -- swaps, requests, listeners and slow readers on six connections in whatever
 * order chance likes, the same in each run. Every message that comes out is whole and of one image, and
 * an image is freed as soon as skr_conn_uses_old_image allows: the address sanitizer sees who reads it later. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "revisions.h"
#include "text/json.h"
#include "unity.h"

#define LINKS 6
#define STEPS 12000

#define LISTEN(id, filter)                                                                                             \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{" filter    \
    "}," META "}}\n"
#define INITIALIZE                                                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-"              \
    "25\","                                                                                                            \
    "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n"

static struct listener {
    struct skr_conn conn;
    struct buf out;
    unsigned messages;
} listeners[LINKS];

static uint32_t chance_state;

static uint32_t chance(uint32_t below)
{
    chance_state = chance_state * 1664525u + 1013904223u;
    return (chance_state >> 8) % below;
}

void setUp(void)
{
    chance_state = 7;
    revision_start(SKR_LINE);
}

void tearDown(void)
{
    revision_forget();
}

/* ---- What comes out ---- */

/* The longest run of one digit is that of long.txt; two long runs of different digits in one response
 * would be two images. */
static void check_of_one_image(const char *p, size_t n)
{
    char fill = 0;
    size_t run = 1;

    for (size_t i = 1; i < n; i++) {
        run = p[i] == p[i - 1] && p[i] >= '0' && p[i] <= '9' ? run + 1 : 1;
        if (run == 50) {
            TEST_ASSERT_TRUE_MESSAGE(fill == 0 || fill == p[i], "a response of two images");
            fill = p[i];
        }
    }
}

static void check_line(const char *p, size_t n)
{
    TEST_ASSERT_EQUAL_MESSAGE(SKR_JSON_OK, skr_json_check(p, n), "not JSON");
    check_of_one_image(p, n);
}

/* Takes complete messages off a line connection's output. */
static void check_output(struct listener *listener)
{
    char *end;

    while ((end = memchr(listener->out.p, '\n', listener->out.n)) != NULL) {
        size_t n = (size_t)(end - (char *)listener->out.p);
        check_line((char *)listener->out.p, n);
        memmove(listener->out.p, end + 1, listener->out.n - n - 1);
        listener->out.n -= n + 1;
        listener->messages++;
    }
}

static void take(struct listener *listener, size_t most)
{
    const void *bytes;
    size_t n;

    while (most > 0 && (n = skr_conn_tx(&listener->conn, &bytes)) > 0) {
        n = n > most ? most : n;
        buf_add(&listener->out, bytes, n);
        skr_conn_tx_done(&listener->conn, n);
        most -= n;
        check_output(listener);
    }
}

/* ---- What goes in ---- */

static void send_something(struct listener *listener)
{
    static const char *const requests[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://one/"
        "long.txt\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"skills/list\"}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"skill://one/"
        "a.md\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"resources/unsubscribe\",\"params\":{\"uri\":\"skill://"
        "one/a.md\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"skill://"
        "index.json\"}}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/list\"}\n",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://"
        "one.zip\"}}\n",
        LISTEN("8", "\"skillsListChanged\":true,\"resourceSubscriptions\":[\"skill://one/b.md\",\"skill://"
                    "two/SKILL.md\"]"),
        LISTEN("\"9\"", "\"toolsListChanged\":true,\"promptsListChanged\":true"),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":8}}\n",
        INITIALIZE,
        "{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://one/"
        "a.md\"}}\n",
    };
    const char *text = requests[chance(sizeof requests / sizeof requests[0])];
    size_t n = strlen(text), at = 0;

    while (at < n) {
        size_t part = 1 + chance((uint32_t)n), taken;
        part = part > n - at ? n - at : part;
        taken = skr_conn_rx(&listener->conn, text + at, part);
        at += taken;
        if (taken < part || chance(3) == 0) {
            take(listener, 1 + chance(5000));
        }
    }
}

static void swap_something(void)
{
    static const char *const texts[] = {NULL, "a", "other a", "third a"};
    static const char *const tools[] = {"echo", "fail"};
    struct revision r = {texts[chance(4)], texts[1 + chance(3)], (char)('0' + chance(10)), tools[chance(2)],
                         chance(2) != 0 ? "greet" : NULL};

    for (unsigned i = 0; i < LINKS; i++) {
        if (skr_conn_uses_old_image(&listeners[i].conn)) {
            return; /* a port waits */
        }
    }
    revision_forget();
    revision_swap(&r);
}

static void any_order_of_events_leaves_whole_messages_of_one_image(void)
{
    unsigned messages = 0;

    for (unsigned i = 0; i < LINKS; i++) {
        skr_conn_open(&listeners[i].conn, &peer.server, SKR_LINE);
        listeners[i].out.n = 0;
    }
    for (unsigned step = 0; step < STEPS; step++) {
        struct listener *listener = &listeners[chance(LINKS)];
        switch (chance(8)) {
        case 0:
            if (chance(4) == 0) {
                swap_something();
            }
            break;
        case 1:
        case 2: send_something(listener); break;
        case 3:
            if (chance(50) == 0) { /* the link breaks, and another takes its place */
                skr_conn_close(&listener->conn);
                skr_conn_open(&listener->conn, &peer.server, SKR_LINE);
                listener->out.n = 0;
            }
            break;
        default: take(listener, 1 + chance(20000));
        }
    }
    for (unsigned i = 0; i < LINKS; i++) {
        take(&listeners[i], SIZE_MAX);
        TEST_ASSERT_EQUAL(0, listeners[i].out.n);
        TEST_ASSERT_FALSE(skr_conn_uses_old_image(&listeners[i].conn));
        messages += listeners[i].messages;
    }
    TEST_ASSERT_TRUE(messages > STEPS / 5);
    TEST_ASSERT_TRUE(peer.server.changes.swaps > STEPS / 200);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(any_order_of_events_leaves_whole_messages_of_one_image);
    return UNITY_END();
}
