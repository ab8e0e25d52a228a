/* mediatype.h -- media types by file name: for whoever packs a file, and for whoever passes on one that came without a type. */
#ifndef SKR_MEDIATYPE_H
#define SKR_MEDIATYPE_H

#include <stddef.h>

/* The media type for the extension of name[0..n); NULL when it has none, or an unknown one. */
const char *host_media_type(const char *name, size_t n);

#endif
