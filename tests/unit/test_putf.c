/* test_putf.c -- what skr_putf makes of formats and values, seen from the wire. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

#define FULL "the result exceeds SKR_OUTPUT_MAX (16384 bytes)\"}],\"isError\":true"

/* What the one tool of the device does; the image calls it echo. */
static skr_tool_fn handler;

static int run(struct skr_call *call)
{
    return handler(call);
}

static const struct skr_tool tools[] = {{.name = "echo", .run = run}};
static const struct skr_device device = {.tools = tools, .tool_count = 1};

void setUp(void)
{
    peer_start(SKR_LINE, 0);
    TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, &device, peer.image.p, peer.image.n));
    peer_open(SKR_LINE);
}

void tearDown(void)
{
}

/* The text of the result, as it stands in JSON, is this one; `text` may go on with what follows it. */
static void expect(skr_tool_fn fn, const char *text)
{
    static const char before[] = "\"content\":[{\"type\":\"text\",\"text\":\"";

    handler = fn;
    const char *response = peer_exchange(peer_modern("tools/call", "\"name\":\"echo\""));
    const char *start = strstr(response, before);
    TEST_ASSERT_NOT_NULL_MESSAGE(start, response);
    start += strlen(before);
    bool good = strncmp(start, text, strlen(text)) == 0 && (strcmp(text, FULL) == 0 || start[strlen(text)] == '"');
    TEST_ASSERT_TRUE_MESSAGE(good, response);
}

/* ---- Text ---- */

static int put_text(struct skr_call *call)
{
    skr_putf(call, "%s", "");
    skr_putf(call, "a%sb%cc%%d|%s%s|100%%", "ring", 'X', "1", "2");
    return 0;
}

static int put_spans(struct skr_call *call)
{
    static const char three[3] = {'o', 'n', 'e'}; /* no NUL after it */
    const char *volatile nowhere = NULL;          /* so that no compiler knows */
    struct skr_span part = {three, 3}, none = {nowhere, 0};

    skr_putf(call, "[%.*s][%.*s][%.*s][%.*s]", SKR_SPAN_ARG(part), SKR_SPAN_ARG(none), 9, "two", -1, "three");
    return 0;
}

static int put_null(struct skr_call *call)
{
    const char *volatile nothing = NULL;

    skr_putf(call, "%s %.*s|%.*s", nothing, 3, nothing, -1, nothing);
    return 0;
}

static void texts_and_characters_are_put(void)
{
    expect(put_text, "aringbXc%d|12|100%");
}

static void a_span_needs_no_end_and_a_text_has_one(void)
{
    expect(put_spans, "[one][][two][three]");
}

static void null_is_printed(void)
{
    expect(put_null, "(null) (nu|(null)");
}

/* ---- Numbers ---- */

static int put_signed(struct skr_call *call)
{
    skr_putf(call, "%d %d %d %d", 0, -1, INT_MAX, INT_MIN);
    skr_putf(call, " %ld %ld", LONG_MAX, LONG_MIN);
    skr_putf(call, " %lld %lld", LLONG_MAX, LLONG_MIN);
    skr_putf(call, " %" PRId64 " %" PRId32, INT64_MIN, INT32_MIN);
    return 0;
}

static int put_unsigned(struct skr_call *call)
{
    skr_putf(call, "%u %u %u", 0u, 10u, UINT_MAX);
    skr_putf(call, " %lu %llu %zu", ULONG_MAX, ULLONG_MAX, SIZE_MAX);
    skr_putf(call, " %llu %llu", 10000000000000000000ull, 9999999999999999999ull);
    return 0;
}

static int put_hex(struct skr_call *call)
{
    skr_putf(call, "%x %x %x %x", 0u, 0xau, 0x10u, UINT_MAX);
    skr_putf(call, " %lx %llx %zx %llx", 0x1000ul, 0x123456789abcdef0ull, (size_t)255, ULLONG_MAX);
    return 0;
}

static void signed_numbers_are_put_up_to_their_ends(void)
{
    char text[256];

    snprintf(text, sizeof text,
             "0 -1 2147483647 -2147483648 %ld %ld 9223372036854775807 -9223372036854775808 "
             "-9223372036854775808 -2147483648",
             LONG_MAX, LONG_MIN);
    expect(put_signed, text);
}

