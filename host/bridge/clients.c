/* clients.c -- the initialize requests of clients, which relay.c repeats. See relay.h. */
#include <string.h>

#include "relay.h"

static struct client {
    const struct skr_legacy *who;
    size_t n, level_n;
    char text[BRIDGE_HANDSHAKE_MAX];
    char level[BRIDGE_LEVEL_MAX]; /* its last logging/setLevel, which a new handshake resets */
} clients[BRIDGE_CLIENTS];

static unsigned next; /* the slot to reuse when all are taken; the core has no more clients, so it is stale */

int bridge_client_find(const struct skr_legacy *who)
{
    for (int i = 0; i < BRIDGE_CLIENTS; i++) {
        if (clients[i].who == who) {
            return i;
        }
    }
    return -1;
}

int bridge_client_remember(const struct skr_legacy *who, struct skr_span initialize)
{
    int i = bridge_client_find(who);

    if (initialize.n > sizeof clients[0].text) {
        return -1;
    }
    i = i >= 0 ? i : bridge_client_find(NULL);
    i = i >= 0 ? i : (int)(next++ % BRIDGE_CLIENTS);
    clients[i].who = who;
    clients[i].n = initialize.n;
    clients[i].level_n = 0;
    memcpy(clients[i].text, initialize.p, initialize.n);
    return i;
}

struct skr_span bridge_client_handshake(int client)
{
    if (client < 0) {
        return (struct skr_span){NULL, 0};
    }
    return (struct skr_span){clients[client].text, clients[client].n};
}

void bridge_client_set_level(int client, struct skr_span request)
{
    if (client >= 0 && request.n <= sizeof clients[0].level) {
        clients[client].level_n = request.n;
        memcpy(clients[client].level, request.p, request.n);
    }
}

struct skr_span bridge_client_level(int client)
{
    return (struct skr_span){clients[client].level, clients[client].level_n};
}
