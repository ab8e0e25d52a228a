/* net.c -- many clients over TCP: one thread, one waiter, a fixed number of slots.
 *
 * A turn of the loop first serves the links that have something, then lets new clients in, then looks at signals and,
 * now and then, at the clock. In that order, because a newcomer may be given the slot of an idle link, and after the
 * first step an idle link has definitely sent no request. Last, it replaces the image, if told to.
 *
 * Waiting is level-triggered: a link that was not read to its end, or has more to
 * send than its budget allows, simply shows up again in the next turn. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "announce.h"
#include "hosts.h"
#include "linger.h"
#include "link.h"
#include "listener.h"
#include "log.h"
#include "refusals.h"
#include "console.h"
#include "secure.h"
#include "serve.h"
#include "slots.h"
#include "system.h"

/* What an event is about; stored above the index in its tag. */
enum source { SOURCE_LINK, SOURCE_LINGER, SOURCE_LISTENER, SOURCE_SIGNAL, SOURCE_SIDE };

#define EVENTS_MAX (POSIX_SLOTS + POSIX_LINGERS + POSIX_LISTENERS + 2)

#if EVENTS_MAX > HOST_WAIT_MAX
#error "HOST_WAIT_MAX (host/base/system.h) is less than what a server waits for"
#endif

static struct net {
    struct skr_server *server;
    const struct posix_options *options;
    struct posix_reload *reload;
    uint32_t changes;  /* of the server, when everyone was last asked for news */
    uint64_t asked_ms; /* when the pending replacement was requested */
    struct host_waiter waiter;
    int signals;
    struct host_waiter *side; /* something else to wait for; NULL: nothing */
    void (*side_turn)(uint64_t now_ms);
    uint32_t tick_ms;    /* how often the clock is looked at */
    uint64_t now_ms;     /* of this turn */
    uint64_t checked_ms; /* when time-outs were last looked at */
    uint64_t stopped_ms; /* when the first signal came */
    bool stopping;
    bool killed;  /* a second signal */
    bool working; /* a handler needs more time */
    bool deaf;    /* out of descriptors: not accepting at the moment */
    bool http;    /* HTTP is served at some address, perhaps besides lines */
    size_t listener_count;
    struct posix_patience patience;
    struct posix_listener listeners[POSIX_LISTENERS];
    struct posix_slots slots;
    struct posix_lingers lingers;
    struct posix_refusals refusals;
} net;

/* Separate from the links, so that scanning those touches little memory. */
static struct skr_conn conns[POSIX_SLOTS];

/* host_wait_add or host_wait_change. */
typedef bool (*watch_fn)(struct host_waiter *w, int fd, uint64_t tag, unsigned events);

static bool watch(watch_fn how, int fd, enum source source, size_t index, unsigned events)
{
    return how(&net.waiter, fd, (uint64_t)source << 32 | index, events);
}

/* ---- Links ---- */

static void set_accepting(bool on)
{
    for (size_t i = 0; i < net.listener_count; i++) {
        watch(host_wait_change, net.listeners[i].fd, SOURCE_LISTENER, i, on ? HOST_READABLE : 0);
    }
    net.deaf = !on;
}

/* --verbose */
static void tell_link(const struct posix_link *link, bool more)
{
    char who[POSIX_LINK_WHO];

    if (net.options->verbose) {
        posix_link_who(link, who);
        host_log("%s %s", who, more ? "connected" : "disconnected");
    }
}

/* One link more, or fewer, is open. */
static void count_link(const struct posix_link *link, bool more)
{
    struct posix_slots *slots = &net.slots;

    posix_slots_count(slots, link, more);
    tell_link(link, more);
    skr_server_set_streams(net.server, (uint16_t)(slots->lines < slots->keep ? slots->keep - slots->lines : 0));
}

/* The descriptor is forgotten first: a child about to exec may still have a copy, and its later events would be taken for those
 * of the slot's next link. */
static void drop(struct posix_link *link)
{
    posix_link_close(link, false);
    host_wait_forget(&net.waiter, link->fd);
    close(link->fd);
    link->fd = -1;
    count_link(link, false);
    if (net.deaf && !net.stopping) {
        set_accepting(true);
    }
}

/* Moves a link, or a refused newcomer, to the lingering ones. */
static void linger(watch_fn how, int fd)
{
    size_t index = posix_lingers_add(&net.lingers, fd, net.now_ms);

    watch(how, fd, SOURCE_LINGER, index, HOST_READABLE);
}

