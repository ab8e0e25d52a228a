/* hosts.c -- see hosts.h. */
#include "hosts.h"

#include "authority.h"
#include "console.h"
#include "random.h"
#include "state.h"
#include "tokens.h"

/* The server keeps pointers to these. */
static char bound[SKR_SOCKETS_LISTENERS][POSIX_ADDRESS_TEXT];
static const char *allowed[POSIX_HOSTS + SKR_SOCKETS_LISTENERS];

bool posix_hosts_allow(const struct posix_hosts *hosts, struct skr_server *server)
{
    const struct posix_options *options = hosts->options;
    struct skr_http_config config = {.path = options->path,
                                     .hosts = allowed,
                                     .loopback = true,
                                     .sessionless = options->sessionless,
                                     .anyone = !posix_options_guard(options),
                                     .refused = hosts->refused};

    for (size_t i = 0; i < options->host_count; i++) {
        allowed[config.host_count++] = options->hosts[i];
    }
    for (size_t i = 0; i < hosts->net->listener_count; i++) {
        const struct skr_sockets_endpoint *listen = &hosts->net->listeners[i].is;
        if (listen->wire == SKR_HTTP_1 && listen->server == server) {
            posix_address_host(&listen->address, bound[i]);
            allowed[config.host_count++] = bound[i];
        }
    }
    if (!host_random(config.seed, sizeof config.seed)) {
        host_log("the system has no random bytes for session ids");
        return false;
    }
    bool http = config.host_count > options->host_count;
    if (http && options->token_file != NULL &&
        !posix_tokens_load(options->token_file, &config.grants, &config.grant_count)) {
        return false;
    }
    const struct skr_authority *authority = NULL;
    if (http && options->oauth_issuer != NULL && !posix_authority_load(options, &authority)) {
        return false;
    }
#if SKR_OAUTH
    config.authority = authority;
#endif
    if (http && options->keeps_key && !options->sessionless && !posix_state_key(options->state, &config.session_key)) {
        return false;
    }
    skr_server_http(server, &config);
    return true;
}

bool posix_hosts_reload(const struct posix_options *options, struct skr_server *server)
{
    const struct skr_grant *grants;
    size_t count;

    if (options->token_file == NULL) {
        return false;
    }
    if (!posix_tokens_load(options->token_file, &grants, &count)) {
        host_log("%s: not read again; the previous tokens still count", options->token_file);
        return false;
    }
    skr_server_set_grants(server, grants, count);
    host_log("%s: read again; %u token%s", options->token_file, (unsigned)count, count == 1 ? "" : "s");
    return true;
}
