/* test_frame_forged.c -- frames that no peer of ours sends, with a right checksum: of other versions and sessions, with
 * impossible numbers, at the wrong time. port/uart/frame.c must take none of them for what it is not. */
#include <string.h>

#include "../../port/uart/frame.h"
#include "unity.h"

enum { DATA = 0x40, HELLO = 0x41, WELCOME = 0x42, BYE = 0x43, READY = 0x04, POLL = 0x08, FINAL = 0x10, AGAIN = 0x20 };

static struct skr_frame f;
static uint8_t rx[223], tx[1024], identity[SKR_FRAME_IDENTITY];

/* A frame, of which only the checksum is right. The event that its last byte leads to. */
static enum skr_frame_event forge(uint8_t ctl, uint16_t number, uint16_t ack, const char *payload)
{
    uint8_t bytes[300] = {ctl,
                          (uint8_t)(0x20 + strlen(payload)),
                          (uint8_t)number,
                          (uint8_t)(number >> 8),
                          (uint8_t)ack,
                          (uint8_t)(ack >> 8)};
    size_t n = 6 + strlen(payload);
    uint32_t crc = SKR_CRC_START;
    enum skr_frame_event event = skr_frame_rx(&f, SKR_FRAME_START);

    memcpy(bytes + 6, payload, n - 6);
    for (size_t i = 0; i < n; i++) {
        crc = skr_crc_add(crc, bytes[i]);
    }
    for (unsigned i = 0; i < 4; i++) {
        bytes[n++] = (uint8_t)(~crc >> (8 * i));
    }
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] < 0x20) {
            TEST_ASSERT_EQUAL(SKR_FRAME_NONE, skr_frame_rx(&f, SKR_FRAME_ESCAPE));
        }
        event = skr_frame_rx(&f, bytes[i] < 0x20 ? bytes[i] ^ 0x40 : bytes[i]);
    }
    return event;
}

/* What is sent now: the control byte of its first frame, and how many bytes; 0: nothing. */
static uint8_t sends(size_t *n)
{
    static uint8_t out[4096];

    *n = skr_frame_tx(&f, out, sizeof out);
    return *n > 1 ? out[1] : 0;
}

static void sends_nothing(void)
{
    size_t n;

    TEST_ASSERT_EQUAL_HEX8(0, sends(&n));
}

static void drain(void)
{
    size_t n;

    (void)sends(&n);
}

static size_t payload(const char *expected)
{
    const uint8_t *bytes;
    size_t n = skr_frame_payload(&f, &bytes);

    TEST_ASSERT_EQUAL(strlen(expected), n);
    TEST_ASSERT_EQUAL(0, memcmp(bytes, expected, n));
    return n;
}

static void open(void)
{
    memset(&f, 0xA5, sizeof f);
    skr_frame_open(&f, rx, sizeof rx, tx, sizeof tx);
}

/* As a device, in reliable mode. */
void setUp(void)
{
    open();
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, skr_frame_tick(&f, 1000));
    TEST_ASSERT_EQUAL(SKR_FRAME_HELLO, forge(HELLO, 7, 200, ""));
    memset(skr_frame_welcome(&f), 'i', SKR_FRAME_IDENTITY);
    TEST_ASSERT_EQUAL(0, skr_frame_put(&f, "x", 1)); /* the welcome comes first, from the same buffer */
    uint8_t byte;
    TEST_ASSERT_EQUAL(1, skr_frame_tx(&f, &byte, 1));
    TEST_ASSERT_EQUAL(0, skr_frame_put(&f, "x", 1)); /* also while it is leaving */
    TEST_ASSERT_FALSE(skr_frame_between(&f));
    drain();
    TEST_ASSERT_TRUE(skr_frame_between(&f));
}

void tearDown(void)
{
}

static void frames_of_a_later_version_are_left_alone(void)
{
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, forge((HELLO & 0x3F) | 0x80, 8, 200, ""));
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, forge(0xC0 | READY, 0, 0, "later"));
    payload("");
    sends_nothing();
}

static void who_was_not_asked_is_not_welcome(void)
{
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, forge(WELCOME, 7, 0, "0123456789abcdefghij"));
    TEST_ASSERT_EQUAL(SKR_FRAME_ON, f.state);
    open();
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, forge(WELCOME, 7, 0, "0123456789abcdefghij"));
    TEST_ASSERT_EQUAL(SKR_FRAME_OFF, f.state);
}

