/* test_dialects.c -- what transcripts cannot show: the golden fixture of the contract with
 * its handlers, whose answers the contract prints; another base for URIs; and dialects
 * that take turns on one connection without a trace of each other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/pack.h"
#include "peer.h"
#include "unity.h"

#define GOLDEN "tests/wire/devices/golden"
#define DIALECTS "tests/wire/devices/dialects"

static int pump_status(struct skr_call *call)
{
    skr_put(call, "idle");
    return 0;
}

static int purge_cycle(struct skr_call *call)
{
    skr_put(call, "line 3: 8 s, flow 0.42 l/min, steady");
    return 0;
}

static const struct skr_tool tools[] = {
    {.name = "pump_status", .run = pump_status},
    {.name = "purge-line.purge_cycle", .run = purge_cycle},
};
static const struct skr_device device = {.tools = tools, .tool_count = 2};

static struct buf image;

/* Serves a folder, packed with this base. */
static void serve(const char *folder, const char *base)
{
    struct diag diag = {.silent = true};
    struct pack_options options = {.load = {.base = base}};
    struct romfs fs;

    image = (struct buf){0};
    TEST_ASSERT_TRUE_MESSAGE(pack_folder(folder, &options, &diag, &image, &fs), "run from the top folder");
    TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, &device, image.p, image.n));
    peer_open(SKR_LINE);
    peer_initialize("2025-11-25");
}

void setUp(void)
{
    serve(GOLDEN, NULL);
}

void tearDown(void)
{
    free(image.p);
}

static const char *exchange(const char *method, const char *params)
{
    static char text[1000];

    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"%s\",\"params\":{%s}}\n", method, params);
    return peer_exchange(text);
}

static void expect_result(const char *method, const char *params, const char *result)
{
    struct buf expected = {0};

    buf_printf(&expected, "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{%s}}\n", result);
    TEST_ASSERT_EQUAL_STRING(buf_str(&expected), exchange(method, params));
    free(expected.p);
}

/* ---- The golden fixture, as the contract prints it ---- */

#define BODY(line)                                                                                                     \
    "\"instructions\":\"# Purge a dosing line\\n\\n1. Call `pump_status` for line " line                               \
    " and stop if a fault is latched.\\n2. Read [limits](references/limits.md).\\n"                                    \
    "3. Run `scripts/purge_cycle.lua` until flow is steady.\""
#define DESCRIPTION                                                                                                    \
    "\"description\":\"Purge a dosing line and verify flow. Use when a pump was idle for over eight hours "            \
    "or "                                                                                                              \
    "after a fluid change.\""
#define AT "skill://plant/pumps/purge-line/"

/* [SK-E-01] [SK-E-02] [SK-E-06] */
static void activating_the_golden_skill_gives_what_the_contract_prints(void)
{
    expect_result("skills/activate", "\"name\":\"purge-line\"",
                  BODY("{{line}}") ",\"contents\":{\"tools\":[{\"name\":\"purge-line.purge_cycle\","
                                   "\"description\":\"Run one timed purge cycle\",\"inputSchema\":{\"type\":\"object\","
                                   "\"properties\":{\"line\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":4}},"
                                   "\"required\":[\"line\"]}}],\"resources\":[{\"uri\":\"" AT "references/limits.md\","
                                   "\"name\":\"limits.md\",\"description\":\"Pressure and volume limits per line\","
                                   "\"mimeType\":\"text/markdown\",\"size\":71}]}");
}

/* [SK-D-04] [SK-D-05] [SK-D-06] */
static void getting_the_golden_skill_by_name_gives_what_the_contract_prints(void)
{
    expect_result("skills/get", "\"name\":\"purge-line\",\"arguments\":{\"line\":\"3\"}",
                  DESCRIPTION "," BODY(
                      "3") ",\"dependencies\":{\"tools\":[\"pump_status\"]},\"files\":["
                           "{\"name\":\"references/limits.md\",\"uri\":\"" AT "references/limits.md\","
                           "\"description\":\"Pressure and volume limits per line\",\"mimeType\":\"text/markdown\","
                           "\"required\":false},{\"name\":\"scripts/purge_cycle.lua\",\"uri\":\"" AT
                           "scripts/purge_cycle.lua\","
                           "\"description\":\"Run one timed purge "
                           "cycle\",\"mimeType\":\"text/x-lua\",\"required\":false}]");
}

/* [SK-F-02] [SK-F-03] [SK-F-05] [SK-F-06] [SK-F-07] */
static void reading_the_golden_skill_gives_what_the_contract_prints(void)
{
    expect_result("skills/read", "\"name\":\"purge-line\"",
                  "\"skill\":{\"name\":\"purge-line\"," DESCRIPTION
                  "," BODY("{{line}}") ","
                                       "\"scripts\":[{\"name\":\"purge_cycle.lua\",\"description\":\"Run one timed "
                                       "purge cycle\","
                                       "\"path\":\"scripts/purge_cycle.lua\"}],\"references\":[{\"name\":\"limits.md\","
                                       "\"description\":\"Pressure and volume limits per "
                                       "line\",\"path\":\"references/limits.md\"}],"
                                       "\"metadata\":{\"author\":\"plant-team\",\"version\":\"1.2.0\",\"license\":"
                                       "\"Apache-2.0\"}}");
    expect_result("skills/read_reference", "\"name\":\"purge-line\",\"reference\":\"limits\"",
                  "\"content\":{\"uri\":\"" AT "references/limits.md\",\"mimeType\":\"text/markdown\","
                  "\"text\":\"# Limits\\n\\n| Line | Max bar |\\n| --- | --- |\\n| 1-2 | 3.0 |\\n| 3-4 | 4.5 |\\n\"}");
}

