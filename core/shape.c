/* shape.c -- shapes into pieces. See shape.h. */
#include "shape.h"

#include "span.h"
#include "version.h"

static const struct romfs_text nothing;

/* Letters that nobody uses cost nothing. */
#define ANY_DIALECT (SKR_DIALECT_C || SKR_DIALECT_D || SKR_DIALECT_E || SKR_DIALECT_F)

#if SKR_DIALECT_B
static struct romfs_text hex(struct skr_answer *a, uint32_t digest)
{
    struct skr_span bytes = {(const char *)a->fs->image + digest, ROMFS_DIGEST_SIZE};
    skr_push(a, SKR_HEX, bytes);
    return nothing;
}
#endif

#if SKR_DIALECT_B || ANY_DIALECT
/* A member that is there only when it has something to say. */
static struct romfs_text member(struct skr_answer *a, enum skr_piece_kind kind, const char *key,
                                struct romfs_text text)
{
    if (text.len > 0) {
        skr_push(a, kind, skr_span_of(key));
    }
    return text;
}
#endif

#if ANY_DIALECT
static struct romfs_text about(struct skr_answer *a, enum skr_piece_kind kind, const struct romfs_file *file)
{
    return member(a, kind, ",\"description\":", (file->flags & ROMFS_ABOUT) != 0 ? file->about : nothing);
}

static bool is_required(const struct romfs_file *file)
{
    return (file->flags & ROMFS_REQUIRED) != 0;
}
#endif

/* What stands at a place. What goes in front of it is pushed already; what is not a text
 * of the image, too. */
static struct romfs_text place(struct skr_answer *a, enum skr_piece_kind kind, char letter,
                               const struct romfs_node *node, const void *of)
{
    const struct romfs_skill *skill = of;
#if ANY_DIALECT
    const struct romfs_file *file = of;
#endif
    struct romfs_text text = nothing;
    switch (letter) {
    case 'I': skr_push(a, SKR_RAW, a->id); return nothing;
    case 'S': skr_push(a, SKR_ESCAPED, a->subject); return nothing;
    case 'v': skr_push_text(a, skr_versions_json); return nothing;
    case 'u': skr_push(a, kind, skr_span_rom(a->fs, a->fs->header->base)); return node->path;
    case 'l': return node->name;
    case 'm': return node->mime;
    case 's': skr_push_number(a, node->size); return nothing;
    case 'n': return skill->name;
    case 'd': return skill->description;
    case 'x': return skill->extra;
    case 'M':
        text.off = skill->entry.off + 1; /* behind the brace; they lie one behind the other */
        text.len = skill->resources.off + skill->resources.len - text.off;
        return text;
#if SKR_SKILL_TOOLS
    case 'i':
        text.off = skill->description.off + 1;
        text.len = skill->description.len - 2;
        return text;
#endif
#if SKR_DIALECT_B || ANY_DIALECT
    case 'L': return skill->lean;
#if SKR_PROMPTS
    case 'P': return skill->prompt;
#endif
    case 'p': return skill->path;
#endif
#if SKR_DIALECT_B
    case 'b': skr_push(a, kind, skr_span_rom(a->fs, a->fs->header->base)); return skill->path;
    case 'h': return hex(a, node->digest);
    case 'g': return hex(a, skill->tgz_digest);
    case 'z': return hex(a, skill->zip_digest);
    case 'V': return member(a, kind, ",\"version\":", skill->version);
#endif
#if ANY_DIALECT
    case 'f': return file->path;
    case 'a': return file->about;
    case 'A': return about(a, kind, file);
    case 'T': return member(a, kind, ",\"title\":", file->title);
    case 'r': skr_push_text(a, is_required(file) ? "true" : "false"); return nothing;
#endif
    default: return nothing;
    }
}

void skr_push_shape(struct skr_answer *a, const char *shape, const struct romfs_node *node, const void *of)
{
    enum skr_piece_kind kind = *shape == '!' ? SKR_ESCAPED : SKR_RAW;
    shape += *shape == '!';
    for (;;) {
        struct skr_span fixed = {shape, 0};
        while (shape[fixed.n] != '\0' && shape[fixed.n] != '%') {
            fixed.n++;
        }
        skr_push(a, kind, fixed);
        shape += fixed.n;
        if (*shape == '\0') {
            return;
        }
        skr_push(a, kind, skr_span_rom(a->fs, place(a, kind, shape[1], node, of)));
        shape += 2;
    }
}

void skr_push_skill(struct skr_answer *a, const char *shape, const struct romfs_skill *skill)
{
    skr_push_shape(a, shape, &a->fs->nodes[skill->node], skill);
}

void skr_push_file(struct skr_answer *a, const char *shape, const struct romfs_file *file)
{
    skr_push_shape(a, shape, &a->fs->nodes[file->node], file);
}
