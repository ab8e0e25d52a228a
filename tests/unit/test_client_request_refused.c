/* test_client_request_refused.c -- client requests that cannot be sent, that their handler no longer needs, or whose replies are
 * odd. The device is elicitor.h's. */
#include <stdio.h>
#include <string.h>

#include "elicitor.h"
#include "unity.h"

void setUp(void)
{
    asker_start();
}

void tearDown(void)
{
}

/* ---- Replies ---- */

/* [ELI-01] */
static void replies_are_read_with_care(void)
{
    static const struct {
        const char *result, *text;
    } rows[] = {
        {"{\"action\":\"accept\",\"content\":{\"n\":5,\"yes\":true,\"word\":\"abc\"}}",
         "5 yes abc of {\\\"n\\\":5,\\\"yes\\\":true,\\\"word\\\":\\\"abc\\\"}"},
        {"{\"action\":\"accept\",\"content\":{\"n\":-5.0,\"yes\":false,\"word\":\"\"}}",
         "-5 no  of {\\\"n\\\":-5.0,\\\"yes\\\":false,\\\"word\\\":\\\"\\\"}"},
        {"{\"action\":\"accept\",\"content\":{\"n\":40e-1}}", "4 of {\\\"n\\\":40e-1}"},
        {"{\"action\":\"accept\",\"content\":{\"n\":6}}", " of {\\\"n\\\":6}"},
        {"{\"action\":\"accept\",\"content\":{\"n\":-6}}", " of {\\\"n\\\":-6}"},
        {"{\"action\":\"accept\",\"content\":{\"n\":4.5}}", " of {\\\"n\\\":4.5}"},
        {"{\"action\":\"accept\",\"content\":{\"n\":1e300}}", " of {\\\"n\\\":1e300}"},
        {"{\"action\":\"accept\",\"content\":{\"n\":\"3\"}}", " of {\\\"n\\\":\\\"3\\\"}"},
        {"{\"action\":\"accept\",\"content\":{\"n\":null,\"yes\":1,\"word\":7}}",
         " of {\\\"n\\\":null,\\\"yes\\\":1,\\\"word\\\":7}"},
        {"{\"action\":\"accept\",\"content\":{\"n\":[],\"word\":\"abcd\"}}",
         " of {\\\"n\\\":[],\\\"word\\\":\\\"abcd\\\"}"},
        {"{\"action\":\"accept\",\"content\":{}}", " of {}"},
        {"{\"action\":\"decline\"}", " of {}"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[512], text[512];
        asker_start();
        asker_shake_hands();
        asker_call_legacy("read");
        asker_expect(0, "\"method\":\"elicitation/create\"");
        snprintf(line, sizeof line, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":%s}\n", rows[i].result);
        asker_send(0, line);
        snprintf(text, sizeof text, "\"text\":\"%s\"}]", rows[i].text);
        asker_expect(0, text);
    }
}

/* ---- Questions that cannot be asked, or are not wanted any more ---- */

#define SCHEMA "{\"type\":\"object\",\"properties\":{}}"

static bool fits_exactly;

static int want_no_more(struct skr_call *call)
{
    struct skr_reply reply;
    bool one = skr_elicit_form(call, "one", "One?", SCHEMA, &reply);

    if (!one) {
        (void)skr_elicit_form(call, "two", "Two?", SCHEMA, &reply);
    }
    return SKR_PENDING;
}

/* Before that, what a client was asked can still be answered. */
static void an_older_client_was_asked_and_may_reply(void)
{
    asker_does.run = want_no_more;
    asker_shake_hands();
    asker_call_legacy("any");
    asker_expect(0, "Two?");
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}\n");
    asker_tick(1);
    asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"action\":\"accept\",\"content\":{}}}\n");
    asker_expect(0, "One?");
}

static int request_the_impossible(struct skr_call *call)
{
    struct skr_reply reply;

    (void)skr_list_roots(call, "one", &reply);
    (void)skr_elicit_form(call, "two", "Two?", SCHEMA, &reply);
    return SKR_PENDING;
}

/* who asks what cannot be asked has ended, and asks nothing else */
static void after_a_client_request_that_cannot_be_sent_comes_no_other(void)
{
    asker_does.run = request_the_impossible;
    asker_shake_hands();
    asker_call_legacy("any");
    const char *text = asker_heard(0);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"isError\":true"), text);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "Two?"), text);
}

static int elicit_too_long(struct skr_call *call)
{
    static char message[SKR_JOB_OUTPUT_MAX + 1];
    struct skr_reply reply;

    memset(message, 'm', sizeof message - 1);
    (void)skr_elicit_form(call, "long", message, SCHEMA, &reply);
    return SKR_PENDING;
}

static void a_client_request_must_fit_its_buffer(void)
{
    asker_does.run = elicit_too_long;
    asker_shake_hands();
    asker_call_legacy("any");
    asker_expect(0, "the client request exceeds SKR_JOB_OUTPUT_MAX (65536 bytes)");
}

static int elicit_then_flood(struct skr_call *call)
{
    struct skr_reply reply;

    if (!skr_elicit_form(call, "one", "One?", SCHEMA, &reply)) {
        return SKR_PENDING;
    }
    skr_put(call, "0123456789012345678901234567890123456789");
    skr_put(call, fits_exactly ? "" : "0");
    return 0;
}

/* A question may be longer than the output of its tool, and leaves that limit as it is. */
static void the_limit_of_a_tools_output_holds_after_its_client_requests(void)
{
    for (int fits = 0; fits < 3; fits++) {
        asker_start();
        fits_exactly = fits == 1;
        asker_does.run = elicit_then_flood;
        asker_shake_hands();
        asker_call_legacy(fits < 2 ? "little" : "large");
        asker_expect(0, "One?");
        asker_send(0, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"action\":\"accept\",\"content\":{}}}\n");
        asker_expect(0, fits > 0 ? "\"text\":\"0123456789012345678901234567890123456789"
                                 : "the result exceeds its outputMax");
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(replies_are_read_with_care);
    RUN_TEST(an_older_client_was_asked_and_may_reply);
    RUN_TEST(after_a_client_request_that_cannot_be_sent_comes_no_other);
    RUN_TEST(a_client_request_must_fit_its_buffer);
    RUN_TEST(the_limit_of_a_tools_output_holds_after_its_client_requests);
    return UNITY_END();
}
