/* skill.c -- a skill as every dialect sees it. See skill.h. */
#include "skill.h"

#include "run.h"
#include "shape.h"
#include "values.h"

/* ---- By name ---- */

static bool has_name(const struct romfs *fs, const struct romfs_skill *skill, struct skr_span name)
{
    struct skr_span quoted = skr_span_rom(fs, skill->name);
    return quoted.n == name.n + 2 && memcmp(quoted.p + 1, name.p, name.n) == 0;
}

bool skr_skill_is_named(const struct romfs *fs, const struct romfs_skill *skill, struct skr_span name)
{
    return has_name(fs, skill, name) || skr_span_eq(skr_span_rom(fs, skill->path), name);
}

/* The first skill of this name from number `from` on, or the number of skills. */
static uint32_t next_named(const struct romfs *fs, struct skr_span name, uint32_t from)
{
    while (from < fs->header->skills.count && !has_name(fs, &fs->skills[from], name)) {
        from++;
    }
    return from;
}

const struct romfs_skill *skr_skill_find(const struct romfs *fs, struct skr_span name, bool *shared)
{
    uint32_t count = fs->header->skills.count;
    const struct romfs_node *node = romfs_find(fs, name.p, name.n);
    *shared = false;
    if (node != NULL && (node->flags & ROMFS_DIR) != 0 && node->skill != ROMFS_NONE) {
        return &fs->skills[node->skill]; /* first, or a path of one segment could not be asked for */
    }
    uint32_t found = next_named(fs, name, 0);
    if (found == count) {
        return NULL;
    }
    *shared = next_named(fs, name, found + 1) < count;
    return *shared ? NULL : &fs->skills[found];
}

/* The candidates for a name that several skills have: more data of the error. */
static bool candidates_body(struct skr_answer *a)
{
    uint32_t found = next_named(a->fs, a->subject, a->index);
    if (found == a->fs->header->skills.count) {
        skr_push_text(a, "]");
        return false;
    }
    skr_push_skill(a, a->index == 0 ? ",\"candidates\":[\"%p\"" : ",\"%p\"", &a->fs->skills[found]);
    a->index = found + 1;
    return true;
}

const struct romfs_skill *skr_skill_named(struct skr_call *call, enum skr_fault unknown)
{
    struct skr_span name;
    bool shared;
    if (!skr_rpc_string(call, "name", true, &name)) {
        return NULL;
    }
    const struct romfs_skill *skill = skr_skill_find(call->fs, name, &shared);
    if (skill == NULL) {
        skr_rpc_error(call, shared ? unknown + 1 : unknown, name);
        call->answer->body = shared ? candidates_body : NULL;
    }
    return skill;
}

const struct romfs_skill *skr_skill_prompt(const struct romfs *fs, struct skr_span name)
{
    bool shared;
    return skr_has_skill_prompts(fs) ? skr_skill_find(fs, name, &shared) : NULL;
}

/* ---- Instructions ---- */

void skr_instructions_of(struct skr_answer *a, const struct romfs_skill *skill)
{
    a->of.skill = skill;
    skr_answer_file(a, &a->fs->nodes[skill->node]);
}

bool skr_push_instructions(struct skr_answer *a)
{
    const struct romfs_skill *skill = a->of.skill;
    if (a->index == skill->body_count) {
        return false;
    }
    const struct romfs_body_part *part = &a->fs->bodies[skill->first_body + a->index++];
    skr_push(a, SKR_FILE_PART, (struct skr_span){(const void *)part, part->len});
    if (part->arg != ROMFS_NONE) {
        skr_push_value(a, skill->first_arg, part->arg);
    }
    return true;
}

/* ---- Files ---- */

bool skr_inside_equals(struct skr_span inside, struct skr_span text)
{
    size_t at = 0;
    for (size_t i = 0; i < inside.n; i++) {
        i += inside.p[i] == '\\' && i + 1 < inside.n;
        if (at == text.n || inside.p[i] != text.p[at++]) {
            return false;
        }
    }
    return at == text.n;
}

const struct romfs_file *skr_skill_file(const struct romfs *fs, const struct romfs_skill *skill,
                                        struct skr_span path)
{
    const struct romfs_file *file = &fs->files[skill->first_file], *end = file + skill->file_count;
    while (file < end && !skr_inside_equals(skr_span_rom(fs, file->path), path)) {
        file++;
    }
    return file < end ? file : NULL;
}

enum romfs_file_kind skr_file_kind(const struct romfs *fs, const struct skr_device *device,
                                   const struct romfs_file *file)
{
    if (skr_run_script(fs, device, file) != NULL) {
        return ROMFS_SCRIPT;
    }
    return file->kind == ROMFS_SCRIPT ? ROMFS_ASSET : (enum romfs_file_kind)file->kind;
}

void skr_push_content(struct skr_answer *a)
{
    enum skr_piece_kind kind = skr_file_piece(a->file);
    skr_push_shape(a, "\",\"mimeType\":\"%m\",\"", a->file, NULL);
    skr_push_text(a, kind == SKR_FILE_TEXT ? "text\":\"" : "blob\":\"");
    skr_push_own(a, kind);
    skr_push_text(a, "\"}");
}

/* ---- Arrays that may be empty ---- */

#define STEP 0x3Fu
#define ARRAY_OPEN 0x40u /* an item of this array has been pushed */
#define ANY_OPEN 0x80u   /* an item of any array has */

bool skr_push_arrays(struct skr_answer *a, const struct skr_arrays *arrays, uint8_t step)
{
    uint8_t array;
    while ((array = (uint8_t)((a->body_step & STEP) - step)) < arrays->count) {
        while (a->index < arrays->items(a->of.skill, array)) {
            uint8_t queued = a->queued;
            if ((a->body_step & ARRAY_OPEN) == 0) {
                skr_push_text(a, (a->body_step & ANY_OPEN) == 0 ? arrays->open : ",");
            }
            skr_push_text(a, (a->body_step & ARRAY_OPEN) == 0 ? arrays->names[array] : ",");
            if (arrays->item(a, array, a->index++)) {
                a->body_step |= ARRAY_OPEN | ANY_OPEN;
                return true;
            }
            a->queued = queued;
        }
        if ((a->body_step & ARRAY_OPEN) != 0) {
            skr_push_text(a, "]");
        }
        a->index = 0;
        a->body_step = (uint8_t)((a->body_step & ~ARRAY_OPEN) + 1);
    }
    if ((a->body_step & ANY_OPEN) != 0) {
        skr_push_text(a, arrays->close);
    }
    return false;
}
