/* skr_sockets.c -- many clients over TCP: one thread, a fixed number of slots.
 *
 * A turn first serves the connections that have something, then lets new clients in, then handlers and the clock. In
 * that order, because a newcomer may be given the slot of an idle connection, and after the first step an idle one has
 * definitely sent no request.
 *
 * Waiting is level-triggered: a connection that was not read to its end, or has more to send than its budget allows, is
 * ready again in the next turn. */
#include "skr_sockets.h"

#include <string.h>

#include "skr_sockets_linger.h"
#include "skr_sockets_link.h"
#include "skr_sockets_listener.h"
#include "skr_sockets_slots.h"
#include "skr_sockets_system.h"
#include "skr_sockets_wait.h"

/* ---- Places ---- */

struct skr_sockets_place *skr_sockets_place(struct skr_sockets *net, size_t number)
{
    if (number < SKR_SOCKETS_SLOTS) {
        return &net->slots[number].place;
    }
    number -= SKR_SOCKETS_SLOTS;
    return number < SKR_SOCKETS_LINGERS ? &net->lingers[number].place
                                        : &net->listeners[number - SKR_SOCKETS_LINGERS].place;
}

void skr_sockets_leave(struct skr_sockets *net, struct skr_sockets_place *place)
{
    skr_sockets_forget(net, place);
    skr_socket_close(place->fd);
    *place = (struct skr_sockets_place){.fd = -1};
}

static void set_accepting(struct skr_sockets *net, bool on)
{
    for (size_t i = 0; i < net->listener_count; i++) {
        net->listeners[i].place.wanted = on ? SKR_SOCKETS_READABLE : 0;
    }
    net->deaf = !on;
}

/* ---- Connections ---- */

/* One connection more, or fewer, is open. */
static void count_slot(struct skr_sockets *net, const struct skr_sockets_slot *slot, bool more)
{
    uint16_t one = more ? 1 : (uint16_t)-1;

    net->open = (uint16_t)(net->open + one);
    if (skr_sockets_is_line(slot->wire)) {
        net->lines = (uint16_t)(net->lines + one);
    }
#if SKR_CHANGES
    size_t keep = skr_sockets_keep(net);
    skr_server_set_streams(net->server, (uint16_t)(net->lines < keep ? keep - net->lines : 0));
#endif
    if (net->changed != NULL) {
        net->changed(slot, more);
    }
}

void skr_sockets_drop(struct skr_sockets *net, struct skr_sockets_slot *slot)
{
    skr_sockets_link_close(slot, false);
    count_slot(net, slot, false);
    skr_sockets_leave(net, &slot->place);
    if (net->deaf) {
        set_accepting(net, true);
    }
}

/* Ends a connection after its last response. */
static void end_slot(struct skr_sockets *net, struct skr_sockets_slot *slot)
{
    int fd = slot->place.fd;

    skr_sockets_link_close(slot, true);
    count_slot(net, slot, false);
    skr_sockets_forget(net, &slot->place);
    slot->place = (struct skr_sockets_place){.fd = -1};
    skr_sockets_linger_on(net, fd);
}

/* Acts on the outcome of a connection's turn. */
static void settle(struct skr_sockets *net, struct skr_sockets_slot *slot, enum skr_sockets_verdict verdict)
{
    if (verdict == SKR_SOCKETS_STAYS && net->stopping && slot->doing != SKR_RESPONDING) {
        verdict = SKR_SOCKETS_ENDED;
    }
    if (verdict == SKR_SOCKETS_GONE) {
        skr_sockets_drop(net, slot);
    } else if (verdict == SKR_SOCKETS_ENDED) {
        end_slot(net, slot);
    } else {
        slot->place.wanted = skr_sockets_link_wants(slot);
    }
}

static void turn(struct skr_sockets *net, struct skr_sockets_slot *slot, bool readable)
{
    settle(net, slot, skr_sockets_link_turn(slot, readable, net->now_ms));
}

/* ---- Newcomers ---- */

/* An eighth of the shortest timeout is precise enough, and twice a second often enough. */
static uint32_t tick_for(struct skr_sockets_limits limits)
{
    uint32_t shortest = limits.timeout_ms < limits.idle_ms ? limits.timeout_ms : limits.idle_ms;

    shortest = limits.grace_ms < shortest ? limits.grace_ms : shortest;
    return shortest >= 4000 ? 500 : shortest / 8 + 1;
}

/* A slot for a new client, emptied if another connection had to give way; or NULL. A peer that does not read needs no
 * notice. */
static struct skr_sockets_slot *free_slot_for(struct skr_sockets *net, enum skr_wire wire,
                                              const struct skr_sockets_address *peer)
{
    struct skr_sockets_slot *slot = skr_sockets_choose(net, wire, peer);

    if (slot != NULL && slot->place.fd >= 0) {
        if (slot->doing == SKR_RESPONDING) {
            skr_sockets_drop(net, slot);
        } else {
            skr_sockets_link_give_way(slot, net->now_ms);
            end_slot(net, slot);
        }
    }
    return slot;
}

