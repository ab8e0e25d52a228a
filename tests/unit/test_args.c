/* test_args.c -- arguments by way of a generated header (tests/unit/args/device): what fits is
 * converted, what does not is refused by name and rule. tests/unit/args/run does the same with
 * random schemas; here are the sentences, and the numbers that JavaScript cannot hold. */
#include <stdio.h>
#include <string.h>

#define SKR_TOOLS_TABLE
#include "args/show.h"
#include "cli/pack.h"
#include "peer.h"
#include "tools.h"
#include "unity.h"

static struct skr_server server;
static struct skr_conn conn;
static struct buf image, out;

/* ---- Handlers ---- */

int tool_all(struct skr_call *call, const struct tool_all_args *args)
{
    return show(call, &skr_shape_tool_all_args, args);
}

int tool_bare(struct skr_call *call, const struct tool_bare_args *args)
{
    (void)args;
    skr_put(call, "fine");
    return 0;
}

int tool_choice(struct skr_call *call, const struct tool_choice_args *args)
{
    return show(call, &skr_shape_tool_choice_args, args);
}

int tool_real(struct skr_call *call, const struct tool_real_args *args)
{
    return show(call, &skr_shape_tool_real_args, args);
}

int tool_form(struct skr_call *call, const struct tool_form_args *args)
{
    (void)args;
    return skr_fail(call, "not here");
}

int tool_late(struct skr_call *call, const struct tool_late_args *args)
{
    skr_put(call, args != NULL ? "first " : "second");
    if (args != NULL) {
        skr_put_span(call, args->text);
    }
    return args != NULL ? SKR_PENDING : 0;
}

int tool_raw(struct skr_call *call, const struct tool_raw_args *args)
{
    skr_put_span(call, args->json);
    return args->json.n > 2 ? 0 : skr_refuse(call, (struct skr_span){"all", 3}, "must be there");
}

int tool_result(struct skr_call *call, const struct tool_result_args *args)
{
    skr_put_int(call, (int)args->kind);
    return 0;
}

static const struct skr_device device = {.tools = skr_tools, .tool_count = SKR_TOOL_COUNT};

/* ---- Talking ---- */

void setUp(void)
{
    static const struct pack_options options;
    struct diag diag = {.out = stderr};
    struct romfs fs;

    if (image.p == NULL) {
        TEST_ASSERT_TRUE(pack_folder("tests/unit/args/device", &options, &diag, &image, &fs));
    }
    TEST_ASSERT_EQUAL_INT(0, skr_server_init(&server, &device, image.p, image.n));
    skr_conn_open(&conn, &server, SKR_LINE);
}

void tearDown(void)
{
}

static const char *heard(void)
{
    const void *bytes;
    size_t n;

    out.n = 0;
    while ((n = skr_conn_tx(&conn, &bytes)) > 0) {
        buf_add(&out, bytes, n);
        skr_conn_tx_done(&conn, n);
    }
    return buf_str(&out);
}

static const char *send(const char *tool, const char *arguments)
{
    static char text[16384];
    int n = snprintf(text, sizeof text,
                     "{\"jsonrpc\":\"2.0\",\"id\":\"i\\u0064\",\"method\":\"tools/call\","
                     "\"params\":{\"name\":\"%s\",\"arguments\":%s," META "}}\n",
                     tool, arguments);

    skr_conn_rx(&conn, text, (size_t)n);
    return heard();
}

/* The text of the result, still escaped, with " (failed)" after it when isError is set. */
static const char *call_tool(const char *tool, const char *arguments)
{
    static char text[4096];
    const char *response = send(tool, arguments), *start = strstr(response, "\"text\":\""),
               *end = strstr(response, "\"}]");

    while (end != NULL && end[-1] == '\\') {
        end = strstr(end + 1, "\"}]");
    }
    TEST_ASSERT_TRUE_MESSAGE(start != NULL && end != NULL, response);
    TEST_ASSERT_EQUAL_STRING_LEN("{\"jsonrpc\":\"2.0\",\"id\":\"i\\u0064\"", response,
                                 30); /* not decoded with the rest */
    snprintf(text, sizeof text, "%.*s%s", (int)(end - start - 8), start + 8,
             strstr(end, "\"isError\":true") != NULL ? " (failed)" : "");
    return text;
}

