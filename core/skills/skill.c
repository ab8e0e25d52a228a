/* skill.c -- a skill as every dialect sees it. See skill.h. */
#include "skills/skill.h"

#include "handler/tool_call.h"
#include "response/feature.h"
#include "response/shape.h"
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

bool skri_skill_is_named(const struct romfs *fs, const struct romfs_skill *skill, struct skr_span name)
{
    return has_name(fs, skill, name) || has_path(fs, skill, name);
}

const struct romfs_skill *skri_skill_find(const struct romfs *fs, struct skr_span name, bool *shared)
{
    const struct romfs_skill *skill = fs->skills, *end = skill + fs->header->skills.count, *found = NULL;
    unsigned count = 0;

    for (; skill < end; skill++) {
        if (has_path(fs, skill, name)) { /* a path wins over names, or one of a single segment could be out of reach */
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

static bool push_candidate_skill(struct skr_response *a, uint32_t i)
{
    const struct romfs_skill *skill = &a->fs->skills[i];

    skri_push_skill(a, "\"" FIELD_PATH "\"", skill);
    return has_name(a->fs, skill, a->subject);
}

/* The paths of the skills that share a name: more data of the error. */
static bool candidate_skills_body(struct skr_response *a)
{
    if (skri_push_item(a, ",\"candidates\":[", push_candidate_skill, a->fs->header->skills.count)) {
        return true;
    }
    skri_push_text(a, "]");
    return false;
}

const struct romfs_skill *skri_skill_named(struct skr_call *call, enum skr_rpc_error unknown,
                                           enum skr_rpc_error ambiguous)
{
    struct skr_span name;
    bool shared;

    if (!skri_rpc_param(call, SKR_PARAM_NAME, true, &name)) {
        return NULL;
    }
    const struct romfs_skill *skill = skri_skill_find(call->fs, name, &shared);
    if (skill == NULL) {
        skri_rpc_error(call, shared ? ambiguous : unknown, name);
        if (shared) {
            call->response->body = candidate_skills_body;
        }
    }
    return skill;
}

const struct romfs_skill *skri_skill_prompt(const struct romfs *fs, struct skr_span name)
{
    bool shared;

    return skri_has_skill_prompts(fs) ? skri_skill_find(fs, name, &shared) : NULL;
}

/* ---- Files ---- */

bool skri_inside_equals_bytes(const char *inside, size_t inside_n, const char *text, size_t n)
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

const struct romfs_file *skri_skill_file(const struct romfs *fs, const struct romfs_skill *skill, struct skr_span path)
{
    const struct romfs_file *file = &fs->files[skill->first_file], *end = file + skill->file_count;

    while (file < end && !skri_inside_equals(skr_span_rom(fs, file->path), path)) {
        file++;
    }
    return file < end ? file : NULL;
}

enum romfs_file_kind skri_file_kind(const struct romfs *fs, const struct skr_device *device,
                                    const struct romfs_file *file)
{
    if (skri_tool_call_find_script(fs, device, file) != NULL) {
        return ROMFS_SCRIPT;
    }
    return file->kind == ROMFS_SCRIPT ? ROMFS_ASSET : (enum romfs_file_kind)file->kind;
}

/* ---- Views ---- */

enum view_step { VIEW_OPEN, VIEW_INSTRUCTIONS, VIEW_ARRAYS };

static void push_skill_instructions(struct skr_response *a)
{
    const struct romfs_skill *skill = SKRI_AS(a, skill)->record;
    const struct romfs_body_part *part = &a->fs->bodies[skill->first_body + a->index++];

    skri_push(a, SKR_FILE_PART, (struct skr_span){(const void *)part, part->len});
    if (part->arg != ROMFS_NONE) {
        skri_push_value(a, skill->first_arg, part->arg);
    }
}

uint8_t skri_view_array(const struct skr_response *a)
{
    return (uint8_t)(a->body_step - VIEW_ARRAYS);
}

static bool push_arrays(struct skr_response *a, const struct skr_view *view)
{
    while (skri_view_array(a) < view->count) {
        const struct skr_array *array = &view->arrays[skri_view_array(a)];
        uint8_t pushed = skri_pushed(a);
        uint32_t count;
        memcpy(&count, (const char *)SKRI_AS(a, skill)->record + array->count_at, sizeof count);
        if (!a->any_item) {
            skri_push_text(a, SKRI_AS(a, skill)->any_array ? "," : view->before);
        }
        if (skri_push_item(a, array->open, array->item, count)) {
            SKRI_AS(a, skill)->any_array = true;
            return true;
        }
        skri_unpush(a, pushed);
        if (a->any_item) {
            skri_push_text(a, "]");
        }
        a->any_item = false;
        a->body_step++;
        a->index = 0;
    }
    return false;
}

static bool view_body(struct skr_response *a)
{
    const struct romfs_skill *skill = SKRI_AS(a, skill)->record;
    const struct skr_view *view = SKRI_AS(a, skill)->view;

    if (a->body_step == VIEW_OPEN) {
        skri_push_skill(a, view->open, skill);
        SKRI_AS(a, skill)->any_array = false;
        a->body_step = VIEW_INSTRUCTIONS;
    } else if (a->body_step > VIEW_INSTRUCTIONS) {
        if (!push_arrays(a, view)) {
            if (SKRI_AS(a, skill)->any_array) {
                skri_push_text(a, view->after);
            }
            skri_push_skill(a, view->end, skill);
            return false;
        }
    } else if (a->index < skill->body_count) {
        push_skill_instructions(a);
    } else {
        skri_push_skill(a, view->rest, skill);
        a->body_step = VIEW_ARRAYS;
        a->index = 0;
    }
    return true;
}

void skri_view(struct skr_call *call, const struct romfs_skill *skill, const struct skr_view *view)
{
    struct skr_response *a = call->response;

    if (skill != NULL) {
        SKRI_MAKE(a, skill)->record = skill;
        SKRI_AS(a, skill)->view = view;
        skri_response_file(a, &a->fs->nodes[skill->node]);
        skri_response_result(call->response, view_body);
    }
}
