/* test_verify.c -- `skillrom verify` notices every record that does not tell the truth.
 *
 * Each lie is told in a copy of a sound image that is then sealed again, so that mounting
 * takes it and only the comparison with the content can find it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "romfs.h"
#include "unity.h"
#include "verify/verify.h"

static struct buf sound, image;
static char *said; /* what verify printed */
static size_t said_size;

void setUp(void)
{
    image.n = 0;
    buf_add(&image, sound.p, sound.n);
}

void tearDown(void)
{
    free(said);
    said = NULL;
}

static struct source text_file(char *path, char *text)
{
    return (struct source){.path = path,
                           .disk_path = "",
                           .bytes = (uint8_t *)text,
                           .size = strlen(text),
                           .mime = "text/markdown",
                           .text = true};
}

static void build(void)
{
    static char long_text[2000];
    static struct source files[3], other[1];
    static struct argument args[] = {{.name = "who", .value = "you"}};

    memset(long_text, 'l', sizeof long_text - 1);
    files[0] = text_file("SKILL.md", "---\n---\nTell {{who}}.\n");
    files[1] = text_file("a.md", "# A\n");
    files[2] = text_file("b.md", long_text);
    other[0] = text_file("SKILL.md", "---\n---\nOther.\n");
    static struct skill skills[] = {
        {.path = "p/one",
         .disk_path = "",
         .frontmatter = "{\"name\":\"one\",\"description\":\"First\"}",
         .name_json = "\"one\"",
         .description_json = "\"First\"",
         .extras = {.title = "\"One\"", .version = "\"1\"", .tags = "[\"t\"]"},
         .body = 8,
         .listed = true,
         .args = args,
         .arg_count = 1,
         .files = files,
         .file_count = 3},
        {.path = "p/two",
         .disk_path = "",
         .frontmatter = "{\"name\":\"two\",\"description\":\"Second\"}",
         .name_json = "\"two\"",
         .description_json = "\"Second\"",
         .body = 8,
         .listed = true,
         .dynamic = true,
         .files = other,
         .file_count = 1},
    };
    struct device device = {
        .base = "skill://", .server_info = "{\"name\":\"t\",\"version\":\"1\"}", .skills = skills, .skill_count = 2};
    struct image_options options = {.window = 1024};
    struct diag diag = {.out = stderr};
    if (!image_build(&device, &options, &diag, &sound)) {
        abort();
    }
}

static struct romfs_header *header(void)
{
    return (void *)image.p;
}

static struct romfs_skill *skill(unsigned i)
{
    return (struct romfs_skill *)(void *)(image.p + header()->skills.off) + i;
}

static struct romfs_file *file(unsigned i)
{
    return (struct romfs_file *)(void *)(image.p + header()->files.off) + i;
}

static struct romfs_body_part *body(unsigned i)
{
    return (struct romfs_body_part *)(void *)(image.p + header()->bodies.off) + i;
}

static struct romfs_node *node_at(const char *path)
{
    struct romfs fs;

    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, image.p, image.n));
    const struct romfs_node *found = romfs_find(&fs, path, strlen(path));
    TEST_ASSERT_NOT_NULL(found);
    return (struct romfs_node *)(void *)(image.p + header()->nodes.off) + (found - fs.nodes);
}

/* Seals the image and expects verify to say `what`. */
static void is_noticed(const char *what)
{
    struct romfs fs;

    image_seal(&image);
    TEST_ASSERT_EQUAL_MESSAGE(ROMFS_OK, romfs_mount(&fs, image.p, image.n), what);
    free(said);
    FILE *out = open_memstream(&said, &said_size);
    unsigned problems = verify_image(&fs, "image", out);
    fclose(out);
    TEST_ASSERT_GREATER_THAN_MESSAGE(0, problems, what);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(said, what), said);
    setUp();
}

static void a_true_image_is_sound(void)
{
    struct romfs fs;

    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, image.p, image.n));
    TEST_ASSERT_EQUAL(0, verify_image(&fs, "image", stderr));
}

static void lies_about_content_are_noticed(void)
{
    node_at("p/one/a.md")->crc ^= 1;
    is_noticed("does not match its CRC");
    image.p[node_at("p/one/a.md")->digest] ^= 1;
    is_noticed("does not match its digest");
    struct romfs_node *b = node_at("p/one/b.md");
    b->json_size++;
    is_noticed("size of its JSON form");
    b = node_at("p/one/b.md");
    TEST_ASSERT_TRUE((b->flags & ROMFS_DEFLATE) != 0);
    image.p[b->data + b->stored - 2] = 0x01; /* a last block of another kind: stored, and cut off */
    is_noticed("does not end as archives require");
}

static void lies_about_entries_are_noticed(void)
{
    static const char entry[] = "does not name exactly its files";

    skill(0)->lean.off++;
    skill(0)->lean.len--;
    is_noticed(entry);
    skill(0)->frontmatter.len--;
    is_noticed(entry);
    skill(0)->flags |= ROMFS_DYNAMIC;
    is_noticed(entry);
    skill(1)->flags = 0;
    is_noticed(entry);
    skill(0)->prompt = header()->base;
    is_noticed("is outside of it");
    skill(0)->path.len--;
    is_noticed("in a directory that belongs to it");
}

static void lies_about_files_and_instructions_are_noticed(void)
{
    static const char files[] = "files are not those below its directory";

    skill(0)->file_count = 1;
    is_noticed(files);
    file(0)->path.off++;
    is_noticed(files);
    file(0)->node = file(1)->node;
    is_noticed(files);
    file(0)->about.len = 0;
    is_noticed(files);
    body(0)->json_size++;
    is_noticed("size of its instructions");
    body(0)->len = body(0)->json_size = 1; /* half of an escape, in the fence line */
    body(0)->off = 3;
    is_noticed("size of its instructions");
}

/* "# A\\n" of a.md */
static void lies_about_escapes_are_noticed(void)
{
    static const char damaged[] = "the stored content is damaged, or not as long";
    struct romfs_node *a = node_at("p/one/a.md");

    TEST_ASSERT_EQUAL(ROMFS_TEXT | ROMFS_ESCAPED, a->flags);
    image.p[a->data] = '"';
    is_noticed(damaged);
    image.p[node_at("p/one/a.md")->data] = '\n';
    is_noticed(damaged);
    a = node_at("p/one/a.md");
    image.p[a->data + a->stored - 1] = '/'; /* JSON has this escape, the compiler never writes it */
    is_noticed(damaged);
    a = node_at("p/one/a.md");
    image.p[a->data + a->stored - 2] = 'x'; /* one byte more than its record says */
    is_noticed(damaged);
    node_at("p/one/a.md")->size--;
    is_noticed(damaged);
    a = node_at("p/one/a.md");
    image.p[a->data + 1] = 0xFF;
    is_noticed("not UTF-8");
}

static void lies_about_archives_are_noticed(void)
{
    image.p[skill(0)->zip_digest] ^= 1;
    is_noticed("does not match its digest");
    image.p[skill(1)->tgz_digest + 31] ^= 1;
    is_noticed("does not match its digest");
    skill(1)->tar_crc ^= 0x80000000u;
    is_noticed("tar does not match its CRC");
}

int main(void)
{
    build();
    UNITY_BEGIN();
    RUN_TEST(a_true_image_is_sound);
    RUN_TEST(lies_about_content_are_noticed);
    RUN_TEST(lies_about_escapes_are_noticed);
    RUN_TEST(lies_about_entries_are_noticed);
    RUN_TEST(lies_about_files_and_instructions_are_noticed);
    RUN_TEST(lies_about_archives_are_noticed);
    return UNITY_END();
}
