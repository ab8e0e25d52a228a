/* secret.h -- the token that the bridge shows to a device. */
#ifndef SKR_SECRET_H
#define SKR_SECRET_H

#include "bridge_config.h"

enum bridge_token_file {
    BRIDGE_TOKEN_FILE_TOKEN, /* the file has one word: a token */
    BRIDGE_TOKEN_FILE_OTHER, /* it has more: a list of who may come, which port/posix/tokens.h reads */
    BRIDGE_TOKEN_FILE_WRONG, /* it cannot be read, or anybody can; a message has been printed */
};

/* Looks into the file. A file with a token must belong to the user, and nobody else may read it. */
enum bridge_token_file bridge_token_file_read(const char *path, char token[BRIDGE_TOKEN]);

/* Has the word only characters of a token (RFC 6750)? */
bool bridge_token_file_is_token(const char *word);

#endif
