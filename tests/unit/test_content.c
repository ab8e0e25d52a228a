/* test_content.c -- results of tools that are more than a text, with the tools of
 * tests/unit/args/device: what each call of the API puts on the wire. */
#include <stdio.h>
#include <string.h>

#define SKR_TOOLS_TABLE
#include "cli/pack.h"
#include "peer.h"
#include "tools.h"
#include "unity.h"

static const struct skr_span bytes = {"\x00\xFF\x10z", 4};

/* ---- Handlers ---- */

static int put_mixed(struct skr_call *call)
{
    skr_put(call, "before \xFF");
    skr_begin_image(call, "image/png");
    skr_put_static(call, bytes);
    skr_begin_text(call);
    skr_put(call, "between \"\x01");
    (void)skr_put_file(call, "skill://manual/SKILL.md");
    skr_put_link(call, "skill://manual/SKILL.md", "SKILL.md", "text/markdown");
    skr_begin_text(call);
    skr_put(call, "after");
    return 0;
}

static void put_resource(struct skr_call *call, bool blob)
{
    skr_begin_resource(call, "test://\"x\"", "text/plain");
    if (blob) {
        skr_set_binary(call);
        skr_put_span(call, bytes);
    } else {
        skr_put(call, "one\n");
        skr_put(call, "two\xFF");
    }
}

int tool_result(struct skr_call *call, const struct tool_result_args *args)
{
    switch (args->kind) {
    case TOOL_RESULT_KIND_TEXT:
        skr_begin_text(call);
        skr_put(call, "hi");
        break;
    case TOOL_RESULT_KIND_IMAGE:
        skr_begin_image(call, "image/png");
        skr_put_static(call, bytes);
        break;
    case TOOL_RESULT_KIND_COPIED:
        skr_begin_image(call, "image/png");
        skr_put_span(call, bytes);
        break;
    case TOOL_RESULT_KIND_AUDIO:
        skr_begin_audio(call, "audio/wav");
        skr_put_span(call, bytes);
        break;
    case TOOL_RESULT_KIND_RESOURCE: put_resource(call, false); break;
    case TOOL_RESULT_KIND_BLOB: put_resource(call, true); break;
    case TOOL_RESULT_KIND_FILE: TEST_ASSERT_TRUE(skr_put_file(call, "skill://manual/SKILL.md")); break;
    case TOOL_RESULT_KIND_NO_FILE:
        TEST_ASSERT_FALSE(skr_put_file(call, "skill://manual"));
        TEST_ASSERT_FALSE(skr_put_file(call, "skill://manual/x.md"));
        TEST_ASSERT_FALSE(skr_put_file(call, "other://manual/SKILL.md"));
        return skr_fail(call, "no file");
    case TOOL_RESULT_KIND_LINK: skr_put_link(call, "test://x", "the x", NULL); break;
    case TOOL_RESULT_KIND_MIXED: return put_mixed(call);
    case TOOL_RESULT_KIND_FLOOD:
        for (int i = 0; i < SKR_OUTPUT_MAX; i++) {
            skr_begin_text(call);
            skr_put(call, "x");
        }
        break;
    case TOOL_RESULT_KIND_FAIL: skr_begin_image(call, "image/png"); return skr_fail(call, "no picture");
    case TOOL_RESULT_KIND_OPEN: break;
    }
    return 0;
}

int tool_form(struct skr_call *call, const struct tool_form_args *args)
{
    if (args->has_how && args->how == TOOL_FORM_HOW_FORGET) {
        skr_put(call, "level 1.5");
        return 0;
    }
    if (args->has_how && args->how == TOOL_FORM_HOW_FAIL) {
        return skr_fail(call, "no sensor");
    }
    skr_begin_structured(call);
    skr_write_object(call, NULL);
    skr_write_fixed(call, "level", -15, 1);
    skr_write_array(call, "names");
    skr_write_string(call, NULL, "a\"\n\xFF{");
    skr_write_span(call, NULL, (struct skr_span){"[", 1});
    skr_write_object(call, NULL);
    if (args->has_how && args->how == TOOL_FORM_HOW_UNBALANCED) {
        return 0;
    }
    skr_write_end(call);
    skr_write_array(call, NULL);
    skr_write_end(call);
    skr_write_end(call);
    skr_write_int(call, "big", INT64_MIN);
    skr_write_bool(call, "on", true);
    skr_write_null(call, "off");
    skr_write_end(call);
    if (args->has_how && args->how == TOOL_FORM_HOW_EXTRA) {
        skr_write_end(call);
    }
    return 0;
}

int tool_all(struct skr_call *call, const struct tool_all_args *args)
{
    (void)args;
    return skr_fail(call, "not here");
}

