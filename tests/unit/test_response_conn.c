/* test_response_conn.c -- responses through a connection: the same bytes in any portions, from escaped and from raw texts. */
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* ---- Through a connection ---- */

static void each_portion_gives_the_same_bytes(const char *request)
{
    peer.take = 0;
    char *whole = strdup(peer_exchange(request));
    size_t n = strlen(whole);
    TEST_ASSERT_GREATER_THAN(1, n);
    for (size_t take = 1; take <= n; take += take < 70 ? 1 : 97) {
        peer.take = take;
        TEST_ASSERT_EQUAL_STRING(whole, peer_exchange(request));
    }
    free(whole);
}

static char *response_to(const char *request)
{
    return strdup(peer_exchange(request));
}

/* How texts are stored is nobody's business. */
static void answers_over_escaped_and_raw_texts_are_the_same(void)
{
    static const char *const requests[][2] = {
        {"skills/list", ""},
        {"resources/read", "\"uri\":\"skill://alpha/long.txt\""},
        {"resources/read", "\"uri\":\"skill://alpha/empty.txt\""},
        {"resources/read", "\"uri\":\"skill://alpha/data/all.txt\""},
        {"resources/read", "\"uri\":\"skill://alpha/data/bytes.bin\""},
        {"resources/read", "\"uri\":\"skill://alpha.zip\""},
        {"resources/read", "\"uri\":\"skill://alpha.tar.gz\""},
        {"resources/read", "\"uri\":\"skill://hidden.zip\""},
        {"skills/get", "\"name\":\"hidden\",\"arguments\":{\"who\":\"you\"}"},
        {"skills/activate", "\"name\":\"hidden\""},
        {"skills/read_reference", "\"name\":\"alpha\",\"reference\":\"my notes\""},
        {"prompts/get", "\"name\":\"alpha\""},
        {"tools/call", "\"name\":\"read_skill\",\"arguments\":{\"name\":\"alpha\",\"path\":\"data/all.txt\","
                       "\"offset\":3,\"length\":130}"},
    };

    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        peer_start(SKR_LINE, 0);
        char *ready = response_to(peer_modern(requests[i][0], requests[i][1]));
        peer_start_raw_text(SKR_LINE);
        char *made = response_to(peer_modern(requests[i][0], requests[i][1]));
        TEST_ASSERT_EQUAL_STRING(made, ready);
        TEST_ASSERT_NULL_MESSAGE(strstr(ready, "\"error\""), ready);
        free(ready);
        free(made);
    }
}

static void a_response_can_leave_in_any_portions(void)
{
    for (size_t w = 0; w <= 512; w += 512) {
        peer_start(SKR_LINE, w);
        each_portion_gives_the_same_bytes(peer_modern("server/discover", ""));
        each_portion_gives_the_same_bytes(peer_modern("skills/list", ""));
        each_portion_gives_the_same_bytes(peer_modern("resources/list", ""));
        each_portion_gives_the_same_bytes(peer_modern("resources/read", "\"uri\":\"skill://alpha/long.txt\""));
        each_portion_gives_the_same_bytes(peer_modern("resources/read", "\"uri\":\"skill://alpha/data/bytes.bin\""));
        each_portion_gives_the_same_bytes(peer_modern("resources/read", "\"uri\":\"skill://alpha/data/all.txt\""));
        each_portion_gives_the_same_bytes(peer_modern("resources/read", "\"uri\":\"nothing\\u0001\\\" here\""));
        each_portion_gives_the_same_bytes(peer_modern("tools/call", "\"name\":\"numbers\""));
        each_portion_gives_the_same_bytes(
            peer_modern("prompts/get", "\"name\":\"greet\",\"arguments\":{\"who\":\"\\n\"}"));
    }
}

static void the_spans_of_one_round_are_the_bytes_in_order(void)
{
    struct skr_span spans[SKR_TX_SPANS];

    peer_start(SKR_LINE, 0);
    char *whole = strdup(peer_exchange(peer_modern("resources/read", "\"uri\":\"skill://alpha/long.txt\"")));
    const char *request = peer_modern("resources/read", "\"uri\":\"skill://alpha/long.txt\"");
    peer.out.n = 0;
    peer_send(request, strlen(request));
    size_t count;
    while ((count = skr_conn_txv(&peer.conn, spans, SKR_TX_SPANS)) > 0) {
        size_t total = 0;
        for (size_t i = 0; i < count; i++) {
            TEST_ASSERT_GREATER_THAN(0, spans[i].n);
            buf_add(&peer.out, spans[i].p, spans[i].n);
            total += spans[i].n;
        }
        skr_conn_tx_done(&peer.conn, total);
    }
    TEST_ASSERT_EQUAL_STRING(whole, buf_str(&peer.out));
    free(whole);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(answers_over_escaped_and_raw_texts_are_the_same);
    RUN_TEST(a_response_can_leave_in_any_portions);
    RUN_TEST(the_spans_of_one_round_are_the_bytes_in_order);
    return UNITY_END();
}
