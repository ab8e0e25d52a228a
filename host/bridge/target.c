/* target.c -- see target.h. */
#include "target.h"

#include <netdb.h>
#include <stdio.h>
#include <string.h>

#include "http_parser.h"

static const struct {
    const char *prefix;
    enum bridge_scheme scheme;
    unsigned port; /* 0: must be given */
} schemes[] = {
    {"tcp://", BRIDGE_SCHEME_TCP, 0},
    {"http://", BRIDGE_SCHEME_HTTP, 80},
    {"https://", BRIDGE_SCHEME_HTTPS, 443},
};

#define SCHEMES (sizeof schemes / sizeof schemes[0])

static size_t find(const char *word)
{
    size_t i = 0;
    while (i < SCHEMES && strncmp(word, schemes[i].prefix, strlen(schemes[i].prefix)) != 0) {
        i++;
    }
    return i;
}

enum bridge_scheme bridge_target_scheme(const char *word)
{
    size_t i = find(word);
    return i < SCHEMES ? schemes[i].scheme : strstr(word, "://") != NULL ? BRIDGE_SCHEME_TCP : BRIDGE_SCHEME_NONE;
}

/* Copies a part of the URL; false when it does not fit. */
static bool copy(char *to, size_t room, const char *url, const struct http_parser_url *u, enum http_parser_url_fields f)
{
    size_t n = u->field_data[f].len;
    bool fits = n < room;
    memcpy(to, url + u->field_data[f].off, fits ? n : 0);
    to[fits ? n : 0] = '\0';
    return fits;
}

static bool has(const struct http_parser_url *u, enum http_parser_url_fields f)
{
    return (u->field_set >> f & 1) != 0;
}

const char *bridge_target_parse(struct bridge_target *t, const char *url)
{
    struct http_parser_url u;
    size_t kind = find(url);
    char query[sizeof t->path];

    memset(t, 0, sizeof *t);
    http_parser_url_init(&u);
    if (kind == SCHEMES) {
        return "give tcp://HOST:PORT, http://HOST or https://HOST";
    }
    if (http_parser_parse_url(url, strlen(url), 0, &u) != 0 || !has(&u, UF_HOST)) {
        return "not a URL; it looks like https://pump.local:8443";
    }
    if (has(&u, UF_USERINFO)) {
        return "a URL with a user name: other users can see it; give a token by --token-file";
    }
    t->scheme = schemes[kind].scheme;
    if (!copy(t->host, sizeof t->host, url, &u, UF_HOST) || !copy(t->path, sizeof t->path, url, &u, UF_PATH) ||
        !copy(query, sizeof query, url, &u, UF_QUERY) || strlen(t->path) + strlen(query) + 2 > sizeof t->path) {
        return "too long";
    }
    if (t->scheme == BRIDGE_SCHEME_TCP && (t->path[0] != '\0' || !has(&u, UF_PORT))) {
        return "lines over TCP have a port and no path: tcp://HOST:PORT";
    }
    if (has(&u, UF_QUERY)) {
        strcat(strcat(t->path, "?"), query);
    }
    if (t->path[0] == '\0' || strcmp(t->path, "/") == 0) {
        strcpy(t->path, "/mcp");
    }
    bool six = strchr(t->host, ':') != NULL;
    char *zone = six ? strstr(t->host, "%25") : NULL;
    if (zone != NULL) { /* as RFC 6874 writes fe80::1%eth0 */
        memmove(zone + 1, zone + 3, strlen(zone + 3) + 1);
    }
    int plain = (int)strcspn(t->host, "%"); /* which interface it is behind is our own affair */
    (void)snprintf(t->port, sizeof t->port, "%u", has(&u, UF_PORT) ? u.port : schemes[kind].port);
    (void)snprintf(t->authority, sizeof t->authority, "%s%.*s%s:%s", six ? "[" : "", plain, t->host, six ? "]" : "",
                   t->port);
    return NULL;
}

const char *bridge_target_resolve(struct bridge_target *t)
{
    const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG};
    const struct addrinfo numeric = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(t->host, t->port, &numeric, &found);
    if (code != 0) {
        code = getaddrinfo(t->host, t->port, &hints, &found);
    }
    t->count = 0;
    for (const struct addrinfo *a = code == 0 ? found : NULL; a != NULL && t->count < BRIDGE_ADDRESSES;
         a = a->ai_next) {
        memcpy(&t->at[t->count].address, a->ai_addr, a->ai_addrlen);
        t->at[t->count++].n = a->ai_addrlen;
    }
    if (code == 0) {
        freeaddrinfo(found);
    }
    return code != 0 ? gai_strerror(code) : NULL;
}
