/* function:  check_nodes, check_skills, check_tools (romfs_mount)
 * property:  records of any numbers: only what exists is looked at; what passes names only what exists, and lies in the image
 * bound:     1 2
 * unwind:    2 + BOUND
 * contracts: bytes_order:order_contract romfs_path_order:order_contract parent_len:parent_contract
 * sources:   romfs/crc32.c
 * break:     romfs/romfs.c: return node < fs->header->nodes.count && (fs -> return (fs
 * break:     romfs/romfs.c: if (!within(dir->data, dir->stored, fs->header->nodes.count) || -> if (
 */
#include "romfs_records.h"

int main(void)
{
    struct romfs fs;
    any_image(&fs);
    ASSUME(header.size >= META);
    if (check_nodes(&fs) != ROMFS_OK || check_skills(&fs) != ROMFS_OK || check_tools(&fs) != ROMFS_OK) {
        return 0;
    }
    uint32_t i = nondet_u32(), s = nondet_u32();
    ASSUME(i < header.nodes.count && s < header.skills.count);
    const struct romfs_node *node = &fs.nodes[i];
    PROVE(node->digest <= META - ROMFS_DIGEST_SIZE);
    PROVE(node->skill == ROMFS_NONE || node->skill < header.skills.count);
    if (node->flags & ROMFS_DIR) {
        PROVE(node->data <= header.nodes.count && node->stored <= header.nodes.count - node->data);
    } else {
        PROVE(node->data >= META && node->data <= header.size && node->stored <= header.size - node->data);
        PROVE(node->size <= ROMFS_FILE_MAX &&
              (node->flags & (ROMFS_DEFLATE | ROMFS_ESCAPED) || node->stored == node->size));
    }
    PROVE(i == 0 || node->path.len > 0);
    PROVE(fs.skills[s].node < header.nodes.count && (fs.nodes[fs.skills[s].node].flags & ROMFS_DIR) == 0);
    PROVE(fs.skills[s].name.len >= 2 && fs.skills[s].resources.off > fs.skills[s].entry.off);
    return 0;
}