static void expect(const char *arguments, const char *text)
{
    TEST_ASSERT_EQUAL_STRING_MESSAGE(text, call_tool("all", arguments), arguments);
}

/* ---- What fits ---- */

#define REST "[6,true],[8,1]" /* the defaults of dry and mode */

static void values_are_converted(void)
{
    expect("{\"line\":4}", "[[0,4]," REST "]");
    expect("{\"line\":1,\"dry\":false,\"mode\":\"very slow\"}", "[[0,1],[6,false],[8,2]]");
    expect("{\"line\":1,\"note\":\"a\\u0041\\n\\ud83d\\ude00\"}",
           "[[0,1],[6,true],[7,{\\\"s\\\":\\\"61410af09f9880\\\"}],[8,1]]");
    expect("{\"line\":1,\"baud\":115200.0,\"volume_ml\":1.5,\"rate\":1e2,\"gain\":-0.5}",
           "[[0,1],[2,115200],[3,1500],[4,100],[5,-0.5]," REST "]");
    expect("{\"line\":1,\"place\":{\"x\":-3,\"y\":[]}}", "[[0,1]," REST ",[10,[[0,-3]]]]");
    expect("{\"line\":1,\"place\":{}}", "[[0,1]," REST ",[10,[]]]");
    expect("{\"steps\":[{\"ml\":2},{\"rows\":[[1,2],[]],\"ml\":3,\"label\":\"\"}],\"line\":1}",
           "[[0,1]," REST
           ",[9,[[[0,2],[2,{\\\"s\\\":\\\"6e6f6e65\\\"}]],[[0,3],[1,[[1,2],[]]],[2,{\\\"s\\\":\\\"\\\"}]]]]]");
    expect("{\"line\":1,\"any\":{ \"a\":[null, 1e5]}}",
           "[[0,1]," REST ",[11,{\\\"r\\\":\\\"7b202261223a5b6e756c6c2c203165355d7d\\\"}]]");
}

static void a_number_is_what_it_is_however_it_is_spelled(void)
{
    static const char *const fours[] = {"4",         "4.0",     "4.000",      "4e0",     "4E+00",
                                        "0.4e1",     "40e-1",   "4000e-3",    "0.004E3", "0.0000004e7",
                                        "400.00e-2", "4e00000", "0.04000e002"};

    for (size_t i = 0; i < sizeof fours / sizeof fours[0]; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "{\"line\":%s}", fours[i]);
        expect(arguments, "[[0,4]," REST "]");
    }
}

