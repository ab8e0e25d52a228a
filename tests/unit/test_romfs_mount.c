/* test_romfs_mount.c -- each way in which the records of an image can contradict each other is refused at mount. */
#include <stdlib.h>
#include <string.h>

#include "romfs.h"
#include "sample.h"
#include "unity.h"

static struct buf sound; /* the image as it was built */
static char *image;      /* a copy to spoil, in a block of its size */
static struct romfs fs;

void setUp(void)
{
    image = sample_exact_copy(sound.p, sound.n);
}

void tearDown(void)
{
    free(image);
}

static struct romfs_header *header(void)
{
    return (void *)image;
}

static struct romfs_node *node(uint32_t i)
{
    return (struct romfs_node *)(void *)(image + header()->nodes.off) + i;
}

static struct romfs_skill *skill(uint32_t i)
{
    return (struct romfs_skill *)(void *)(image + header()->skills.off) + i;
}

static struct romfs_tool *tool(uint32_t i)
{
    return (struct romfs_tool *)(void *)(image + header()->tools.off) + i;
}

static struct romfs_prompt *prompt(uint32_t i)
{
    return (struct romfs_prompt *)(void *)(image + header()->prompts.off) + i;
}

static struct romfs_file *file(uint32_t i)
{
    return (struct romfs_file *)(void *)(image + header()->files.off) + i;
}

static struct romfs_body_part *body(uint32_t i)
{
    return (struct romfs_body_part *)(void *)(image + header()->bodies.off) + i;
}

static uint32_t *link_at(uint32_t i)
{
    return (uint32_t *)(void *)(image + header()->links.off) + i;
}

static struct romfs_arg *arg(uint32_t i)
{
    return (struct romfs_arg *)(void *)(image + header()->args.off) + i;
}

#define HIDDEN 2 /* the skill of the sample that has one of everything */

static int mount_again(void)
{
    size_t from = offsetof(struct romfs_header, version);

    if (header()->meta_size > from && header()->meta_size <= sound.n) {
        header()->crc = romfs_crc32(0, image + from, header()->meta_size - from);
    }
    return romfs_mount(&fs, image, sound.n);
}

/* Sets a field, expects the refusal, and puts the field back. */
#define REFUSED(expected, field, value)                                                                                \
    do {                                                                                                               \
        uint32_t before = (field);                                                                                     \
        (field) = (value);                                                                                             \
        TEST_ASSERT_EQUAL_MESSAGE(expected, mount_again(), #field " = " #value);                                       \
        (field) = before;                                                                                              \
        TEST_ASSERT_EQUAL_MESSAGE(ROMFS_OK, mount_again(), "restored " #field);                                        \
    } while (0)

static uint32_t index_of(const char *path)
{
    const struct romfs_node *found;

    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, image, sound.n));
    found = romfs_find(&fs, path, strlen(path));
    TEST_ASSERT_NOT_NULL(found);
    return (uint32_t)(found - fs.nodes);
}

/* ---- Mounting ---- */

static void another_magic_is_refused(void)
{
    for (size_t i = 0; i < 8; i++) {
        image[i] ^= 1;
        TEST_ASSERT_EQUAL(ROMFS_ERR_MAGIC, mount_again());
        image[i] ^= 1;
    }
}

static void another_version_is_refused(void)
{
    REFUSED(ROMFS_ERR_VERSION, header()->version, 0);
    REFUSED(ROMFS_ERR_VERSION, header()->version, ROMFS_VERSION - 1);
    REFUSED(ROMFS_ERR_VERSION, header()->version, ROMFS_VERSION + 1);
}

static void sizes_that_contradict_each_other_are_refused(void)
{
    REFUSED(ROMFS_ERR_SHORT, header()->size, (uint32_t)sound.n + 4);
    REFUSED(ROMFS_ERR_SHORT, header()->size, UINT32_MAX);
    REFUSED(ROMFS_ERR_SHORT, header()->size, header()->meta_size - 4);
    REFUSED(ROMFS_ERR_SHORT, header()->meta_size, header()->size + 4);
    REFUSED(ROMFS_ERR_SHORT, header()->meta_size, sizeof(struct romfs_header) - 4);
    REFUSED(ROMFS_ERR_SHORT, header()->meta_size, 0);
}

