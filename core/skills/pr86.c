/* pr86.c -- skills as MCP primitives (PR #86): skills/activate gives a skill's
 * instructions and its own tools, prompts, files and sub-skills.
 *
 * It does not switch anything on. Those can be used before and after, and are only
 * left out of the lists (SK-E-07, OP-09). */
#include "handler/tool_call.h"
#include "response/shape.h"
#include "skills/skill.h"

/* The links of a skill are in this order: to tools, to prompts, to sub-skills. */
static const uint32_t *skill_links(const struct skr_response *a)
{
    return &a->fs->links[SKRI_AS(a, skill)->record->first_link];
}

static bool push_linked_tool(struct skr_response *a, uint32_t i)
{
    const struct romfs_tool *tool = &a->fs->tools[skill_links(a)[i]];

    skri_push_rom(a, tool->json);
    return skri_tool_call_find(a->fs, a->device, tool) != NULL;
}

static bool push_linked_prompt(struct skr_response *a, uint32_t i)
{
    skri_push_rom(a, a->fs->prompts[skill_links(a)[SKRI_AS(a, skill)->record->tool_links + i]].json);
    return true;
}

/* Scripts are among the tools (SK-E-06). The SKILL.md of a skill inside this one stands for that
 * skill, which is among the skills (SK-X-20), and resources/list may have it (SK-E-03). */
static bool push_file_resource(struct skr_response *a, uint32_t i)
{
    const struct romfs_file *file = skri_push_file(a, SKRI_AS(a, skill)->record, SKR_FILE_RESOURCE, i);

    skri_push_text(a, "}");
    return a->fs->nodes[file->node].skill == ROMFS_NONE && skri_file_kind(a->fs, a->device, file) != ROMFS_SCRIPT;
}

static bool push_linked_skill(struct skr_response *a, uint32_t i)
{
    const struct romfs_skill *skill = SKRI_AS(a, skill)->record;

    skri_push_skill(a, "{" FIELD_LEAN_MEMBERS "}",
                    &a->fs->skills[skill_links(a)[skill->tool_links + skill->prompt_links + i]]);
    return true;
}

static const struct skr_array contents[] = {
    {"\"tools\":[", push_linked_tool, offsetof(struct romfs_skill, tool_links)},
    {"\"prompts\":[", push_linked_prompt, offsetof(struct romfs_skill, prompt_links)},
    {"\"resources\":[", push_file_resource, offsetof(struct romfs_skill, file_count)},
    {"\"skills\":[", push_linked_skill, offsetof(struct romfs_skill, skill_links)},
};
static const struct skr_view pr86_view = {.open = "\"instructions\":\"",
                                          .rest = "\"",
                                          .before = ",\"contents\":{",
                                          .after = "}",
                                          .end = "",
                                          .arrays = contents,
                                          .count = 4};

void skri_skills_activate(struct skr_call *call)
{
    skri_view(call, skri_skill_named(call, SKR_NOT_NAMED, SKR_NAME_SHARED), &pr86_view);
}
