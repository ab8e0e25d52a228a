/* test_images_rare.c -- images that the compiler makes of unusual devices: prompts without skills, a prompt and a skill of one
 * name, files of one name, skills that are all unlisted, more arguments or deeper schemas than a device looks at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "talk.h"
#include "unity.h"

static struct source sources[16];
static size_t source_count;
static struct skill skill;
static struct prompt prompt;
static struct prompt_part part;
static struct tool tool;
static struct device about;

static void put_file(const char *path, const char *text, bool script)
{
    sources[source_count++] = (struct source){.path = xstrdup(path),
                                              .disk_path = "",
                                              .mime = "text/plain",
                                              .text = true,
                                              .is_script = script,
                                              .tool = SIZE_MAX,
                                              .size = strlen(text),
                                              .bytes = (uint8_t *)sample_exact_copy(text, strlen(text))};
}

static void put_directory(const char *path)
{
    sources[source_count++] = (struct source){.path = xstrdup(path), .disk_path = "", .is_dir = true};
}

void setUp(void)
{
    source_count = 0;
    part = (struct prompt_part){"Say nothing.", -1};
    prompt = (struct prompt){.name = "plain", .json = "{\"name\":\"plain\"}", .parts = &part, .part_count = 1};
    tool = (struct tool){.name = "echo", .json = "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}"};
    about = (struct device){
        .base = "skill://", .server_info = "{\"name\":\"sample\",\"version\":\"1\"}", .tools = &tool, .tool_count = 1};
}

void tearDown(void)
{
}

static void has_prompt(void)
{
    about.prompts = &prompt;
    about.prompt_count = 1;
}

static void has_skill(bool listed)
{
    skill = (struct skill){.path = "one",
                           .disk_path = "",
                           .name = "one",
                           .name_json = "\"one\"",
                           .listed = listed,
                           .files = sources,
                           .file_count = source_count,
                           .description_json = "\"For tests\"",
                           .body = 18,
                           .frontmatter = "{\"name\":\"one\",\"description\":\"For tests\"}"};
    about.skills = &skill;
    about.skill_count = 1;
}

#define MANIFEST "---\nname: one\n---\nX\n"

static void serve(enum skr_wire wire)
{
    struct diag diag = {.out = stderr};
    talk.image = (struct buf){0};
    TEST_ASSERT_TRUE(image_build(&about, &(struct image_options){0}, &diag, &talk.image));
    TEST_ASSERT_EQUAL(0, talk_serve(talk.image.p, talk.image.n));
    talk_open(wire);
}

static void expect(const char *part_of_it, const char *text)
{
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, part_of_it), text);
}

/* ---- Prompts ---- */

static void a_device_with_prompts_alone_completes_their_arguments(void)
{
    has_prompt();
    serve(SKR_LINE);
    expect("\"prompts\":{},\"completions\":{}", talk_ask(talk_modern("server/discover", "")));
}

/* the name means the prompt, and is listed once */
static void a_skill_with_the_name_of_a_prompt_is_none(void)
{
    put_file("SKILL.md", MANIFEST, false);
    has_skill(true);
    prompt.name = "one";
    prompt.json = "{\"name\":\"one\",\"title\":\"The prompt\"}";
    has_prompt();
    serve(SKR_LINE);
    const char *text = talk_ask(talk_modern("prompts/list", ""));
    expect("\"prompts\":[{\"name\":\"one\",\"title\":\"The prompt\"}]", text);
}

static void more_arguments_than_a_request_has_room_for_are_refused(void)
{
    static struct argument args[SKR_OUTPUT_MAX / sizeof(struct skr_span) + 1];
    size_t count = sizeof args / sizeof args[0];
    for (size_t i = 0; i < count; i++) {
        args[i] = (struct argument){.name = xasprintf("a%zu", i)};
    }
    prompt.args = args;
    prompt.arg_count = count;
    has_prompt();
    serve(SKR_LINE);
    expect("\"message\":\"SKR_OUTPUT_MAX has no room for argument a1024\"",
           talk_ask(talk_modern("prompts/get", "\"name\":\"plain\"")));
    about.prompts[0].arg_count = count - 1;
    serve(SKR_LINE);
    expect("Say nothing.", talk_ask(talk_modern("prompts/get", "\"name\":\"plain\"")));
}

/* ---- Skills ---- */

/* two files have the name itself, two more begin with it: the former are the candidates */
static void of_files_of_one_name_those_that_have_it_whole_are_candidates(void)
{
    put_file("SKILL.md", MANIFEST, false);
    put_directory("references");
    put_directory("references/a");
    put_file("references/a/x", "1", false);
    put_file("references/a/x.md", "2", false);
    put_directory("references/b");
    put_file("references/b/x", "3", false);
    put_file("references/b/x.md", "4", false);
    has_skill(true);
    serve(SKR_LINE);
    expect("\"candidates\":[\"references/a/x\",\"references/b/x\"]",
           talk_ask(talk_modern("skills/read_reference", "\"name\":\"one\",\"reference\":\"x\"")));
}

/* ---- Schemas ---- */

#define LEVEL "{\"type\":\"object\",\"properties\":{\"p\":"
#define CALL(headers, arguments)                                                                                         \
    talk_ask(talk_post(                                                                                                  \
        "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n" headers,                      \
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":" arguments \
        "," META "}}"))

