/* token_file.h -- the token that is sent to a device. */
#ifndef TRANSPORT_TOKEN_FILE_H
#define TRANSPORT_TOKEN_FILE_H

#include "transport_config.h"

enum transport_token_file {
    TRANSPORT_TOKEN_FILE_TOKEN, /* the file has one word: a token */
    TRANSPORT_TOKEN_FILE_OTHER, /* it has more: a list of clients, which port/posix/tokens.h reads */
    TRANSPORT_TOKEN_FILE_WRONG, /* it cannot be read, or other users can read it; a message has been printed */
};

/* Reads the file. A file with a token must belong to the user, and no other user may have the right to read it. */
enum transport_token_file transport_token_file_read(const char *path, char token[TRANSPORT_TOKEN]);

/* True if the word has only characters of a token (RFC 6750). */
bool transport_token_file_is_token(const char *word);

#endif
