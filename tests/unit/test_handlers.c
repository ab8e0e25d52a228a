/* test_handlers.c -- what a handler gets when it asks for more than there is: time, questions and progress without a
 * deadline, nested JSON without end, blocks that do not fit. None of it may harm, and each says what it is. */
#include <stdio.h>
#include <string.h>

#include "revisions.h"
#include "unity.h"

static int (*does)(struct skr_call *call);

static int run(struct skr_call *call)
{
    return does(call);
}

/* The sample's image describes them: `echo` is done immediately, `need` may take its time, `fail` has little room. */
static const struct skr_tool tools[] = {
    {.name = "echo", .run = run},
    {.name = "need", .run = run, .deadline_ms = 1000},
    {.name = "fail", .run = run, .output_max = 200},
    {.name = "numbers", .run = run, .deadline_ms = 1000, .output_max = SKR_JOB_OUTPUT_MAX + 1},
};
static const struct skr_device device = {.tools = tools, .tool_count = sizeof tools / sizeof tools[0], .logs = true};

void setUp(void)
{
    peer_start(SKR_LINE, 0);
    TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, &device, peer.image.p, peer.image.n));
    peer_open(SKR_LINE);
}

void tearDown(void)
{
}

#define RESPONSE(members) "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{" members "}}\n"
#define TEXT(text) "\"content\":[{\"type\":\"text\",\"text\":\"" text "\"}]"

static const char *call(const char *tool, int (*handler)(struct skr_call *call))
{
    static char text[256];

    does = handler;
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\"}}\n", tool);
    return peer_exchange(text);
}

static const char *result_of(const char *tool, int (*handler)(struct skr_call *call))
{
    peer_initialize("2025-11-25");
    return call(tool, handler);
}

/* ---- Without a deadline ---- */

static int notify_without_time(struct skr_call *call)
{
    bool nothing = skr_job_ms(call) == 0 && !skr_cancelled(call);

    skr_progress(call, 1, 2, "half");
    skr_log(call, SKR_LOG_ERROR, "alas");
    nothing = nothing && !skr_close_stream(call, 5);
    skr_put(call, nothing ? "nothing of it" : "something");
    skr_put_span(call, skr_args_json(call));
    return 0;
}

static void a_handler_without_a_deadline_has_neither_time_nor_client_requests(void)
{
    TEST_ASSERT_EQUAL_STRING(RESPONSE(TEXT("nothing of it{}")), result_of("echo", notify_without_time));
}

/* As large as a state may be. */
struct largest {
    uint64_t first;
    char rest[SKR_JOB_STATE - 2 * sizeof(uint64_t)];
    uint64_t last;
};

/* Writes all of a state, with output before and after it. */
static int keep_a_state(struct skr_call *call)
{
    skr_put(call, "before");
    struct largest *state = SKR_JOB_STATE_OF(call, struct largest);
    TEST_ASSERT_EQUAL_UINT64(0, (uintptr_t)state % sizeof(uint64_t));
    for (size_t i = 0; i < sizeof *state; i++) {
        TEST_ASSERT_EQUAL_UINT8(0, ((const char *)state)[i]);
    }
    memset(state, 0xA5, sizeof *state);
    skr_put(call, "behind");
    TEST_ASSERT_EQUAL_PTR(state, SKR_JOB_STATE_OF(call, struct largest));
    TEST_ASSERT_EQUAL_UINT64(state->first, state->last);
    TEST_ASSERT_EQUAL_UINT64(0xA5A5A5A5A5A5A5A5u, state->first);
    return 0;
}

static int keep_a_state_and_fail(struct skr_call *call)
{
    (void)keep_a_state(call);
    return skr_fail(call, "the valve is stuck");
}

static int keep_a_state_in_a_block(struct skr_call *call)
{
    skr_begin_image(call, "image/png");
    (void)keep_a_state(call);
    skr_begin_text(call);
    return SKR_PENDING;
}

static int elicit_without_time(struct skr_call *call)
{
    struct skr_reply reply;

    skr_put(call, skr_elicit_form(call, "k", "What?", "{}", &reply) ? "asked" : "not asked");
    return 0;
}

static int need_time(struct skr_call *call)
{
    skr_put(call, "soon");
    return SKR_PENDING;
}

