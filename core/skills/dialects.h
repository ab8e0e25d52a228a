/* dialects.h -- the methods of skills, and where the older dialects (SKR_DIALECTS) join the common methods. */
#ifndef SKR_DIALECTS_H
#define SKR_DIALECTS_H

#include "response/request.h"

/* The methods of skills: of the released extension (A), and of dialects E and F. */
void skri_skills_list(struct skr_call *call);
void skri_skills_get(struct skr_call *call);
void skri_skills_activate(struct skr_call *call);
void skri_skills_read(struct skr_call *call);
void skri_read_reference(struct skr_call *call);
void skri_skills_execute(struct skr_call *call);

/* B: skill://index.json, as a Resource in a list, and its content as resources/read sends it. */
void skri_push_index_resource(struct skr_response *a);
void skri_read_index(struct skr_call *call);

/* C: answers resources/list if it has a URI; true when it did. */
bool skri_scoped_list(struct skr_call *call);

/* D: answers skills/get by name. */
void skri_get_named(struct skr_call *call);

#endif
