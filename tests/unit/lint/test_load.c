/* test_load.c -- what loading builds: the golden skill, media types, devices with
 * tools and prompts, and the messages themselves. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json_out.h"
#include "load/media.h"
#include "load/rules.h"
#include "record.h"
#include "sandbox.h"
#include "unity.h"

void setUp(void)
{
    sandbox_open();
}

void tearDown(void)
{
    sandbox_close();
}

/* ---- The golden skill ---- */

static const char golden_manifest[] =
    "---\n"
    "name: purge-line\n"
    "description: Purge a dosing line and verify flow. Use when a pump was idle for over eight hours or "
    "after a "
    "fluid change.\n"
    "license: Apache-2.0\n"
    "metadata:\n"
    "  author: plant-team\n"
    "  version: \"1.2.0\"\n"
    "  dev.skillrom/title: Purge Line\n"
    "  dev.skillrom/tags: pump maintenance\n"
    "  dev.skillrom/arguments: '[{\"name\":\"line\",\"description\":\"Line number, 1 to "
    "4\",\"required\":true}]'\n"
    "  dev.skillrom/tools: pump_status\n"
    "  dev.skillrom/scoped-tools: purge-line.purge_cycle\n"
    "  dev.skillrom/priority: \"0.9\"\n"
    "  dev.skillrom/about/references/limits.md: Pressure and volume limits per line\n"
    "  dev.skillrom/about/scripts/purge_cycle.lua: Run one timed purge cycle\n"
    "---\n"
    "\n"
    "# Purge a dosing line\n"
    "\n"
    "1. Call `pump_status` for line {{line}} and stop if a fault is latched.\n"
    "2. Read [limits](references/limits.md).\n"
    "3. Run `scripts/purge_cycle.lua` until flow is steady.\n";

static const char golden_limits[] = "# Limits\n\n| Line | Max bar |\n| --- | --- |\n| 1-2 | 3.0 |\n| 3-4 | 4.5 |\n";

static const char golden_script[] = "-- descriptive copy; the device runs the compiled handler "
                                    "purge-line/purge_cycle\nreturn { seconds = 8 }\n";

static const char golden_frontmatter[] =
    "{\"name\":\"purge-line\",\"description\":\"Purge a dosing line and verify flow. Use when a pump was "
    "idle for over "
    "eight hours or after a fluid "
    "change.\",\"license\":\"Apache-2.0\",\"metadata\":{\"author\":\"plant-team\","
    "\"version\":\"1.2.0\",\"dev.skillrom/title\":\"Purge Line\",\"dev.skillrom/tags\":\"pump maintenance\","
    "\"dev.skillrom/arguments\":\"[{\\\"name\\\":\\\"line\\\",\\\"description\\\":\\\"Line number, 1 to "
    "4\\\",\\\"required\\\":true}]\",\"dev.skillrom/tools\":\"pump_status\",\"dev.skillrom/scoped-tools\":"
    "\"purge-line.purge_cycle\",\"dev.skillrom/priority\":\"0.9\",\"dev.skillrom/about/references/"
    "limits.md\":"
    "\"Pressure and volume limits per line\",\"dev.skillrom/about/scripts/purge_cycle.lua\":\"Run one timed "
    "purge "
    "cycle\"}}";

/* SK-M: each key feeds what the contract says, and nothing of it enters the frontmatter. */
static void golden_extras_are_read_exactly(const struct device *device)
{
    const struct skill *skill = &device->skills[0];
    const struct skill_extras *x = &skill->extras;

    TEST_ASSERT_EQUAL_STRING("\"Purge Line\"", x->title);
    TEST_ASSERT_EQUAL_STRING("\"1.2.0\"", x->version);
    TEST_ASSERT_EQUAL_STRING("[\"pump\",\"maintenance\"]", x->tags);
    TEST_ASSERT_EQUAL_STRING("[{\"name\":\"line\",\"description\":\"Line number, 1 to 4\",\"required\":true}]",
                             x->arguments);
    TEST_ASSERT_EQUAL_STRING("{\"tools\":[\"pump_status\"]}", x->dependencies);
    TEST_ASSERT_EQUAL_STRING("{\"audience\":[\"assistant\"],\"priority\":0.9}", x->annotations);
    TEST_ASSERT_EQUAL_STRING("{\"author\":\"plant-team\",\"version\":\"1.2.0\",\"license\":\"Apache-2.0\"}",
                             x->metadata);
    TEST_ASSERT_NULL(x->icons);
    TEST_ASSERT_EQUAL_UINT(1, skill->arg_count);
    TEST_ASSERT_EQUAL_STRING("line", skill->args[0].name);
    TEST_ASSERT_TRUE(skill->args[0].required);
    TEST_ASSERT_EQUAL_STRING("Pressure and volume limits per line", skill->files[2].about);
    TEST_ASSERT_FALSE(skill->files[2].is_script);
    TEST_ASSERT_TRUE(skill->files[4].is_script);
    TEST_ASSERT_EQUAL_UINT(1, skill->files[4].tool);
    TEST_ASSERT_EQUAL_UINT(1, skill->tools.count);
    TEST_ASSERT_EQUAL_UINT(1, skill->tools.index[0]);
    TEST_ASSERT_EQUAL_UINT(0, skill->prompts.count + skill->subskills.count);
    TEST_ASSERT_FALSE(device->tools[0].scoped);
    TEST_ASSERT_TRUE(device->tools[1].scoped);
    TEST_ASSERT_EQUAL_STRING("{\"name\":\"purge-line.purge_cycle\",\"description\":\"Run one timed purge cycle\","
                             "\"inputSchema\":{\"type\":\"object\"}}",
                             device->tools[1].json);
}

