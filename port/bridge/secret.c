/* secret.c -- see secret.h. */
#include "secret.h"

#include <string.h>

#include "private.h"
#include "say.h"

static const char in_token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/=";

bool skr_secret_is_token(const char *word)
{
    return *word != '\0' && word[strspn(word, in_token)] == '\0';
}

enum skr_secret skr_secret_read(const char *path, char token[SKR_BRIDGE_TOKEN])
{
    bool shared;
    ssize_t n = skr_private_read(path, token, SKR_BRIDGE_TOKEN - 1, &shared);
    if (n < 0) {
        return SKR_SECRET_WRONG;
    }
    token[n] = '\0';
    while (n > 0 && strchr(" \t\r\n", token[n - 1]) != NULL) {
        token[--n] = '\0';
    }
    if (!skr_secret_is_token(token)) {
        return SKR_SECRET_OTHER;
    }
    if (shared) {
        skr_say("%s: others can read this token; chmod 600 it", path);
        return SKR_SECRET_WRONG;
    }
    return SKR_SECRET_TOKEN;
}