static void seat(struct skr_sockets *net, struct skr_sockets_slot *slot, const struct skr_sockets_endpoint *where,
                 int fd, const struct skr_sockets_address *peer)
{
    skr_sockets_link_open(slot, where->server, where->wire, fd, net->now_ms);
    slot->peer = *peer;
#if SKR_TLS
    if (where->tls != NULL) {
        uint8_t seed[SKR_TLS_SEED];
        bool random = where->tls->random(seed, sizeof seed);
        slot->carrier.tls = &net->tls[slot - net->slots];
        skr_tls_open(slot->carrier.tls, where->tls->identity, slot->carrier.conn, seed);
        if (!random) { /* there is no secret, so there must be no handshake */
            skr_tls_timed_out(slot->carrier.tls);
        }
    }
#endif
    count_slot(net, slot, true);
}

static void welcome(struct skr_sockets *net, const struct skr_sockets_listener *listener)
{
    for (unsigned i = 0; i < SKR_SOCKETS_ACCEPTS; i++) {
        int fd;
        struct skr_sockets_address peer;
        enum skr_sockets_accept accepted = skr_sockets_listener_accept(listener, &fd, &peer);

        if (accepted == SKR_SOCKETS_EMPTY) {
            return;
        }
        if (accepted == SKR_SOCKETS_CLIENT) {
            struct skr_sockets_slot *slot = free_slot_for(net, listener->is.wire, &peer);
            if (slot != NULL) {
                seat(net, slot, &listener->is, fd, &peer);
            } else {
                skr_sockets_listener_refuse(listener, fd);
                skr_sockets_linger_on(net, fd);
            }
            continue;
        }
        /* Out of descriptors: a connection that has to give way frees one. If there is none, the client stays in the
         * backlog, and we must not be woken for it all the time. */
        struct skr_sockets_slot *weakest = skr_sockets_weakest(net);
        if (weakest == NULL) {
            set_accepting(net, false);
            return;
        }
        skr_sockets_drop(net, weakest);
    }
}

struct skr_sockets_slot *skr_sockets_adopt(struct skr_sockets *net, int fd, enum skr_wire wire)
{
    static const struct skr_sockets_address nowhere = {.none = true};
    const struct skr_sockets_endpoint where = {.wire = wire, .server = net->server};
    struct skr_sockets_slot *slot = skr_socket_can_wait(fd) ? free_slot_for(net, wire, &nowhere) : NULL;

    if (slot == NULL) {
        skr_socket_close(fd);
        return NULL;
    }
    net->tick_ms = tick_for(skr_sockets_limits_of(net)); /* perhaps nothing is listened on */
    seat(net, slot, &where, fd, &nowhere);
    return slot;
}

/* ---- A turn: the sockets ---- */

/* How long to wait: until something is due, most_ms at most; -1 for ever. */
static int sleep_ms(const struct skr_sockets *net, int most_ms)
{
    int due = net->working                                       ? SKR_SOCKETS_WORK_MS
              : net->open > 0 || net->lingering > 0 || net->deaf ? (int)net->tick_ms
                                                                 : -1;

    return due < 0 || (most_ms >= 0 && most_ms < due) ? most_ms : due;
}

/* True when anything besides connections could end a wait. */
static bool has_source(const struct skr_sockets *net)
{
#if SKR_SOCKETS_OTHERS > 0
    if (net->other_count > 0) {
        return true;
    }
#endif
    return SKR_SOCKETS_WAIT == SKR_SOCKETS_OWN || net->listener_count > 0;
}

int skr_sockets_serve(struct skr_sockets *net, int most_ms)
{
    int ms = sleep_ms(net, most_ms);

    if (ms < 0 && !has_source(net)) { /* skr_sockets_listen was forgotten, or it failed, or all has been closed */
        return ENOTCONN;
    }
    if (!skr_sockets_wait(net, ms)) {
        return errno;
    }
    net->now_ms = skr_socket_now_ms();
    for (size_t i = 0; i < SKR_SOCKETS_SLOTS; i++) {
        uint8_t ready = net->slots[i].place.ready;
        if (SKR_SOCKETS_WAIT == SKR_SOCKETS_OWN && (ready & SKR_SOCKETS_BROKEN) != 0) {
            skr_sockets_drop(net, &net->slots[i]); /* neither direction works any more */
        } else if (ready != 0) {
            turn(net, &net->slots[i], (ready & SKR_SOCKETS_READABLE) != 0);
        }
    }
    for (size_t i = 0; i < SKR_SOCKETS_LINGERS; i++) {
        if (net->lingers[i].place.ready != 0) {
            skr_sockets_linger_turn(net, &net->lingers[i]);
        }
    }
    for (size_t i = 0; i < net->listener_count; i++) {
        if (net->listeners[i].place.ready != 0) {
            welcome(net, &net->listeners[i]);
        }
    }
    return 0;
}

/* ---- A turn: the time ---- */

/* Lets handlers that need time go on. True when connections that were working may have something to send. */
static bool let_handlers_work(struct skr_sockets *net)
{
#if SKR_JOBS
    bool worked = net->working;

    net->working = skr_server_tick(net->server, net->now_ms);
    return worked || net->working;
#else
    (void)net;
    return false;
#endif
}

