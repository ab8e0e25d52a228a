/* needs.h -- what a firmware was built with, for transcripts that need more than some have.
 *
 * A need is a switch or limit of core/skr_config.h that must not be 0, "SKR_EXTRAS", or must have some
 * size, "SKR_REQUEST_MAX>=4096". Programs for PCs have everything; those of a firmware are
 * read from a file of lines "NAME VALUE", made by tools/list-config. */
#ifndef WIRE_NEEDS_H
#define WIRE_NEEDS_H

#include "transcript.h"

/* Reads those of a firmware; from then on needs may be unmet. Exits when it cannot. */
void needs_read(const char *path);

/* True when every word of `needs` is met. Otherwise the first that is not stands in `unmet`. */
bool needs_met(const char *needs, struct bytes *unmet);

/* True when the exchange is run on this wire. One that a firmware was not built for is counted. */
bool needs_allow(const struct scene *scene, const struct exchange *e, enum wire wire);

/* Tells what was left out. */
void needs_report(void);

#endif
