/* test_alarm.c -- alarms: the ring, what survives a reset, and the resource that shows them. */
#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "skr_alarm.h"
#include "unity.h"

static struct skr_alarms alarms;
static uint32_t version;

static int read_alarms(struct skr_call *call, struct skr_span none)
{
    (void)none;
    return skr_put_alarms(call, &alarms);
}

static uint32_t noon(void *context)
{
    (void)context;
    return 1763467200;
}

static const struct skr_resource resource = {
    .uri = "d://alarms",
    .json = "{\"uri\":\"d://alarms\",\"name\":\"alarms\",\"mimeType\":\"application/json\"}",
    .mime = "application/json",
    .read = read_alarms,
    .version = &version,
};
static const struct skr_device device = {.resources = &resource, .resource_count = 1, .clock = noon};

void setUp(void)
{
    memset(&alarms, 0xA5, sizeof alarms);
    version = 0;
    TEST_ASSERT_FALSE(skr_alarms_begin(&alarms, &version));
    peer_start(SKR_LINE, 0);
    TEST_ASSERT_EQUAL(ROMFS_OK, skr_server_init(&peer.server, &device, peer.image.p, peer.image.n));
    peer_open(SKR_LINE);
    peer_initialize("2025-11-25");
}

void tearDown(void)
{
}

static void expect_content(const char *json)
{
    char wanted[512];
    const char *text = peer_exchange(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"d://alarms\"}}\n");

    (void)snprintf(wanted, sizeof wanted, "\"text\":\"%s\"}]", json);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, wanted), text);
}

static void raise_many(uint32_t count, const char *text)
{
    for (uint32_t i = 0; i < count; i++) {
        skr_alarm(NULL, &alarms, "E1", text);
    }
}

static void there_are_none_at_first(void)
{
    expect_content("[]");
}

static void an_alarm_has_number_code_text_and_time(void)
{
    skr_alarm(&peer.server, &alarms, "E21", "line 4: \"back\" \\ pressure");
    expect_content("[{\\\"number\\\":1,\\\"code\\\":\\\"E21\\\",\\\"text\\\":\\\"line 4: \\\\\\\"back\\\\\\\" \\\\\\\\ "
                   "pressure\\\",\\\"at\\\":1763467200}]");
    TEST_ASSERT_EQUAL(1, version);
}

static void without_a_server_it_has_no_time(void)
{
    skr_alarm(NULL, &alarms, "E1", "a\n\x01z");
    expect_content("[{\\\"number\\\":1,\\\"code\\\":\\\"E1\\\",\\\"text\\\":\\\"a  z\\\"}]");
}

static void long_texts_are_cut(void)
{
    char text[SKR_ALARM_TEXT + 10], code[SKR_ALARM_CODE + 10];

    memset(text, 'x', sizeof text);
    memset(code, 'y', sizeof code);
    text[sizeof text - 1] = code[sizeof code - 1] = '\0';
    skr_alarm(NULL, &alarms, code, text);
    TEST_ASSERT_EQUAL(SKR_ALARM_TEXT - 1, strlen(alarms.ring[1].text));
    TEST_ASSERT_EQUAL(SKR_ALARM_CODE - 1, strlen(alarms.ring[1].code));
}

static void a_text_is_cut_between_characters(void)
{
    char text[SKR_ALARM_TEXT + 2];

    memset(text, 'x', sizeof text);
    memcpy(text + SKR_ALARM_TEXT - 3, "\xE2\x82\xAC", 4); /* the third byte has no room */
    skr_alarm(NULL, &alarms, "E1", text);
    TEST_ASSERT_EQUAL(SKR_ALARM_TEXT - 3, strlen(alarms.ring[1].text));
    TEST_ASSERT_EQUAL('x', alarms.ring[1].text[SKR_ALARM_TEXT - 4]);
}

static void a_text_that_is_missing_is_empty(void)
{
    skr_alarm(&peer.server, &alarms, NULL, NULL);
    expect_content("[{\\\"number\\\":1,\\\"code\\\":\\\"\\\",\\\"text\\\":\\\"\\\",\\\"at\\\":1763467200}]");
}

static void the_oldest_gives_way(void)
{
    const char *text;

    raise_many(SKR_ALARMS + 3, "x");
    text = peer_exchange(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"d://alarms\"}}\n");
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "\\\"number\\\":3,"), text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "[{\\\"number\\\":4,"), text);
    TEST_ASSERT_EQUAL(SKR_ALARMS + 3, alarms.last);
}

/* Each byte of this text is three in a response, and some become six. */
static void the_newest_always_fit_the_output(void)
{
    char text[SKR_ALARM_TEXT];

    memset(text, 0xFF, sizeof text);
    text[sizeof text - 1] = '\0';
    raise_many(SKR_ALARMS, text);
    const char *got = peer_exchange(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"d://alarms\"}}\n");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(got, "\"result\""), got);
    char newest[40];
    (void)snprintf(newest, sizeof newest, "\\\"number\\\":%d,", SKR_ALARMS);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(got, newest), got);
}

static void a_reset_keeps_them(void)
{
    raise_many(2, "x");
    TEST_ASSERT_TRUE(skr_alarms_begin(&alarms, &version));
    raise_many(1, "x");
    TEST_ASSERT_EQUAL(3, alarms.last);
    TEST_ASSERT_EQUAL(3, alarms.ring[3].number);
}

/* What is in RAM at power-on, or after a write that a reset has cut off. */
static void damaged_ones_are_dropped(void)
{
    raise_many(2, "x");
    for (size_t at = 0; at < offsetof(struct skr_alarms, sum); at += 7) {
        struct skr_alarms copy = alarms;
        ((uint8_t *)&copy)[at] ^= 0x10;
        TEST_ASSERT_FALSE(skr_alarms_begin(&copy, NULL));
        TEST_ASSERT_EQUAL(0, copy.last);
    }
    struct skr_alarms zeros;
    memset(&zeros, 0, sizeof zeros);
    TEST_ASSERT_FALSE(skr_alarms_begin(&zeros, NULL));
}

static void a_subscriber_is_notified(void)
{
    const char *updated =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\"d://"
        "alarms\"}}\n";

    TEST_ASSERT_NOT_NULL(strstr(
        peer_exchange(
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"d://alarms\"}}\n"),
        "\"result\":{}"));
    skr_alarm(&peer.server, &alarms, "E21", "x");
    TEST_ASSERT_EQUAL_STRING(updated, peer_unasked());
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(there_are_none_at_first);
    RUN_TEST(an_alarm_has_number_code_text_and_time);
    RUN_TEST(without_a_server_it_has_no_time);
    RUN_TEST(long_texts_are_cut);
    RUN_TEST(a_text_is_cut_between_characters);
    RUN_TEST(a_text_that_is_missing_is_empty);
    RUN_TEST(the_oldest_gives_way);
    RUN_TEST(the_newest_always_fit_the_output);
    RUN_TEST(a_reset_keeps_them);
    RUN_TEST(damaged_ones_are_dropped);
    RUN_TEST(a_subscriber_is_notified);
    return UNITY_END();
}
