/* skill_tools.h -- list_skills and read_skill: skills for hosts that know only tools. */
#ifndef SKR_SKILL_TOOLS_H
#define SKR_SKILL_TOOLS_H

#include "response/request.h"

#define SKR_SKILL_TOOL_COUNT 2

/* Handles tools/call of one of them; false when the name is another, or they are switched off. */
bool skri_skill_tool_call(struct skr_call *call, struct skr_span name);

#endif
