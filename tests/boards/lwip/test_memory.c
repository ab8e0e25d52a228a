/* lwIP out of memory, of one pool at a time: nothing is lost, and what waited goes on when there is some again. */
#include <stdio.h>
#include <string.h>

#include "cable.h"
#include "unity.h"

#define PINGED "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n" PONG

static struct peer a, b, c, d;
static char listed[16384];

void setUp(void)
{
    cable_start();
}

void tearDown(void)
{
    cable_give_back();
}

static void without_memory_a_client_is_not_accepted_and_may_try_again(void)
{
    cable_hoard(MEMP_TCP_PCB, 0);
    peer_make(&a, 2, HTTP_PORT);
    TEST_ASSERT_FALSE(peer_connect(&a));
    cable_give_back();
    a.sent--;
    TEST_ASSERT_TRUE(peer_connect(&a));
    peer_send_text(&a, post(PING));
    TEST_ASSERT_EQUAL_STRING(PINGED, a.in);
}

static void a_long_response(void)
{
    peer_open(&a, 2, HTTP_PORT);
    peer_send_text(&a, post(LIST));
    strcpy(listed, a.in);
    TEST_ASSERT_GREATER_THAN(5 * TCP_MSS, strlen(listed));
}

/* With so few elements left of a pool, and none, the beginning of the response comes, and the rest when there are more. */
static void a_response_waits_for(memp_t pool)
{
    for (unsigned left = 4; left-- > 0;) {
        peer_open(&a, 2, HTTP_PORT);
        cable_hoard(pool, left);
        peer_send_text(&a, post(LIST));
        cable_wait(1000);
        TEST_ASSERT_FALSE(a.lost);
        TEST_ASSERT_EQUAL_STRING_LEN(listed, a.in, a.n);
        cable_give_back();
        cable_wait(1000);
        TEST_ASSERT_EQUAL_STRING(listed, a.in);
        peer_finish(&a);
        TEST_ASSERT_TRUE(a.ended);
    }
}

static void a_response_waits_for_segments(void)
{
    a_response_waits_for(MEMP_TCP_SEG);
}

static void a_response_waits_for_copies(void)
{
    a_response_waits_for(MEMP_POOL_332);
}

static void a_response_waits_for_references(void)
{
    a_response_waits_for(MEMP_PBUF);
}

static void nothing_comes_without_segments(void)
{
    peer_open(&a, 2, HTTP_PORT);
    cable_hoard(MEMP_TCP_SEG, 0);
    peer_send_text(&a, post(LIST));
    cable_wait(1000);
    TEST_ASSERT_EQUAL(0, a.n);
    TEST_ASSERT_TRUE(cable_net.slots[0].stuck);
    cable_give_back();
    cable_turn();
    TEST_ASSERT_EQUAL_STRING(listed, a.in);
}

/* It may be gone before there is memory. */
static void who_waits_for_memory_may_be_reset(void)
{
    peer_open(&a, 2, HTTP_PORT);
    cable_hoard(MEMP_TCP_SEG, 0);
    peer_send_text(&a, post(LIST));
    cable_wait(500);
    peer_reset(&a);
    TEST_ASSERT_EQUAL(0, skr_lwip_in_use(&cable_net));
}

static void frames_without_memory_are_sent_again(void)
{
    const char *request = post(PING);

    peer_open(&a, 2, HTTP_PORT);
    cable_hoard(MEMP_PBUF_POOL, 0);
    peer_segment(&a, ACK | PSH, 0, request, strlen(request));
    TEST_ASSERT_EQUAL(0, a.n);
    cable_give_back();
    peer_send_text(&a, request);
    TEST_ASSERT_EQUAL_STRING(PINGED, a.in);
}

/* ---- Copies ---- */

static void ping_deaf(struct peer *peer, uint8_t host)
{
    peer_open(peer, host, LINE_PORT);
    peer->deaf = true;
    for (unsigned i = 0; i < SKR_LWIP_COPIES + 3; i++) {
        peer_send_text(peer, PING "\n");
    }
}

