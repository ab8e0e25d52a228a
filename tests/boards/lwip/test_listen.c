/* Listening: how many ports, and what prevents it. The device of this test listens on the ports that each test sets. */
#include <string.h>

#include "cable.h"
#include "unity.h"

static struct skr_lwip other;
static struct peer peers[SKR_LWIP_SLOTS];

void setUp(void)
{
}

void tearDown(void)
{
    cable_give_back();
}

static void where_there_are_only_lines_they_may_have_every_slot(void)
{
    TEST_ASSERT_TRUE(skr_lwip_listen(&cable_net, LINE_PORT, SKR_LINE));
    for (unsigned i = 0; i < SKR_LWIP_SLOTS; i++) {
        peer_open(&peers[i], (uint8_t)(2 + i), LINE_PORT);
        peer_send_text(&peers[i], PING "\n");
        TEST_ASSERT_EQUAL_STRING(PONG "\n", peers[i].in);
    }
    for (unsigned i = 0; i < SKR_LWIP_SLOTS; i++) {
        peer_finish(&peers[i]);
        TEST_ASSERT_TRUE(peers[i].ended);
    }
}

static void a_port_can_be_listened_on_once(void)
{
    skr_lwip_init(&other, &cable_server);
    TEST_ASSERT_FALSE(skr_lwip_listen(&other, LINE_PORT, SKR_HTTP_1));
    TEST_ASSERT_FALSE(skr_lwip_listen_tls(&other, LINE_PORT, cable_tls()));
}

static void without_memory_for_a_connection_nothing_is_listened_on(void)
{
    cable_wait(10000);
    cable_hoard(MEMP_TCP_PCB, 0);
    TEST_ASSERT_FALSE(skr_lwip_listen(&other, HTTP_PORT, SKR_HTTP_1));
}

static void there_is_memory_for_so_many_ports(void)
{
    for (uint16_t i = 1; i < SKR_LWIP_LISTENERS; i++) {
        TEST_ASSERT_TRUE(skr_lwip_listen(&cable_net, (uint16_t)(8000 + i), SKR_HTTP_1));
    }
    TEST_ASSERT_FALSE(skr_lwip_listen(&cable_net, HTTP_PORT, SKR_HTTP_1)); /* its table is full */
    TEST_ASSERT_FALSE(skr_lwip_listen(&other, HTTP_PORT, SKR_HTTP_1));     /* lwIP's pool is empty */
    cable_wait(10000);
    TEST_ASSERT_EQUAL(0, cable_in_use());
}

int main(void)
{
    UNITY_BEGIN();
    cable_plug_in();
    RUN_TEST(where_there_are_only_lines_they_may_have_every_slot);
    RUN_TEST(a_port_can_be_listened_on_once);
    RUN_TEST(without_memory_for_a_connection_nothing_is_listened_on);
    RUN_TEST(there_is_memory_for_so_many_ports);
    return UNITY_END();
}