static void large_numbers_are_exact_up_to_their_limit(void)
{
    static const struct {
        const char *sent, *got;
    } rows[] = {
        {"9007199254740993", "9007199254740993"},
        {"-9223372036854775799", "-9223372036854775799"},
        {"9223372036854775799", "9223372036854775799"},
        {"9.223372036854775799e18", "9223372036854775799"},
        {"0e999999999999", "0"},
        {"-0.0", "0"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char arguments[64], text[64];
        snprintf(arguments, sizeof arguments, "{\"line\":1,\"big\":%s}", rows[i].sent);
        snprintf(text, sizeof text, "[[0,1],[1,%s]," REST "]", rows[i].got);
        expect(arguments, text);
    }
}

/* ---- What does not ---- */

static const struct {
    const char *arguments, *text;
} refusals[] = {
    {"{}", "line is missing"},
    {"{\"dry\":true}", "line is missing"},
    {"{\"line\":0}", "line must be at least 1"},
    {"{\"line\":-1e9}", "line must be at least 1"},
    {"{\"line\":5}", "line must be at most 4"},
    {"{\"line\":4.01}", "line must be a whole number"},
    {"{\"line\":1e-1}", "line must be a whole number"},
    {"{\"line\":1e99999999999999999999}", "line must be at most 4"},
    {"{\"line\":\"1\"}", "line must be a whole number"},
    {"{\"line\":null}", "line must be a whole number"},
    {"{\"line\":true}", "line must be a whole number"},
    {"{\"line\":[1]}", "line must be a whole number"},
    {"{\"line\":1,\"line\":1}", "line is given twice"},
    {"{\"line\":1,\"l\\u0069ne\":2}", "line is given twice"},
    {"{\"line\":1,\"big\":9223372036854775800}", "big must be at most 9223372036854775799"},
    {"{\"line\":1,\"big\":-1e19}", "big must be at least -9223372036854775799"},
    {"{\"line\":1,\"baud\":9601}", "baud must be one of 9600, 115200"},
    {"{\"line\":1,\"volume_ml\":\"1\"}", "volume_ml must be a number"},
    {"{\"line\":1,\"volume_ml\":0.0005}", "volume_ml has too many decimals"},
    {"{\"line\":1,\"volume_ml\":50.001}", "volume_ml must be at most 50.000"},
    {"{\"line\":1,\"volume_ml\":-0.001}", "volume_ml must be at least 0.000"},
    {"{\"line\":1,\"rate\":0}", "rate must be more than 0.0"},
    {"{\"line\":1,\"rate\":-0.1}", "rate must be more than 0.0"},
    {"{\"line\":1,\"rate\":100.50000000000000000001}", "rate must be at most 100.5"},
    {"{\"line\":1,\"gain\":1e39}", "gain is too large"},
    {"{\"line\":1,\"gain\":false}", "gain must be a number"},
    {"{\"line\":1,\"dry\":\"true\"}", "dry must be true or false"},
    {"{\"line\":1,\"dry\":0}", "dry must be true or false"},
    {"{\"line\":1,\"note\":\"a\"}", "note must have at least 2 characters"},
    {"{\"line\":1,\"note\":\"\\u00e9\xC3\xA9\\ud83d\\ude00xy\"}", "note must have at most 4 characters"},
    {"{\"line\":1,\"note\":7}", "note must be a string"},
    {"{\"line\":1,\"mode\":\"Fast\"}", "mode must be one of fast, slow, very slow"},
    {"{\"line\":1,\"mode\":2}", "mode must be a string"},
    {"{\"line\":1,\"steps\":{}}", "steps must be an array"},
    {"{\"line\":1,\"steps\":[]}", "steps must have at least 1 elements"},
    {"{\"line\":1,\"steps\":[1,2,3,4]}", "steps must have at most 3 elements"},
    {"{\"line\":1,\"steps\":[{\"ml\":1},5]}", "steps[1] must be an object"},
    {"{\"line\":1,\"steps\":[{\"ml\":1},{\"ml\":2},{\"ml\":501}]}", "steps[2].ml must be at most 500"},
    {"{\"line\":1,\"steps\":[{\"ml\":1},{}]}", "steps[1].ml is missing"},
    {"{\"line\":1,\"steps\":[{\"ml\":1,\"x\":1}]}", "steps[0].x is not known"},
    {"{\"line\":1,\"steps\":[{\"ml\":1,\"rows\":[[1],[2,10]]}]}", "steps[0].rows[1][1] must be at most 9"},
    {"{\"line\":1,\"place\":[]}", "place must be an object"},
    {"{\"line\":1,\"place\":{\"x\":\"y\"}}", "place.x must be a whole number"},
    {"{\"line\":1,\"extra\":1}", "extra is not known"},
    {"{\"line\":1,\"\":1}", " is not known"},
    {"{\"line\":1,\"a\\\"\\u0001b\":1}", "a\\\"b is not known"},
    {"{\"Line\":1}", "Line is not known"},
};

static void refusals_name_the_member_and_the_rule(void)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s (failed)", refusals[i].text);
        expect(refusals[i].arguments, text);
    }
}