static void who_is_in_plain_mode_says_so_and_cannot_leave_it(void)
{
    size_t n;

    TEST_ASSERT_EQUAL(SKR_FRAME_ENDED, forge(BYE, 0, 0, ""));
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, forge(BYE, 0, 0, ""));
    sends_nothing();
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, forge(DATA | READY, 0, 0, "lost"));
    TEST_ASSERT_EQUAL_HEX8(BYE | READY, sends(&n));
    payload("");
}

static void who_leaves_may_keep_it_to_itself(void)
{
    size_t n;

    TEST_ASSERT_EQUAL(2, skr_frame_put(&f, "ab", 2));
    uint8_t byte;
    TEST_ASSERT_EQUAL(1, skr_frame_tx(&f, &byte, 1)); /* a frame is leaving, but no welcome */
    TEST_ASSERT_EQUAL(1, skr_frame_put(&f, "c", 1));
    skr_frame_leave(&f, false);
    sends_nothing();
    TEST_ASSERT_EQUAL(0, skr_frame_put(&f, "d", 1));
    skr_frame_leave(&f, true);
    TEST_ASSERT_EQUAL_HEX8(BYE | READY, sends(&n));
}

/* It belongs to an earlier session: nothing of it counts, not even its payload. */
static void what_acknowledges_more_than_was_sent_is_left_alone(void)
{
    size_t n;

    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, forge(DATA | READY, 0, 1, "old"));
    payload("");
    TEST_ASSERT_EQUAL(4, skr_frame_put(&f, "abcd", 4));
    drain();
    forge(DATA | READY, 0, 5, "old");
    forge(DATA | READY, 0, 0xFFFF, "old");
    payload("");
    TEST_ASSERT_EQUAL(4, skr_frame_unsent(&f));
    forge(DATA | READY, 0, 2, ""); /* half of a frame: all that is known to have arrived is let go */
    TEST_ASSERT_EQUAL(2, skr_frame_unsent(&f));
    forge(DATA | READY | AGAIN, 0, 2, "");
    TEST_ASSERT_EQUAL_HEX8(DATA | READY, sends(&n));
    forge(DATA | READY, 0, 4, "");
    TEST_ASSERT_EQUAL(0, skr_frame_unsent(&f));
}

/* The peer was told that there is no room; what it sends all the same must not touch what is held. */
static void a_frame_that_comes_while_one_is_held_is_not_taken(void)
{
    size_t n;

    forge(DATA | READY, 0, 0, "held");
    drain();
    forge(DATA | READY, 4, 0, "more");
    TEST_ASSERT_EQUAL_HEX8(DATA, sends(&n)); /* not ready */
    skr_frame_taken(&f, 2);
    payload("ld"); /* a part can be taken */
    skr_frame_taken(&f, 0);
    forge(DATA | READY, 4, 0, "more");
    skr_frame_taken(&f, payload("ld"));
    TEST_ASSERT_EQUAL_HEX8(DATA | READY, sends(&n));
    forge(DATA | READY, 4, 0, "more");
    payload("more");
}

static void the_response_to_a_poll_that_was_not_sent_changes_nothing(void)
{
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, skr_frame_tick(&f, 1200));
    sends_nothing();
    TEST_ASSERT_EQUAL(4, skr_frame_put(&f, "abcd", 4));
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, skr_frame_tick(&f, 1500)); /* nothing is out, so nothing is waited for */
    drain();
    forge(DATA | READY | FINAL, 0, 0, "");
    sends_nothing(); /* else it would send again */
    TEST_ASSERT_EQUAL(4, skr_frame_unsent(&f));
}

static void a_poll_waits_from_when_it_was_first_wanted(void)
{
    size_t n;

    skr_frame_poll(&f);
    TEST_ASSERT_EQUAL_HEX8(DATA | READY | POLL, sends(&n));
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, skr_frame_tick(&f, 1150));
    skr_frame_poll(&f); /* the first one still counts */
    drain();
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, skr_frame_tick(&f, 1200));
    TEST_ASSERT_EQUAL_HEX8(DATA | READY | POLL, sends(&n));
    forge(DATA | READY | FINAL, 0, 0, "");
    sends_nothing();
}

