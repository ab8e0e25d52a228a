/* pr86.c -- skills as MCP primitives (PR #86): skills/activate gives a skill's
 * instructions and what belongs to it alone: tools, prompts, files, sub-skills.
 *
 * Nothing is switched on by it. What it names can be used before and after, and is only
 * left out of the lists (SK-E-07, OP-09). */
#include "handler/tool_call.h"
#include "response/shape.h"
#include "skills/skill.h"

#if SKR_DIALECTS

/* The links of a skill are in this order: to tools, to prompts, to sub-skills. */
static const uint32_t *links(const struct skr_response *a)
{
    return &a->fs->links[a->of.skill->first_link];
}

static bool push_linked_tool(struct skr_response *a, uint32_t i)
{
    const struct romfs_tool *tool = &a->fs->tools[links(a)[i]];
    skri_push_rom(a, tool->json);
    return skri_tool_call_find(a->fs, a->device, tool) != NULL;
}

static bool push_linked_prompt(struct skr_response *a, uint32_t i)
{
    skri_push_rom(a, a->fs->prompts[links(a)[a->of.skill->tool_links + i]].json);
    return true;
}

/* Scripts are among the tools (SK-E-06). The SKILL.md of a skill inside this one stands for that
 * skill, which is among the skills (SK-X-20), and resources/list may have it (SK-E-03). */
static bool push_file_resource(struct skr_response *a, uint32_t i)
{
    const struct romfs_file *file = skri_push_file(a, SKR_FILE_RESOURCE, i);
    skri_push_text(a, "}");
    return a->fs->nodes[file->node].skill == ROMFS_NONE && skri_file_kind(a->fs, a->device, file) != ROMFS_SCRIPT;
}

static bool push_linked_skill(struct skr_response *a, uint32_t i)
{
    const struct romfs_skill *skill = a->of.skill;
    skri_push_skill(a, "{" FIELD_LEAN_MEMBERS "}",
                    &a->fs->skills[links(a)[skill->tool_links + skill->prompt_links + i]]);
    return true;
}

static const struct skr_array contents[] = {
    {"\"tools\":[", push_linked_tool, offsetof(struct romfs_skill, tool_links)},
    {"\"prompts\":[", push_linked_prompt, offsetof(struct romfs_skill, prompt_links)},
    {"\"resources\":[", push_file_resource, offsetof(struct romfs_skill, file_count)},
    {"\"skills\":[", push_linked_skill, offsetof(struct romfs_skill, skill_links)},
};
static const struct skr_view view_of_e = {.open = "\"instructions\":\"",
                                          .rest = "\"",
                                          .before = ",\"contents\":{",
                                          .after = "}",
                                          .end = "",
                                          .arrays = contents,
                                          .count = 4};

void skri_skills_activate(struct skr_call *call)
{
    skri_view(call, skri_skill_named(call, SKR_NOT_NAMED, SKR_NAME_SHARED), &view_of_e);
}

#endif
