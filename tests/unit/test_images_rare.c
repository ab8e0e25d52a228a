/* test_images_rare.c -- images that the compiler makes of unusual devices: prompts without skills, a prompt and a skill of one
 * name, files of one name, skills that are all unlisted, more arguments or deeper schemas than a device looks at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "peer.h"
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

    peer.image = (struct buf){0};
    TEST_ASSERT_TRUE(image_build(&about, &(struct image_options){0}, &diag, &peer.image));
    TEST_ASSERT_EQUAL(0, peer_serve(peer.image.p, peer.image.n));
    peer_open(wire);
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
    expect("\"prompts\":{},\"completions\":{}", peer_exchange(peer_modern("server/discover", "")));
}

static void a_device_without_skills_and_resources_does_not_offer_them(void)
{
    static const struct skr_device bare;

    has_prompt();
    serve(SKR_LINE);
    expect("\"resources\":{", peer_exchange(peer_modern("server/discover", ""))); /* the sample has its own */
    TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, &bare, peer.image.p, peer.image.n));
    peer_open(SKR_LINE);
    const char *text = peer_exchange(peer_modern("server/discover", ""));
    expect("\"prompts\":{}", text);
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "\"resources\""), text);
    expect("\"code\":-32601", peer_exchange(peer_modern("resources/list", "")));
}

/* FORMAT.md, rule 4: even where everything else has ended. */
static void an_empty_table_may_be_anywhere(void)
{
    has_prompt();
    serve(SKR_LINE);
    struct romfs_header *header = (void *)peer.image.p;
    TEST_ASSERT_EQUAL(0, header->skills.count);
    header->skills.off = header->meta_size;
    image_seal(&peer.image);
    TEST_ASSERT_EQUAL(0, peer_serve(peer.image.p, peer.image.n));
    header->skills.off += 4;
    image_seal(&peer.image);
    TEST_ASSERT_NOT_EQUAL(0, peer_serve(peer.image.p, peer.image.n));
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
    const char *text = peer_exchange(peer_modern("prompts/list", ""));
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
           peer_exchange(peer_modern("prompts/get", "\"name\":\"plain\"")));
    about.prompts[0].arg_count = count - 1;
    serve(SKR_LINE);
    expect("Say nothing.", peer_exchange(peer_modern("prompts/get", "\"name\":\"plain\"")));
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
           peer_exchange(peer_modern("skills/read_reference", "\"name\":\"one\",\"reference\":\"x\"")));
}

/* [SK-F-01] skills/execute is there as soon as there is one script */
static void a_script_may_be_the_only_file(void)
{
    put_file("SKILL.md", MANIFEST, false);
    put_directory("scripts");
    put_file("scripts/run.sh", "1", true);
    sources[source_count - 1].tool = 0; /* `echo` */
    has_skill(true);
    serve(SKR_LINE);
    expect("\"text\":\"absent\"", peer_exchange(peer_modern("skills/execute", "\"name\":\"one\",\"script\":\"run\"")));
}

/* [SK-F-13] a name without a dot is no other name, and nobody is called nothing */
static void a_script_need_not_have_a_dot_in_its_name(void)
{
    put_file("SKILL.md", MANIFEST, false);
    put_directory("scripts");
    put_file("scripts/run", "1", true);
    sources[source_count - 1].tool = 0; /* `echo` */
    has_skill(true);
    serve(SKR_LINE);
    expect("\"text\":\"absent\"", peer_exchange(peer_modern("skills/execute", "\"name\":\"one\",\"script\":\"run\"")));
    expect("\"reason\":\"unknown-script\"}",
           peer_exchange(peer_modern("skills/execute", "\"name\":\"one\",\"script\":\"\"")));
    expect("\"reason\":\"unknown-script\"}",
           peer_exchange(peer_modern("skills/execute", "\"name\":\"one\",\"script\":\"r\"")));
}

/* The reader wants quotes, not what is in them. */
static void a_name_may_be_empty(void)
{
    put_file("SKILL.md", MANIFEST, false);
    has_skill(true);
    skill.name_json = skill.description_json = "\"\"";
    serve(SKR_LINE);
    expect("\"name\":\"\",\"description\":\"\"}]", peer_exchange(peer_modern("skills/list", "")));
}