int tool_choice(struct skr_call *call, const struct tool_choice_args *args)
{
    (void)args;
    return skr_fail(call, "not here");
}

int tool_real(struct skr_call *call, const struct tool_real_args *args)
{
    (void)args;
    return skr_fail(call, "not here");
}

int tool_bare(struct skr_call *call, const struct tool_bare_args *args)
{
    (void)args;
    return skr_fail(call, "not here");
}

int tool_raw(struct skr_call *call, const struct tool_raw_args *args)
{
    (void)args;
    return skr_fail(call, "not here");
}

/* Puts blocks over two calls. */
int tool_late(struct skr_call *call, const struct tool_late_args *args)
{
    skr_begin_resource(call, args != NULL ? "test://1" : "test://2", "text/plain");
    skr_put(call, args != NULL ? "one" : "two");
    return args != NULL ? SKR_PENDING : 0;
}

static const struct skr_device device = {.tools = skr_tools, .tool_count = SKR_TOOL_COUNT};

/* ---- Talking ---- */

static struct skr_server server;
static struct skr_conn conn;
static struct buf image, out;

static const char *exchange(const char *text)
{
    const void *p;
    size_t n;

    skr_conn_rx(&conn, text, strlen(text));
    out.n = 0;
    while ((n = skr_conn_tx(&conn, &p)) > 0) {
        buf_add(&out, p, n);
        skr_conn_tx_done(&conn, n);
    }
    return buf_str(&out);
}

static void open_with(const char *version)
{
    char text[256];

    skr_conn_open(&conn, &server, SKR_LINE);
    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\","
             "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n",
             version);
    TEST_ASSERT_NOT_NULL(strstr(exchange(text), version));
}

void setUp(void)
{
    static const struct pack_options options;
    struct diag diag = {.out = stderr};
    struct romfs fs;

    if (image.p == NULL) {
        TEST_ASSERT_TRUE(pack_folder("tests/unit/args/device", &options, &diag, &image, &fs));
    }
    TEST_ASSERT_EQUAL_INT(0, skr_server_init(&server, &device, image.p, image.n));
    open_with("2025-11-25");
}

void tearDown(void)
{
}

static void expect(const char *tool, const char *arguments, const char *result)
{
    char text[256], response[2048];

    snprintf(
        text, sizeof text,
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":{%s}}}\n",
        tool, arguments);
    snprintf(response, sizeof response, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{%s}}\n", result);
    TEST_ASSERT_EQUAL_STRING(response, exchange(text));
}

#define IMAGE "{\"type\":\"image\",\"data\":\"AP8Qeg==\",\"mimeType\":\"image/png\"}"
#define MANUAL                                                                                                         \
    "---\\nname: manual\\ndescription: Nothing but a file to embed. Use it in tests.\\n---\\nTurn \\\"left\\\".\\n"
#define FILE_BLOCK                                                                                                     \
    "{\"type\":\"resource\",\"resource\":{\"uri\":\"skill://manual/SKILL.md\",\"mimeType\":\"text/markdown\","         \
    "\"text\":\"" MANUAL "\"}}"

/* ---- Blocks ---- */

