/* miniz.c -- miniz's inflater for profiles that inflate, nothing for others, so that every project can compile it. Only what
 * needs neither heap nor files; warnings are not for what is not ours. */
#include "skillrom.h"

#if SKR_DEFLATE
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#ifndef NDEBUG
#define NDEBUG /* its assertions would want a C library with an _exit, whatever the build type */
#endif
#define MINIZ_NO_STDIO
#define MINIZ_NO_TIME
#define MINIZ_NO_ARCHIVE_APIS
#define MINIZ_NO_ARCHIVE_WRITING_APIS
#define MINIZ_NO_ZLIB_APIS
#define MINIZ_NO_ZLIB_COMPATIBLE_NAMES
#define MINIZ_NO_MALLOC
#include <miniz.c>
#endif