/* [CMP-02] */
static void of_more_than_a_hundred_names_a_hundred_are_proposed(void)
{
    static struct skill skills[101];

    put_file("SKILL.md", MANIFEST, false);
    for (size_t i = 0; i < 101; i++) {
        has_skill(true);
        skills[i] = skill;
        skills[i].path = skills[i].name = xasprintf("s%03zu", i);
        skills[i].name_json = xasprintf("\"s%03zu\"", i);
        skills[i].frontmatter = xasprintf("{\"name\":%s,\"description\":\"For tests\"}", skills[i].name_json);
    }
    about.skills = skills;
    about.skill_count = 101;
    serve(SKR_LINE);
    const char *text = peer_exchange(
        peer_modern("completion/complete", "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"skill://{name}/SKILL.md\"},"
                                           "\"argument\":{\"name\":\"name\",\"value\":\"\"}"));
    expect("\"values\":[\"s000\",\"s001\",", text);
    expect("\"s099\"],\"total\":101,\"hasMore\":true}", text);
}

/* A search for a missing file must not look past the table of files. */
static void an_unknown_file_is_looked_for_among_files_alone(void)
{
    put_file("SKILL.md", MANIFEST, false);
    put_file("a.md", "1", false);
    has_skill(true);
    serve(SKR_LINE);
    const struct romfs_file *behind = peer.server.fs->files + peer.server.fs->header->files.count;
    size_t at = (size_t)((const uint8_t *)&behind->path - peer.server.fs->image);
    memset(peer.image.p + at, 0x7F, sizeof behind->path); /* what is stored there is far away, if it were a path */
    expect("\"error\"", peer_exchange(peer_modern("skills/read_reference", "\"name\":\"one\",\"reference\":\"b.md\"")));
}

/* A span of nothing has no address, and nothing is read there. */
static void nothing_has_no_name(void)
{
    has_prompt();
    serve(SKR_LINE);
    TEST_ASSERT_NULL(romfs_find_tool(peer.server.fs, NULL, 0));
    TEST_ASSERT_NULL(romfs_find_prompt(peer.server.fs, NULL, 0));
}

/* ---- News ---- */

static void subscribe(const char *uri)
{
    char text[256];

    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"%s\"}}\n", uri);
    expect("\"result\"", peer_exchange(text));
}

/* What is heard when the image is replaced by that of `about` as it is now. */
static const char *heard_of_swap(void)
{
    struct diag diag = {.out = stderr};
    static struct buf next;

    next = (struct buf){0};
    TEST_ASSERT_TRUE(image_build(&about, &(struct image_options){0}, &diag, &next));
    TEST_ASSERT_EQUAL(0, skr_server_swap(&peer.server, next.p, next.n));
    return peer_unasked();
}

/* The index is about all skills that are listed. */
static void a_change_of_the_last_skill_changes_the_index(void)
{
    static struct skill skills[2];

    put_file("SKILL.md", MANIFEST, false);
    has_skill(true);
    skills[0] = skills[1] = skill;
    skills[1].path = skills[1].name = "two";
    skills[1].name_json = "\"two\"";
    skills[1].frontmatter = "{\"name\":\"two\",\"description\":\"For tests\"}";
    about.skills = skills;
    about.skill_count = 2;
    serve(SKR_LINE);
    skr_server_can_swap(&peer.server, true);
    peer_initialize(NULL);
    subscribe("skill://index.json");
    skills[1].description_json = "\"For other tests\"";
    skills[1].frontmatter = "{\"name\":\"two\",\"description\":\"For other tests\"}";
    expect("notifications/resources/updated\",\"params\":{\"uri\":\"skill://index.json\"}", heard_of_swap());
}

/* The first archive is the first place that is not a node: whatever is stored after the nodes, it is not a directory. */
static void a_change_of_the_first_archive_is_told(void)
{
    static char *const paths[] = {"one", "in/one"};
    static const char *const uris[] = {"skill://one.zip", "skill://in/one.zip"};

    for (size_t i = 0; i < 2; i++) {
        source_count = 0;
        put_file("SKILL.md", MANIFEST, false);
        put_file("a.md", "1", false);
        has_skill(true);
        skill.archived = true;
        skill.path = paths[i]; /* moves what is stored after it: an offset there is odd, or even */
        serve(SKR_LINE);
        skr_server_can_swap(&peer.server, true);
        peer_initialize(NULL);
        subscribe(uris[i]);
        sources[1].bytes[0] = '2';
        expect(uris[i], heard_of_swap());
    }
}

/* ---- Schemas ---- */

