/* function:  check_node, children_are_its_own, skill_is_sound (romfs_mount)
 * property:  any record among records of any numbers: only what exists is looked at; what passes names only that, and lies in the image
 * bound:     3 4
 * unwind:    1 + BOUND
 * contracts: bytes_order:order_contract romfs_path_order:order_contract parent_len:parent_contract
 * sources:   romfs/crc32.c
 * break:     romfs/romfs.c: return node < fs->header->nodes.count && (fs -> return (fs
 * break:     romfs/romfs.c: if (!within(dir->data, dir->stored, fs->header->nodes.count) || -> if (
 * break:     romfs/romfs.c: node->skill != ROMFS_NONE && node->skill >= fs->header->skills.count -> false
 * break:     romfs/check.h: return within(at, ROMFS_DIGEST_SIZE, fs->header->meta_size); -> return at <= fs->header->meta_size;
 * break:     romfs/check.h: f->data >= h->meta_size && within( -> within(
 * break:     romfs/romfs.c: if (node->path.len == 0 || *romfs_at( -> if (*romfs_at(
 * break:     romfs/romfs.c: s->name.len >= 2 && s->description.len >= 2; -> true;
 * break:     romfs/romfs.c: bool follows = i == 0 || i >= -> bool follows = i >=
 */
#include "romfs_records.h"

static void prove_node(const struct romfs *fs, uint32_t i)
{
    const struct romfs_node *node = &fs->nodes[i];

    ASSUME(check_node(fs, i) == ROMFS_OK);
    PROVE(node->digest <= META - ROMFS_DIGEST_SIZE);
    PROVE(node->skill == ROMFS_NONE || node->skill < header.skills.count);
    PROVE(i == 0 ? node->flags & ROMFS_DIR : node->path.len > 0);
    if ((node->flags & ROMFS_DIR) == 0) {
        PROVE(node->data >= META && node->data <= header.size && node->stored <= header.size - node->data);
        PROVE(node->size <= ROMFS_FILE_MAX &&
              (node->flags & (ROMFS_DEFLATE | ROMFS_ESCAPED) || node->stored == node->size));
        PROVE((node->flags & ROMFS_DEFLATE) == 0 || (header.window != 0 && (node->flags & ROMFS_ESCAPED) == 0));
    }
}

int main(void)
{
    struct romfs fs;

    any_image(&fs);
    ASSUME(header.size >= META);
    uint32_t i = nondet_u32();
    switch (nondet_u8()) {
    case 0:
        ASSUME(i < header.nodes.count);
        prove_node(&fs, i);
        break;
    case 1:
        ASSUME(i < header.nodes.count);
        if (children_are_its_own(&fs, &fs.nodes[i])) {
            PROVE(fs.nodes[i].data <= header.nodes.count &&
                  fs.nodes[i].stored <= header.nodes.count - fs.nodes[i].data);
        }
        break;
    default:
        ASSUME(i < header.skills.count);
        const struct romfs_skill *s = &fs.skills[i];
        if (skill_is_sound(&fs, s)) {
            PROVE(s->node < header.nodes.count && (fs.nodes[s->node].flags & ROMFS_DIR) == 0);
            PROVE(s->name.len >= 2 && s->description.len >= 2 && s->resources.off > s->entry.off);
        }
        break;
    }
    return 0;
}
