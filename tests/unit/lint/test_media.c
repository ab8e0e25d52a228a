/* test_media.c -- which media type a file of a skill gets (SK-V-62, SK-V-63), and names that no disk has. */
#include <string.h>

#include "base/buf.h"
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

/* ---- Media types (SK-V-62, SK-V-63) ---- */

static void media_types_follow_extension_then_bytes(void)
{
    static const struct {
        const char *name, *bytes;
        size_t size;
        const char *type;
        bool text;
    } want[] = {
        {"a.md", "x", 1, "text/markdown", true},
        {"A.MD", "x", 1, "text/markdown", true},
        {"a.txt", "x", 1, "text/plain", true},
        {"a.json", "{}", 2, "application/json", true},
        {"a.yml", "x", 1, "application/yaml", true},
        {"a.yaml", "x", 1, "application/yaml", true},
        {"a.csv", "x", 1, "text/csv", true},
        {"a.html", "x", 1, "text/html", true},
        {"a.css", "x", 1, "text/css", true},
        {"a.js", "x", 1, "text/javascript", true},
        {"a.mjs", "x", 1, "text/javascript", true},
        {"a.py", "x", 1, "text/x-python", true},
        {"a.sh", "x", 1, "text/x-shellscript", true},
        {"a.lua", "x", 1, "text/x-lua", true},
        {"a.c", "x", 1, "text/x-c", true},
        {"a.h", "x", 1, "text/x-c", true},
        {"a.xml", "x", 1, "application/xml", true},
        {"a.toml", "x", 1, "application/toml", true},
        {"a.svg", "x", 1, "image/svg+xml", true},
        {"a.png", "x", 1, "image/png", false},
        {"a.jpg", "x", 1, "image/jpeg", false},
        {"a.jpeg", "x", 1, "image/jpeg", false},
        {"a.gif", "x", 1, "image/gif", false},
        {"a.webp", "x", 1, "image/webp", false},
        {"a.pdf", "x", 1, "application/pdf", false},
        {"a.tar.gz", "x", 1, "application/gzip", false},
        {"a.zip", "x", 1, "application/zip", false},
        {"Makefile", "x", 1, "text/plain", true},
        {"empty", "", 0, "text/plain", true},
        {"nul", "a\0b", 3, "application/octet-stream", false},
        {"latin", "\xe9", 1, "application/octet-stream", false},
        {"surrogate", "\xed\xa0\x80", 3, "application/octet-stream", false},
        {"overlong", "\xc0\xaf", 2, "application/octet-stream", false},
        {"latin.md", "\xe9", 1, "text/markdown", false},
        {"nul.json", "\0", 1, "application/json", false},
    };

    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        struct media m = media_of(want[i].name, (const uint8_t *)want[i].bytes, want[i].size);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(want[i].type, m.type, want[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(want[i].text, m.text, want[i].name);
    }
}

static void path_segments_no_disk_would_hold_are_illegal(void)
{
    char longest[257];

    memset(longest, 'a', sizeof longest);
    TEST_ASSERT_TRUE(rules_segment_is_legal(longest, 255));
    TEST_ASSERT_FALSE(rules_segment_is_legal(longest, 256));
    TEST_ASSERT_FALSE(rules_segment_is_legal("", 0));
    TEST_ASSERT_FALSE(rules_segment_is_legal(".", 1));
    TEST_ASSERT_FALSE(rules_segment_is_legal("..", 2));
    TEST_ASSERT_TRUE(rules_segment_is_legal("...", 3));
    TEST_ASSERT_FALSE(rules_segment_is_legal("a\0b", 3));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(media_types_follow_extension_then_bytes);
    RUN_TEST(path_segments_no_disk_would_hold_are_illegal);
    return UNITY_END();
}
