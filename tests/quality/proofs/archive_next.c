/* function:  romfs_archive_next
 * property:  from any state that is sound, of any files: what is handed out lies in the image or in the state, which stays sound
 * bound:     2
 * unwind:    5
 * contracts: write_record:record_contract path_length:length_contract romfs_unescape_next:unescape_contract
 * sources:   romfs/unescape.c
 * break:     romfs/archive.c: n = n < sizeof z->made ? n : (uint32_t)sizeof z->made; -> ;
 * break:     romfs/archive.c: z->data_at += z->part_len; -> z->data_at += z->part_len + 1;
 * break:     romfs/archive.c: if (z->file == file_count(z)) {\n        enter_part( -> if (z->file > file_count(z)) {\n        enter_part(
 */
#include "proof.h"

#include "../../../romfs/archive.c"

#define IMAGE 64

static uint8_t image[IMAGE];
static struct romfs_node nodes[BOUND];
static struct romfs_file files[BOUND];
static struct romfs_skill skill;
static struct romfs_header header;

/* archive_put.c shows that a record is written beside nothing else; it has at least a byte. */
void record_contract(struct romfs_archive *z)
{
    PROVE(__CPROVER_r_ok(z->path, z->path_len) && z->node >= nodes && z->node < nodes + BOUND);
    z->put_at = nondet_u32();
    ASSUME(z->put_at > 0);
}

uint32_t length_contract(const char *path, uint32_t n)
{
    PROVE(__CPROVER_r_ok(path, n));
    uint32_t length = nondet_u32();
    ASSUME(length <= n);
    return length;
}

size_t unescape_contract(struct romfs_unescape *u, size_t max, const uint8_t **bytes)
{
    PROVE(u->in >= image && u->in <= u->end && u->end <= image + IMAGE);
    size_t n = nondet_size();
    ASSUME(n <= max && n <= (size_t)(u->end - u->in));
    *bytes = u->in;
    u->in += n;
    return n;
}

/* What mounting has shown of a file. */
static bool is_sound_file(const struct romfs_node *f)
{
    return (f->flags & ROMFS_DIR) == 0 && f->data <= IMAGE && f->stored <= IMAGE - f->data &&
           f->size <= ROMFS_FILE_MAX && ((f->flags & (ROMFS_DEFLATE | ROMFS_ESCAPED)) != 0 || f->stored == f->size) &&
           (f->flags & (ROMFS_DEFLATE | ROMFS_ESCAPED)) != (ROMFS_DEFLATE | ROMFS_ESCAPED);
}

static bool is_sound(const struct romfs_archive *z)
{
    uint32_t all = is_deflated(z) ? z->node->stored : z->node->size;

    return z->part <= PART_DONE && z->at <= z->part_len && z->file <= file_count(z) && z->data_at <= all &&
           (z->part == PART_DONE || z->part == PART_END || z->file < file_count(z)) &&
           (z->part != PART_DATA || z->part_len <= all - z->data_at) && (z->part != PART_CHUNK || z->data_at < all) &&
           z->text.in >= image && z->text.in <= z->text.end && z->text.end <= image + IMAGE;
}

int main(void)
{
    struct romfs fs = {.image = image, .header = &header, .nodes = nodes, .files = files, .skills = &skill};
    struct romfs_archive z;

    for (unsigned i = 0; i < BOUND; i++) {
        struct romfs_node node;
        nodes[i] = node;
        files[i].node = nondet_u32();
        files[i].path.off = nondet_u32();
        files[i].path.len = nondet_u32();
        ASSUME(is_sound_file(&nodes[i]) && files[i].node < BOUND);
        ASSUME(files[i].path.off <= IMAGE && files[i].path.len <= IMAGE - files[i].path.off);
    }
    skill.node = nondet_u32();
    skill.first_file = nondet_u32();
    skill.file_count = nondet_u32();
    ASSUME(skill.node < BOUND && skill.first_file <= BOUND && skill.file_count <= BOUND - skill.first_file);
    unsigned at = nondet_u32();
    ASSUME(at < BOUND);
    z.fs = &fs;
    z.skill = &skill;
    z.node = &nodes[at];
    z.path = (const char *)image;
    z.path_len = nondet_u32();
    uint8_t in = nondet_u8(), end = nondet_u8();
    ASSUME(in <= end && end <= IMAGE);
    z.text.in = image + in;
    z.text.end = image + end;
    ASSUME(z.kind <= ROMFS_TAR_GZ && z.path_len <= IMAGE && is_sound(&z));
    const uint8_t *bytes;
    size_t n = romfs_archive_next(&z, &bytes);
    PROVE(n == 0 || __CPROVER_r_ok(bytes, n));
    PROVE(is_sound(&z));
    return 0;
}
