/* test_hostile.c -- no input, however broken, stops the loader: it answers with
 * messages. The random texts come from a fixed seed, so a failure comes back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "sandbox.h"
#include "unity.h"

#define NOBODY 65534

static const char valid_skill[] = "---\nname: demo\ndescription: Shows a rule. Use when testing.\n---\nText.\n";

/* Something of everything, to be damaged. */
static const char mutable_skill[] = "---\n"
                                    "name: demo\n"
                                    "description: >-\n"
                                    "  Folded text,\n"
                                    "  two lines.\n"
                                    "license: 'it''s \\n'\n"
                                    "metadata:\n"
                                    "  version: \"1.2\\u00e9\"\n"
                                    "  dev.skillrom/title: Demo\n"
                                    "  dev.skillrom/tags: a b-2\n"
                                    "  dev.skillrom/arguments: '[{\"name\":\"a\",\"default\":\"x\"}]'\n"
                                    "  dev.skillrom/icons: '[{\"src\":\"data:,\"}]'\n"
                                    "  dev.skillrom/audience: user\n"
                                    "  dev.skillrom/priority: \"0.5\"\n"
                                    "  dev.skillrom/subskills: demo\n"
                                    "  list:\n"
                                    "    - a: 1\n"
                                    "    - {b: [c, 2.5]}\n"
                                    "  block: |+\n"
                                    "    one\n"
                                    "\n"
                                    "---\n"
                                    "\n"
                                    "# Title\n"
                                    "Read [a](references/a.md) and [b]( <x y.md> \"t\").\n"
                                    "```sh\n"
                                    "echo `x`\n"
                                    "```\n";

void setUp(void)
{
    sandbox_open();
}

void tearDown(void)
{
    sandbox_close();
}

static uint32_t seed = 1;

static uint32_t next_random(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void refuse(const char *text, size_t n)
{
    sandbox_file("demo/SKILL.md", text, n);
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_EQUAL_UINT(0, o.odd);
    TEST_ASSERT_TRUE(o.well || o.count > 0);
}

static void random_bytes_are_answered_with_messages(void)
{
    char bytes[400];

    for (int round = 0; round < 300; round++) {
        size_t n = next_random() % sizeof bytes;
        for (size_t i = 0; i < n; i++) {
            bytes[i] = (char)next_random();
        }
        refuse(bytes, n);
    }
}

static void random_yaml_is_answered_with_messages(void)
{
    static const char *const pieces[] = {"name: demo\n",
                                         "description: d\n",
                                         "- ",
                                         ": ",
                                         "  ",
                                         "\n",
                                         "|\n",
                                         ">-\n",
                                         "\"",
                                         "'",
                                         "[",
                                         "]",
                                         "{",
                                         "}",
                                         "&a ",
                                         "*a",
                                         "!!str ",
                                         "? ",
                                         "#",
                                         "\t",
                                         "\r\n",
                                         "---",
                                         "...",
                                         "%",
                                         "@",
                                         "a",
                                         "1",
                                         "é",
                                         "\\x",
                                         "<<",
                                         ",",
                                         "metadata:\n"};

    for (int round = 0; round < 2000; round++) {
        struct buf b = {0};
        buf_puts(&b, "---\n");
        for (uint32_t k = next_random() % 24; k > 0; k--) {
            buf_puts(&b, pieces[next_random() % (sizeof pieces / sizeof pieces[0])]);
        }
        buf_puts(&b, "\n---\nText [a](b.md) `c`\n");
        refuse((const char *)b.p, b.n);
    }
}

static void mutated_skill_is_answered_with_messages(void)
{
    size_t n = strlen(mutable_skill);
    char *copy = xmalloc(n);

    for (int round = 0; round < 1000; round++) {
        memcpy(copy, mutable_skill, n);
        for (uint32_t k = 1 + next_random() % 4; k > 0; k--) {
            copy[next_random() % n] =
                (char)(next_random() % 3 ? "\n:-'\"[]{}#&*!|>%@ \t"[next_random() % 19] : (char)next_random());
        }
        refuse(copy, n);
    }
}

static void huge_and_deep_frontmatter_is_refused(void)
{
    static const char *const units[] = {"[", "{a: ", "- ", "? ", "\"", "a: b\n", " ", "&a ", "#\n", "|\n"};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        struct buf b = {0};
        buf_puts(&b, "---\n");
        while (b.n < 65000) {
            buf_puts(&b, units[i]);
        }
        buf_puts(&b, "\n---\n");
        refuse((const char *)b.p, b.n);
    }
}