/* Defect 52: 4e90000, written with so many zeros after the decimal point that they make up for what an exponent may count to */
static void zeros_after_a_point_do_not_make_up_for_an_exponent(void)
{
    static const struct {
        const char *member, *text;
    } rows[] = {
        {"line", "line must be at most 4 (failed)"},
        {"big", "big must be at most 9223372036854775799 (failed)"},
        {"volume_ml", "volume_ml must be at most 50.000 (failed)"},
        {"gain", "gain is too large (failed)"},
    };
    static char zeros[9999], arguments[sizeof zeros + 64];

    memset(zeros, '0', sizeof zeros - 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        snprintf(arguments, sizeof arguments, "{%s\"%s\":0.%s4e99999}", i > 0 ? "\"line\":1," : "", rows[i].member,
                 zeros);
        expect(arguments, rows[i].text);
    }
}

/* Limits hold for the digits that were sent, not for the nearest double (defect 30). */
static void real_numbers_have_exact_limits(void)
{
    static const struct {
        const char *arguments, *text;
    } rows[] = {
        {"{\"inside\":0.5}", "inside must be more than 0.5 (failed)"},
        {"{\"inside\":0.50}", "inside must be more than 0.5 (failed)"},
        {"{\"inside\":0.49999999999999999999}", "inside must be more than 0.5 (failed)"},
        {"{\"inside\":0.5000000000000000000001}", "[[0,0.5]]"},
        {"{\"inside\":2.5}", "inside must be less than 2.5 (failed)"},
        {"{\"inside\":2.5000000000000000000001}", "inside must be less than 2.5 (failed)"},
        {"{\"inside\":2.4999999999999999999999}", "[[0,2.5]]"},
        {"{\"upto\":1.5}", "[[1,1.5]]"},
        {"{\"upto\":-1.5}", "[[1,-1.5]]"},
        {"{\"upto\":1.5000000000000000000001}", "upto must be at most 1.5 (failed)"},
        {"{\"upto\":-1.5000000000000000000001}", "upto must be at least -1.5 (failed)"},
        {"{\"upto\":-1.4999999999999999999999}", "[[1,-1.5]]"},
        {"{\"upto\":1.6}", "upto must be at most 1.5 (failed)"},
        {"{\"upto\":-1e400}", "upto must be at least -1.5 (failed)"},
        {"{\"below\":-0.5}", "[[2,-0.5]]"},
        {"{\"below\":-0.4999999999999999999999}", "below must be at most -0.5 (failed)"},
        {"{\"below\":-2.6}", "below must be at least -2.5 (failed)"},
        {"{\"any\":-1e22}", "[[3,-1e+22]]"},
        {"{\"any\":1e309}", "any is too large (failed)"},
        {"{\"any\":-1e309}", "any is too large (failed)"},
        {"{\"any\":1e-400}", "[[3,0]]"},
        {"{\"small\":1}", "small must be less than 1.0 (failed)"},
        {"{\"small\":1e39}", "small must be less than 1.0 (failed)"},
        {"{\"small\":-1e39}", "small must be at least -1.5 (failed)"},
        {"{\"small\":-1.5}", "[[4,-1.5]]"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].text, call_tool("real", rows[i].arguments), rows[i].arguments);
    }
    TEST_ASSERT_EQUAL_STRING("gain is too large (failed)", call_tool("all", "{\"line\":1,\"gain\":-1e39}"));
}

/* A choice is named when there is room for it and 32 bytes more; of 76 bytes (defect 30). */
static void choices_are_named_as_far_as_there_is_room(void)
{
    TEST_ASSERT_EQUAL_STRING("number must be one of 1000, 2000, 3000, 4000, 5000, ... (failed)",
                             call_tool("choice", "{\"number\":1}"));
    TEST_ASSERT_EQUAL_STRING("number1 must be one of 1000, 2000, 3000, 4000, ... (failed)",
                             call_tool("choice", "{\"number1\":1}"));
    TEST_ASSERT_EQUAL_STRING("word must be one of one thousand, two thousand, ... (failed)",
                             call_tool("choice", "{\"word\":\"one\"}"));
    TEST_ASSERT_EQUAL_STRING("word1 must be one of one thousand, ... (failed)",
                             call_tool("choice", "{\"word1\":\"one\"}"));
    TEST_ASSERT_EQUAL_STRING("[[0,9000]]", call_tool("choice", "{\"number\":9e3}"));
}

