/* feature.c -- see feature.h. */
#include "response/feature.h"

bool skri_has(const struct romfs *fs, const struct skr_device *device, enum skr_feature feature)
{
    const struct romfs_header *h = fs->header;

    switch (feature) {
    case SKR_SKILLS: return h->skills.count > 0;
    case SKR_RESOURCES: return h->skills.count > 0 || device->resource_count > 0 || skri_has_panel(fs);
    case SKR_TOOLS:
        return (h->tools.count > 0 && device->tool_count > 0) || skri_has_skill_tools(fs) || skri_has_panel(fs);
    case SKR_HAS_PROMPTS: return SKR_EXTRAS && (h->prompts.count > 0 || skri_has_skill_prompts(fs));
    case SKR_COMPLETIONS: return SKR_EXTRAS && (h->skills.count > 0 || h->prompts.count > 0);
#if SKR_EVENTS
    case SKR_HAS_EVENTS: return device->alarms != NULL;
#endif
    default: return true;
    }
}
