/* dialect_b.c -- the drafts before the released extension: skill://index.json.
 *
 * There were three generations of this document, and a first one in another proposal;
 * one superset serves them all (SK-X-07). It lies nowhere: it is made from the skills'
 * records whenever it is read, all of it escaped, because it travels as text. */
#include "dialects.h"
#include "shape.h"
#include "store.h"

#if SKR_DIALECT_B

#define SCHEMA "https://schemas.agentskills.io/discovery/0.2.0/schema.json"

/* An entry up to its archives; those, and its end; and archives as an entry of their own. */
#define SKILL                                                                                                \
    "!{\"name\":%n,\"type\":\"skill-md\",\"description\":%d%?,\"version\":%V,\"url\":\"%u\",\"digest\":\"sha256:%h\",%M"
#define ARCHIVES                                                                                             \
    "!,\"archives\":[{\"url\":\"%b.tar.gz\",\"mimeType\":\"application/gzip\",\"digest\":\"sha256:%g\"},"    \
    "{\"url\":\"%b.zip\",\"mimeType\":\"application/zip\",\"digest\":\"sha256:%z\"}]}"
#define ARCHIVE                                                                                              \
    "!{\"name\":%n,\"type\":\"archive\",\"description\":%d,\"url\":\"%b.tar.gz\",\"digest\":\"sha256:%g\"}"

void skr_push_index_resource(struct skr_answer *a)
{
    skr_push_text(a, "{\"uri\":\"skill://" SKR_INDEX "\",\"name\":\"" SKR_INDEX
                     "\",\"mimeType\":\"application/json\"}");
}

/* ---- The document ---- */

static void put(struct skr_answer *a, const char *literal)
{
    skr_push(a, SKR_ESCAPED, skr_span_of(literal));
}

/* ---- Piece by piece ---- */

enum index_step {
    INDEX_OPEN,
    INDEX_SKILLS,   /* one entry for each skill with a fixed content */
    INDEX_REST,     /* the end of the entry just begun */
    INDEX_ARCHIVES, /* entries of their own for those skills that ask for it, then templates */
};
#define INDEX_MORE 0x80u /* an entry has been put */

/* The next listed skill with one flag and without another, or NULL. */
static const struct romfs_skill *next_skill(struct skr_answer *a, uint32_t with, uint32_t without)
{
    while (a->index < a->fs->header->listed) {
        const struct romfs_skill *skill = &a->fs->skills[a->index++];
        if ((skill->flags & with) == with && (skill->flags & without) == 0) {
            return skill;
        }
    }
    a->index = 0;
    return NULL;
}

static void put_comma(struct skr_answer *a)
{
    if ((a->body_step & INDEX_MORE) != 0) {
        put(a, ",");
    }
}

static bool index_body(struct skr_answer *a)
{
    const struct romfs_skill *skill;
    switch (a->body_step & ~INDEX_MORE) {
    case INDEX_OPEN:
        skr_push_text(a, "\"contents\":[{\"uri\":\"");
        skr_push(a, SKR_ESCAPED, a->subject);
        skr_push_text(a, "\",\"mimeType\":\"application/json\",\"text\":\"");
        put(a, "{\"$schema\":\"" SCHEMA "\",\"skills\":[");
        a->body_step = INDEX_SKILLS;
        return true;
    case INDEX_SKILLS:
        skill = next_skill(a, 0, ROMFS_DYNAMIC); /* SK-X-11 */
        if (skill == NULL) {
            a->body_step = (uint8_t)((a->body_step & INDEX_MORE) | INDEX_ARCHIVES);
            return true;
        }
        put_comma(a);
        skr_push_skill(a, SKILL, skill);
        a->body_step = INDEX_REST | INDEX_MORE;
        return true;
    case INDEX_REST:
        if (SKR_ARCHIVES) {
            skr_push_skill(a, ARCHIVES, &a->fs->skills[a->index - 1]);
        } else {
            put(a, "}");
        }
        a->body_step = INDEX_SKILLS | INDEX_MORE;
        return true;
    default:
        skill = SKR_ARCHIVES ? next_skill(a, ROMFS_ARCHIVED, ROMFS_DYNAMIC) : NULL;
        if (skill != NULL) {
            put_comma(a);
            skr_push_skill(a, ARCHIVE, skill);
            return true;
        }
        if (a->fs->header->index_templates.len > 0) {
            put_comma(a);
            skr_push(a, SKR_ESCAPED, skr_span_rom(a->fs, a->fs->header->index_templates));
        }
        put(a, "]}");
        skr_push_text(a, "\"}]");
        return false;
    }
}

void skr_read_index(struct skr_call *call)
{
    skr_rpc_result(call, index_body);
}

#endif