static void deep_json_is_refused(void)
{
    struct buf b = {0};

    buf_puts(&b, "{\"name\":");
    for (int i = 0; i < 100000; i++) {
        buf_puts(&b, "[");
    }
    sandbox_file("device.json", b.p, b.n);
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_FALSE(o.well);
    TEST_ASSERT_TRUE(o.count > 0);
}

/* `unit` n times, with commas between. */
static char *repeated(const char *unit, int n)
{
    struct buf b = {0};

    for (int i = 0; i < n; i++) {
        buf_printf(&b, "%s%s", i > 0 ? "," : "", unit);
    }
    return buf_str(&b);
}

/* The file has a key twice, with much at first and little then. Who makes room for the little
 * must not go on counting after the much. */
static struct outcome load_with_key_twice(const char *path, unsigned line, unsigned col, const char *text)
{
    sandbox_text(path, text);
    struct outcome o = sandbox_load_plain();
    const struct message *m = outcome_find(&o, true, NULL, path, line, col);
    TEST_ASSERT_FALSE(o.well);
    TEST_ASSERT_NOT_NULL_MESSAGE(m, outcome_text(&o));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(m->text, "given twice"), m->text);
    TEST_ASSERT_EQUAL_INT(0, remove(sandbox_path(path)));
    return o;
}

static void defect_23_a_key_given_twice_counts_once(void)
{
    static const char arguments[] = "  - name: a\n  - name: b\n  - name: c\n  - name: d\n";
    static const char device[] = "{\"name\":\"d\",\"version\":\"1\"}";
    struct buf names = {0}, prefixes = {0};

    for (int i = 0; i < 200; i++) {
        buf_printf(&names, "%s{\"name\":\"a%d\"}", i > 0 ? "," : "", i);
        buf_printf(&prefixes, "%s\"p%d\":\"x\"", i > 0 ? "," : "", i);
    }
    struct outcome o = load_with_key_twice(
        "demo/SKILL.md", 6, 3,
        xasprintf("---\nname: demo\ndescription: Shows a rule. Use when testing.\nmetadata:\n"
                  "  dev.skillrom/arguments: '[%s]'\n  dev.skillrom/arguments: '[{\"name\":\"b\"}]'\n---\nText.\n",
                  buf_str(&names)));
    TEST_ASSERT_EQUAL_UINT(200, o.device.skills[0].arg_count);

    sandbox_text("demo/SKILL.md", valid_skill);
    sandbox_text("device.json", device);
    o = load_with_key_twice(
        "prompts/p.md", 7, 1,
        xasprintf("---\narguments:\n%sarguments:\n  - name: e\n---\n{{a}}{{b}}{{c}}{{d}}\n", arguments));
    TEST_ASSERT_EQUAL_UINT(4, o.device.prompts[0].arg_count);
    load_with_key_twice(
        "tools/t.json", 3, 1,
        xasprintf("{\"name\":\"t\",\"description\":\"x\",\n\"inputSchema\":{\"type\":\"object\",\"properties\":{"
                  "\"s\":{\"type\":\"string\",\"enum\":[%s]}}},\n\"inputSchema\":{\"type\":\"object\"}}",
                  repeated("\"v\"", 100)));
    o = load_with_key_twice(
        "device.json", 3, 1,
        xasprintf("{\"name\":\"d\",\"version\":\"1\",\n\"resources\":[%s],\n\"resources\":[\"x://y\"]}",
                  repeated("\"x://z\"", 200)));
    TEST_ASSERT_EQUAL_UINT(200, o.device.served_count);
    o = load_with_key_twice(
        "device.json", 3, 1,
        xasprintf("{\"name\":\"d\",\"version\":\"1\",\n\"templates\":{%s},\n\"templates\":{\"q\":\"x\"}}",
                  buf_str(&prefixes)));
    TEST_ASSERT_EQUAL_UINT(200, o.device.prefix_count);
}