static void tables_outside_the_guarded_area_are_refused(void)
{
    struct romfs_table *tables = &header()->nodes;

    for (unsigned i = 0; i < 9; i++) {
        REFUSED(ROMFS_ERR_TABLE, tables[i].off, tables[i].off + 2);
        REFUSED(ROMFS_ERR_TABLE, tables[i].off, header()->meta_size + 4);
        REFUSED(ROMFS_ERR_TABLE, tables[i].off, 0xFFFFFFFCu);
        REFUSED(ROMFS_ERR_TABLE, tables[i].count, header()->meta_size);
        REFUSED(ROMFS_ERR_TABLE, tables[i].count, 0x80000000u);
        REFUSED(ROMFS_ERR_TABLE, tables[i].count, UINT32_MAX);
    }
    REFUSED(ROMFS_ERR_TABLE, header()->nodes.count, 0);
    REFUSED(ROMFS_ERR_TABLE, header()->listed, header()->skills.count + 1);
}

static void a_text_outside_the_guarded_area_is_refused(void)
{
    struct romfs_text *texts[] = {
        &header()->base,
        &header()->server_info,
        &header()->instructions,
        &header()->templates,
        &header()->index_templates,
        &header()->skill_tools[0],
        &header()->skill_tools[1],
        &node(1)->path,
        &node(1)->name,
        &node(1)->mime,
        &node(0)->name,
        &node(0)->mime,
        &skill(0)->entry,
        &skill(0)->name,
        &skill(0)->description,
        &skill(0)->extra,
        &skill(0)->path,
        &skill(1)->frontmatter,
        &skill(1)->resources,
        &skill(1)->lean,
        &skill(2)->prompt,
        &skill(2)->version,
        &skill(2)->tags,
        &skill(2)->dependencies,
        &skill(2)->metadata,
        &file(0)->path,
        &file(0)->about,
        &file(0)->title,
        &file(0)->alias,
        &tool(0)->name,
        &tool(0)->json,
        &prompt(0)->name,
        &prompt(0)->json,
        &prompt(0)->description,
        &arg(0)->name,
        &arg(1)->value,
        &((struct romfs_prompt_part *)(void *)(image + header()->prompt_parts.off))->text,
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        REFUSED(ROMFS_ERR_TEXT, texts[i]->off, header()->meta_size + 1);
        REFUSED(ROMFS_ERR_TEXT, texts[i]->len, header()->meta_size + 1);
        REFUSED(ROMFS_ERR_TEXT, texts[i]->len, 0xFFFFFFF0u);
        REFUSED(ROMFS_ERR_TEXT, texts[i]->len, UINT32_MAX);
    }
}

static void a_file_whose_bytes_lie_elsewhere_is_refused(void)
{
    uint32_t i = index_of("alpha/data/bytes.bin");

    REFUSED(ROMFS_ERR_NODE, node(i)->data, header()->meta_size - 4);
    REFUSED(ROMFS_ERR_NODE, node(i)->data, header()->size + 4);
    REFUSED(ROMFS_ERR_NODE, node(i)->data, header()->size - 4);
    REFUSED(ROMFS_ERR_NODE, node(i)->data, 0);
    REFUSED(ROMFS_ERR_NODE, node(i)->data, 0xFFFFFFFCu);
    REFUSED(ROMFS_ERR_NODE, node(i)->stored, 255);
    REFUSED(ROMFS_ERR_NODE, node(i)->size, 257);
    REFUSED(ROMFS_ERR_NODE, node(i)->stored, UINT32_MAX);
    REFUSED(ROMFS_ERR_NODE, node(i)->digest, header()->meta_size - 28);
    REFUSED(ROMFS_ERR_NODE, node(i)->digest, UINT32_MAX - 8);
}

static void a_deflated_file_without_a_window_is_refused(void)
{
    REFUSED(ROMFS_ERR_NODE, header()->window, 0);
    uint32_t i = index_of("alpha/long.txt");
    TEST_ASSERT_TRUE((node(i)->flags & ROMFS_DEFLATE) != 0);
    REFUSED(ROMFS_ERR_NODE, node(i)->flags, ROMFS_TEXT);
}

