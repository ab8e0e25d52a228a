/* tokens.h -- who may use HTTP: the tokens of --token-file, and whether an address may be served without them. */
#ifndef SKR_POSIX_TOKENS_H
#define SKR_POSIX_TOKENS_H

#include "options.h"

/* Reads a file written by `skillrom token`: a line "NAME read|operate SHA256 [PATTERNS]" for each token; "#" begins a comment. The rows
 * are valid until it has been called with success twice more. False, after a message, if it is not such a file. */
bool posix_tokens_load(const char *path, const struct skr_grant **grants, size_t *count);

/* For a server of many devices, before the file is read: a line may end with patterns of their names, "pump-*,valve-1", which are
 * then what posix_tokens_devices says of that row; NULL: all. Other servers refuse such a line, which would allow less than it
 * seems to. */
void posix_tokens_expect_devices(void);
const char *posix_tokens_devices(const struct skr_grant *row);

/* False, after a message, if other machines can reach an address without a token although --allow-anyone is missing.
 * `tokens`: the program has --token-file, and the message mentions it. */
bool posix_tokens_suffice(const struct posix_options *options, bool tokens);

#endif
