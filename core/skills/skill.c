/* skill.c -- a skill as every dialect sees it. See skill.h. */
#include "skills/skill.h"

#include "answer/feature.h"

#include "run/run.h"
#include "answer/shape.h"
#include "skills/values.h"

/* ---- By name ---- */

static bool has_name(const struct romfs *fs, const struct romfs_skill *skill, struct skr_span name)
{
    struct skr_span quoted = skr_span_rom(fs, skill->name);
    return quoted.n == name.n + 2 && memcmp(quoted.p + 1, name.p, name.n) == 0;
}

static bool has_path(const struct romfs *fs, const struct romfs_skill *skill, struct skr_span path)
{
    return skr_span_eq(skr_span_rom(fs, skill->path), path);
}

bool skr_skill_is_named(const struct romfs *fs, const struct romfs_skill *skill, struct skr_span name)
{
    return has_name(fs, skill, name) || has_path(fs, skill, name);
}

const struct romfs_skill *skr_skill_find(const struct romfs *fs, struct skr_span name, bool *shared)
{
    const struct romfs_skill *skill = fs->skills, *end = skill + fs->header->skills.count, *found = NULL;
    unsigned count = 0;
    for (; skill < end; skill++) {
        if (has_path(fs, skill, name)) { /* before all names, or a path of one segment could not be asked for */
            count = 1;
            found = skill;
            break;
        }
        if (has_name(fs, skill, name)) {
            count++;
            found = skill;
        }
    }
    *shared = count > 1;
    return count > 1 ? NULL : found;
}

static bool push_candidate(struct skr_answer *a, uint32_t i)
{
    const struct romfs_skill *skill = &a->fs->skills[i];
    skr_push_skill(a, "\"%p\"", skill);
    return has_name(a->fs, skill, a->subject);
}

/* The candidates for a name that several skills have: more data of the error. */
static bool candidates_body(struct skr_answer *a)
{
    if (skr_push_item(a, ",\"candidates\":[", push_candidate, a->fs->header->skills.count)) {
        return true;
    }
    skr_push_text(a, "]");
    return false;
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
        if (shared) {
            call->answer->body = candidates_body;
        }
    }
    return skill;
}

const struct romfs_skill *skr_skill_prompt(const struct romfs *fs, struct skr_span name)
{
    bool shared;
    return skr_has_skill_prompts(fs) ? skr_skill_find(fs, name, &shared) : NULL;
}

/* ---- Files ---- */

bool skr_inside_equals_bytes(const char *inside, size_t inside_n, const char *text, size_t n)
{
    const char *inside_end = inside + inside_n, *end = text + n;
    for (; inside < inside_end; inside++) {
        inside += *inside == '\\' && inside + 1 < inside_end;
        if (text == end || *inside != *text++) {
            return false;
        }
    }
    return text == end;
}

const struct romfs_file *skr_skill_file(const struct romfs *fs, const struct romfs_skill *skill, struct skr_span path)
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
    if (skr_run_find_script(fs, device, file) != NULL) {
        return ROMFS_SCRIPT;
    }
    return file->kind == ROMFS_SCRIPT ? ROMFS_ASSET : (enum romfs_file_kind)file->kind;
}

/* ---- Views ---- */

enum view_step { VIEW_OPEN, VIEW_INSTRUCTIONS, VIEW_ARRAYS };
#define STEP 0x3Fu
#define ANY_ARRAY 0x40u /* an item of any array has been pushed; SKR_ANY_ITEM: of this one */

static void push_instructions(struct skr_answer *a)
{
    const struct romfs_skill *skill = a->of.skill;
    const struct romfs_body_part *part = &a->fs->bodies[skill->first_body + a->index++];
    skr_push(a, SKR_FILE_PART, (struct skr_span){(const void *)part, part->len});
    if (part->arg != ROMFS_NONE) {
        skr_push_value(a, skill->first_arg, part->arg);
    }
}

uint8_t skr_view_array(const struct skr_answer *a)
{
    return (uint8_t)((a->body_step & STEP) - VIEW_ARRAYS);
}

static bool push_arrays(struct skr_answer *a, const struct skr_view *view)
{
    while (skr_view_array(a) < view->count) {
        const struct skr_array *array = &view->arrays[skr_view_array(a)];
        uint8_t queued = a->queued;
        uint32_t count;
        memcpy(&count, (const char *)a->of.skill + array->count_at, sizeof count);
        if ((a->body_step & SKR_ANY_ITEM) == 0) {
            skr_push_text(a, (a->body_step & ANY_ARRAY) == 0 ? view->before : ",");
        }
        if (skr_push_item(a, array->open, array->item, count)) {
            a->body_step |= ANY_ARRAY;
            return true;
        }
        a->queued = queued;
        if ((a->body_step & SKR_ANY_ITEM) != 0) {
            skr_push_text(a, "]");
        }
        a->body_step = (uint8_t)((a->body_step & ~SKR_ANY_ITEM) + 1);
        a->index = 0;
    }
    return false;
}

static bool view_body(struct skr_answer *a)
{
    const struct romfs_skill *skill = a->of.skill;
    const struct skr_view *view = a->view;
    if (a->body_step == VIEW_OPEN) {
        skr_push_skill(a, view->open, skill);
        a->body_step = VIEW_INSTRUCTIONS;
    } else if (a->body_step > VIEW_INSTRUCTIONS) {
        if (!push_arrays(a, view)) {
            if ((a->body_step & ANY_ARRAY) != 0) {
                skr_push_text(a, view->after);
            }
            skr_push_skill(a, view->end, skill);
            return false;
        }
    } else if (a->index < skill->body_count) {
        push_instructions(a);
    } else {
        skr_push_skill(a, view->rest, skill);
        a->body_step = VIEW_ARRAYS;
        a->index = 0;
    }
    return true;
}

void skr_view(struct skr_call *call, const struct romfs_skill *skill, const struct skr_view *view)
{
    struct skr_answer *a = call->answer;
    if (skill != NULL) {
        a->of.skill = skill;
        a->view = view;
        skr_answer_file(a, &a->fs->nodes[skill->node]);
        skr_rpc_result(call, view_body);
    }
}