/* alpha/SKILL.md is too short to be deflated. */
static void an_escaped_text_that_contradicts_itself_is_refused(void)
{
    uint32_t i = index_of("alpha/SKILL.md");
    struct romfs_node *n = node(i);

    TEST_ASSERT_EQUAL(ROMFS_TEXT | ROMFS_ESCAPED, n->flags);
    TEST_ASSERT_EQUAL(n->json_size, n->stored);
    REFUSED(ROMFS_ERR_NODE, n->flags, ROMFS_ESCAPED);
    REFUSED(ROMFS_ERR_NODE, n->flags, ROMFS_TEXT);
    REFUSED(ROMFS_ERR_NODE, n->flags, ROMFS_TEXT | ROMFS_ESCAPED | ROMFS_DEFLATE);
    REFUSED(ROMFS_ERR_NODE, n->stored, n->size);
    REFUSED(ROMFS_ERR_NODE, n->stored, n->stored + 1);
    REFUSED(ROMFS_ERR_NODE, n->json_size, n->json_size - 1);
    REFUSED(ROMFS_ERR_NODE, n->size, n->stored + 1);
    REFUSED(ROMFS_ERR_NODE, n->size, n->stored / 6 - 1);
    REFUSED(ROMFS_ERR_NODE, n->size, 0);
    REFUSED(ROMFS_ERR_NODE, n->data, header()->size - n->stored + 4);
}

static void a_root_that_is_no_root_is_refused(void)
{
    REFUSED(ROMFS_ERR_NODE, node(0)->flags, 0);
    REFUSED(ROMFS_ERR_NODE, node(0)->path.len, 1);
    REFUSED(ROMFS_ERR_NODE, node(1)->path.len, 0);
}

/* Its parent would be the root, which would look for it by a name without the slash. */
static void a_path_that_begins_with_a_slash_is_refused(void)
{
    uint32_t root_children = node(0)->stored;

    for (uint32_t i = 1; i <= root_children; i++) {
        char *path = (char *)image + node(i)->path.off, keep = *path;
        *path = '/';
        TEST_ASSERT_EQUAL(ROMFS_ERR_NODE, mount_again());
        *path = keep;
    }
    TEST_ASSERT_EQUAL(ROMFS_OK, mount_again());
}

static void a_directory_with_children_of_others_is_refused(void)
{
    uint32_t i = index_of("alpha"), count = header()->nodes.count;

    REFUSED(ROMFS_ERR_NODE, node(i)->data, node(i)->data + 1);
    REFUSED(ROMFS_ERR_NODE, node(i)->data, node(i)->data - 1);
    REFUSED(ROMFS_ERR_NODE, node(i)->data, 0);
    REFUSED(ROMFS_ERR_NODE, node(i)->data, count);
    REFUSED(ROMFS_ERR_NODE, node(i)->data, UINT32_MAX);
    REFUSED(ROMFS_ERR_NODE, node(i)->stored, node(i)->stored + 1);
    REFUSED(ROMFS_ERR_NODE, node(i)->stored, count);
    REFUSED(ROMFS_ERR_NODE, node(i)->stored, UINT32_MAX);
    REFUSED(ROMFS_ERR_NODE, node(0)->stored, node(0)->stored + 1);
}

static void swap(void *a, void *b, size_t n)
{
    char keep[64];

    memcpy(keep, a, n);
    memcpy(a, b, n);
    memcpy(b, keep, n);
}

static void tables_out_of_order_are_refused(void)
{
    swap(&node(1)->path, &node(2)->path, sizeof(struct romfs_text));
    TEST_ASSERT_EQUAL(ROMFS_ERR_ORDER, mount_again());
    swap(&node(1)->path, &node(2)->path, sizeof(struct romfs_text));
    swap(tool(0), tool(1), sizeof *tool(0));
    TEST_ASSERT_EQUAL(ROMFS_ERR_ORDER, mount_again());
    swap(tool(0), tool(1), sizeof *tool(0));
    swap(prompt(0), prompt(1), sizeof *prompt(0));
    TEST_ASSERT_EQUAL(ROMFS_ERR_ORDER, mount_again());
    swap(prompt(0), prompt(1), sizeof *prompt(0));
    TEST_ASSERT_EQUAL(ROMFS_OK, mount_again());
}

static void two_of_the_same_name_are_refused(void)
{
    struct romfs_text before = tool(1)->name;

    tool(1)->name = tool(0)->name;
    TEST_ASSERT_EQUAL(ROMFS_ERR_ORDER, mount_again());
    tool(1)->name = before;
    before = node(2)->path;
    node(2)->path = node(1)->path;
    TEST_ASSERT_EQUAL(ROMFS_ERR_ORDER, mount_again());
    node(2)->path = before;
    TEST_ASSERT_EQUAL(ROMFS_OK, mount_again());
}