/* Defect 73: the state was NULL, and the handler's first access to it the end of the program. */
static void what_needs_a_deadline_ends_a_tool_call_without_one_with_the_name_of_the_tool_and_the_remedy(void)
{
    static int (*const handlers[])(struct skr_call *) = {keep_a_state, keep_a_state_and_fail, keep_a_state_in_a_block,
                                                         elicit_without_time, need_time};
    static const char *const names[] = {"echo", "fail"}; /* the second has room for little output */
    char expected[400];

    peer_initialize("2025-11-25");
    for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++) {
        for (size_t k = 0; k < 2; k++) {
            snprintf(
                expected, sizeof expected,
                RESPONSE(TEXT(
                    "%s: its handler keeps a state, sends client requests or returns "
                    "SKR_PENDING, but has no deadlineMs; add \\\"x-skillrom\\\": {\\\"deadlineMs\\\": 10000} to the tool's "
                    "JSON file") ",\"isError\":true"),
                names[k]);
            TEST_ASSERT_EQUAL_STRING(expected, call(names[k], handlers[i]));
        }
    }
}

/* What comes after such a run is served as if nothing had been. */
static void a_tool_call_without_its_deadline_leaves_nothing_behind(void)
{
    peer_initialize("2025-11-25");
    (void)call("echo", keep_a_state);
    TEST_ASSERT_EQUAL_STRING(RESPONSE(TEXT("nothing of it{}")), call("echo", notify_without_time));
}

static void a_state_may_be_as_large_as_its_limit(void)
{
    TEST_ASSERT_EQUAL_STRING(RESPONSE(TEXT("beforebehind")), result_of("need", keep_a_state));
}

static int take_too_much_state(struct skr_call *call)
{
    TEST_ASSERT_NULL(skr_job_state(call, SKR_JOB_STATE + 1)); /* SKR_JOB_STATE_OF would not compile */
    return 0;
}

static void a_state_beyond_its_limit_is_an_error_that_names_tool_and_limit(void)
{
    static const char *const names[] = {"echo", "need"};
    char expected[200];

    peer_initialize("2025-11-25");
    for (size_t i = 0; i < 2; i++) {
        snprintf(expected, sizeof expected,
                 RESPONSE(TEXT("%s: its state is larger than SKR_JOB_STATE; raise that in "
                               "SKR_USER_CONFIG") ",\"isError\":true"),
                 names[i]);
        TEST_ASSERT_EQUAL_STRING(expected, call(names[i], take_too_much_state));
    }
}

static int (*reads)(struct skr_call *call);

static int read_resource(struct skr_call *call, struct skr_span var)
{
    (void)var;
    return reads(call);
}

static void a_resource_has_neither_state_nor_time(void)
{
    static const struct skr_resource resource = {
        .uri = "x://y", .json = "{\"uri\":\"x://y\",\"name\":\"y\"}", .mime = "text/plain", .read = read_resource};
    static const struct skr_device with_resource = {.resources = &resource, .resource_count = 1};
    static int (*const handlers[])(struct skr_call *) = {keep_a_state, keep_a_state_and_fail, elicit_without_time,
                                                         need_time};

    TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, &with_resource, peer.image.p, peer.image.n));
    peer_open(SKR_LINE);
    peer_initialize("2025-11-25");
    for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++) {
        reads = handlers[i];
        TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(
                peer_exchange(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"x://y\"}}\n"),
                "The device says: a resource: its handler keeps a state, sends client requests or returns SKR_PENDING, which only tools "
                "may"),
            buf_str(&peer.out));
    }
}

/* ---- JSON ---- */

static int write_without_names(struct skr_call *call)
{
    skr_begin_structured(call);
    skr_write_object(call, "top");
    skr_write_bool(call, NULL, false);
    skr_write_array(call, "a");
    skr_write_bool(call, "ignored", true);
    skr_write_end(call);
    skr_write_end(call);
    return 0;
}

static void members_without_a_name_have_an_empty_one(void)
{
    const char *text = result_of("echo", write_without_names);

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, "\"structuredContent\":{\"\":false,\"a\":[true]}"), text);
}