static void golden_skill_is_read_exactly(void)
{
    sandbox_text("device.json", "{\"name\":\"plant\",\"version\":\"1\"}");
    sandbox_text("tools/pump_status.json", "{\"name\":\"pump_status\",\"description\":\"x\","
                                           "\"inputSchema\":{\"type\":\"object\"}}");
    sandbox_text("tools/purge-line.purge_cycle.json", "{\"name\":\"purge-line.purge_cycle\","
                                                      "\"inputSchema\":{\"type\":\"object\"}}");
    sandbox_text("skills/plant/pumps/purge-line/SKILL.md", golden_manifest);
    sandbox_text("skills/plant/pumps/purge-line/references/limits.md", golden_limits);
    sandbox_text("skills/plant/pumps/purge-line/scripts/purge_cycle.lua", golden_script);
    struct outcome o = sandbox_load(NULL, &(struct load_options){.strict = true});
    TEST_ASSERT_TRUE_MESSAGE(o.well, outcome_text(&o));
    TEST_ASSERT_EQUAL_UINT(0, o.count);
    TEST_ASSERT_EQUAL_UINT(1, o.device.skill_count);

    const struct skill *skill = &o.device.skills[0];
    TEST_ASSERT_EQUAL_STRING("plant/pumps/purge-line", skill->path);
    TEST_ASSERT_EQUAL_STRING("purge-line", skill->name);
    TEST_ASSERT_EQUAL_STRING("\"purge-line\"", skill->name_json);
    TEST_ASSERT_EQUAL_STRING(golden_frontmatter, skill->frontmatter);
    TEST_ASSERT_NOT_NULL(strstr(skill->frontmatter, skill->description_json));
    TEST_ASSERT_TRUE(skill->listed);
    TEST_ASSERT_EQUAL_STRING_LEN("\n# Purge a", golden_manifest + skill->body, 10);

    static const struct {
        const char *path, *mime;
        size_t size;
    } want[] = {{"SKILL.md", "text/markdown", 844},
                {"references", "inode/directory", 0},
                {"references/limits.md", "text/markdown", 71},
                {"scripts", "inode/directory", 0},
                {"scripts/purge_cycle.lua", "text/x-lua", 104}};
    TEST_ASSERT_EQUAL_UINT(5, skill->file_count);
    for (size_t i = 0; i < 5; i++) {
        TEST_ASSERT_EQUAL_STRING(want[i].path, skill->files[i].path);
        TEST_ASSERT_EQUAL_STRING(want[i].mime, skill->files[i].mime);
        TEST_ASSERT_EQUAL_UINT(want[i].size, skill->files[i].size);
        TEST_ASSERT_EQUAL(want[i].size > 0, skill->files[i].text);
        TEST_ASSERT_EQUAL(want[i].size == 0, skill->files[i].is_dir);
    }
    golden_extras_are_read_exactly(&o.device);
}

/* ---- Devices ---- */

static void folder_without_device_json_gets_a_default_identity(void)
{
    sandbox_text("demo/SKILL.md", "---\nname: demo\ndescription: Shows a rule. Use when testing.\n---\nText.\n");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_TRUE_MESSAGE(o.well, outcome_text(&o));
    TEST_ASSERT_EQUAL_STRING("{\"name\":\"skillrom\",\"version\":\"0.1.0\"}", o.device.server_info);
    TEST_ASSERT_NULL(o.device.instructions_json);
    TEST_ASSERT_EQUAL_STRING("skill://", o.device.base);
}