/* A peer without room is asked from time to time whether it has some. */
static void a_peer_that_is_not_ready_is_polled(void)
{
    size_t n;

    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, skr_frame_tick(&f, 1000));
    forge(DATA, 0, 0, "");
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, skr_frame_tick(&f, 1000)); /* nothing waits for it yet */
    TEST_ASSERT_EQUAL(4, skr_frame_put(&f, "abcd", 4));
    sends_nothing();
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, skr_frame_tick(&f, 1199));
    sends_nothing();
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, skr_frame_tick(&f, 1200));
    TEST_ASSERT_EQUAL_HEX8(DATA | READY | POLL, sends(&n));
    forge(DATA | READY | FINAL, 0, 0, "");
    TEST_ASSERT_EQUAL_HEX8(DATA | READY, sends(&n));
    TEST_ASSERT_GREATER_THAN(14, n); /* with the payload */
}

/* ---- As the side that begins ---- */

static void a_welcome_must_be_whole_and_for_the_last_hello(void)
{
    open();
    skr_frame_hello(&f, 9, 200);
    drain();
    TEST_ASSERT_EQUAL(SKR_FRAME_NONE, forge(DATA | READY, 0, 0, "early"));
    payload("");
    TEST_ASSERT_EQUAL(SKR_FRAME_WELCOMED, forge(WELCOME, 8, 0,
                                                "\x41\x41\x41\x41"
                                                "0123456789abcdef"));
    TEST_ASSERT_FALSE(skr_frame_accept(&f, identity));
    TEST_ASSERT_EQUAL(SKR_FRAME_WELCOMED, forge(WELCOME, 9, 0,
                                                "\x41\x41\x41\x41"
                                                "0123456789abcde"));
    TEST_ASSERT_FALSE(skr_frame_accept(&f, identity));
    TEST_ASSERT_EQUAL(SKR_FRAME_ASKED, f.state);
    TEST_ASSERT_EQUAL(SKR_FRAME_WELCOMED, forge(WELCOME, 9, 0,
                                                "\x41\x41\x41\x41"
                                                "0123456789abcdef"));
    TEST_ASSERT_TRUE(skr_frame_accept(&f, identity));
    TEST_ASSERT_EQUAL(0, memcmp(identity, "0123456789abcdef", SKR_FRAME_IDENTITY));
}

/* Whatever the last byte of a frame is, escaped or not, no text may come before it has left. */
static void nothing_comes_between_the_halves_of_a_byte(void)
{
    unsigned halves = 0;

    for (unsigned number = 0; number < 200; number++) {
        uint8_t byte = 0;
        skr_frame_poll(&f);
        f.nonce = (uint16_t)number;
        forge(DATA | READY, 0, 0, "");
        skr_frame_leave(&f, true); /* BYE repeats the nonce, so that checksums differ */
        do {
            TEST_ASSERT_EQUAL(1, skr_frame_tx(&f, &byte, 1));
            halves += byte == SKR_FRAME_ESCAPE && f.out_at == 0xFF;
            TEST_ASSERT_TRUE(byte != SKR_FRAME_ESCAPE || !skr_frame_between(&f));
        } while (!skr_frame_between(&f));
        sends_nothing();
    }
    TEST_ASSERT_TRUE(halves > 0);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(frames_of_a_later_version_are_left_alone);
    RUN_TEST(who_was_not_asked_is_not_welcome);
    RUN_TEST(who_is_in_plain_mode_says_so_and_cannot_leave_it);
    RUN_TEST(who_leaves_may_keep_it_to_itself);
    RUN_TEST(what_acknowledges_more_than_was_sent_is_left_alone);
    RUN_TEST(a_frame_that_comes_while_one_is_held_is_not_taken);
    RUN_TEST(the_response_to_a_poll_that_was_not_sent_changes_nothing);
    RUN_TEST(a_poll_waits_from_when_it_was_first_wanted);
    RUN_TEST(a_peer_that_is_not_ready_is_polled);
    RUN_TEST(a_welcome_must_be_whole_and_for_the_last_hello);
    RUN_TEST(nothing_comes_between_the_halves_of_a_byte);
    return UNITY_END();
}
