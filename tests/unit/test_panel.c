/* test_panel.c -- the record of the panel in an image: what mounting proves, and what programs without panels ignore. */
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "unity.h"

static struct buf image;
static struct romfs fs;

/* An image with nothing but a panel. */
void setUp(void)
{
    static const char html[] = "<!doctype html>\n<title>\"x\"</title>\n";
    struct panel panel = {
        .file = {.path = "panel", .size = sizeof html - 1, .mime = "text/html;profile=mcp-app", .text = true},
        .uri = "ui://d/panel",
        .meta = ",\"_meta\":{}",
        .tool = "{\"name\":\"show_panel\"}",
        .text = "d",
    };
    const struct device device = {
        .base = "skill://", .name = "d", .server_info = "{\"name\":\"d\",\"version\":\"1\"}", .panel = &panel};
    const struct image_options options = {.window = 0};
    struct diag diag = {.silent = true};

    image.n = 0;
    panel.file.bytes = (uint8_t *)xstrdup(html);
    TEST_ASSERT_TRUE(image_build(&device, &options, &diag, &image));
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, image.p, image.n));
    free(panel.file.bytes);
}

void tearDown(void)
{
}

static struct romfs_header *header(void)
{
    return (void *)image.p;
}

static struct romfs_panel *record(void)
{
    return (void *)(image.p + sizeof(struct romfs_header));
}

/* Mounts with one number changed, under a correct CRC; the programs that ignore panels mount it all the same. */
static void expect(int error, uint32_t *number, uint32_t value)
{
    uint32_t old = *number;

    *number = value;
    image_seal(&image);
    TEST_ASSERT_EQUAL(error, romfs_mount(&fs, image.p, image.n));
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount_prompts(&fs, image.p, image.n));
    *number = old;
    image_seal(&image);
}

static void it_is_found_with_its_content(void)
{
    const struct romfs_panel *panel = romfs_find_panel(&fs);

    TEST_ASSERT_NOT_NULL(panel);
    TEST_ASSERT_EQUAL_MEMORY("ui://d/panel", romfs_at(&fs, panel->file.path), panel->file.path.len);
    TEST_ASSERT_EQUAL_MEMORY("panel", romfs_at(&fs, panel->file.name), panel->file.name.len);
    TEST_ASSERT_EQUAL(panel->file.json_size, panel->file.stored); /* escaped, as it is sent */
    TEST_ASSERT_EQUAL(panel->file.size + 4, panel->file.stored);
    TEST_ASSERT_NULL(romfs_find(&fs, "ui://d/panel", 12));
}

static void an_image_without_one_says_so(void)
{
    header()->flags &= ~(uint32_t)ROMFS_HAS_PANEL;
    image_seal(&image);
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, image.p, image.n));
    TEST_ASSERT_NULL(romfs_find_panel(&fs));
}

static void texts_outside_the_image_are_refused(void)
{
    struct romfs_text *texts[] = {&record()->meta,      &record()->tool,      &record()->resource, &record()->text,
                                  &record()->file.path, &record()->file.name, &record()->file.mime};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        expect(ROMFS_ERR_NODE, &texts[i]->off, header()->meta_size + 1);
        expect(ROMFS_ERR_NODE, &texts[i]->len, header()->meta_size + 1);
        expect(ROMFS_ERR_NODE, &texts[i]->len, UINT32_MAX);
    }
}

static void a_content_outside_the_image_is_refused(void)
{
    struct romfs_node *file = &record()->file;

    expect(ROMFS_ERR_NODE, &file->data, header()->meta_size - 4);
    expect(ROMFS_ERR_NODE, &file->data, header()->size);
    expect(ROMFS_ERR_NODE, &file->stored, header()->size);
    expect(ROMFS_ERR_NODE, &file->json_size, file->json_size + 1);
    expect(ROMFS_ERR_NODE, &file->size, UINT32_MAX);
    expect(ROMFS_ERR_NODE, &file->digest, header()->meta_size - 31);
}

static void what_is_no_text_file_is_refused(void)
{
    struct romfs_node *file = &record()->file;

    expect(ROMFS_ERR_NODE, &file->flags, file->flags | ROMFS_DIR);
    expect(ROMFS_ERR_NODE, &file->flags, 0);
    expect(ROMFS_ERR_NODE, &file->flags, file->flags | ROMFS_DEFLATE);
    expect(ROMFS_ERR_NODE, &file->skill, 0);
}

/* The flag of an image that was written without a panel: its record would be other data, or beyond the end. */
static void a_record_beyond_the_guarded_area_is_refused(void)
{
    struct romfs_header *h = header();

    h->meta_size = sizeof *h + sizeof(struct romfs_panel) - 4;
    image_seal(&image);
    TEST_ASSERT_NOT_EQUAL(ROMFS_OK, romfs_mount(&fs, image.p, image.n));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(it_is_found_with_its_content);
    RUN_TEST(an_image_without_one_says_so);
    RUN_TEST(texts_outside_the_image_are_refused);
    RUN_TEST(a_content_outside_the_image_is_refused);
    RUN_TEST(what_is_no_text_file_is_refused);
    RUN_TEST(a_record_beyond_the_guarded_area_is_refused);
    return UNITY_END();
}
