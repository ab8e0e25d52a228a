/* dialects.h -- the methods of skills, and where the older dialects (SKR_DIALECTS) join the common methods. */
#ifndef SKR_DIALECTS_H
#define SKR_DIALECTS_H

#include "response/request.h"

struct skr_found; /* store/store.h */

/* The methods of skills: of the released extension (skills/list, skills/get), of pr86.c (skills/activate), and of
 * skills_page.c. */
void skri_skills_list(struct skr_call *call);
void skri_skills_get(struct skr_call *call);
void skri_skills_activate(struct skr_call *call);
void skri_skills_read(struct skr_call *call);
void skri_read_reference(struct skr_call *call);
void skri_skills_execute(struct skr_call *call);

/* sep2640_draft.c: skill://index.json, as a Resource in a list, and its content as resources/read sends it. */
void skri_push_index_resource(struct skr_response *a);
void skri_read_index(struct skr_call *call);

/* archives.c: resources/read of an archive. */
void skri_read_archive(struct skr_call *call, const struct skr_found *found);

/* pr69.c: resources/list with a URI; false when the request has none. */
bool skri_scoped_list(struct skr_call *call);

/* sep2076.c: skills/get by name. */
void skri_get_named(struct skr_call *call);

#endif
