/* mediatype.h -- media types of file names, for packing files and for relaying those without a type. */
#ifndef HOST_MEDIATYPE_H
#define HOST_MEDIATYPE_H

#include <stddef.h>

/* The media type for the extension of name[0..n); NULL when it has none, or an unknown one. */
const char *host_media_type(const char *name, size_t n);

#endif
