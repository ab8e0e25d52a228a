/* function:  check_table, file_is_sound, links_are_sound (romfs_mount)
 * property:  records of any numbers: a check reads only inside the image, and what passes leads only there
 * bound:     48 480
 * unwind:    40
 * contracts: texts_fit:texts_contract
 * sources:   romfs/crc32.c
 * break:     romfs/romfs.c: table->count > (h->meta_size - table->off) / (4u * r->words)) { -> false) {
 * break:     romfs/check.h: return at <= end && n <= end - at; -> return at <= end && at + n <= end;
 * break:     romfs/romfs.c: table->off > h->meta_size || -> 
 */
#include "proof.h"

#include "../../../romfs/romfs.c"

bool texts_contract(const struct romfs_header *h, const uint32_t *words, uint32_t count)
{
    PROVE(__CPROVER_r_ok(words, 8 * count));
    return nondet_bool();
}

int main(void)
{
    static uint32_t image[(sizeof(struct romfs_header) + BOUND) / 4];
    struct romfs_header *h = (void *)image;
    struct romfs fs = {.image = (const uint8_t *)image, .header = h};
    struct romfs_table table;
    struct romfs_node file;
    struct romfs_skill skill;
    uint32_t links[4];

    h->meta_size = sizeof image;
    if (check_table(h, &table, &records[5]) == ROMFS_OK) { /* tools: 20 bytes each */
        PROVE(table.off % 4 == 0 && table.off <= sizeof image && table.count <= (sizeof image - table.off) / 20);
    }
    h->meta_size = sizeof *h;
    h->size = sizeof image;
    if (file_is_sound(&fs, &file)) {
        PROVE(__CPROVER_r_ok(fs.image + file.data, file.stored));
        PROVE(file.size <= ROMFS_FILE_MAX);
    }
    h->links.count = 4;
    fs.links = links;
    if (links_are_sound(&fs, &skill)) {
        PROVE(skill.tool_links <= 4 && skill.prompt_links <= 4 - skill.tool_links);
    }
    return 0;
}