static void device_json_names_the_device(void)
{
    sandbox_text("device.json",
                 "{\n \"version\": \"2.0\", \"name\": \"Pump \\\"A\\\"\", \"instructions\": \"Read\\nfirst.\",\n"
                 " \"colour\": \"red\"}");
    sandbox_text("tools/t.json", "{\"name\":\"t\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"}}");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_TRUE_MESSAGE(o.well, outcome_text(&o));
    TEST_ASSERT_EQUAL_STRING("{\"name\":\"Pump \\\"A\\\"\",\"version\":\"2.0\"}", o.device.server_info);
    TEST_ASSERT_EQUAL_STRING("\"Read\\nfirst.\"", o.device.instructions_json);
    TEST_ASSERT_NOT_NULL(outcome_find(&o, false, NULL, "device.json", 3, 2));
    TEST_ASSERT_EQUAL_UINT(0, o.device.skill_count);
    TEST_ASSERT_EQUAL_UINT(1, o.device.tool_count);
}

static void device_json_with_wrong_types_is_refused_with_line(void)
{
    sandbox_text("device.json", "{\"name\": 7,\n \"title\": null}");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_FALSE(o.well);
    TEST_ASSERT_NOT_NULL_MESSAGE(outcome_find(&o, true, NULL, "device.json", 1, 10), outcome_text(&o));
    TEST_ASSERT_NOT_NULL_MESSAGE(outcome_find(&o, true, NULL, "device.json", 2, 11), outcome_text(&o));
    TEST_ASSERT_NOT_NULL_MESSAGE(outcome_find(&o, true, NULL, "device.json", 1, 1), "version missing");
}

static void device_json_that_is_no_json_is_refused_with_line(void)
{
    static const char *const broken[] = {"",
                                         "[]",
                                         "{\"name\":\"a\",\n}",
                                         "{\"name\":\"a\" \"b\"}",
                                         "{name: a}",
                                         "{\"name\":\"a\",\"name\":\"b\",\"version\":\"1\"}",
                                         "// x\n{}"};

    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        sandbox_text("device.json", broken[i]);
        struct outcome o = sandbox_load_plain();
        TEST_ASSERT_FALSE_MESSAGE(o.well, broken[i]);
        TEST_ASSERT_TRUE_MESSAGE(o.count > 0 && o.messages[0].line > 0, broken[i]);
        TEST_ASSERT_NULL_MESSAGE(o.messages[0].rule, broken[i]);
    }
}

static void tool_keeps_key_order_and_number_spelling(void)
{
    sandbox_text("device.json", "{\"name\":\"d\",\"version\":\"1\"}");
    sandbox_text(
        "tools/b.json",
        "{ \"inputSchema\": {\"type\": \"object\", \"properties\": {\"n\": {\"type\": \"number\", \"maximum\": 1.50e+3}}},\n"
        "  \"name\": \"b\", \"description\": \"\\u00e9\\ud83d\\ude00 \\/\",\n"
        "  \"annotations\": {\"readOnlyHint\": true}, \"icons\": [{\"src\": \"data:x\"}] }\n");
    sandbox_text("tools/a.json", "{\"name\":\"a\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"}}");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_TRUE_MESSAGE(o.well, outcome_text(&o));
    TEST_ASSERT_EQUAL_UINT(2, o.device.tool_count);
    TEST_ASSERT_EQUAL_STRING("a", o.device.tools[0].name);
    TEST_ASSERT_EQUAL_STRING(
        "{\"inputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"number\",\"maximum\":1.50e+3}}},"
        "\"name\":\"b\",\"description\":\"é😀 /\",\"annotations\":{\"readOnlyHint\":true},"
        "\"icons\":[{\"src\":\"data:x\"}]}",
        o.device.tools[1].json);
}

