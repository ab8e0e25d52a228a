/* peer_http.c -- what tests assert of an HTTP connection. Apart from peer.c, which tests without Unity use, too. */
#include "peer.h"
#include "unity.h"

void talk_still_answers(void)
{
    TEST_ASSERT_FALSE(skr_conn_finished(&talk.conn));
    TEST_ASSERT_EQUAL(SKR_IDLE, skr_conn_activity(&talk.conn));
    TEST_ASSERT_EQUAL(200, talk_status(talk_post(MODERN, DISCOVER)));
}

void talk_has_closed(void)
{
    size_t room;
    TEST_ASSERT_TRUE(skr_conn_finished(&talk.conn));
    skr_conn_rx_room(&talk.conn, &room);
    TEST_ASSERT_EQUAL(0, room);
    talk_open(SKR_HTTP_1);
    talk_still_answers();
}