static void end(struct posix_link *link)
{
    posix_link_close(link, true);
    linger(host_wait_change, link->fd);
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

/* Acts on the outcome of a link's turn, and watches for what the link waits for now. */
static void settle(struct posix_link *link, enum posix_verdict verdict)
{
    if (verdict == POSIX_LINK_STAYS && net.stopping && link->doing != SKR_RESPONDING) {
        verdict = POSIX_LINK_ENDED;
    }
    if (verdict == POSIX_LINK_GONE) {
        drop(link);
    } else if (verdict == POSIX_LINK_ENDED) {
        end(link);
    } else {
        unsigned wanted = events_for(link);
        if (wanted != link->watched &&
            watch(host_wait_change, link->fd, SOURCE_LINK, (size_t)(link - net.slots.links), wanted)) {
            link->watched = wanted;
        }
    }
}

static void on_link(size_t index, unsigned events)
{
    struct posix_link *link = &net.slots.links[index];

    if (events & HOST_BROKEN) { /* reset: neither direction works any more */
        settle(link, POSIX_LINK_GONE);
    } else {
        settle(link, posix_link_turn(link, (events & HOST_READABLE) != 0, net.now_ms));
    }
}

/* ---- Newcomers ---- */

/* A polite end is no use to a peer that does not read. */
static void make_room(struct posix_link *link)
{
    if (link->doing == SKR_RESPONDING) {
        drop(link);
    } else {
        posix_link_give_way(link, net.now_ms);
        end(link);
    }
}

/* A slot for a new client, emptied if another link had to give way; or NULL. */
static struct posix_link *slot_for(enum skr_wire wire, const struct posix_address *peer)
{
    struct posix_link *link = posix_slots_choose(&net.slots, wire, peer, net.http, net.server->streams.open, net.now_ms);

    if (link != NULL && link->fd >= 0) {
        make_room(link);
    }
    return link;
}

static bool seat(struct posix_link *link, enum skr_wire wire, int fd, const struct posix_address *peer)
{
    static const struct posix_address nobody;

    if (!watch(host_wait_add, fd, SOURCE_LINK, (size_t)(link - net.slots.links), HOST_READABLE)) {
        close(fd);
        return false;
    }
    posix_link_open(link, net.server, wire, fd, net.now_ms);
    link->peer = peer != NULL ? *peer : nobody;
    link->watched = HOST_READABLE;
    count_link(link, true);
    return true;
}

static void welcome(const struct posix_listener *listener, int fd, const struct posix_address *peer)
{
    struct posix_link *link = slot_for(listener->wire, peer);

    if (link == NULL) {
        posix_listener_refuse(listener, fd, (unsigned)net.slots.count);
        linger(host_wait_add, fd);
    } else {
        if (seat(link, listener->wire, fd, peer) && listener->secure) {
            posix_secure_open(&link->carrier, (size_t)(link - net.slots.links));
        }
    }
}

bool posix_net_adopt(int fd, const char *name)
{
    struct posix_link *link = slot_for(SKR_LINE, NULL);

    if (link == NULL) {
        close(fd);
        return false;
    }
    link->name = name;
    return seat(link, SKR_LINE, fd, NULL);
}

static void on_listener(const struct posix_listener *listener)
{
    for (unsigned i = 0; i < POSIX_ACCEPTS; i++) {
        int fd;
        struct posix_address peer;
        enum posix_accept accepted = posix_listener_accept(listener, &fd, &peer);

        if (accepted == POSIX_ACCEPT_EMPTY) {
            return;
        }
        if (accepted == POSIX_ACCEPT_CLIENT) {
            welcome(listener, fd, &peer);
            continue;
        }
        /* Out of descriptors: a link that has to give way frees one. If there is none, the client stays in the
         * backlog, and we must not be woken for it all the time. */
        struct posix_link *weakest = posix_slots_weakest(&net.slots, net.now_ms);
        if (weakest == NULL) {
            set_accepting(false);
            return;
        }
        drop(weakest);
    }
}

/* ---- Signals and the clock ---- */

/* Answers under way may finish; all other links are closed. */
static void stop(void)
{
    net.stopping = true;
    net.stopped_ms = net.now_ms;
    for (size_t i = 0; i < net.listener_count; i++) {
        close(net.listeners[i].fd);
    }
    net.listener_count = 0;
    for (size_t i = 0; i < net.slots.count; i++) {
        struct posix_link *link = &net.slots.links[i];
        if (link->fd >= 0 && posix_link_end(link)) {
            settle(link, posix_link_turn(link, false, net.now_ms));
        } else if (link->fd >= 0) {
            drop(link);
        }
    }
}

void posix_net_stop(void)
{
    if (!net.stopping) {
        stop();
    }
}

void posix_net_nest(struct host_waiter *side, void (*turn)(uint64_t now_ms))
{
    net.side = side;
    net.side_turn = turn;
}

/* Reads the tokens again, and with --reload the image. Connections whose token is gone are closed. */
static void reload(void)
{
    bool tokens = net.http && posix_hosts_reload(net.options, net.server);

    for (size_t i = 0; tokens && i < net.slots.count; i++) {
        struct posix_link *link = &net.slots.links[i];
        if (link->fd >= 0 && !skr_conn_keep_grant(link->carrier.conn)) {
            drop(link);
        }
    }
    if (net.options->reload) {
        net.asked_ms = net.reload->wanted ? net.asked_ms : net.now_ms;
        net.reload->wanted = true;
    } else if (!net.http || net.options->token_file == NULL) {
        host_log("SIGHUP: nothing to read again; --token-file and --reload have something");
    }
}

static void on_signal(void)
{
    int number = host_signals_next(net.signals);

    if (number == 0) {
        return;
    }
    if (number == SIGHUP && !posix_reload_lost_terminal()) {
        reload();
    } else if (net.stopping) {
        net.killed = true;
    } else {
        stop();
    }
}

static bool finished(void)
{
    if (!net.stopping) {
        return false;
    }
    return net.killed || (net.slots.open == 0 && net.lingers.count == 0) ||
           net.now_ms - net.stopped_ms >= net.options->drain_ms;
}

static void check_clock(void)
{
    if (net.now_ms - net.checked_ms < net.tick_ms) {
        return;
    }
    net.checked_ms = net.now_ms;
    for (size_t i = 0; i < net.slots.count; i++) {
        if (net.slots.links[i].fd >= 0) {
            settle(&net.slots.links[i], posix_link_check(&net.slots.links[i], &net.patience, net.now_ms));
        }
    }
    posix_lingers_check(&net.lingers, net.now_ms);
    if (net.deaf && !net.stopping) {
        set_accepting(true);
    }
}

/* Lets handlers that need time go on, and sends their results. */
static void check_jobs(void)
{
    bool worked = net.working;

    net.working = skr_server_tick(net.server, (uint32_t)net.now_ms);
    for (size_t i = 0; (worked || net.working) && i < net.slots.count; i++) {
        struct posix_link *link = &net.slots.links[i];
        if (link->fd >= 0 && link->doing == SKR_WORKING && skr_conn_activity(link->carrier.conn) != SKR_WORKING) {
            settle(link, posix_link_turn(link, false, net.now_ms));
        }
    }
}

/* ---- Another image ---- */

/* True while an answer from the previous image is under way. A peer that takes far too long to read one is dropped
 * when the next replacement is waiting for it. */
static bool old_is_used(void)
{
    bool patient = !net.reload->wanted || net.now_ms - net.asked_ms < POSIX_HOLD_MS;
    bool used = false;

    for (size_t i = 0; net.reload->old.bytes != NULL && i < net.slots.count; i++) {
        struct posix_link *link = &net.slots.links[i];
        if (link->fd >= 0 && skr_conn_uses_old_image(link->carrier.conn)) {
            used |= patient;
            if (!patient) {
                drop(link);
            }
        }
    }
    return used;
}

/* Replaces the image if that is due, and lets links send their notifications. */
static void check_image(void)
{
    if (net.reload->wanted || net.reload->old.bytes != NULL) {
        posix_reload_turn(net.reload, old_is_used());
    }
    if (net.changes == skr_server_notification_count(net.server)) {
        return;
    }
    net.changes = skr_server_notification_count(net.server);
    for (size_t i = 0; i < net.slots.count; i++) {
        if (net.slots.links[i].fd >= 0) {
            settle(&net.slots.links[i], posix_link_turn(&net.slots.links[i], false, net.now_ms));
        }
    }
}

/* ---- The loop ---- */

static void serve_turn(const struct host_ready *events, int count)
{
    for (int i = 0; i < count; i++) {
        size_t index = (uint32_t)events[i].tag;
        enum source source = (enum source)(events[i].tag >> 32);
        if (source == SOURCE_LINK) {
            on_link(index, events[i].events);
        } else if (source == SOURCE_LINGER) {
            posix_lingers_turn(&net.lingers, index);
        }
    }
    bool side = false; /* once, whether it was ready or due */
    for (int i = 0; i < count; i++) {
        enum source source = (enum source)(events[i].tag >> 32);
        if (source == SOURCE_LISTENER && !net.stopping) {
            on_listener(&net.listeners[(uint32_t)events[i].tag]);
        } else if (source == SOURCE_SIGNAL) {
            on_signal();
        } else if (source == SOURCE_SIDE) {
            side = true;
        }
    }
    if (side) {
        net.side_turn(net.now_ms);
    }
}

static int loop(void)
{
    static struct host_ready events[EVENTS_MAX];

    while (!finished()) {
        bool clock_matters = net.slots.open > 0 || net.lingers.count > 0 || net.deaf || net.reload->wanted;
        int wait_ms = net.working ? POSIX_WORK_MS : clock_matters ? (int)net.tick_ms : -1;
        int count = host_wait(&net.waiter, events, EVENTS_MAX, wait_ms);
        if (count < 0 && errno != EINTR) {
            host_log("cannot wait for clients: %s", strerror(errno));
            return 1;
        }
        net.now_ms = host_clock_ms();
        serve_turn(events, count);
        check_jobs();
        check_clock();
        check_image();
    }
    return 0;
}

/* ---- Start ---- */

static void on_refused(const struct skr_conn *from, const char *header, struct skr_span value)
{
    posix_refusals_log(&net.refusals, &net.slots.links[from - conns].peer, header, value.p, value.n);
}

static void write_who(const struct skr_conn *from, char who[POSIX_LINK_WHO])
{
    posix_link_who(&net.slots.links[from - conns], who);
}

static bool set_up_loop(void)
{
    sigset_t stops;

    sigemptyset(&stops);
    sigaddset(&stops, SIGTERM);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGHUP);
    (void)posix_reload_lost_terminal(); /* from here on it can be lost */
    net.signals = host_signals_open(&stops);
    bool ready = host_wait_open(&net.waiter) && net.signals >= 0 &&
                 watch(host_wait_add, net.signals, SOURCE_SIGNAL, 0, HOST_READABLE);
    posix_lingers_init(&net.lingers, &net.waiter);
    if (ready && net.side != NULL) {
        ready = host_wait_nest(&net.waiter, net.side, (uint64_t)SOURCE_SIDE << 32);
    }
    for (size_t i = 0; ready && i < net.listener_count; i++) {
        ready = watch(host_wait_add, net.listeners[i].fd, SOURCE_LISTENER, i, HOST_READABLE);
    }
    if (!ready) {
        host_log("cannot wait for clients: %s", strerror(errno));
    }
    return ready;
}

