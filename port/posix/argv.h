/* argv.h -- the command line of a script (argv.c). */
#ifndef SKR_ARGV_H
#define SKR_ARGV_H

#include "skillrom.h"

/* The error in the argument `argv`, as the rest of a sentence that begins with its name; NULL: nothing, or
 * there is no such argument. Changes nothing. */
const char *posix_argv_wrong(struct skr_span arguments);

/* Gets its words, at most POSIX_EXEC_WORDS, and returns their number. They are decoded and terminated in place,
 * so the arguments cannot be used afterwards. */
size_t posix_argv_words(struct skr_span arguments, const char **words);

#endif
