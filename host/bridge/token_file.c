/* secret.c -- see secret.h. */
#include "token_file.h"

#include <string.h>

#include "private.h"
#include "console.h"

static const char in_token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/=";

bool bridge_token_file_is_token(const char *word)
{
    return *word != '\0' && word[strspn(word, in_token)] == '\0';
}

enum bridge_token_file bridge_token_file_read(const char *path, char token[BRIDGE_TOKEN])
{
    bool shared;
    ssize_t n = host_private_read(path, token, BRIDGE_TOKEN - 1, &shared);
    if (n < 0) {
        return BRIDGE_TOKEN_FILE_WRONG;
    }
    token[n] = '\0';
    while (n > 0 && strchr(" \t\r\n", token[n - 1]) != NULL) {
        token[--n] = '\0';
    }
    if (!bridge_token_file_is_token(token)) {
        return BRIDGE_TOKEN_FILE_OTHER;
    }
    if (shared) {
        host_log("%s: others can read this token; chmod 600 it", path);
        return BRIDGE_TOKEN_FILE_WRONG;
    }
    return BRIDGE_TOKEN_FILE_TOKEN;
}
