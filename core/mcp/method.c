/* method.c -- every method the server answers, in one table.
 *
 * Adding one is a row here and a function in a method_*.c. A switch of
 * skr_config.h takes its rows out, and the method then answers -32601. */
#include "mcp/method.h"

#include "run/job_task.h"
#include "skills/dialects.h"
#include "skills/skill.h"

/* clang-format off */
#define METHOD(name) {name, sizeof(name) - 1}
/* clang-format on */

static const struct skr_method methods[] = {
#if SKR_EXTRAS
    {METHOD("completion/complete"), SKR_BOTH_ERAS, SKR_COMPLETIONS, SKR_NO_NAME, false, skri_complete},
#endif
    {METHOD("initialize"), SKR_LEGACY_ERA, SKR_ALWAYS, SKR_NO_NAME, false, skri_initialize},
#if SKR_EXTRAS
    {METHOD("logging/setLevel"), SKR_LEGACY_ERA, SKR_ALWAYS, SKR_NO_NAME, false, skri_set_level},
#endif
    {METHOD("ping"), SKR_LEGACY_ERA, SKR_ALWAYS, SKR_NO_NAME, false, skri_ping},
#if SKR_EXTRAS
    {METHOD("prompts/get"), SKR_BOTH_ERAS, SKR_HAS_PROMPTS, SKR_NAME_IS_NAME, false, skri_prompts_get},
    {METHOD("prompts/list"), SKR_BOTH_ERAS, SKR_HAS_PROMPTS, SKR_NO_NAME, true, skri_prompts_list},
#endif
    {METHOD("resources/directory/read"), SKR_BOTH_ERAS, SKR_SKILLS, SKR_NO_NAME, true, skri_directory_read},
    {METHOD("resources/list"), SKR_BOTH_ERAS, SKR_RESOURCES, SKR_NO_NAME, true, skri_resources_list},
    {METHOD("resources/read"), SKR_BOTH_ERAS, SKR_RESOURCES, SKR_NAME_IS_URI, true, skri_resources_read},
#if SKR_EXTRAS
    {METHOD("resources/subscribe"), SKR_LEGACY_ERA, SKR_RESOURCES, SKR_NO_NAME, false, skri_subscribe},
#endif
    {METHOD("resources/templates/list"), SKR_BOTH_ERAS, SKR_RESOURCES, SKR_NO_NAME, true, skri_templates_list},
#if SKR_EXTRAS
    {METHOD("resources/unsubscribe"), SKR_LEGACY_ERA, SKR_RESOURCES, SKR_NO_NAME, false, skri_unsubscribe},
#endif
    {METHOD("server/discover"), SKR_MODERN_ERA, SKR_ALWAYS, SKR_NO_NAME, true, skri_discover},
#if SKR_DIALECTS
    {METHOD("skills/activate"), SKR_BOTH_ERAS, SKR_SKILLS, SKR_NO_NAME, false, skri_skills_activate},
    {METHOD("skills/execute"), SKR_BOTH_ERAS, SKR_SCRIPTS, SKR_NO_NAME, false, skri_skills_execute},
#endif
    {METHOD("skills/get"), SKR_BOTH_ERAS, SKR_SKILLS, SKR_NO_NAME, true, skri_skills_get},
    {METHOD("skills/list"), SKR_BOTH_ERAS, SKR_SKILLS, SKR_NO_NAME, true, skri_skills_list},
#if SKR_DIALECTS
    {METHOD("skills/read"), SKR_BOTH_ERAS, SKR_SKILLS, SKR_NO_NAME, false, skri_skills_read},
    {METHOD("skills/read_reference"), SKR_BOTH_ERAS, SKR_SKILLS, SKR_NO_NAME, false, skri_read_reference},
#endif
    {METHOD("subscriptions/listen"), SKR_MODERN_ERA, SKR_ALWAYS, SKR_NO_NAME, false, skri_listen},
#if SKR_TASKS
    {METHOD("tasks/cancel"), SKR_BOTH_ERAS, SKR_HAS_TASKS, SKR_NAME_IS_TASK, false, skri_tasks_cancel},
    {METHOD("tasks/get"), SKR_BOTH_ERAS, SKR_HAS_TASKS, SKR_NAME_IS_TASK, false, skri_tasks_get},
    {METHOD("tasks/list"), SKR_LEGACY_ERA, SKR_HAS_TASKS, SKR_NO_NAME, false, skri_tasks_list},
    {METHOD("tasks/result"), SKR_LEGACY_ERA, SKR_HAS_TASKS, SKR_NO_NAME, false, skri_tasks_result},
    {METHOD("tasks/update"), SKR_MODERN_ERA, SKR_HAS_TASKS, SKR_NAME_IS_TASK, false, skri_tasks_update},
#endif
    {METHOD("tools/call"), SKR_BOTH_ERAS, SKR_TOOLS, SKR_NAME_IS_NAME, false, skri_tools_call},
    {METHOD("tools/list"), SKR_BOTH_ERAS, SKR_TOOLS, SKR_NO_NAME, true, skri_tools_list},
};

const struct skr_method *skri_method_find(const struct skr_call *call)
{
    uint8_t era = call->modern ? SKR_MODERN_ERA : SKR_LEGACY_ERA;
    struct skr_span name = NOTHING;
    if (SKR_FAST) { /* else the bytes of this call count for more */
        (void)skri_json_string(&call->json, call->method, &name);
    }
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        const struct skr_method *m = &methods[i];
        if (SKR_FAST ? skri_span_eq(name, m->name) : skri_json_equals_span(&call->json, call->method, m->name)) {
            return (m->eras & era) != 0 && skri_offers(call->fs, call->srv->device, (enum skr_feature)m->feature)
                       ? m
                       : NULL;
        }
    }
    return NULL;
}

/* SK-F-01 */
static bool has_scripts(const struct romfs *fs, const struct skr_device *device)
{
    for (uint32_t i = 0; i < fs->header->files.count; i++) {
        if (skri_file_kind(fs, device, &fs->files[i]) == ROMFS_SCRIPT) {
            return true;
        }
    }
    return false;
}

bool skri_offers(const struct romfs *fs, const struct skr_device *device, enum skr_feature feature)
{
    if (SKR_TASKS && feature == SKR_HAS_TASKS) {
        return skri_task_offered(device);
    }
    return feature == SKR_SCRIPTS ? SKR_DIALECTS && has_scripts(fs, device) : skri_has(fs, device, feature);
}
