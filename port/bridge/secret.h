/* secret.h -- the token that the bridge shows to a device. */
#ifndef SKR_SECRET_H
#define SKR_SECRET_H

#include "bridge_config.h"

enum skr_secret {
    SKR_SECRET_TOKEN, /* the file has one word: a token */
    SKR_SECRET_OTHER, /* it has more: a list of who may come, which port/posix/tokens.h reads */
    SKR_SECRET_WRONG, /* it cannot be read, or anybody can; a message has been printed */
};

/* Looks into the file. A file with a token must belong to the user, and nobody else may read it. */
enum skr_secret skr_secret_read(const char *path, char token[SKR_BRIDGE_TOKEN]);

/* Has the word only characters of a token (RFC 6750)? */
bool skr_secret_is_token(const char *word);

#endif