static void unsigned_numbers_are_put_up_to_their_ends(void)
{
    char text[256];

    snprintf(text, sizeof text, "0 10 4294967295 %lu 18446744073709551615 %zu 10000000000000000000 9999999999999999999",
             ULONG_MAX, (size_t)SIZE_MAX);
    expect(put_unsigned, text);
}

static void hexadecimal_has_no_zeros_in_front(void)
{
    expect(put_hex, "0 a 10 ffffffff 1000 123456789abcdef0 ff ffffffffffffffff");
}

/* ---- What it does not know ---- */

static const char *unknown;

static int put_unknown(struct skr_call *call)
{
    skr_putf(call, unknown, 1, 2);
    return 0;
}

static void what_is_no_conversion_is_put_as_it_stands_with_all_after_it(void)
{
    static const char *const formats[][2] = {
        {"%d and %f %d %s", "1 and %f %d %s"},
        {"%d %5d %s", "1 %5d %s"},
        {"%d%", "1%"},
        {"%d%l", "1%l"},
        {"%d%llld%s", "1%llld%s"},
        {"%d%zd", "1%zd"},
        {"%d%ls", "1%ls"},
        {"%d%zc", "1%zc"},
        {"%d%.3s", "1%.3s"},
        {"%d%.*d", "1%.*d"},
        {"%d%.", "1%."},
        {"%d%.*", "1%.*"},
        {"%d%lz%s", "1%lz%s"},
        {"%d%n%s", "1%n%s"},
        {"%q", "%q"},
        {"%llld", "%llld"},
        {"%zld", "%zld"},
        {"%d %l%", "1 %l%"},
        {"%d%X%p%i%o", "1%X%p%i%o"},
        {"%d %d %", "1 2 %"},
    };

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        unknown = formats[i][0];
        expect(put_unknown, formats[i][1]);
    }
}

/* ---- The limit ---- */

static char much[SKR_OUTPUT_MAX + 1];

static int put_full(struct skr_call *call)
{
    skr_putf(call, "%s%c", much, '.');
    return 0;
}

static int put_over_and_on(struct skr_call *call)
{
    skr_putf(call, "%s%d%s", much, -1, "after");
    return 0;
}

static int put_endless(struct skr_call *call)
{
    for (int i = 0; i < SKR_OUTPUT_MAX; i++) {
        skr_putf(call, "%d %x|", i, (unsigned)i);
    }
    return 0;
}

static void output_is_bounded_as_that_of_skr_put(void)
{
    static char whole[SKR_OUTPUT_MAX + 1];

    memset(much, 'm', SKR_OUTPUT_MAX - 1);
    memset(whole, 'm', SKR_OUTPUT_MAX - 1);
    whole[SKR_OUTPUT_MAX - 1] = '.';
    expect(put_full, whole);
    expect(put_over_and_on, FULL);
    much[SKR_OUTPUT_MAX - 1] = 'm';
    expect(put_full, FULL);
    expect(put_endless, FULL);
}

static int put_failure(struct skr_call *call)
{
    skr_putf(call, "lost %d", 1);
    skr_fail(call, "");
    skr_putf(call, "line %d: %s", 4, "valve is locked");
    return 0;
}

static void a_failure_may_be_put_together(void)
{
    expect(put_failure, "line 4: valve is locked");
    TEST_ASSERT_NOT_NULL(strstr(peer_exchange(peer_modern("tools/call", "\"name\":\"echo\"")), "\"isError\":true"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(texts_and_characters_are_put);
    RUN_TEST(a_span_needs_no_end_and_a_text_has_one);
    RUN_TEST(null_is_printed);
    RUN_TEST(signed_numbers_are_put_up_to_their_ends);
    RUN_TEST(unsigned_numbers_are_put_up_to_their_ends);
    RUN_TEST(hexadecimal_has_no_zeros_in_front);
    RUN_TEST(what_is_no_conversion_is_put_as_it_stands_with_all_after_it);
    RUN_TEST(output_is_bounded_as_that_of_skr_put);
    RUN_TEST(a_failure_may_be_put_together);
    return UNITY_END();
}
