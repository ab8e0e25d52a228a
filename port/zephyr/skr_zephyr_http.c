/* skr_zephyr_http.c -- see skr_zephyr_http.h. */
#include "skr_zephyr_http.h"

#include <string.h>
#include <zephyr/kernel.h>
#include <zephyr/random/random.h>

#ifdef CONFIG_SKILLROM_SETTINGS
#include <zephyr/settings/settings.h>
#endif

#if !defined(CONFIG_ENTROPY_HAS_DRIVER) && !defined(CONFIG_TEST_RANDOM_GENERATOR)
#error "skr_zephyr_http: no random numbers; CONFIG_ENTROPY_GENERATOR=y, or for tests CONFIG_TEST_RANDOM_GENERATOR=y"
#endif

#ifdef CONFIG_ZVFS_POLL_MAX
#define POLL_MAX CONFIG_ZVFS_POLL_MAX
#else
#define POLL_MAX CONFIG_NET_SOCKETS_POLL_MAX /* up to 4.0 */
#endif
BUILD_ASSERT(SKR_SOCKETS_DESCRIPTORS <= POLL_MAX,
             "CONFIG_SKILLROM_CONNECTIONS: more than CONFIG_ZVFS_POLL_MAX (NET_SOCKETS_POLL_MAX in 3.7) allows");
BUILD_ASSERT(SKR_SOCKETS_DESCRIPTORS <= CONFIG_NET_MAX_CONTEXTS,
             "CONFIG_SKILLROM_CONNECTIONS: more than CONFIG_NET_MAX_CONTEXTS allows");

/* ---- Where the session key and the tokens are ---- */

static bool random_bytes(void *context, void *to, size_t n)
{
    (void)context;
    if (IS_ENABLED(CONFIG_TEST_RANDOM_GENERATOR)) {
        sys_rand_get(to, n);
        return true;
    }
    return sys_csrand_get(to, n) == 0;
}

#ifdef CONFIG_SKILLROM_SETTINGS
#define SUBTREE "skillrom"

/* A value that is looked for below SUBTREE. */
struct wanted {
    const char *name;
    void *to;
    size_t room, n;
};

static int found(const char *name, size_t n, settings_read_cb read, void *read_arg, void *param)
{
    struct wanted *w = param;

    if (name != NULL && strcmp(name, w->name) == 0 && n <= w->room) {
        ssize_t got = read(read_arg, w->to, n);
        w->n = got > 0 ? (size_t)got : 0;
    }
    return 0;
}

static size_t load(void *context, const char *name, void *to, size_t room)
{
    struct wanted w = {.name = name, .to = to, .room = room};

    (void)context;
    return settings_load_subtree_direct(SUBTREE, found, &w) == 0 ? w.n : 0;
}

/* The only value that is stored here. */
static bool save(void *context, const char *name, const void *from, size_t n)
{
    (void)context;
    (void)name;
    return settings_save_one(SUBTREE "/session_key", from, n) == 0;
}
#else
static size_t load(void *context, const char *name, void *to, size_t room)
{
    (void)context;
    (void)name;
    (void)to;
    (void)room;
    return 0;
}

static bool save(void *context, const char *name, const void *from, size_t n)
{
    (void)context;
    (void)name;
    (void)from;
    (void)n;
    return false;
}
#endif

/* ---- Serving ---- */

int skr_zephyr_http_open(struct skr_zephyr_http *h, struct skr_server *server)
{
    static const struct skr_access_store store = {load, save, random_bytes, NULL};
    static const char *const host = CONFIG_SKILLROM_HTTP_HOST;
    const struct skr_sockets_endpoint where = {.address.port = CONFIG_SKILLROM_HTTP_PORT, .wire = SKR_HTTP_1};

#ifdef CONFIG_SKILLROM_SETTINGS
    int error = settings_subsys_init();
    if (error != 0) {
        return -error;
    }
#endif
    memset(&h->http, 0, sizeof h->http);
    h->http.path = CONFIG_SKILLROM_HTTP_PATH;
    h->http.hosts = &host;
    h->http.host_count = host[0] != '\0';
    h->http.anyone = IS_ENABLED(CONFIG_SKILLROM_ANYONE);
    if (!skr_access_open(&h->access, &store, &h->http)) {
        return SKR_ZEPHYR_NO_RANDOM;
    }
    skr_server_http(server, &h->http);
    skr_sockets_init(&h->net, server);
    return skr_sockets_listen(&h->net, &where);
}

int skr_zephyr_http_serve(struct skr_zephyr_http *h, struct skr_server *server)
{
    int error = skr_zephyr_http_open(h, server);

    while (error == 0) {
        error = skr_sockets_run_once(&h->net, -1);
    }
    return error;
}
