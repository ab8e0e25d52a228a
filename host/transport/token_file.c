/* token_file.c -- see token_file.h. */
#include "token_file.h"

#include <string.h>

#include "private.h"
#include "console.h"

static const char in_token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/=";

bool transport_token_file_is_token(const char *word)
{
    return *word != '\0' && word[strspn(word, in_token)] == '\0';
}

enum transport_token_file transport_token_file_read(const char *path, char token[TRANSPORT_TOKEN])
{
    bool shared;
    ssize_t n = host_private_read(path, token, TRANSPORT_TOKEN - 1, &shared);
    if (n < 0) {
        return TRANSPORT_TOKEN_FILE_WRONG;
    }
    token[n] = '\0';
    while (n > 0 && strchr(" \t\r\n", token[n - 1]) != NULL) {
        token[--n] = '\0';
    }
    if (!transport_token_file_is_token(token)) {
        return TRANSPORT_TOKEN_FILE_OTHER;
    }
    if (shared) {
        host_log("%s: other users can read this token; run chmod 600 on it", path);
        return TRANSPORT_TOKEN_FILE_WRONG;
    }
    return TRANSPORT_TOKEN_FILE_TOKEN;
}