/* [HDR-12] headers repeat arguments of six levels; what is deeper is not looked at */
static void headers_repeat_arguments_down_to_six_levels(void)
{
    tool.json =
        "{\"name\":\"echo\",\"inputSchema\":" LEVEL LEVEL LEVEL LEVEL LEVEL
        "{\"type\":\"object\",\"properties\":{\"deep\":{\"type\":\"string\",\"x-mcp-header\":\"Deep\"},\"p\":" LEVEL
        "{\"type\":\"string\",\"x-mcp-header\":\"Deeper\"}}}}}}}}}}}}}}}}}";
    serve(SKR_HTTP_1);
    expect("\"result\"", CALL("Mcp-Param-Deep: x\r\n", "{\"p\":{\"p\":{\"p\":{\"p\":{\"p\":{\"deep\":\"x\"}}}}}}"));
    expect("-32020", CALL("", "{\"p\":{\"p\":{\"p\":{\"p\":{\"p\":{\"deep\":\"x\"}}}}}}"));
    expect("\"result\"", CALL("", "{\"p\":{\"p\":{\"p\":{\"p\":{\"p\":{\"p\":{\"p\":\"x\"}}}}}}}"));
}

/* [HDR-13] */
static void headers_repeat_numbers_however_they_are_written(void)
{
    tool.json = "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\","
                "\"x-mcp-header\":\"N\"}}}}";
    serve(SKR_HTTP_1);
    expect("\"result\"", CALL("Mcp-Param-N: 42.0\r\n", "{\"n\":42}"));
    expect("-32020", CALL("Mcp-Param-N: 42.5\r\n", "{\"n\":42}"));
    expect("-32020", CALL("Mcp-Param-N: 43\r\n", "{\"n\":42}"));
}

#define CALL_N(n)                                                                                                      \
    talk_post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Param-N: " n                                                    \
              "\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n",                                                      \
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"   \
              "{\"n\":" n "}," META "}}")

/* [HDR-12] what a connection remembers of a head ends before them, also when one in between came in pieces */
static void headers_that_repeat_arguments_are_read_every_time(void)
{
    tool.json = "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\","
                "\"x-mcp-header\":\"N\"}}}}";
    serve(SKR_HTTP_1);
    expect("\"result\"", talk_ask(CALL_N("42")));
    const char *longer = CALL_N("1234567");
    TEST_ASSERT_TRUE(talk_send(longer, 20));
    expect("\"result\"", talk_ask(longer + 20));
    expect("\"result\"", talk_ask(CALL_N("42")));
}

/* ---- Archives ---- */

/* the length of each answer is sent before it, also of one that is generated */
static void an_archive_in_a_batch_has_its_length(void)
{
    char text[1024], session[64], archive[4096];
    talk_start(SKR_LINE, 0);
    talk_initialize("2025-03-26");
#define READ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://hidden.zip\"}}"
    snprintf(archive, sizeof archive, "%s", talk_ask(READ "\n"));
    archive[strlen(archive) - 1] = '\0';
    expect("\"blob\":\"", archive);
    talk_open(SKR_HTTP_1);
    const char *at = strstr(
        talk_ask(talk_post(
            "",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\","
            "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}")),
        "Mcp-Session-Id: ");
    TEST_ASSERT_NOT_NULL(at);
    TEST_ASSERT_EQUAL(1, sscanf(at, "Mcp-Session-Id: %63[0-9a-f]\r", session));
    snprintf(text, sizeof text, "Mcp-Session-Id: %s\r\n", session);
    expect(archive, talk_ask(talk_post(text, "[" READ "]")));
}

/* [SK-F-13] [SK-S-10] only scripts are run, and only scripts are candidates */
static void files_that_are_no_scripts_are_not_run_whatever_their_names(void)
{
    put_file("SKILL.md", MANIFEST, false);
    put_directory("assets");
    put_directory("assets/a");
    put_file("assets/a/x.sh", "1", false);
    put_directory("assets/b");
    put_file("assets/b/x.sh", "2", false);
    put_directory("scripts");
    put_file("scripts/run.sh", "3", true);
    sources[source_count - 1].tool = 0; /* `echo` */
    has_skill(true);
    serve(SKR_LINE);
    static const char *const names[] = {"x.sh", "assets/a/x.sh"};
    for (size_t i = 0; i < 2; i++) {
        char members[128];
        snprintf(members, sizeof members, "\"name\":\"one\",\"script\":\"%s\"", names[i]);
        const char *text = talk_ask(talk_modern("skills/execute", members));
        expect("\"reason\":\"unknown-script\"}", text);
    }
    expect("\"text\":\"absent\"", talk_ask(talk_modern("skills/execute", "\"name\":\"one\",\"script\":\"run\"")));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_device_with_prompts_alone_completes_their_arguments);
    RUN_TEST(a_skill_with_the_name_of_a_prompt_is_none);
    RUN_TEST(more_arguments_than_a_request_has_room_for_are_refused);
    RUN_TEST(of_files_of_one_name_those_that_have_it_whole_are_candidates);
    RUN_TEST(headers_repeat_arguments_down_to_six_levels);
    RUN_TEST(headers_repeat_numbers_however_they_are_written);
    RUN_TEST(headers_that_repeat_arguments_are_read_every_time);
    RUN_TEST(an_archive_in_a_batch_has_its_length);
    RUN_TEST(files_that_are_no_scripts_are_not_run_whatever_their_names);
    return UNITY_END();
}