#define LEVEL "{\"type\":\"object\",\"properties\":{\"p\":"
#define CALL(headers, arguments)                                                                                         \
    peer_exchange(peer_post(                                                                                             \
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
    peer_post("MCP-Protocol-Version: 2026-07-28\r\nMcp-Param-N: " n                                                    \
              "\r\nMcp-Method: tools/call\r\nMcp-Name: echo\r\n",                                                      \
              "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":"   \
              "{\"n\":" n "}," META "}}")

/* [HDR-12] what a connection remembers of a head ends before them, also when one in between came in pieces */
static void headers_that_repeat_arguments_are_read_every_time(void)
{
    tool.json = "{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\","
                "\"x-mcp-header\":\"N\"}}}}";
    serve(SKR_HTTP_1);
    expect("\"result\"", peer_exchange(CALL_N("42")));
    const char *longer = CALL_N("1234567");
    TEST_ASSERT_TRUE(peer_send(longer, 20));
    expect("\"result\"", peer_exchange(longer + 20));
    expect("\"result\"", peer_exchange(CALL_N("42")));
}

/* ---- Paths ---- */

/* It is spelled as in the image first, where tools put what they say. */
static void a_path_of_another_spelling_may_be_nearly_as_long_as_output(void)
{
    static char path[SKR_OUTPUT_MAX], text[SKR_OUTPUT_MAX + 512];

    for (size_t n = SKR_OUTPUT_MAX - 3; n < SKR_OUTPUT_MAX; n++) { /* of "one/" and the name */
        source_count = 0;
        memset(path, 'x', n - 4);
        path[n - 4] = '\0';
        put_file("SKILL.md", MANIFEST, false);
        put_file(path, "content", false);
        has_skill(true);
        serve(SKR_LINE);
        snprintf(
            text, sizeof text,
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://%%6Fne/%s\"," META
            "}}\n",
            path);
        expect(n <= SKR_OUTPUT_MAX - 2 ? "\"text\":\"content\"" : "\"code\":-32602", peer_exchange(text));
    }
}

/* ---- Archives ---- */

/* the length of each response is sent before it, also of one that is generated */
static void an_archive_in_a_batch_has_its_length(void)
{
    char text[1024], session[64], archive[4096];

    peer_start(SKR_LINE, 0);
    peer_initialize("2025-03-26");
#define READ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://hidden.zip\"}}"
    snprintf(archive, sizeof archive, "%s", peer_exchange(READ "\n"));
    archive[strlen(archive) - 1] = '\0';
    expect("\"blob\":\"", archive);
    peer_open(SKR_HTTP_1);
    const char *at = strstr(
        peer_exchange(peer_post(
            "",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-26\","
            "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}")),
        "Mcp-Session-Id: ");
    TEST_ASSERT_NOT_NULL(at);
    TEST_ASSERT_EQUAL(1, sscanf(at, "Mcp-Session-Id: %63[0-9a-f]\r", session));
    snprintf(text, sizeof text, "Mcp-Session-Id: %s\r\n", session);
    const char *response = peer_exchange(peer_post(text, "[" READ "]"));
    expect(archive, response);
    at = strstr(response, "\r\n\r\n");
    TEST_ASSERT_EQUAL(strlen(archive) + 1, strtoul(at + 4, NULL, 16)); /* with the bracket of the batch */
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
        const char *text = peer_exchange(peer_modern("skills/execute", members));
        expect("\"reason\":\"unknown-script\"}", text);
    }
    expect("\"text\":\"absent\"", peer_exchange(peer_modern("skills/execute", "\"name\":\"one\",\"script\":\"run\"")));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_device_with_prompts_alone_completes_their_arguments);
    RUN_TEST(a_device_without_skills_and_resources_does_not_offer_them);
    RUN_TEST(an_empty_table_may_be_anywhere);
    RUN_TEST(a_skill_with_the_name_of_a_prompt_is_none);
    RUN_TEST(more_arguments_than_a_request_has_room_for_are_refused);
    RUN_TEST(of_files_of_one_name_those_that_have_it_whole_are_candidates);
    RUN_TEST(a_script_may_be_the_only_file);
    RUN_TEST(a_script_need_not_have_a_dot_in_its_name);
    RUN_TEST(a_name_may_be_empty);
    RUN_TEST(of_more_than_a_hundred_names_a_hundred_are_proposed);
    RUN_TEST(an_unknown_file_is_looked_for_among_files_alone);
    RUN_TEST(nothing_has_no_name);
    RUN_TEST(a_change_of_the_last_skill_changes_the_index);
    RUN_TEST(a_change_of_the_first_archive_is_told);
    RUN_TEST(headers_repeat_arguments_down_to_six_levels);
    RUN_TEST(headers_repeat_numbers_however_they_are_written);
    RUN_TEST(headers_that_repeat_arguments_are_read_every_time);
    RUN_TEST(a_path_of_another_spelling_may_be_nearly_as_long_as_output);
    RUN_TEST(an_archive_in_a_batch_has_its_length);
    RUN_TEST(files_that_are_no_scripts_are_not_run_whatever_their_names);
    return UNITY_END();
}