static void a_client_that_does_not_read_has_few_copies(void)
{
    const struct skr_lwip_slot *slot = &cable_net.slots[0];

    ping_deaf(&a, 2);
    TEST_ASSERT_EQUAL(SKR_LWIP_COPIES, slot->copies);
    peer_open(&b, 3, HTTP_PORT);
    peer_send_text(&b, post(LIST));
    TEST_ASSERT_EQUAL_STRING(listed, b.in);
    for (unsigned i = 0; i < 3; i++) { /* each that it reads is replaced by the next of those that wait */
        a.seen += (uint32_t)strlen(PONG "\n");
        peer_acknowledge(&a);
        TEST_ASSERT_EQUAL(SKR_LWIP_COPIES, slot->copies);
    }
    a.seen += 2 * (uint32_t)strlen(PONG "\n");
    peer_acknowledge(&a);
    TEST_ASSERT_EQUAL(SKR_LWIP_COPIES - 2, slot->copies);
    a.deaf = false;
    cable_wait(5000);
    TEST_ASSERT_EQUAL((SKR_LWIP_COPIES + 3 - 5) * strlen(PONG "\n"), a.n);
    TEST_ASSERT_EQUAL(0, slot->copies);
}

static void several_leave_one_for_everybody(void)
{
    unsigned copies = 0;

    ping_deaf(&a, 2);
    ping_deaf(&b, 3);
    ping_deaf(&c, 4);
    for (unsigned i = 0; i < SKR_LWIP_SLOTS; i++) {
        copies += cable_net.slots[i].pcb != NULL ? cable_net.slots[i].copies : 0;
    }
    TEST_ASSERT_LESS_THAN(SKR_LWIP_COPY_POOL, copies);
    peer_open(&d, 5, HTTP_PORT);
    peer_send_text(&d, post(PING));
    TEST_ASSERT_EQUAL_STRING(PINGED, d.in);
}

#define INITIALIZE                                                                                                     \
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","          \
    "\"capabilities\":{\"elicitation\":{}},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n"
#define CANCEL "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n"

static size_t letters(const struct peer *peer, char letter)
{
    size_t found = 0;

    for (size_t i = 0; i < peer->n; i++) {
        found += peer->in[i] == letter;
    }
    return found;
}

/* A handler asks a question of 200 such letters, and is cancelled. */
static void make_it_elicit(struct peer *peer, uint8_t host, char letter, bool deaf)
{
    char call[1024], text[201] = "";

    memset(text, letter, 200);
    peer_open(peer, host, LINE_PORT);
    peer_send_text(peer, INITIALIZE);
    peer_send_text(peer, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    peer_forget(peer);
    peer->deaf = deaf;
    sprintf(
        call,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"test_elicitation\",\"arguments\":"
        "{\"message\":\"%s\"}}}\n",
        text);
    peer_send_text(peer, call);
    peer_send_text(peer, CANCEL);
}

/* A question lies in the server, where the next one will be before the first has been read. */
static void what_lies_in_the_server_is_copied(void)
{
    make_it_elicit(&a, 2, 'Q', true);
    make_it_elicit(&b, 3, 'Z', false);
    TEST_ASSERT_EQUAL(200, letters(&b, 'Z'));
    a.deaf = false;
    cable_wait(5000);
    TEST_ASSERT_EQUAL(200, letters(&a, 'Q'));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(without_memory_a_client_is_not_accepted_and_may_try_again);
    RUN_TEST(a_long_response);
    RUN_TEST(a_response_waits_for_segments);
    RUN_TEST(a_response_waits_for_copies);
    RUN_TEST(a_response_waits_for_references);
    RUN_TEST(nothing_comes_without_segments);
    RUN_TEST(who_waits_for_memory_may_be_reset);
    RUN_TEST(frames_without_memory_are_sent_again);
    RUN_TEST(a_client_that_does_not_read_has_few_copies);
    RUN_TEST(several_leave_one_for_everybody);
    RUN_TEST(what_lies_in_the_server_is_copied);
    return UNITY_END();
}
