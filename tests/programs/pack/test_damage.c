/* test_damage.c -- what the reading commands do with images that a hostile hand has
 * altered and given a fitting checksum. Mounting may refuse or accept; either way no
 * read may leave the image, which the address sanitizer watches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/summary.h"
#include "image/image.h"
#include "romfs.h"
#include "unity.h"
#include "verify/content.h"
#include "verify/verify.h"
#include "verify/walk.h"

static struct buf pristine;
static FILE *nowhere;
static unsigned accepted;

void setUp(void)
{
}

void tearDown(void)
{
}

/* One of everything: listed and unlisted skill, tool, prompt with an argument, deflated file. */
/* An image with one of everything. */
static uint8_t long_text[2000];
static struct source files_of_a[] = {
    {.path = "SKILL.md",
     .disk_path = "",
     .bytes = (uint8_t *)"x {{line}} y\n",
     .size = 13,
     .mime = "text/markdown",
     .text = true},
    {.path = "d", .disk_path = "", .is_dir = true},
    {.path = "d/long.txt",
     .disk_path = "",
     .bytes = long_text,
     .size = sizeof long_text,
     .mime = "text/plain",
     .text = true,
     .alias = "long"},
    {.path = "scripts", .disk_path = "", .is_dir = true},
    {.path = "scripts/go.sh",
     .disk_path = "",
     .bytes = (uint8_t *)"go\n",
     .size = 3,
     .mime = "text/x-shellscript",
     .text = true,
     .is_script = true,
     .tool = 0,
     .about = "Goes",
     .title = "Go",
     .required = true},
};
static struct argument skill_args[] = {{.name = "line", .value = "1"}};
static size_t tools_of_a[] = {0}, prompts_of_a[] = {0}, subskills_of_a[] = {1};
static struct skill skills[] = {
    {.path = "p/a",
     .disk_path = "",
     .frontmatter = "{\"name\":\"a\"}",
     .name_json = "\"a\"",
     .description_json = "\"a\"",
     .listed = true,
     .archived = true,
     .extras = {.title = "\"A\"", .version = "\"1\"", .tags = "[\"t\"]", .dependencies = "{}", .metadata = "{}"},
     .args = skill_args,
     .arg_count = 1,
     .tools = {tools_of_a, 1},
     .prompts = {prompts_of_a, 1},
     .subskills = {subskills_of_a, 1},
     .files = files_of_a,
     .file_count = 5},
    {.path = "p/b",
     .disk_path = "",
     .frontmatter = "{\"name\":\"b\"}",
     .name_json = "\"b\"",
     .description_json = "\"b\"",
     .listed = false,
     .files = files_of_a,
     .file_count = 1},
};
static struct tool tools[] = {{.name = "go", .json = "{\"name\":\"go\"}", .scoped = true},
                              {.name = "stop", .json = "{\"name\":\"stop\"}"}};
static struct argument args[] = {{.name = "line", .required = true}};
static struct prompt_part parts[] = {{"Check ", -1}, {NULL, 0}, {"!", -1}};
static struct prompt prompts[] = {
    {.name = "check", .json = "{\"name\":\"check\"}", .args = args, .arg_count = 1, .parts = parts, .part_count = 3}};

static void an_image_with_one_of_everything_builds(void)
{
    struct device device = {.base = "skill://",
                            .server_info = "{\"name\":\"t\",\"version\":\"1\"}",
                            .skills = skills,
                            .skill_count = 2,
                            .tools = tools,
                            .tool_count = 2,
                            .prompts = prompts,
                            .prompt_count = 1};
    struct image_options options = {.window = 1024};
    struct diag diag = {.out = stderr};

    memset(long_text, 'l', sizeof long_text);
    TEST_ASSERT_TRUE(image_build(&device, &options, &diag, &pristine));
}

static void read_all(const struct romfs *fs)
{
    const struct romfs_node *node;
    struct walk walk;

    summary_print_all(nowhere, fs);
    for (walk_start(&walk, fs, &fs->nodes[0]); (node = walk_next(&walk)) != NULL;) {
        struct content content;
        const uint8_t *bytes;
        size_t n;
        if ((node->flags & ROMFS_DIR) != 0) {
            continue;
        }
        for (content_open(&content, fs, node); (n = content_next(&content, &bytes)) > 0;) {
            fwrite(bytes, 1, n, nowhere);
        }
        content_close(&content);
    }
    verify_image(fs, "altered", nowhere);
}

/* Mounts a copy of exactly n bytes with the word at `at` replaced and the CRC made to fit. */
static void try_word(size_t at, uint32_t value, size_t n)
{
    uint8_t *copy = malloc(n);
    struct romfs fs;
    struct romfs_header *h = (void *)copy;

    memcpy(copy, pristine.p, n);
    memcpy(copy + at, &value, sizeof value);
    size_t from = offsetof(struct romfs_header, version);
    if (h->meta_size > from && h->meta_size <= n && at != offsetof(struct romfs_header, crc)) {
        h->crc = romfs_crc32(0, copy + from, h->meta_size - from);
    }
    if (romfs_mount(&fs, copy, n) == ROMFS_OK) {
        accepted++;
        read_all(&fs);
    }
    free(copy);
}

static void no_altered_word_leads_out_of_the_image(void)
{
    const struct romfs_header *h = (const void *)pristine.p;

    for (size_t at = 0; at + 4 <= h->meta_size; at += 4) {
        uint32_t old;
        memcpy(&old, pristine.p + at, sizeof old);
        const uint32_t values[] = {0,       1,          4,           old + 1,     old - 1,    old + 4, h->meta_size,
                                   h->size, 0x7FFFFFFF, 0x80000000u, 0xFFFFFFF0u, 0xFFFFFFFFu};
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            try_word(at, values[i], pristine.n);
        }
    }
    TEST_ASSERT_GREATER_THAN(0, accepted); /* else this would prove nothing about reading */
}

static void no_image_cut_short_is_accepted(void)
{
    for (size_t n = 0; n < pristine.n; n++) {
        uint8_t *copy = malloc(n > 0 ? n : 1);
        struct romfs fs;
        memcpy(copy, pristine.p, n);
        TEST_ASSERT_NOT_EQUAL(ROMFS_OK, romfs_mount(&fs, copy, n));
        free(copy);
    }
}

static void verify_notices_every_altered_data_byte(void)
{
    const struct romfs_header *h = (const void *)pristine.p;

    for (size_t at = h->meta_size; at < h->size; at++) {
        uint8_t *copy = malloc(pristine.n);
        struct romfs fs;
        memcpy(copy, pristine.p, pristine.n);
        copy[at] ^= 0x10;
        TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, copy, pristine.n));
        TEST_ASSERT_GREATER_THAN(0, verify_image(&fs, "altered", nowhere));
        free(copy);
    }
}

int main(void)
{
    nowhere = fopen("/dev/null", "w");
    UNITY_BEGIN();
    RUN_TEST(an_image_with_one_of_everything_builds);
    RUN_TEST(no_altered_word_leads_out_of_the_image);
    RUN_TEST(no_image_cut_short_is_accepted);
    RUN_TEST(verify_notices_every_altered_data_byte);
    return UNITY_END();
}