/* True when silent connections may have a notification to send. */
static bool has_notifications(struct skr_sockets *net)
{
    uint32_t seen = net->changes;

    net->changes = skr_server_notification_count(net->server);
    return seen != net->changes;
}

void skr_sockets_tick(struct skr_sockets *net)
{
    bool worked = let_handlers_work(net), notified = has_notifications(net);
    bool due = net->now_ms - net->checked_ms >= net->tick_ms;

    if (!worked && !notified && !due) {
        return;
    }
    for (size_t i = 0; i < SKR_SOCKETS_SLOTS; i++) {
        struct skr_sockets_slot *slot = &net->slots[i];
        if (slot->place.fd >= 0 && (notified || (worked && slot->doing == SKR_WORKING &&
                                                 skr_conn_activity(slot->carrier.conn) != SKR_WORKING))) {
            turn(net, slot, false);
        }
        if (slot->place.fd >= 0 && due) {
            settle(net, slot, skr_sockets_link_check(slot, net));
        }
    }
    if (due) {
        net->checked_ms = net->now_ms;
        skr_sockets_linger_check(net, false);
        if (net->deaf) {
            set_accepting(net, true);
        }
    }
}

int skr_sockets_run_once(struct skr_sockets *net, int most_ms)
{
    int error = skr_sockets_serve(net, most_ms);

    if (error == 0) {
        skr_sockets_tick(net);
    }
    return error;
}

/* ---- Beginning and end ---- */

void skr_sockets_init(struct skr_sockets *net, struct skr_server *server)
{
    memset(net, 0, offsetof(struct skr_sockets, conns)); /* what follows is set up with each connection */
    net->server = server;
#if SKR_SOCKETS_ADJUSTABLE
    net->limits = SKR_SOCKETS_LIMITS;
#endif
    net->now_ms = net->checked_ms = skr_socket_now_ms();
    for (size_t i = 0; i < SKR_SOCKETS_PLACES; i++) {
        skr_sockets_place(net, i)->fd = -1;
    }
    for (size_t i = 0; i < SKR_SOCKETS_SLOTS; i++) {
        net->slots[i].carrier.conn = &net->conns[i];
    }
    net->changes = skr_server_notification_count(server);
}

int skr_sockets_listen(struct skr_sockets *net, const struct skr_sockets_endpoint *where)
{
    if (net->listener_count == SKR_SOCKETS_LISTENERS) {
        return ENOBUFS;
    }
    if (net->server == NULL || net->server->backend == NULL) { /* skr_sockets_init or skr_server_init was forgotten */
        return EINVAL;
    }
    if (where->wire == SKR_HTTP_1 ? !SKR_HTTP : !SKR_SOCKETS_LINES) {
        return EPROTONOSUPPORT;
    }
    struct skr_sockets_listener *listener = &net->listeners[net->listener_count];
    int error = skr_sockets_listener_open(listener, where);
    if (error == 0) {
        net->tick_ms = tick_for(skr_sockets_limits_of(net));
        net->listener_count++;
        listener->is.server = where->server != NULL ? where->server : net->server;
        net->http |= !skr_sockets_is_line(where->wire) && listener->is.server == net->server;
    }
    return error;
}

#if SKR_SOCKETS_OTHERS > 0
bool skr_sockets_also(struct skr_sockets *net, int fd)
{
    if (net->other_count == SKR_SOCKETS_OTHERS || !skr_socket_can_wait(fd)) {
        return false;
    }
    net->others[net->other_count++] = fd;
    return true;
}
#endif

static void stop_listening(struct skr_sockets *net)
{
    while (net->listener_count > 0) {
        skr_sockets_leave(net, &net->listeners[--net->listener_count].place);
    }
    net->deaf = false;
}

void skr_sockets_stop(struct skr_sockets *net)
{
    net->stopping = true;
    stop_listening(net);
    for (size_t i = 0; i < SKR_SOCKETS_SLOTS; i++) {
        struct skr_sockets_slot *slot = &net->slots[i];
        if (slot->place.fd >= 0 && skr_sockets_link_end(slot)) {
            turn(net, slot, false);
        } else if (slot->place.fd >= 0) {
            skr_sockets_drop(net, slot);
        }
    }
}

bool skr_sockets_is_idle(const struct skr_sockets *net)
{
    return net->open == 0 && net->lingering == 0;
}

#if SKR_CHANGES
bool skr_sockets_uses_old_image(const struct skr_sockets *net)
{
    for (size_t i = 0; i < SKR_SOCKETS_SLOTS; i++) {
        const struct skr_sockets_slot *slot = &net->slots[i];
        if (slot->place.fd >= 0 && skr_conn_uses_old_image(slot->carrier.conn)) {
            return true;
        }
    }
    return false;
}
#endif

void skr_sockets_close(struct skr_sockets *net)
{
    stop_listening(net);
    for (size_t i = 0; i < SKR_SOCKETS_SLOTS; i++) {
        if (net->slots[i].place.fd >= 0) {
            skr_sockets_drop(net, &net->slots[i]);
        }
    }
    skr_sockets_linger_check(net, true);
}