/* An eighth of the shortest time-out is precise enough, and twice a second often enough. */
static uint32_t tick_for(const struct posix_patience *patience)
{
    uint32_t shortest = patience->timeout_ms < patience->idle_ms ? patience->timeout_ms : patience->idle_ms;

    shortest = patience->grace_ms < shortest ? patience->grace_ms : shortest;
    return shortest >= 4000 ? 500 : shortest / 8 + 1;
}

int posix_serve_net(struct skr_server *server, const struct posix_options *options, struct posix_reload *reload)
{
    char what[64];

    net.server = server;
    net.reload = reload;
    net.options = options;
    net.patience = (struct posix_patience){options->timeout_ms, options->idle_ms,
                                         options->grace_ms != 0 ? options->grace_ms : POSIX_GRACE_MS};
    net.tick_ms = tick_for(&net.patience);
    net.now_ms = net.checked_ms = host_clock_ms();
    posix_slots_init(&net.slots, options->slots, options->peer_slots, net.patience.grace_ms);
    for (size_t i = 0; i < POSIX_SLOTS; i++) {
        net.slots.links[i].carrier.conn = &conns[i];
    }
    for (; net.listener_count < options->listen_count; net.listener_count++) {
        const struct posix_listen *wanted = &options->listen[net.listener_count];
        if (!posix_listener_open(&net.listeners[net.listener_count], wanted)) {
            return 1;
        }
        net.http |= wanted->wire == SKR_HTTP_1;
        if (wanted->secure && !posix_secure_load(options)) {
            return 1;
        }
    }
    struct posix_hosts hosts = {options, net.listeners, net.listener_count, on_refused};
    if (!posix_hosts_allow(&hosts, server) || !posix_announce_start(options, net.listeners, net.listener_count) ||
        !set_up_loop()) {
        return 1;
    }
    posix_log_start(server, options, NULL, write_who);
    posix_describe(server, what, sizeof what);
    for (size_t i = 0; i < net.listener_count; i++) {
        posix_listener_announce(&net.listeners[i], what, options);
    }
    if (!options->quiet) {
        posix_reload_remark(reload);
    }
    return loop();
}