static void tools_that_are_wrong_are_refused_with_line(void)
{
    static const struct {
        const char *json;
        unsigned line, col;
    } wrong[] = {
        {"{\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"}}", 1, 1},
        {"{\"name\":\"t\",\n\"description\":\"\",\"inputSchema\":{\"type\":\"object\"}}", 2, 15},
        {"{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}", 1, 1},
        {"{\"name\":\"t\",\"description\":\"d\"}", 1, 1},
        {"{\"name\":\"t\",\"description\":\"d\",\n\"inputSchema\":[]}", 2, 15},
        {"{\"name\":\"t\",\"description\":\"d\",\n\"inputSchema\":{}}", 2, 15},
        {"{\"name\":\"t\",\"description\":\"d\",\n\"inputSchema\":{\"type\":\"string\"}}", 2, 23},
        {"{\"name\":\"u\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"}}", 1, 9},
        {"{\"name\":\"t\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"},\n\"handler\":1}", 2, 1},
        {"{\"name\":\"t\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"},\n\"title\":1}", 2, 9},
        {"{\"name\":\"t\",\"description\":\"d\",\"inputSchema\":{\"type\":\"object\"},\n\"annotations\":"
         "{\"readOnlyHint\":1}}",
         2, 31},
    };

    sandbox_text("device.json", "{\"name\":\"d\",\"version\":\"1\"}");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        sandbox_text("tools/t.json", wrong[i].json);
        struct outcome o = sandbox_load_plain();
        TEST_ASSERT_FALSE_MESSAGE(o.well, wrong[i].json);
        TEST_ASSERT_NOT_NULL_MESSAGE(outcome_find(&o, true, NULL, "tools/t.json", wrong[i].line, wrong[i].col),
                                     xasprintf("%s%s", wrong[i].json, outcome_text(&o)));
    }
}

static void prompt_is_cut_at_its_placeholders(void)
{
    sandbox_text("device.json", "{\"name\":\"d\",\"version\":\"1\"}");
    sandbox_text("prompts/check-line.md",
                 "---\ntitle: Check\ndescription: Checks a \"line\".\narguments:\n  - name: line\n"
                 "    description: Number\n    required: true\n  - name: note\n---\n\n\n"
                 "Line {{line}}{{note}},\r\n\n {{line}} { {x} {{}}!\n\n");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_FALSE(o.well); /* the one CRLF */
    sandbox_text("prompts/check-line.md",
                 "---\ntitle: Check\ndescription: Checks a \"line\".\narguments:\n  - name: line\n"
                 "    description: Number\n    required: true\n    values: [1, two]\n  - name: note\n---\n\n\n"
                 "Line {{line}}{{note}},\n\n {{line}} { {x} {{}}!\n\n");
    o = sandbox_load_plain();
    TEST_ASSERT_TRUE_MESSAGE(o.well && o.count == 0, outcome_text(&o));
    const struct prompt *p = &o.device.prompts[0];
    TEST_ASSERT_EQUAL_STRING("check-line", p->name);
    TEST_ASSERT_EQUAL_STRING("{\"name\":\"check-line\",\"title\":\"Check\",\"description\":\"Checks a \\\"line\\\".\","
                             "\"arguments\":[{\"name\":\"line\",\"description\":\"Number\",\"required\":true},"
                             "{\"name\":\"note\"}]}",
                             p->json);
    TEST_ASSERT_EQUAL_STRING("\"Checks a \\\"line\\\".\"", p->description_json);
    TEST_ASSERT_EQUAL_UINT(2, p->arg_count);
    TEST_ASSERT_TRUE(p->args[0].required);
    TEST_ASSERT_EQUAL_STRING("1\ntwo", p->args[0].values);
    TEST_ASSERT_NULL(p->args[1].values);
    TEST_ASSERT_FALSE(p->args[1].required);
    static const struct prompt_part want[] = {{"Line ", -1},  {NULL, 0}, {NULL, 1},
                                              {",\n\n ", -1}, {NULL, 0}, {" { {x} {{}}!", -1}};
    TEST_ASSERT_EQUAL_UINT(6, p->part_count);
    for (size_t i = 0; i < 6; i++) {
        TEST_ASSERT_EQUAL_INT(want[i].arg, p->parts[i].arg);
        TEST_ASSERT_EQUAL_STRING(want[i].text, p->parts[i].text);
    }
}