static void each_kind_of_block_has_its_shape(void)
{
    static const struct {
        const char *kind, *content;
    } rows[] = {
        {"text", "{\"type\":\"text\",\"text\":\"hi\"}"},
        {"image", IMAGE},
        {"copied", IMAGE},
        {"audio", "{\"type\":\"audio\",\"data\":\"AP8Qeg==\",\"mimeType\":\"audio/wav\"}"},
        {"resource",
         "{\"type\":\"resource\",\"resource\":{\"uri\":\"test://\\\"x\\\"\",\"mimeType\":\"text/plain\",\"text\":\"one\\ntwo\xEF\xBF\xBD\"}}"},
        {"blob",
         "{\"type\":\"resource\",\"resource\":{\"uri\":\"test://\\\"x\\\"\",\"mimeType\":\"text/plain\",\"blob\":\"AP8Qeg==\"}}"},
        {"file", FILE_BLOCK},
        {"link", "{\"type\":\"resource_link\",\"uri\":\"test://x\",\"name\":\"the x\"}"},
        {"open", "{\"type\":\"text\",\"text\":\"\"}"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char arguments[64], result[512];
        snprintf(arguments, sizeof arguments, "\"kind\":\"%s\"", rows[i].kind);
        snprintf(result, sizeof result, "\"content\":[%s]", rows[i].content);
        expect("result", arguments, result);
    }
}

static void blocks_come_in_the_order_they_were_put(void)
{
    expect(
        "result", "\"kind\":\"mixed\"",
        "\"content\":[{\"type\":\"text\",\"text\":\"before \xEF\xBF\xBD\"}," IMAGE
        ",{\"type\":\"text\",\"text\":\"between \\\"\"}," FILE_BLOCK
        ",{\"type\":\"resource_link\",\"uri\":\"skill://manual/SKILL.md\",\"name\":\"SKILL.md\",\"mimeType\":\"text/markdown\"},"
        "{\"type\":\"text\",\"text\":\"after\"}]");
}

static void a_failure_discards_blocks(void)
{
    expect("result", "\"kind\":\"fail\"", "\"content\":[{\"type\":\"text\",\"text\":\"no picture\"}],\"isError\":true");
    expect("result", "\"kind\":\"no file\"", "\"content\":[{\"type\":\"text\",\"text\":\"no file\"}],\"isError\":true");
}

static void more_blocks_than_fit_are_an_error_that_says_so(void)
{
    expect(
        "result", "\"kind\":\"flood\"",
        "\"content\":[{\"type\":\"text\",\"text\":\"the result exceeds SKR_OUTPUT_MAX (16384 bytes)\"}],\"isError\":true");
}

static void blocks_add_up_over_the_calls_of_a_handler(void)
{
    TEST_ASSERT_EQUAL_STRING(
        "", exchange("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"late\","
                     "\"arguments\":{\"text\":\"\"}}}\n"));
    TEST_ASSERT_TRUE(skr_server_tick(&server, 1));
    TEST_ASSERT_EQUAL_STRING(
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":["
        "{\"type\":\"resource\",\"resource\":{\"uri\":\"test://1\",\"mimeType\":\"text/plain\",\"text\":\"one\"}},"
        "{\"type\":\"resource\",\"resource\":{\"uri\":\"test://2\",\"mimeType\":\"text/plain\",\"text\":\"two\"}}]}}\n",
        exchange(""));
}

static void older_clients_get_what_they_know(void)
{
    open_with("2025-03-26");
    expect("result", "\"kind\":\"link\"", "\"content\":[{\"type\":\"text\",\"text\":\"the x: test://x\"}]");
    expect("result", "\"kind\":\"audio\"",
           "\"content\":[{\"type\":\"audio\",\"data\":\"AP8Qeg==\",\"mimeType\":\"audio/wav\"}]");
    open_with("2024-11-05");
    expect(
        "result", "\"kind\":\"audio\"",
        "\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"audio:\",\"mimeType\":\"audio/wav\",\"blob\":\"AP8Qeg==\"}}]");
}

/* ---- Structured content ---- */

static void structured_content_comes_as_text_too(void)
{
    expect(
        "form", "",
        "\"content\":[{\"type\":\"text\",\"text\":\"{\\\"level\\\":-1.5,\\\"names\\\":[\\\"a\\\\\\\"\\\\n\xEF\xBF\xBD{\\\",\\\"[\\\",{},[]],"
        "\\\"big\\\":-9223372036854775808,\\\"on\\\":true,\\\"off\\\":null}\"}],"
        "\"structuredContent\":{\"level\":-1.5,\"names\":[\"a\\\"\\n\xEF\xBF\xBD{\",\"[\",{},[]],"
        "\"big\":-9223372036854775808,\"on\":true,\"off\":null}");
}

/* defect 77: they were closed, and what closed too much was ignored */
static void brackets_that_do_not_match_are_an_error(void)
{
#define WRONG "\"content\":[{\"type\":\"text\",\"text\":\"unbalanced skr_write_end in its handler\"}],\"isError\":true"
    expect("form", "\"how\":\"unbalanced\"", WRONG);
    expect("form", "\"how\":\"extra\"", WRONG);
    open_with("2025-03-26");
    expect("form", "\"how\":\"unbalanced\"", WRONG);
}

static void a_promise_of_structured_content_is_kept(void)
{
    expect("form", "\"how\":\"forget\"",
           "\"content\":[{\"type\":\"text\",\"text\":\"its handler puts no structured content\"}],\"isError\":true");
    expect("form", "\"how\":\"fail\"", "\"content\":[{\"type\":\"text\",\"text\":\"no sensor\"}],\"isError\":true");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(each_kind_of_block_has_its_shape);
    RUN_TEST(blocks_come_in_the_order_they_were_put);
    RUN_TEST(a_failure_discards_blocks);
    RUN_TEST(more_blocks_than_fit_are_an_error_that_says_so);
    RUN_TEST(blocks_add_up_over_the_calls_of_a_handler);
    RUN_TEST(older_clients_get_what_they_know);
    RUN_TEST(structured_content_comes_as_text_too);
    RUN_TEST(brackets_that_do_not_match_are_an_error);
    RUN_TEST(a_promise_of_structured_content_is_kept);
    return UNITY_END();
}