static int write_too_deep(struct skr_call *call)
{
    skr_begin_structured(call);
    for (int i = 0; i < 40; i++) {
        skr_write_array(call, NULL);
    }
    return 0;
}

/* 31 levels are as many as there is a record of. */
static int write_deep(struct skr_call *call)
{
    skr_begin_structured(call);
    for (int i = 0; i < 31; i++) {
        skr_write_array(call, NULL);
    }
    for (int i = 0; i < 31; i++) {
        skr_write_end(call);
    }
    return 0;
}

static void brackets_are_counted_up_to_31_levels(void)
{
    const char *text = result_of("echo", write_deep);

    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(text, "\"structuredContent\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}"), text);
    TEST_ASSERT_EQUAL_STRING(RESPONSE(TEXT("the result exceeds SKR_OUTPUT_MAX (16384 bytes)") ",\"isError\":true"),
                             result_of("echo", write_too_deep));
}

/* Fills the room for output but for `left` bytes, inside an array. */
static size_t left;

static int write_up_to_the_end(struct skr_call *call)
{
    static char text[SKR_OUTPUT_MAX];

    memset(text, 'x', sizeof text);
    skr_begin_structured(call);
    skr_write_array(call, NULL);
    skr_write_span(call, NULL, (struct skr_span){text, left});
    skr_write_end(call);
    return 0;
}

/* Whatever the size, the response is JSON with all brackets closed, or says that the result is too large. */
static void brackets_that_do_not_fit_are_an_error(void)
{
    unsigned whole = 0, broken = 0;

    for (left = 0; left < 300; left++) {
        const char *text = result_of("fail", write_up_to_the_end);
        bool error = strstr(text, "\"isError\":true}}\n") != NULL;
        TEST_ASSERT_TRUE_MESSAGE(error == (strstr(text, "the result exceeds its outputMax") != NULL), text);
        TEST_ASSERT_TRUE_MESSAGE(error || strstr(text, "x\"]}}\n") != NULL || left == 0, text);
        TEST_ASSERT_TRUE_MESSAGE(error || broken == 0, "once it does not fit, nothing larger does");
        whole += !error;
        broken += error;
    }
    TEST_ASSERT_TRUE(whole > 0 && broken > 0);
}

/* ---- Blocks ---- */

static int lend_before_any_block(struct skr_call *call)
{
    skr_put_static(call, (struct skr_span){"lost", 4});
    skr_put(call, "text");
    return 0;
}

static int lend_to_a_block_that_does_not_fit(struct skr_call *call)
{
    skr_begin_resource(
        call,
        "test://a/uri/that/is/longer/than/what/is/left/of/the/room/for/output/when/a/header/of/a/block/has/"
        "been/put/there/and/some/more/so/that/it/never/fits/into/two/hundred/bytes/whatever/the/header/takes",
        "text/plain");
    skr_put_static(call, (struct skr_span){"lent", 4});
    return 0;
}

static void bytes_are_lent_to_a_block_that_is_there(void)
{
    TEST_ASSERT_EQUAL_STRING(RESPONSE(TEXT("text")), result_of("echo", lend_before_any_block));
    TEST_ASSERT_EQUAL_STRING(RESPONSE(TEXT("the result exceeds its outputMax") ",\"isError\":true"),
                             result_of("fail", lend_to_a_block_that_does_not_fit));
}

static int fail_with_a_block(struct skr_call *call)
{
    skr_fail(call, "broken: ");
    skr_begin_text(call);
    skr_put(call, "see the picture");
    return 0;
}

static void an_error_may_have_blocks(void)
{
    TEST_ASSERT_EQUAL_STRING(
        RESPONSE("\"content\":[{\"type\":\"text\",\"text\":\"broken: \"},{\"type\":\"text\",\"text\":"
                 "\"see the picture\"}],\"isError\":true"),
        result_of("echo", fail_with_a_block));
}

static int put_a_file_later(struct skr_call *call)
{
    bool *again = SKR_JOB_STATE_OF(call, bool);

    if (!*again) {
        *again = true;
        return SKR_PENDING;
    }
    skr_put(call, skr_put_file(call, "skill://one/a.md") ? "" : "no file");
    return 0;
}

