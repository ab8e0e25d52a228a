/* skill_files.h -- skills of all builds, and their files: each is fetched once, from any device that has it.
 *
 * These handlers replace the core's, because this server has more skills than its image. The image's skills come first. */
#ifndef SKR_FLEET_SKILLS_H
#define SKR_FLEET_SKILLS_H

#include "registry.h"
#include "response/request.h"

/* skills/list and resources/list; skills/get. */
void fleet_skills_list(struct skr_call *call);
void fleet_skills_get(struct skr_call *call);

/* resources/read and resources/directory/read, also of URIs of builds. */
void fleet_skills_read(struct skr_call *call);
void fleet_skills_directory(struct skr_call *call);

/* Whether the job of this tool is one of these methods. */
bool fleet_skills_is_read(const struct skr_tool *tool);

#endif
