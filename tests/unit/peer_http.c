/* peer_http.c -- assertions about an HTTP connection. Apart from peer.c, which is also for tests without Unity. */
#include "peer.h"
#include "unity.h"

void peer_still_responds(void)
{
    TEST_ASSERT_FALSE(skr_conn_finished(&peer.conn));
    TEST_ASSERT_EQUAL(SKR_IDLE, skr_conn_activity(&peer.conn));
    TEST_ASSERT_EQUAL(200, peer_status(peer_post(MODERN, DISCOVER)));
}

void peer_has_closed(void)
{
    size_t room;

    TEST_ASSERT_TRUE(skr_conn_finished(&peer.conn));
    skr_conn_rx_room(&peer.conn, &room);
    TEST_ASSERT_EQUAL(0, room);
    peer_open(SKR_HTTP_1);
    peer_still_responds();
}
