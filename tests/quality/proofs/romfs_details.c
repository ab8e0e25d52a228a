/* function:  check_details, check_prompts (romfs_mount)
 * property:  skills, files, links and prompts of any numbers: only what exists is looked at, and what passes names only that
 * bound:     1 2
 * slow:      9 s even so
 * unwind:    3 + BOUND
 * contracts: bytes_order:order_contract romfs_path_order:order_contract parent_len:parent_contract
 * sources:   romfs/crc32.c
 * break:     romfs/romfs.c: return within(s->first_file, s->file_count, h->files.count) && -> return
 * break:     romfs/romfs.c: within(s->first_body, s->body_count, h->bodies.count) && -> 
 * break:     romfs/romfs.c: if (!within(at, counts[i], h->links.count)) { -> if (false) {
 * break:     romfs/romfs.c: !within(p->first_part, p->part_count, h->prompt_parts.count)) { -> false) {
 * break:     romfs/romfs.c: (runs ? f->tool >= fs->header->tools.count : f->tool != ROMFS_NONE) -> false
 */
#include "romfs_records.h"

int main(void)
{
    struct romfs fs;

    any_image(&fs);
    for (unsigned i = 0; i < BOUND; i++) { /* romfs_nodes.c shows that this is so before */
        ASSUME(skills[i].node < header.nodes.count);
    }
    if (check_details(&fs) == ROMFS_OK) {
        uint32_t i = nondet_u32(), k = nondet_u32();
        ASSUME(i < header.skills.count);
        const struct romfs_skill *s = &fs.skills[i];
        PROVE(s->first_file <= header.files.count && s->file_count <= header.files.count - s->first_file);
        PROVE(s->zip_digest <= META - ROMFS_DIGEST_SIZE && s->tgz_digest <= META - ROMFS_DIGEST_SIZE);
        if (k < s->file_count) {
            const struct romfs_file *f = &fs.files[s->first_file + k];
            PROVE(f->node < header.nodes.count && (f->kind != ROMFS_SCRIPT || f->tool < header.tools.count));
        }
        if (k < s->body_count) {
            const struct romfs_body_part *part = &fs.bodies[s->first_body + k];
            uint32_t length = romfs_length(&fs.nodes[s->node]);
            PROVE(part->off <= length && part->len <= length - part->off);
            PROVE(part->arg == ROMFS_NONE || part->arg < s->arg_count);
        }
        if (k < s->tool_links) {
            PROVE(fs.links[s->first_link + k] < header.tools.count);
        }
    }
    if (check_prompts(&fs) == ROMFS_OK) {
        uint32_t i = nondet_u32(), k = nondet_u32();
        ASSUME(i < header.prompts.count && k < fs.prompts[i].part_count);
        const struct romfs_prompt_part *part = &fs.prompt_parts[fs.prompts[i].first_part + k];
        PROVE(part->arg == ROMFS_NONE || part->arg < fs.prompts[i].arg_count);
    }
    return 0;
}