/* Each lists all files below it: without a limit the image would grow with the square of the depth. */
static void defect_61_skills_lie_in_eight_others_at_most(void)
{
    struct buf path = {0};

    for (unsigned depth = 1; depth <= 40; depth++) {
        buf_puts(&path, "s/");
        sandbox_text(xasprintf("%sSKILL.md", buf_str(&path)),
                     "---\nname: s\ndescription: Says what it is for and when.\n---\n\nText.\n");
        struct outcome o = sandbox_load_plain();
        TEST_ASSERT_EQUAL_INT_MESSAGE(depth <= 8, o.well, outcome_text(&o));
        TEST_ASSERT_EQUAL_size_t(depth < 8 ? depth : 8, o.device.skill_count);
        TEST_ASSERT_EQUAL_UINT_MESSAGE(depth <= 8 ? depth - 1 : 8, outcome_count(&o, "SK-V-04"), outcome_text(&o));
    }
}

static void folders_that_cannot_be_read_are_named(void)
{
    struct outcome o = sandbox_load("missing", &(struct load_options){0});

    TEST_ASSERT_FALSE(o.well);
    TEST_ASSERT_NOT_NULL(outcome_find(&o, true, NULL, "missing", 0, 0));
    sandbox_text("file", "x");
    o = sandbox_load("file", &(struct load_options){0});
    TEST_ASSERT_FALSE(o.well);
    TEST_ASSERT_NOT_NULL(outcome_find(&o, true, NULL, "file", 0, 0));
}

static void unreadable_files_are_named(void)
{
    sandbox_text("demo/SKILL.md", valid_skill);
    sandbox_text("demo/secret.md", "x");
    sandbox_text("demo/closed/a.md", "x");
    chmod(sandbox_path(""), 0755);
    chmod(sandbox_path("demo/secret.md"), 0);
    chmod(sandbox_path("demo/closed"), 0);
    uid_t user = geteuid();
    if (user == 0 && seteuid(NOBODY)) { /* root may read everything */
        TEST_IGNORE_MESSAGE("cannot become another user");
    }
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_EQUAL_INT(0, seteuid(user));
    chmod(sandbox_path("demo/closed"), 0755);
    TEST_ASSERT_FALSE(o.well);
    TEST_ASSERT_NOT_NULL_MESSAGE(outcome_find(&o, true, NULL, "demo/secret.md", 1, 1), outcome_text(&o));
    TEST_ASSERT_NOT_NULL_MESSAGE(outcome_find(&o, true, NULL, "demo/closed", 1, 1), outcome_text(&o));
}

/* They are read like any others; only there is no tar that can hold them. */
static void long_and_deep_paths_are_named(void)
{
    char name[201];
    struct buf path = {0};

    memset(name, 'a', 200);
    name[200] = '\0';
    sandbox_text("demo/SKILL.md", valid_skill);
    buf_puts(&path, "demo");
    for (int i = 0; i < 15; i++) {
        buf_printf(&path, "/%s", name);
    }
    buf_puts(&path, "/x.md");
    sandbox_text(buf_str(&path), "x");
    struct outcome o = sandbox_load_plain();
    TEST_ASSERT_TRUE_MESSAGE(o.well, outcome_text(&o));
    TEST_ASSERT_EQUAL_UINT_MESSAGE(1, o.count, outcome_text(&o));
    TEST_ASSERT_EQUAL_UINT_MESSAGE(1, outcome_count(&o, "SK-B-07"), outcome_text(&o));
    TEST_ASSERT_EQUAL_UINT(17, o.device.skills[0].file_count);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(random_bytes_are_answered_with_messages);
    RUN_TEST(random_yaml_is_answered_with_messages);
    RUN_TEST(mutated_skill_is_answered_with_messages);
    RUN_TEST(huge_and_deep_frontmatter_is_refused);
    RUN_TEST(deep_json_is_refused);
    RUN_TEST(defect_23_a_key_given_twice_counts_once);
    RUN_TEST(defect_61_skills_lie_in_eight_others_at_most);
    RUN_TEST(folders_that_cannot_be_read_are_named);
    RUN_TEST(unreadable_files_are_named);
    RUN_TEST(long_and_deep_paths_are_named);
    return UNITY_END();
}