static void prompts_that_are_wrong_are_reported_with_line(void)
{
    static const struct {
        const char *text;
        bool error;
        unsigned line, col;
    } wrong[] = {
        {"Say {{x}}.\n", true, 1, 5},
        {"---\narguments:\n  - name: x\n---\nSay nothing.\n", false, 3, 11},
        {"---\narguments: x\n---\nText\n", true, 2, 12},
        {"---\narguments:\n  - x\n---\nText\n", true, 3, 5},
        {"---\narguments:\n  - name: x\n    kind: y\n---\n{{x}}\n", true, 4, 5},
        {"---\narguments:\n  - name: x\n    required: yes\n---\n{{x}}\n", true, 4, 15},
        {"---\narguments:\n  - name: x\n  - name: x\n---\n{{x}}\n", true, 4, 11},
        {"---\narguments:\n  - name: x\n    values: y\n---\n{{x}}\n", true, 4, 13},
        {"---\narguments:\n  - name: x\n    values: []\n---\n{{x}}\n", true, 4, 13},
        {"---\narguments:\n  - name: x\n    values: [y, [z]]\n---\n{{x}}\n", true, 4, 17},
        {"---\narguments:\n  - name: x\n    values: [y, \"a\\nb\"]\n---\n{{x}}\n", true, 4, 17},
        {"---\ndescription: 7\n---\nText\n", true, 2, 14},
        {"---\nname: x\n---\nText\n", false, 2, 1},
        {"---\ndescription: d\n---\n\n \n", true, 1, 1},
        {"---\ndescription: d\n", true, 1, 1},
    };

    sandbox_text("device.json", "{\"name\":\"d\",\"version\":\"1\"}");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        sandbox_text("prompts/p.md", wrong[i].text);
        struct outcome o = sandbox_load_plain();
        TEST_ASSERT_NOT_NULL_MESSAGE(
            outcome_find(&o, wrong[i].error, NULL, "prompts/p.md", wrong[i].line, wrong[i].col),
            xasprintf("%s%s", wrong[i].text, outcome_text(&o)));
        TEST_ASSERT_EQUAL(!wrong[i].error, o.well);
    }
    sandbox_text("prompts/P x.md", "Text");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_NOT_NULL(outcome_find(&o, true, NULL, "prompts/P x.md", 1, 1));
}

static void nested_skills_have_entries_of_their_own(void)
{
    sandbox_text("outer/SKILL.md", "---\nname: outside\ndescription: Holds another. Use when testing.\n---\nText.\n");
    sandbox_text("outer/sub/inner/SKILL.md",
                 "---\nname: inner\ndescription: Lies inside. Use when testing.\n---\nText.\n");
    sandbox_text("outer/sub/inner/a.md", "x");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_TRUE_MESSAGE(o.well, outcome_text(&o));
    TEST_ASSERT_EQUAL_UINT(2, o.device.skill_count);
    TEST_ASSERT_EQUAL_STRING("outside", o.device.skills[0].path);
    TEST_ASSERT_EQUAL_UINT(5, o.device.skills[0].file_count);
    TEST_ASSERT_EQUAL_STRING("outside/sub/inner", o.device.skills[1].path);
    TEST_ASSERT_EQUAL_UINT(2, o.device.skills[1].file_count);
}

/* SK-V-25. Four blanks make a first line code; blank lines are nobody's. */
static void defect_9_only_blank_lines_around_a_text_are_cut(void)
{
    static const struct {
        const char *body, *text;
    } cases[] = {
        {"    pump --status\n\nThen read.\n", "    pump --status\n\nThen read."},
        {"\n \t\n\tpump\n \n\n", "\tpump"},
        {"  x  \n\t\n  ", "  x  "},
        {" x", " x"},
        {"x ", "x "},
        {"\n x\n\n", " x"},
        {" ", ""},
        {"\n  \n", ""},
    };

    sandbox_text("device.json", "{\"name\":\"d\",\"version\":\"1\"}");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sandbox_text(
            "skills/demo/SKILL.md",
            xasprintf("---\nname: demo\ndescription: Shows a rule. Use when testing.\n---\n%s", cases[i].body));
        sandbox_text("prompts/p.md", cases[i].body);
        struct outcome o = sandbox_load_plain();
        TEST_ASSERT_EQUAL(*cases[i].text != '\0', o.well); /* a prompt without text is an error */
        TEST_ASSERT_EQUAL_STRING(cases[i].text, record_of(&o.device, "body"));
        TEST_ASSERT_EQUAL_STRING(cases[i].text,
                                 o.device.prompts[0].part_count ? o.device.prompts[0].parts[0].text : "");
    }
    sandbox_text("skills/demo/SKILL.md",
                 "---\r\nname: demo\r\ndescription: Shows a rule. Use when testing.\r\n---\r\n\r\n  x\r\n \r\n");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_EQUAL_STRING("  x", record_of(&o.device, "body"));
}

/* ---- Messages ---- */