/* The run ends with the first image, its response leaves with the second, which lacks the file. */
static void a_file_that_is_gone_when_its_response_leaves_is_empty(void)
{
    static const struct skr_tool slow = {.name = "echo", .run = run, .deadline_ms = 1000};
    static const struct skr_device slow_device = {.tools = &slow, .tool_count = 1};
    static const struct revision gone = {NULL, "b", '1', "echo", "greet"};

    revision_start(SKR_LINE);
    TEST_ASSERT_EQUAL(0,
                      skr_server_init(&peer.server, &slow_device, peer.server.fs->image, peer.server.fs->header->size));
    skr_server_can_swap(&peer.server, true);
    peer_open(SKR_LINE);
    TEST_ASSERT_EQUAL_STRING("", result_of("echo", put_a_file_later));
    skr_server_tick(&peer.server, 1);
    revision_swap(&gone);
    peer_drain();
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(buf_str(&peer.out),
               RESPONSE(
                   "\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"skill://one/a.md\",\"text\":\"\"}}]")),
        buf_str(&peer.out));
    revision_forget();
}

/* ---- Limits ---- */

static int flood(struct skr_call *call)
{
    for (size_t i = 0; i <= SKR_JOB_OUTPUT_MAX; i++) {
        skr_put(call, "x");
    }
    return 0;
}

static void a_limit_beyond_the_buffer_is_that_of_the_buffer(void)
{
    TEST_ASSERT_EQUAL_STRING(RESPONSE(TEXT("the result exceeds SKR_JOB_OUTPUT_MAX (65536 bytes)") ",\"isError\":true"),
                             result_of("numbers", flood));
}

static int quote_too_much(struct skr_call *call)
{
    skr_begin_structured(call);
    skr_write_object(call, NULL);
    for (int i = 0; i < 100; i++) {
        skr_write_string(call, "name", "value");
    }
    return 0;
}

static void a_text_after_the_end_of_the_room_is_not_put(void)
{
    TEST_ASSERT_EQUAL_STRING(RESPONSE(TEXT("the result exceeds its outputMax") ",\"isError\":true"),
                             result_of("fail", quote_too_much));
}

/* ---- States ---- */

static int elicit_with_a_state(struct skr_call *call)
{
    struct skr_reply reply;

    (void)SKR_JOB_STATE_OF(call, uint32_t);
    return skr_elicit_form(call, "k", "What?", "{}", &reply) ? 0 : SKR_PENDING;
}

/* [STATE-01] without a seed no state can be ours */
static void without_a_seed_no_state_is_accepted(void)
{
    does = elicit_with_a_state;
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(
            peer_exchange(peer_modern("tools/call", "\"name\":\"need\",\"requestState\":\"AAAAAAAAAAAAAAAAAAAAAAAA\"")),
            "\"code\":-32602"),
        buf_str(&peer.out));
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(peer_exchange(
                   "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"need\",\"_meta\":{"
                   "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                   "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}}}\n"),
               "the device has no seed"),
        buf_str(&peer.out));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_handler_without_a_deadline_has_neither_time_nor_client_requests);
    RUN_TEST(what_needs_a_deadline_ends_a_tool_call_without_one_with_the_name_of_the_tool_and_the_remedy);
    RUN_TEST(a_tool_call_without_its_deadline_leaves_nothing_behind);
    RUN_TEST(a_state_may_be_as_large_as_its_limit);
    RUN_TEST(a_state_beyond_its_limit_is_an_error_that_names_tool_and_limit);
    RUN_TEST(a_resource_has_neither_state_nor_time);
    RUN_TEST(members_without_a_name_have_an_empty_one);
    RUN_TEST(brackets_are_counted_up_to_31_levels);
    RUN_TEST(brackets_that_do_not_fit_are_an_error);
    RUN_TEST(bytes_are_lent_to_a_block_that_is_there);
    RUN_TEST(an_error_may_have_blocks);
    RUN_TEST(a_file_that_is_gone_when_its_response_leaves_is_empty);
    RUN_TEST(a_limit_beyond_the_buffer_is_that_of_the_buffer);
    RUN_TEST(a_text_after_the_end_of_the_room_is_not_put);
    RUN_TEST(without_a_seed_no_state_is_accepted);
    return UNITY_END();
}
