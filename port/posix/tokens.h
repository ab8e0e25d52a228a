/* tokens.h -- who may use HTTP: the tokens of --token-file, and whether an address may be served without. */
#ifndef SKR_POSIX_TOKENS_H
#define SKR_POSIX_TOKENS_H

#include "options.h"

/* Reads a file that `skillrom token` has written: a line "NAME read|operate SHA256" for each, "#" begins a remark. The rows
 * stay until the process ends; call it once. False when the file is not that, and that has been said. */
bool skr_tokens_load(const char *path, const struct skr_grant **grants, size_t *count);

/* Can strangers reach an address without a token, though nobody said that they may? Then false, and that has been
 * said; `tokens`: together with the option for them. */
bool skr_tokens_suffice(const struct skr_options *options, bool tokens);

#endif
