/* romfs_records.h -- a mounted image as check_header leaves it: tables that exist, each in a block of its own size, texts that lie in
 * the image, and every other number anything at all. */
#ifndef ROMFS_RECORDS_H
#define ROMFS_RECORDS_H

#include "proof.h"

#include "../../../romfs/romfs.c"

#define META 64 /* bytes of the image's texts */

static uint8_t image[META];
static struct romfs_header header;
static struct romfs_node nodes[BOUND];
static struct romfs_skill skills[BOUND];
static struct romfs_file files[BOUND];
static struct romfs_body_part bodies[BOUND];
static uint32_t links[BOUND];
static struct romfs_tool tools[BOUND];
static struct romfs_prompt prompts[BOUND];
static struct romfs_prompt_part parts[BOUND];

/* Comparing and cutting paths, as path_order.c shows it. */
int order_contract(const char *a, size_t a_len, const char *b, size_t b_len)
{
    PROVE(__CPROVER_r_ok(a, a_len) && __CPROVER_r_ok(b, b_len));
    return nondet_int();
}

size_t parent_contract(const char *path, size_t n)
{
    PROVE(__CPROVER_r_ok(path, n));
    size_t length = nondet_size();
    ASSUME(length <= n);
    return length;
}

static bool fits(struct romfs_text t)
{
    return t.off <= META && t.len <= META - t.off;
}

/* A table ends where its block ends. */
#define TABLE(name, member)                                                                                            \
    uint32_t name##_count = nondet_u32();                                                                              \
    ASSUME(name##_count <= BOUND);                                                                                     \
    header.member.count = name##_count;                                                                                \
    fs->member = name + (BOUND - name##_count)

static void any_image(struct romfs *fs)
{
    struct romfs_header any_header;

    header = any_header;
    header.meta_size = META;
    fs->image = image;
    fs->header = &header;
    TABLE(nodes, nodes);
    TABLE(skills, skills);
    TABLE(files, files);
    TABLE(bodies, bodies);
    TABLE(links, links);
    TABLE(tools, tools);
    TABLE(prompts, prompts);
    TABLE(parts, prompt_parts);
    ASSUME(header.nodes.count > 0 && header.listed <= header.skills.count && header.args.count <= BOUND);
    for (unsigned i = 0; i < BOUND; i++) {
        struct romfs_node node;
        struct romfs_skill skill;
        struct romfs_file file;
        struct romfs_body_part body;
        struct romfs_tool tool;
        struct romfs_prompt prompt;
        struct romfs_prompt_part part;
        nodes[i] = node;
        skills[i] = skill;
        files[i] = file;
        bodies[i] = body;
        links[i] = nondet_u32();
        tools[i] = tool;
        prompts[i] = prompt;
        parts[i] = part;
        ASSUME(fits(nodes[i].path) && fits(tools[i].name) && fits(prompts[i].name));
    }
}

#endif
