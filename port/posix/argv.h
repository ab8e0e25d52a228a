/* argv.h -- the command line of a script (argv.c). */
#ifndef SKR_ARGV_H
#define SKR_ARGV_H

#include "skillrom.h"

/* What is wrong with the argument `argv` among these, as the rest of a sentence that begins with it;
 * NULL: nothing, or there is none. Changes nothing. */
const char *skr_argv_wrong(struct skr_span arguments);

/* Its words, of which there are at most SKR_POSIX_EXEC_WORDS; returns their number. They are decoded in place
 * and end where the next argument begins, so that the arguments are of no further use. */
size_t skr_argv_words(struct skr_span arguments, const char **words);

#endif