static void a_long_name_is_cut(void)
{
    char arguments[256], name[101], text[128];

    memset(name, 'n', 100);
    name[100] = '\0';
    snprintf(arguments, sizeof arguments, "{\"line\":1,\"%s\":1}", name);
    snprintf(text, sizeof text, "%.64s is not known (failed)", name);
    expect(arguments, text);
}

/* ---- Other tools ---- */

static void an_open_object_takes_anything(void)
{
    TEST_ASSERT_EQUAL_STRING("fine", call_tool("bare", "{}"));
    TEST_ASSERT_EQUAL_STRING("fine", call_tool("bare", "{\"a\":1,\"a\":[{}]}"));
}

static void raw_arguments_come_as_they_were_sent(void)
{
    TEST_ASSERT_EQUAL_STRING("{ \\\"a\\\":\\\"\\\\n\\\"}", call_tool("raw", "{ \"a\":\"\\n\"}"));
    TEST_ASSERT_EQUAL_STRING("all must be there (failed)", call_tool("raw", "{}"));
}

static void a_handler_that_needs_time_gets_them_once(void)
{
    TEST_ASSERT_EQUAL_STRING("", send("late", "{\"text\":\"\\u0068i \"}"));
    TEST_ASSERT_TRUE(skr_server_tick(&server, 1));
    TEST_ASSERT_NOT_NULL(strstr(heard(), "\"text\":\"first hi second\""));
    TEST_ASSERT_EQUAL_STRING("text is missing (failed)", call_tool("late", "{}"));
    TEST_ASSERT_EQUAL_STRING("text must be a string (failed)", call_tool("late", "{\"text\":1}")); /* and is not busy */
}

static void what_is_for_the_handler_is_not_sent(void)
{
    static const char list[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{" META "}}\n";

    skr_conn_rx(&conn, list, sizeof list - 1);
    const char *response = heard();
    TEST_ASSERT_NULL(strstr(response, "x-skillrom"));
    TEST_ASSERT_NULL(strstr(response, "deadlineMs"));
    TEST_ASSERT_NOT_NULL(strstr(response, "\"any\":{\"anyOf\":["));
}

static void the_table_says_what_the_description_does(void)
{
    static const char *const names[] = {"all", "bare", "choice", "form", "late", "raw", "real", "result"};

    TEST_ASSERT_EQUAL_UINT(8, SKR_TOOL_COUNT);
    for (size_t i = 0; i < SKR_TOOL_COUNT; i++) {
        bool late = i == 4, form = i == 3, choice = i == 2;
        TEST_ASSERT_EQUAL_STRING(names[i], skr_tools[i].name);
        TEST_ASSERT_EQUAL_UINT32(late ? 1000 : 0, skr_tools[i].deadline_ms);
        TEST_ASSERT_EQUAL_UINT32(late ? 300 : choice ? 76 : 0, skr_tools[i].output_max);
        TEST_ASSERT_EQUAL(late, skr_tools[i].read_only);
        TEST_ASSERT_EQUAL(form, skr_tools[i].structured);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(values_are_converted);
    RUN_TEST(a_number_is_what_it_is_however_it_is_spelled);
    RUN_TEST(large_numbers_are_exact_up_to_their_limit);
    RUN_TEST(refusals_name_the_member_and_the_rule);
    RUN_TEST(zeros_after_a_point_do_not_make_up_for_an_exponent);
    RUN_TEST(real_numbers_have_exact_limits);
    RUN_TEST(choices_are_named_as_far_as_there_is_room);
    RUN_TEST(a_long_name_is_cut);
    RUN_TEST(an_open_object_takes_anything);
    RUN_TEST(raw_arguments_come_as_they_were_sent);
    RUN_TEST(a_handler_that_needs_time_gets_them_once);
    RUN_TEST(what_is_for_the_handler_is_not_sent);
    RUN_TEST(the_table_says_what_the_description_does);
    return UNITY_END();
}
