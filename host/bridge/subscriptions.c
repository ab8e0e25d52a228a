/* subscriptions.c -- see subscriptions.h. When all slots are taken, the oldest is reused. */
#include "subscriptions.h"

#include <stdio.h>
#include <string.h>

static struct {
    uint32_t version;
    char uri[BRIDGE_SUBSCRIPTION_URI];
} subscribed[BRIDGE_SUBSCRIPTIONS];

/* clang-format off */
#define ROW(i) {.uri = subscribed[i].uri, .json = "{}", .mime = "", .version = &subscribed[i].version}
/* clang-format on */
#define ROWS(i) ROW(i), ROW(i + 1), ROW(i + 2), ROW(i + 3), ROW(i + 4), ROW(i + 5), ROW(i + 6), ROW(i + 7)

static const struct skr_resource rows[BRIDGE_SUBSCRIPTIONS] = {ROWS(0), ROWS(8), ROWS(16), ROWS(24)};

const struct skr_device bridge_subscription_device = {
    .resources = rows, .resource_count = BRIDGE_SUBSCRIPTIONS, .changes = SKR_CHANGES_CONTENT};

static uint32_t count;

static int find_uri(struct skr_span uri)
{
    for (int i = 0; i < BRIDGE_SUBSCRIPTIONS; i++) {
        if (uri.n > 0 && strlen(subscribed[i].uri) == uri.n && memcmp(subscribed[i].uri, uri.p, uri.n) == 0) {
            return i;
        }
    }
    return -1;
}

/* The URI is copied into a message to the device, so it must not contain characters that JSON escapes. */
static bool can_be_subscribed(struct skr_span uri)
{
    for (size_t i = 0; i < uri.n; i++) {
        if ((unsigned char)uri.p[i] <= ' ' || uri.p[i] == '"' || uri.p[i] == '\\') {
            return false;
        }
    }
    return uri.n > 0 && uri.n < sizeof subscribed[0].uri;
}

const struct skr_resource *bridge_subscribe(struct skr_span uri)
{
    int i = find_uri(uri);

    if (!can_be_subscribed(uri)) {
        return NULL;
    }
    if (i < 0) {
        i = (int)(count++ % BRIDGE_SUBSCRIPTIONS);
        memcpy(subscribed[i].uri, uri.p, uri.n);
        subscribed[i].uri[uri.n] = '\0';
        subscribed[i].version++;
    }
    return &rows[i];
}

uint32_t bridge_subscription_count(void)
{
    return count;
}

bool bridge_subscription_changed(struct skr_span uri)
{
    int i = find_uri(uri);

    if (i >= 0) {
        subscribed[i].version++;
    }
    return i >= 0;
}

size_t bridge_subscription_list(char *to, size_t room)
{
    size_t used = 0;

    for (int i = 0; i < BRIDGE_SUBSCRIPTIONS; i++) {
        size_t n = strlen(subscribed[i].uri);
        if (n > 0 && used + n + 4 < room) {
            used += (size_t)snprintf(to + used, room - used, "%s\"%s\"", used > 0 ? "," : "", subscribed[i].uri);
        }
    }
    return used;
}
