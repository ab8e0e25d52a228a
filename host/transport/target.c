/* target.c -- see target.h. */
#include "target.h"

#include <netdb.h>
#include <stdio.h>
#include <string.h>

#include "url.h"

static const struct {
    const char *prefix;
    enum transport_scheme scheme;
    uint16_t port; /* 0 if a URL must give it */
} schemes[] = {
    {"tcp://", TRANSPORT_SCHEME_TCP, 0},
    {"http://", TRANSPORT_SCHEME_HTTP, 80},
    {"https://", TRANSPORT_SCHEME_HTTPS, 443},
};

#define SCHEMES (sizeof schemes / sizeof schemes[0])

static size_t find_scheme(const char *word)
{
    size_t i = 0;

    while (i < SCHEMES && strncmp(word, schemes[i].prefix, strlen(schemes[i].prefix)) != 0) {
        i++;
    }
    return i;
}

const char *transport_target_parse(struct transport_target *t, const char *text)
{
    struct host_url url;
    size_t kind = find_scheme(text);

    memset(t, 0, sizeof *t);
    if (kind == SCHEMES) {
        return "give tcp://HOST:PORT, http://HOST or https://HOST";
    }
    const char *wrong = host_url_parse(&url, text, strlen(schemes[kind].prefix));
    if (wrong != NULL) {
        return wrong;
    }
    if (url.user != NULL) {
        return "a URL with a user name: other users can see it; give a token with --device-token";
    }
    if (url.path_n + 2 > sizeof t->path) {
        return "the path is too long";
    }
    t->scheme = schemes[kind].scheme;
    if (t->scheme == TRANSPORT_SCHEME_TCP && (url.path_n > 0 || url.port == 0)) {
        return "lines over TCP have a port and no path: tcp://HOST:PORT";
    }
    bool root = url.path_n == 0 || (url.path_n == 1 && *url.path == '/');
    uint16_t port = url.port != 0 ? url.port : schemes[kind].port;
    (void)snprintf(t->host, sizeof t->host, "%s", url.host);
    (void)snprintf(t->path, sizeof t->path, "%s%.*s", *url.path == '?' ? "/" : "", root ? 4 : (int)url.path_n,
                   root ? "/mcp" : url.path);
    (void)snprintf(t->port, sizeof t->port, "%u", (unsigned)port);
    host_url_authority(&url, port, t->authority, sizeof t->authority);
    return NULL;
}

const char *transport_target_resolve(struct transport_target *t)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    const struct addrinfo numeric = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(t->host, t->port, &numeric, &found);

    if (code != 0) {
        code = getaddrinfo(t->host, t->port, &hints, &found);
    }
    t->count = 0;
    for (const struct addrinfo *a = code == 0 ? found : NULL; a != NULL && t->count < TRANSPORT_ADDRESSES;
         a = a->ai_next) {
        memcpy(&t->at[t->count].address, a->ai_addr, a->ai_addrlen);
        t->at[t->count++].n = a->ai_addrlen;
    }
    if (code == 0) {
        freeaddrinfo(found);
    }
    return code != 0 ? gai_strerror(code) : NULL;
}