static void skills_and_nodes_that_do_not_name_each_other_are_refused(void)
{
    uint32_t alpha = index_of("alpha/SKILL.md"), directory = index_of("alpha"), other = index_of("alpha/long.txt");

    REFUSED(ROMFS_ERR_SKILL, skill(0)->node, header()->nodes.count);
    REFUSED(ROMFS_ERR_SKILL, skill(0)->node, UINT32_MAX);
    REFUSED(ROMFS_ERR_SKILL, skill(0)->node, directory);
    REFUSED(ROMFS_ERR_SKILL, skill(0)->node, other);
    REFUSED(ROMFS_ERR_SKILL, node(alpha)->skill, 1);
    REFUSED(ROMFS_ERR_SKILL, node(alpha)->skill, ROMFS_NONE);
    REFUSED(ROMFS_ERR_NODE, node(alpha)->skill, header()->skills.count);
    REFUSED(ROMFS_ERR_NODE, node(alpha)->skill, ROMFS_NONE - 1);
}

static void listed_entries_that_do_not_follow_each_other_are_refused(void)
{
    REFUSED(ROMFS_ERR_SKILL, skill(0)->entry.len, skill(0)->entry.len - 1);
    REFUSED(ROMFS_ERR_SKILL, skill(1)->entry.off, skill(1)->entry.off - 1);
    REFUSED(ROMFS_ERR_SKILL, skill(2)->resources.off, skill(2)->entry.off); /* where its brace is */
    REFUSED(ROMFS_ERR_SKILL, skill(0)->name.len, 0);
    REFUSED(ROMFS_ERR_SKILL, skill(2)->name.len, 1);
    REFUSED(ROMFS_ERR_SKILL, skill(0)->description.len, 1);
    skill(2)->entry.off--; /* not listed: may lie anywhere */
    TEST_ASSERT_EQUAL(ROMFS_OK, mount_again());
}

static void skills_with_runs_of_records_that_are_not_there_are_refused(void)
{
    struct romfs_skill *s = skill(HIDDEN);
    struct {
        uint32_t *first, *count, all;
    } runs[] = {
        {&s->first_file, &s->file_count, header()->files.count},
        {&s->first_body, &s->body_count, header()->bodies.count},
        {&s->first_arg, &s->arg_count, header()->args.count},
        {&s->first_link, &s->tool_links, header()->links.count},
        {&s->first_link, &s->prompt_links, header()->links.count},
        {&s->first_link, &s->skill_links, header()->links.count},
    };

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        REFUSED(ROMFS_ERR_SKILL, *runs[i].first, runs[i].all + 1);
        REFUSED(ROMFS_ERR_SKILL, *runs[i].first, UINT32_MAX);
        REFUSED(ROMFS_ERR_SKILL, *runs[i].count, runs[i].all + 1);
        REFUSED(ROMFS_ERR_SKILL, *runs[i].count, UINT32_MAX);
    }
    REFUSED(ROMFS_ERR_SKILL, s->arg_count, 1); /* its text also uses the second one */
    REFUSED(ROMFS_ERR_SKILL, s->zip_digest, header()->meta_size - 28);
    REFUSED(ROMFS_ERR_SKILL, s->tgz_digest, UINT32_MAX - 8);
}

static void links_to_what_is_not_there_are_refused(void)
{
    uint32_t at = skill(HIDDEN)->first_link;

    REFUSED(ROMFS_ERR_SKILL, *link_at(at), header()->tools.count);
    REFUSED(ROMFS_ERR_SKILL, *link_at(at + 1), header()->prompts.count);
    REFUSED(ROMFS_ERR_SKILL, *link_at(at + 2), header()->skills.count);
    REFUSED(ROMFS_ERR_SKILL, *link_at(at + 2), ROMFS_NONE);
}

static void files_of_skills_that_contradict_themselves_are_refused(void)
{
    uint32_t script = skill(HIDDEN)->first_file, directory = index_of("hidden/scripts");

    REFUSED(ROMFS_ERR_SKILL, file(0)->node, header()->nodes.count);
    REFUSED(ROMFS_ERR_SKILL, file(0)->node, directory);
    REFUSED(ROMFS_ERR_SKILL, file(0)->tool, 0);
    REFUSED(ROMFS_ERR_SKILL, file(0)->kind, ROMFS_SCRIPT);
    REFUSED(ROMFS_ERR_SKILL, file(script)->tool, ROMFS_NONE);
    REFUSED(ROMFS_ERR_SKILL, file(script)->tool, header()->tools.count);
    REFUSED(ROMFS_ERR_SKILL, file(script)->kind, ROMFS_ASSET);
}

