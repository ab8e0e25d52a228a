/* tokens.h -- who may use HTTP: the tokens of --token-file, and whether an address may be served without them. */
#ifndef SKR_POSIX_TOKENS_H
#define SKR_POSIX_TOKENS_H

#include "options.h"

/* Reads a file written by `skillrom token`: a line "NAME read|operate SHA256" for each token; "#" begins a comment. The rows
 * are valid until the process ends; call it once. False, after a message, if it is not such a file. */
bool skr_tokens_load(const char *path, const struct skr_grant **grants, size_t *count);

/* False, after a message, if other machines can reach an address without a token although --allow-anyone is missing.
 * `tokens`: the program has --token-file, and the message mentions it. */
bool skr_tokens_suffice(const struct skr_options *options, bool tokens);

#endif