/* [SK-F-01] [SK-X-14] [SK-X-19] */
static void its_script_is_declared_and_runs(void)
{
    const char *hello = peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
                                      "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                                      "\"clientInfo\":{\"name\":\"x\",\"version\":\"1\"}}}\n");

    TEST_ASSERT_NOT_NULL(strstr(hello, "\"skills\":{\"listChanged\":false,\"scripts\":true}"));
    expect_result("skills/execute", "\"name\":\"purge-line\",\"script\":\"purge_cycle\",\"arguments\":{\"line\":3}",
                  "\"content\":[{\"type\":\"text\",\"text\":\"line 3: 8 s, flow 0.42 l/min, "
                  "steady\"}],\"isError\":false");
}

/* [SK-E-03] [SK-X-18] */
static void its_scoped_tool_is_in_no_list_and_can_be_called(void)
{
    const char *list = exchange("tools/list", "");

    TEST_ASSERT_NULL(strstr(list, "purge_cycle"));
    TEST_ASSERT_NOT_NULL(strstr(list, "\"name\":\"pump_status\""));
    expect_result("tools/call", "\"name\":\"purge-line.purge_cycle\",\"arguments\":{\"line\":3}",
                  "\"content\":[{\"type\":\"text\",\"text\":\"line 3: 8 s, flow 0.42 l/min, steady\"}]");
}

/* ---- Another base ---- */

/* [SK-V-61] [SK-B-10] the index stays where clients look for it, and names the others. */
static void with_another_base_the_index_is_where_it_was(void)
{
    serve(GOLDEN, "plant://site/");
    const char *index = exchange("resources/read", "\"uri\":\"skill://index.json\"");
    TEST_ASSERT_NOT_NULL(strstr(index, "\\\"url\\\":\\\"plant://site/plant/pumps/purge-line/SKILL.md\\\""));
    TEST_ASSERT_NOT_NULL(strstr(exchange("resources/list", ""), "{\"uri\":\"skill://index.json\","));
    TEST_ASSERT_NOT_NULL(strstr(exchange("resources/read", "\"uri\":\"plant://site/index.json\""), "\"code\":-32002"));
    expect_result("resources/directory/read", "\"uri\":\"plant://site/\"",
                  "\"resources\":[{\"uri\":\"plant://site/plant\",\"name\":\"plant\",\"mimeType\":\"inode/"
                  "directory\"}]");
    TEST_ASSERT_NOT_NULL(strstr(exchange("skills/get", "\"name\":\"purge-line\",\"arguments\":{\"line\":\"3\"}"),
                                "\"uri\":\"plant://site/plant/pumps/purge-line/references/limits.md\""));
    TEST_ASSERT_NOT_NULL(strstr(exchange("resources/list", "\"uri\":\"plant://site/plant/pumps/purge-line\""),
                                "{\"uri\":\"plant://site/plant/pumps/purge-line/references/limits.md\""));
}

/* ---- All simultaneously ---- */

/* [SK-X-05] [SK-D-08] [SK-E-07] [SK-E-10] no response depends on what was asked before. */
static void responses_do_not_depend_on_the_order_of_requests(void)
{
    static const struct {
        const char *method, *params;
    } requests[] = {
        {"skills/list", ""},
        {"skills/list", "\"_meta\":{\"dev.skillrom/form\":\"lean\"}"},
        {"skills/get", "\"uri\":\"skill://plant/clear-fault/SKILL.md\""},
        {"skills/get", "\"name\":\"clear-fault\",\"arguments\":{\"line\":\"3\"}"},
        {"skills/get", "\"name\":\"twin\""},
        {"skills/activate", "\"name\":\"clear-fault\""},
        {"skills/read", "\"name\":\"clear-fault\""},
        {"skills/read_reference", "\"name\":\"clear-fault\",\"reference\":\"picture\""},
        {"skills/read_reference", "\"name\":\"clear-fault\",\"reference\":\"none\""},
        {"resources/read", "\"uri\":\"skill://index.json\""},
        {"resources/read", "\"uri\":\"skill://plant/clear-fault.zip\""},
        {"resources/list", "\"uri\":\"skill://plant/clear-fault\""},
        {"resources/directory/read", "\"uri\":\"skill://\""},
        {"tools/call", "\"name\":\"read_skill\",\"arguments\":{\"name\":\"clear-fault\",\"offset\":20,\"length\":40}"},
        {"prompts/get", "\"name\":\"clear-fault\",\"arguments\":{\"line\":\"3\"}"},
    };
    enum { COUNT = sizeof requests / sizeof requests[0] };
    char *first[COUNT];
    uint32_t random = 1;

    serve(DIALECTS, NULL);
    for (size_t i = 0; i < COUNT; i++) {
        first[i] = strdup(exchange(requests[i].method, requests[i].params));
    }
    for (unsigned round = 0; round < 2000; round++) {
        random = random * 1664525u + 1013904223u;
        size_t i = (random >> 16) % COUNT;
        peer.take = round % 7;
        TEST_ASSERT_EQUAL_STRING(first[i], exchange(requests[i].method, requests[i].params));
    }
    peer.take = 0;
    for (size_t i = 0; i < COUNT; i++) {
        free(first[i]);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(activating_the_golden_skill_gives_what_the_contract_prints);
    RUN_TEST(getting_the_golden_skill_by_name_gives_what_the_contract_prints);
    RUN_TEST(reading_the_golden_skill_gives_what_the_contract_prints);
    RUN_TEST(its_script_is_declared_and_runs);
    RUN_TEST(its_scoped_tool_is_in_no_list_and_can_be_called);
    RUN_TEST(with_another_base_the_index_is_where_it_was);
    RUN_TEST(responses_do_not_depend_on_the_order_of_requests);
    return UNITY_END();
}