/* "Greet ", who, ", be ", tone, "", who, " {{x}}" */
static void instructions_are_stretches_of_skill_md_in_order(void)
{
    uint32_t first = skill(HIDDEN)->first_body, size = romfs_length(node(skill(HIDDEN)->node));

    TEST_ASSERT_EQUAL(4, skill(HIDDEN)->body_count);
    TEST_ASSERT_EQUAL(0, body(first)->arg);
    TEST_ASSERT_EQUAL(1, body(first + 1)->arg);
    TEST_ASSERT_EQUAL(0, body(first + 2)->arg);
    TEST_ASSERT_EQUAL_HEX32(ROMFS_NONE, body(first + 3)->arg);
    REFUSED(ROMFS_ERR_SKILL, body(first)->off, size + 1);
    REFUSED(ROMFS_ERR_SKILL, body(first)->len, size);
    REFUSED(ROMFS_ERR_SKILL, body(first)->len, UINT32_MAX);
    REFUSED(ROMFS_ERR_SKILL, body(first + 1)->off, body(first)->off);
    REFUSED(ROMFS_ERR_SKILL, body(first + 2)->arg, 2);
    REFUSED(ROMFS_ERR_SKILL, body(first + 3)->arg, ROMFS_NONE - 1);
    REFUSED(ROMFS_ERR_SKILL, body(first)->json_size, body(first)->len - 1);
    REFUSED(ROMFS_ERR_SKILL, body(first)->json_size, UINT32_MAX);
}

static void prompts_with_arguments_or_parts_of_others_are_refused(void)
{
    struct romfs_prompt_part *part = (void *)(image + header()->prompt_parts.off);

    REFUSED(ROMFS_ERR_PROMPT, prompt(0)->first_arg, header()->args.count + 1);
    REFUSED(ROMFS_ERR_PROMPT, prompt(0)->arg_count, header()->args.count + 1);
    REFUSED(ROMFS_ERR_PROMPT, prompt(0)->arg_count, UINT32_MAX);
    REFUSED(ROMFS_ERR_PROMPT, prompt(0)->arg_count, 1);
    REFUSED(ROMFS_ERR_PROMPT, prompt(0)->first_part, UINT32_MAX);
    REFUSED(ROMFS_ERR_PROMPT, prompt(0)->part_count, header()->prompt_parts.count + 1);
    REFUSED(ROMFS_ERR_PROMPT, part[1].arg, 2);
    REFUSED(ROMFS_ERR_PROMPT, part[1].arg, ROMFS_NONE - 1);
}

int main(void)
{
    sound = sample_image(512);
    UNITY_BEGIN();
    RUN_TEST(another_magic_is_refused);
    RUN_TEST(another_version_is_refused);
    RUN_TEST(sizes_that_contradict_each_other_are_refused);
    RUN_TEST(tables_outside_the_guarded_area_are_refused);
    RUN_TEST(a_text_outside_the_guarded_area_is_refused);
    RUN_TEST(a_file_whose_bytes_lie_elsewhere_is_refused);
    RUN_TEST(a_deflated_file_without_a_window_is_refused);
    RUN_TEST(an_escaped_text_that_contradicts_itself_is_refused);
    RUN_TEST(a_root_that_is_no_root_is_refused);
    RUN_TEST(a_path_that_begins_with_a_slash_is_refused);
    RUN_TEST(a_directory_with_children_of_others_is_refused);
    RUN_TEST(tables_out_of_order_are_refused);
    RUN_TEST(two_of_the_same_name_are_refused);
    RUN_TEST(skills_and_nodes_that_do_not_name_each_other_are_refused);
    RUN_TEST(listed_entries_that_do_not_follow_each_other_are_refused);
    RUN_TEST(skills_with_runs_of_records_that_are_not_there_are_refused);
    RUN_TEST(links_to_what_is_not_there_are_refused);
    RUN_TEST(files_of_skills_that_contradict_themselves_are_refused);
    RUN_TEST(instructions_are_stretches_of_skill_md_in_order);
    RUN_TEST(prompts_with_arguments_or_parts_of_others_are_refused);
    return UNITY_END();
}
