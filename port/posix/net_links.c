/* net_links.c -- the links of the server over TCP: clients are accepted, seated in a slot, served and closed. See net.h. */
#include <unistd.h>

#include "console.h"
#include "net.h"
#include "secure.h"

bool posix_net_watch(posix_watch_fn *how, int fd, enum source source, size_t index, unsigned events)
{
    return how(&posix_net.waiter, fd, (uint64_t)source << 32 | index, events);
}

/* ---- Links ---- */

void posix_net_set_accepting(bool on)
{
    for (size_t i = 0; i < posix_net.listener_count; i++) {
        posix_net_watch(host_wait_change, posix_net.listeners[i].fd, SOURCE_LISTENER, i, on ? HOST_READABLE : 0);
    }
    posix_net.deaf = !on;
}

/* --verbose */
static void log_link(const struct posix_link *link, bool more)
{
    char who[POSIX_LINK_WHO];

    if (posix_net.options->verbose) {
        posix_link_who(link, who);
        host_log("%s %s", who, more ? "connected" : "disconnected");
    }
}

/* One link more, or fewer, is open. */
static void count_link(const struct posix_link *link, bool more)
{
    struct posix_slots *slots = &posix_net.slots;

    posix_slots_count(slots, link, more);
    log_link(link, more);
    skr_server_set_streams(posix_net.server, (uint16_t)(slots->lines < slots->keep ? slots->keep - slots->lines : 0));
}

/* The descriptor is forgotten first: a child about to exec may still have a copy, and its later events would be taken for those
 * of the slot's next link. */
void posix_net_drop(struct posix_link *link)
{
    posix_link_close(link, false);
    host_wait_forget(&posix_net.waiter, link->fd);
    close(link->fd);
    link->fd = -1;
    count_link(link, false);
    if (posix_net.deaf && !posix_net.stopping) {
        posix_net_set_accepting(true);
    }
}

/* Moves a link, or a refused newcomer, to the lingering ones. */
static void linger_on(posix_watch_fn *how, int fd)
{
    size_t index = posix_lingers_add(&posix_net.lingers, fd, posix_net.now_ms);

    posix_net_watch(how, fd, SOURCE_LINGER, index, HOST_READABLE);
}

static void end_link(struct posix_link *link)
{
    posix_link_close(link, true);
    linger_on(host_wait_change, link->fd);
    link->fd = -1;
    count_link(link, false);
}

/* The events to wait for. A link whose handler is working may have no room for more bytes, or nothing more to
 * receive; then only the handler wakes it. */
static unsigned events_for(const struct posix_link *link)
{
    size_t room;

    if (link->doing == SKR_RESPONDING) {
        return HOST_WRITABLE;
    }
    (void)skr_carrier_rx_room(&link->carrier, &room);
    return room == 0 || link->peer_done ? 0 : HOST_READABLE;
}

void posix_net_settle(struct posix_link *link, enum posix_verdict verdict)
{
    if (verdict == POSIX_LINK_STAYS && posix_net.stopping && link->doing != SKR_RESPONDING) {
        verdict = POSIX_LINK_ENDED;
    }
    if (verdict == POSIX_LINK_GONE) {
        posix_net_drop(link);
    } else if (verdict == POSIX_LINK_ENDED) {
        end_link(link);
    } else {
        unsigned wanted = events_for(link);
        if (wanted != link->watched &&
            posix_net_watch(host_wait_change, link->fd, SOURCE_LINK, (size_t)(link - posix_net.slots.links), wanted)) {
            link->watched = wanted;
        }
    }
}

void posix_net_on_link(size_t index, unsigned events)
{
    struct posix_link *link = &posix_net.slots.links[index];

    if (events & HOST_BROKEN) { /* reset: neither direction works any more */
        posix_net_settle(link, POSIX_LINK_GONE);
    } else {
        posix_net_settle(link, posix_link_turn(link, (events & HOST_READABLE) != 0, posix_net.now_ms));
    }
}

/* ---- Newcomers ---- */

/* A peer that does not read needs no notice. */
static void make_room(struct posix_link *link)
{
    if (link->doing == SKR_RESPONDING) {
        posix_net_drop(link);
    } else {
        posix_link_give_way(link, posix_net.now_ms);
        end_link(link);
    }
}

/* A slot for a new client, emptied if another link had to give way; or NULL. */
static struct posix_link *free_slot_for(enum skr_wire wire, const struct posix_address *peer)
{
    struct posix_link *link = posix_slots_choose(&posix_net.slots, wire, peer, posix_net.http,
                                                 posix_net.server->streams.open, posix_net.now_ms);

    if (link != NULL && link->fd >= 0) {
        make_room(link);
    }
    return link;
}

static bool seat_link(struct posix_link *link, struct skr_server *server, enum skr_wire wire, int fd,
                      const struct posix_address *peer)
{
    static const struct posix_address no_address;

    if (!posix_net_watch(host_wait_add, fd, SOURCE_LINK, (size_t)(link - posix_net.slots.links), HOST_READABLE)) {
        close(fd);
        return false;
    }
    posix_link_open(link, server, wire, fd, posix_net.now_ms);
    link->peer = peer != NULL ? *peer : no_address;
    link->watched = HOST_READABLE;
    count_link(link, true);
    return true;
}

static void accept_client(const struct posix_listener *listener, int fd, const struct posix_address *peer)
{
    struct posix_link *link = free_slot_for(listener->wire, peer);

    if (link == NULL) {
        posix_listener_refuse(listener, fd, (unsigned)posix_net.slots.count);
        linger_on(host_wait_add, fd);
    } else {
        if (seat_link(link, listener->site != NULL ? listener->site->server : posix_net.server, listener->wire, fd,
                      peer) &&
            listener->secure) {
            posix_secure_open(&link->carrier, (size_t)(link - posix_net.slots.links));
        }
    }
}

bool posix_net_adopt(int fd, const char *name)
{
    struct posix_link *link = free_slot_for(SKR_LINE, NULL);

    if (link == NULL) {
        close(fd);
        return false;
    }
    link->name = name;
    return seat_link(link, posix_net.server, SKR_LINE, fd, NULL);
}

void posix_net_on_listener(const struct posix_listener *listener)
{
    for (unsigned i = 0; i < POSIX_ACCEPTS; i++) {
        int fd;
        struct posix_address peer;
        enum posix_accept accepted = posix_listener_accept(listener, &fd, &peer);

        if (accepted == POSIX_ACCEPT_EMPTY) {
            return;
        }
        if (accepted == POSIX_ACCEPT_CLIENT) {
            accept_client(listener, fd, &peer);
            continue;
        }
        /* Out of descriptors: a link that has to give way frees one. If there is none, the client stays in the
         * backlog, and we must not be woken for it all the time. */
        struct posix_link *weakest = posix_slots_weakest(&posix_net.slots, posix_net.now_ms);
        if (weakest == NULL) {
            posix_net_set_accepting(false);
            return;
        }
        posix_net_drop(weakest);
    }
}
