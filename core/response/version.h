/* version.h -- the protocol revisions of this build. */
#ifndef SKR_VERSION_H
#define SKR_VERSION_H

#include "text/span.h"

#define SKR_MODERN_VERSION "2026-07-28"
#define SKR_NEWEST_LEGACY SKR_V_2025_11_25

/* All of them, newest first, as JSON: what server/discover and errors report (VER-21). */
extern const char skri_versions_json[];

/* The text of a revision, in flash. */
const char *skri_version_text(uint8_t version);

/* The revision a text names, SKR_V_NONE when this build has none of that name. */
uint8_t skri_version_find(struct skr_span text);

#endif
