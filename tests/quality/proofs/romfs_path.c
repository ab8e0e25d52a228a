/* function:  romfs_find, romfs_find_tool, romfs_find_prompt
 * property:  any path and any name: only they and the tables are read, and what is found is in its table
 * bound:     3 8
 * unwind:    3 + BOUND
 * contracts: find_child:child_contract
 * sources:   romfs/crc32.c
 * break:     romfs/romfs.c: memchr(path + at, '/', n - at) -> memchr(path + at, '/', n)
 * break:     romfs/romfs.c: bool is_dir = (node->flags & ROMFS_DIR) != 0;\n        node -> bool is_dir = true;\n        node
 * break:     romfs/romfs.c: t->name.len == n && memcmp(romfs_at(fs, t->name) -> memcmp(romfs_at(fs, t->name)
 * break:     romfs/romfs.c: p->name.len == n && memcmp(romfs_at(fs, p->name) -> memcmp(romfs_at(fs, p->name)
 */
#include "proof.h"

#include "../../../romfs/romfs.c"

#define RECORDS 2

static struct romfs_node nodes[RECORDS];
static struct romfs_tool tools[RECORDS];
static struct romfs_prompt prompts[RECORDS];
static uint8_t image[BOUND];

/* romfs_find.c */
const struct romfs_node *child_contract(const struct romfs *fs, const struct romfs_node *first, uint32_t count,
                                        size_t at, const char *leaf, size_t n)
{
    PROVE(__CPROVER_r_ok(leaf, n) && first >= nodes && first + count <= nodes + RECORDS);
    uint32_t i = nondet_u32();
    return i < count ? first + i : NULL;
}

static bool fits(struct romfs_text t)
{
    return t.off <= BOUND && t.len <= BOUND - t.off;
}

int main(void)
{
    struct romfs_header header = {.tools = {.count = RECORDS}, .prompts = {.count = RECORDS}};
    struct romfs fs = {.image = image, .header = &header, .nodes = nodes, .tools = tools, .prompts = prompts};
    size_t n = any_length();

    ANY_BYTES(path, n);
    __CPROVER_havoc_object(image);
    for (unsigned i = 0; i < RECORDS; i++) { /* what romfs_node.c and romfs_mount.c show */
        struct romfs_node node;
        struct romfs_tool tool;
        struct romfs_prompt prompt;
        nodes[i] = node;
        tools[i] = tool;
        prompts[i] = prompt;
        ASSUME((node.flags & ROMFS_DIR) == 0 || (node.data <= RECORDS && node.stored <= RECORDS - node.data));
        ASSUME(fits(tool.name) && fits(prompt.name));
    }
    const struct romfs_node *found = romfs_find(&fs, path, n);
    PROVE(found == NULL || (found >= nodes && found < nodes + RECORDS));
    const struct romfs_tool *tool = romfs_find_tool(&fs, path, n);
    PROVE(tool == NULL || (tool >= tools && tool < tools + RECORDS && tool->name.len == n));
    const struct romfs_prompt *prompt = romfs_find_prompt(&fs, path, n);
    PROVE(prompt == NULL || (prompt >= prompts && prompt < prompts + RECORDS && prompt->name.len == n));
    return 0;
}
