/* test_args_numbers.c -- arguments that a handler reads as 64-bit integers and as floating-point numbers: each must fit its type. */
#include <stdio.h>
#include <string.h>

#include "revisions.h"
#include "unity.h"

struct numbers {
    int64_t wide;
    double real;
    float small;
};

static const struct skr_arg number_members[] = {
    {.kind = &skr_arg_wide, .name = "wide", .offset = offsetof(struct numbers, wide), .size = sizeof(int64_t)},
    {.kind = &skr_arg_double, .name = "real", .offset = offsetof(struct numbers, real), .size = sizeof(double)},
    {.kind = &skr_arg_float, .name = "small", .offset = offsetof(struct numbers, small), .size = sizeof(float)},
};
static const struct skr_object number_shape = {.members = number_members, .count = 3, .size = sizeof(struct numbers)};

static int read_numbers(struct skr_call *call)
{
    struct numbers numbers = {0};

    if (skr_args_read(call, &number_shape, &numbers)) {
        skr_putf(call, "%lld %d %d", (long long)numbers.wide, (int)numbers.real, (int)numbers.small);
    }
    return 0;
}

static const struct skr_tool tools[] = {{.name = "echo", .run = read_numbers}};
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

static void numbers_must_fit_what_holds_them(void)
{
    static const struct {
        const char *arguments, *text;
    } rows[] = {{"\"wide\":9007199254740993,\"real\":-2.5,\"small\":3", "9007199254740993 -2 3"},
                {"\"other\":1", "0 0 0"}, /* this shape allows more members than it knows */
                {"\"wide\":1.5", "wide must be a whole number"},
                {"\"real\":1e999", "real is too large"},
                {"\"real\":-1e999", "real is too large"},
                {"\"small\":1e39", "small is too large"},
                {"\"small\":-1e39", "small is too large"}};

    peer_initialize("2025-11-25");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256];
        snprintf(
            text, sizeof text,
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{%s}}}\n",
            rows[i].arguments);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(peer_exchange(text), rows[i].text), buf_str(&peer.out));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(numbers_must_fit_what_holds_them);
    return UNITY_END();
}
