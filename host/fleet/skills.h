/* skills.h -- skills of all builds, and their files: each is fetched once, from any device that has it.
 *
 * The methods of the core's table that concern skills, for a server that has more of them than its image. The image's own
 * come first. */
#ifndef SKR_FLEET_SKILLS_H
#define SKR_FLEET_SKILLS_H

#include "response/request.h"
#include "registry.h"

/* skills/list and resources/list; skills/get. */
void fleet_skills_list(struct skr_call *call);
void fleet_skills_get(struct skr_call *call);

/* resources/read and resources/directory/read of a URI that is a build's. */
void fleet_skills_read(struct skr_call *call);
void fleet_skills_directory(struct skr_call *call);

/* Is this a run of one of these methods? Its answer is the slot's text. */
bool fleet_skills_is_read(const struct skr_tool *tool);

#endif
