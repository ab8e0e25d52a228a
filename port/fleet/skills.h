/* skills.h -- skills of all builds, and their files: each is fetched once, from any device that has it.
 *
 * The methods of the core's table that concern skills, for a server that has more of them than its image. The image's own
 * come first. */
#ifndef SKR_FLEET_SKILLS_H
#define SKR_FLEET_SKILLS_H

#include "answer/request.h"
#include "registry.h"

/* skills/list and resources/list; skills/get. */
void skr_skills_list(struct skr_call *call);
void skr_skills_get(struct skr_call *call);

/* resources/read and resources/directory/read of a URI that is a build's. */
void skr_skills_read(struct skr_call *call);
void skr_skills_directory(struct skr_call *call);

/* Is this a run of one of these methods? Its answer is the slot's text. */
bool skr_skills_is_read(const struct skr_tool *tool);

#endif
