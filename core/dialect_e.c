/* dialect_e.c -- skills as MCP primitives (PR #86): skills/activate gives a skill's
 * instructions and what belongs to it alone: tools, prompts, files, sub-skills.
 *
 * Nothing is switched on by it. What it names can be used before and after, and is only
 * left out of the lists (SK-E-07, OP-09). */
#include "run.h"
#include "shape.h"
#include "skill.h"

#if SKR_DIALECT_E

enum activate_step { ACTIVATE_OPEN, ACTIVATE_INSTRUCTIONS, ACTIVATE_CONTENTS };

enum contents { TOOLS, PROMPTS, RESOURCES, SKILLS, CONTENTS };

static uint32_t items(const struct romfs_skill *skill, uint8_t array)
{
    switch (array) {
    case TOOLS: return skill->tool_links;
    case PROMPTS: return skill->prompt_links;
    case RESOURCES: return skill->file_count;
    default: return skill->skill_links;
    }
}

static bool push_tool(struct skr_answer *a, const struct romfs_tool *tool)
{
    skr_push_rom(a, tool->json);
    return skr_run_handler(a->fs, a->device, tool) != NULL;
}

static bool push_file(struct skr_answer *a, const struct romfs_file *file)
{
    skr_push_file(a, SKR_FILE_RESOURCE "}", file);
    return skr_file_kind(a->fs, a->device, file) != ROMFS_SCRIPT; /* those are the tools (SK-E-06) */
}

static bool push_item(struct skr_answer *a, uint8_t array, uint32_t i)
{
    const struct romfs *fs = a->fs;
    const struct romfs_skill *skill = a->of.skill;
    const uint32_t *tools = &fs->links[skill->first_link], *prompts = tools + skill->tool_links;
    switch (array) {
    case TOOLS: return push_tool(a, &fs->tools[tools[i]]);
    case PROMPTS: skr_push_rom(a, fs->prompts[prompts[i]].json); return true;
    case RESOURCES: return push_file(a, &fs->files[skill->first_file + i]);
    default: skr_push_skill(a, "{%L}", &fs->skills[prompts[skill->prompt_links + i]]); return true;
    }
}

static bool activate_body(struct skr_answer *a)
{
    static const char *const names[] = {"\"tools\":[", "\"prompts\":[", "\"resources\":[", "\"skills\":["};
    static const struct skr_arrays contents = {",\"contents\":{", "}", names, CONTENTS, push_item, items};
    switch (a->body_step) {
    case ACTIVATE_OPEN:
        skr_push_text(a, "\"instructions\":\"");
        a->body_step = ACTIVATE_INSTRUCTIONS;
        return true;
    case ACTIVATE_INSTRUCTIONS:
        if (!skr_push_instructions(a)) {
            skr_push_text(a, "\"");
            a->body_step = ACTIVATE_CONTENTS;
            a->index = 0;
        }
        return true;
    default: return skr_push_arrays(a, &contents, ACTIVATE_CONTENTS);
    }
}

void skr_skills_activate(struct skr_call *call)
{
    const struct romfs_skill *skill = skr_skill_named(call, SKR_NOT_NAMED);
    if (skill != NULL) {
        skr_instructions_of(call->answer, skill);
        skr_rpc_result(call, activate_body);
    }
}

#endif
