/* function:  check_nodes, check_skills, check_tools (romfs_mount)
 * property:  tables of any length: every record of them is checked, and nothing else
 * bound:     4 12
 * unwind:    2 + BOUND
 * contracts: check_node:node_contract children_are_its_own:children_contract skill_is_sound:skill_contract names_ascend:ascend_contract
 * sources:   romfs/crc32.c
 * break:     romfs/romfs.c: for (uint32_t i = 0; i < count; i++) {\n        int error = check_node( -> for (uint32_t i = 1; i < count; i++) {\n        int error = check_node(
 * break:     romfs/romfs.c: i < fs->header->skills.count; i++) { -> i <= fs->header->skills.count; i++) {
 * break:     romfs/romfs.c: return orphans == 0 ? -> return true ?
 * break:     romfs/romfs.c: for (uint32_t i = 1; i < fs->header->tools.count; i++) { -> for (uint32_t i = 0; i < fs->header->tools.count; i++) {
 */
#include "romfs_records.h"

static bool seen[BOUND];

/* romfs_node.c shows what these three find out about a record. */
int node_contract(const struct romfs *fs, uint32_t i)
{
    PROVE(i < header.nodes.count);
    seen[i] = true;
    return nondet_bool() ? ROMFS_OK : ROMFS_ERR_NODE;
}

bool children_contract(const struct romfs *fs, const struct romfs_node *dir)
{
    PROVE(dir >= fs->nodes && dir < fs->nodes + header.nodes.count && (dir->flags & ROMFS_DIR) != 0);
    return dir->stored <= header.nodes.count && nondet_bool();
}

bool skill_contract(const struct romfs *fs, const struct romfs_skill *s)
{
    PROVE(s >= fs->skills && s < fs->skills + header.skills.count);
    seen[s - fs->skills] = true;
    return nondet_bool();
}

bool ascend_contract(const struct romfs *fs, struct romfs_text a, struct romfs_text b)
{
    PROVE(fits(a) && fits(b));
    return nondet_bool();
}

/* The children that directories count are all nodes but the root. */
static bool none_is_an_orphan(const struct romfs *fs)
{
    uint32_t children = 0;

    for (unsigned i = 0; i < BOUND; i++) {
        children += i < header.nodes.count && (fs->nodes[i].flags & ROMFS_DIR) ? fs->nodes[i].stored : 0;
    }
    return children == header.nodes.count - 1;
}

int main(void)
{
    struct romfs fs;

    any_image(&fs);
    uint32_t i = nondet_u32();
    switch (nondet_u8()) {
    case 0:
        if (check_nodes(&fs) == ROMFS_OK) {
            PROVE(i >= header.nodes.count || seen[i]);
            PROVE(none_is_an_orphan(&fs));
        }
        break;
    case 1:
        if (check_skills(&fs) == ROMFS_OK) {
            PROVE(i >= header.skills.count || seen[i]);
        }
        break;
    default: (void)check_tools(&fs); break;
    }
    return 0;
}
