/* oauth.c -- what this device says about itself and its authorization server (RFC 9728). */
#include "oauth.h"

#if SKR_OAUTH

#include "skr_text.h"

#define WELL_KNOWN "/.well-known/oauth-protected-resource"

/* The path of a URL, "" when it has none; NULL when it is not a URL that may stand in a header and in JSON as it is. */
static const char *path_of(const char *url)
{
    static const struct skr_span schemes[] = {{"https://", 8}, {"http://", 7}};
    const char *host = NULL;
    size_t n = url != NULL ? strlen(url) : 0;

    for (unsigned i = 0; i < 2 && n < SKR_OAUTH_URL; i++) {
        if (n > schemes[i].n && memcmp(url, schemes[i].p, schemes[i].n) == 0) {
            host = url + schemes[i].n;
        }
    }
    if (host == NULL || *host == '/' ||
        strspn(url, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                    "-._~:/[]@!$&'()*+,;=%") != n) {
        return NULL;
    }
    return host + strcspn(host, "/");
}

/* A scope is of printable characters without spaces, quotes and backslashes (RFC 6749, 3.3). */
static bool is_scope(const char *scope)
{
    size_t n = strlen(scope);

    for (size_t i = 0; i < n; i++) {
        if (scope[i] <= ' ' || scope[i] > '~' || scope[i] == '"' || scope[i] == '\\') {
            return false;
        }
    }
    return n > 0 && n < SKR_OAUTH_SCOPE;
}

static char *text_put(char *to, const char *text, size_t n)
{
    memcpy(to, text, n);
    to[n] = '\0';
    return to + n;
}

static char *put_text(char *to, const char *text)
{
    return text_put(to, text, strlen(text));
}

/* The well-known part goes between host and path; clients also ask for it without the path. */
static void set_metadata_url(struct skr_oauth *o, const char *path)
{
    const char *resource = o->config.resource;
    char *well_known = text_put(o->url, resource, (size_t)(path - resource));

    put_text(put_text(well_known, WELL_KNOWN), strcmp(path, "/") == 0 ? "" : path);
    o->authority.url = o->url;
    o->authority.paths[0] = well_known;
    o->authority.paths[1] = WELL_KNOWN;
}

static void set_metadata(struct skr_oauth *o)
{
    char *at = put_text(o->metadata, "{\"resource\":\"");

    at = put_text(put_text(at, o->config.resource), "\",\"authorization_servers\":[\"");
    at = put_text(put_text(at, o->config.issuer), "\"],\"scopes_supported\":[\"");
    at = put_text(put_text(at, o->config.read), "\",\"");
    at = put_text(at, o->config.operate);
    if (o->config.update != NULL) {
        at = put_text(put_text(at, "\",\""), o->config.update);
    }
    at = put_text(at, "\"],\"bearer_methods_supported\":[\"header\"]}");
    o->authority.metadata = (struct skr_span){o->metadata, (size_t)(at - o->metadata)};
}

enum skr_oauth_error skr_oauth_open(struct skr_oauth *o, const struct skr_oauth_config *config)
{
    const char *path = path_of(config->resource);

    memset(o, 0, sizeof *o);
    o->config = *config;
    o->config.read = config->read != NULL ? config->read : "read";
    o->config.operate = config->operate != NULL ? config->operate : "operate";
    if (path == NULL || path_of(config->issuer) == NULL) {
        return SKR_OAUTH_BAD_URL;
    }
    if (!is_scope(o->config.read) || !is_scope(o->config.operate) ||
        (config->update != NULL && !is_scope(config->update))) {
        return SKR_OAUTH_BAD_SCOPE;
    }
    o->authority.check = skr_oauth_check;
    o->authority.context = o;
    o->authority.read = o->config.read;
    o->authority.operate = o->config.operate;
    o->authority.update = o->config.update;
    set_metadata_url(o, path);
    set_metadata(o);
    return SKR_OAUTH_OK;
}

#endif