static void json_messages_are_one_object_a_line(void)
{
    char *text = NULL;
    size_t size = 0;
    struct diag diag = {.out = open_memstream(&text, &size), .json = true};

    diag_report(&diag, SEVERITY_ERROR, "a\"b.md", 2, 7, "SK-V-52", "name '%s'", "\x1b[31m\xff\n");
    diag_report(&diag, SEVERITY_WARNING, "c", 0, 0, NULL, "x");
    fclose(diag.out);
    TEST_ASSERT_EQUAL_STRING("{\"path\":\"a\\\"b.md\",\"line\":2,\"col\":7,\"severity\":\"error\",\"rule\":\"SK-V-52\","
                             "\"message\":\"name '\\\\x1b[31m\\\\xff\\\\x0a'\"}\n"
                             "{\"path\":\"c\",\"severity\":\"warning\",\"message\":\"x\"}\n",
                             text);
    TEST_ASSERT_EQUAL_UINT(1, diag.errors);
    TEST_ASSERT_EQUAL_UINT(1, diag.warnings);
    free(text);
}

/* Reports `errors` errors and as many warnings about one file, then one warning about another. */
static void report_many(struct diag *diag, unsigned errors)
{
    for (unsigned i = 0; i < errors; i++) {
        diag_report(diag, SEVERITY_ERROR, "a", i + 1, 1, NULL, "e");
        diag_report(diag, SEVERITY_WARNING, "a", i + 1, 1, NULL, "w");
    }
    diag_report(diag, SEVERITY_WARNING, "b", 1, 1, NULL, "w");
}

static unsigned lines_with(const char *text, const char *what)
{
    unsigned count = 0;

    for (const char *p = text; (p = strstr(p, what)) != NULL; p += strlen(what)) {
        count++;
    }
    return count;
}

/* DEF 61: printed directly, or held and released. */
static void a_file_has_so_many_messages_and_a_count_of_the_rest(void)
{
    for (int held = 0; held < 2; held++) {
        char *text = NULL;
        size_t size = 0;
        struct diag diag = {.out = open_memstream(&text, &size)}, keep = {.hold = true};

        report_many(held ? &keep : &diag, DIAG_FILE_MAX + 1234);
        if (held) {
            TEST_ASSERT_EQUAL_size_t(2 * DIAG_FILE_MAX + 1, keep.held_count);
            diag_release(&diag, &keep);
        }
        diag_end(&diag);
        fclose(diag.out);
        TEST_ASSERT_EQUAL_UINT(DIAG_FILE_MAX, lines_with(text, ": error: e\n"));
        TEST_ASSERT_EQUAL_UINT(DIAG_FILE_MAX + 1, lines_with(text, ": warning: w\n"));
        TEST_ASSERT_NOT_NULL(strstr(text, "\na: error: 1,234 more errors in this file not shown\n"));
        TEST_ASSERT_NOT_NULL(strstr(text, "\na: warning: 1,234 more warnings in this file not shown\n"));
        TEST_ASSERT_NULL(strstr(text, "\nb: warning:"));
        TEST_ASSERT_EQUAL_UINT(DIAG_FILE_MAX + 1234, diag.errors);
        TEST_ASSERT_EQUAL_UINT(DIAG_FILE_MAX + 1235, diag.warnings);
        free(text);
    }
}

static void json_strings_use_short_escapes(void)
{
    TEST_ASSERT_EQUAL_STRING("\"\\\"\\\\\\n\\r\\t\\b\\f\\u0000\\u001f/\x7f\"",
                             json_quoted("\"\\\n\r\t\b\f\0\x1f/\x7f", 11));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(golden_skill_is_read_exactly);
    RUN_TEST(folder_without_device_json_gets_a_default_identity);
    RUN_TEST(device_json_names_the_device);
    RUN_TEST(device_json_with_wrong_types_is_refused_with_line);
    RUN_TEST(device_json_that_is_no_json_is_refused_with_line);
    RUN_TEST(tool_keeps_key_order_and_number_spelling);
    RUN_TEST(tools_that_are_wrong_are_refused_with_line);
    RUN_TEST(prompt_is_cut_at_its_placeholders);
    RUN_TEST(prompts_that_are_wrong_are_reported_with_line);
    RUN_TEST(nested_skills_have_entries_of_their_own);
    RUN_TEST(defect_9_only_blank_lines_around_a_text_are_cut);
    RUN_TEST(json_messages_are_one_object_a_line);
    RUN_TEST(a_file_has_so_many_messages_and_a_count_of_the_rest);
    RUN_TEST(json_strings_use_short_escapes);
    return UNITY_END();
}
