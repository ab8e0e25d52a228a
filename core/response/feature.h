/* feature.h -- the features of a server with this image and this device. */
#ifndef SKR_FEATURE_H
#define SKR_FEATURE_H

#include "skillrom.h"

/* A feature is declared if, and only if, its methods exist (DISC-04). */
enum skr_feature {
    SKR_ALWAYS,
    SKR_RESOURCES,
    SKR_SKILLS,
    SKR_TOOLS,
    SKR_HAS_PROMPTS,
    SKR_COMPLETIONS,
    SKR_SCRIPTS, /* scripts of skills that can be run (SK-F-01) */
    SKR_HAS_TASKS,
    SKR_HAS_EVENTS, /* alarms as events */
};
/* Whether the image and the device have it. For what depends on handlers see skri_offers in method.h. */
bool skri_has(const struct romfs *fs, const struct skr_device *device, enum skr_feature feature);

/* Whether skills are also offered as tools and prompts: device.json can switch that off. */
static inline bool skri_has_skill_tools(const struct romfs *fs)
{
    return SKR_EXTRAS && fs->header->skills.count > 0 && (fs->header->flags & ROMFS_NO_SKILL_TOOLS) == 0;
}
static inline bool skri_has_skill_prompts(const struct romfs *fs)
{
    return SKR_EXTRAS && fs->header->listed > 0 && (fs->header->flags & ROMFS_NO_SKILL_PROMPTS) == 0;
}

/* Whether the image has a panel, and this build shows it; and that panel, NULL if not. */
static inline bool skri_has_panel(const struct romfs *fs)
{
    return SKR_PANEL && (fs->header->flags & ROMFS_HAS_PANEL) != 0;
}
static inline const struct romfs_panel *skri_panel(const struct romfs *fs)
{
    return skri_has_panel(fs) ? romfs_panel_of(fs) : NULL;
}

#endif
