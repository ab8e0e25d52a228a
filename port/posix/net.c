/* net.c -- many clients over TCP: one thread, one waiter, a fixed number of slots.
 *
 * A turn of the loop first serves the links that have something, then lets new clients in, then looks at signals and,
 * now and then, at the clock. In that order, because a newcomer may be given the slot of an idle link, and after the
 * first step an idle link has definitely sent no request. Last, it replaces the image, if requested.
 *
 * Waiting is level-triggered: a link that was not read to its end, or has more to send than its budget allows, is ready again in
 * the next turn. */
#include "net.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "announce.h"
#include "clock.h"
#include "console.h"
#include "hosts.h"
#include "log.h"
#include "secure.h"
#include "system.h"

#define EVENTS_MAX (POSIX_SLOTS + POSIX_LINGERS + POSIX_LISTENERS + 2)

#if EVENTS_MAX > HOST_WAIT_MAX
#error "HOST_WAIT_MAX (host/base/system.h) is less than the number of events of a server"
#endif

struct posix_net posix_net;

/* Separate from the links, so that scanning those touches little memory. */
static struct skr_conn conns[POSIX_SLOTS];

/* ---- Signals and the clock ---- */

/* Responses that are being sent may finish; all other links are closed. */
static void stop_serving(void)
{
    posix_net.stopping = true;
    posix_net.stopped_ms = posix_net.now_ms;
    for (size_t i = 0; i < posix_net.listener_count; i++) {
        close(posix_net.listeners[i].fd);
    }
    posix_net.listener_count = 0;
    for (size_t i = 0; i < posix_net.slots.count; i++) {
        struct posix_link *link = &posix_net.slots.links[i];
        if (link->fd >= 0 && posix_link_end(link)) {
            posix_net_settle(link, posix_link_turn(link, false, posix_net.now_ms));
        } else if (link->fd >= 0) {
            posix_net_drop(link);
        }
    }
}

void posix_net_stop(void)
{
    if (!posix_net.stopping) {
        stop_serving();
    }
}

void posix_net_nest(struct host_waiter *side, void (*turn)(uint64_t now_ms))
{
    posix_net.side = side;
    posix_net.side_turn = turn;
}

/* Reads the tokens again, and with --reload the image. Connections whose token is gone are closed. */
static void reload_files(void)
{
    bool tokens = posix_net.http && posix_hosts_reload(posix_net.options, posix_net.server);

    for (size_t i = 0; tokens && i < posix_net.slots.count; i++) {
        struct posix_link *link = &posix_net.slots.links[i];
        if (link->fd >= 0 && !skr_conn_keep_grant(link->carrier.conn)) {
            posix_net_drop(link);
        }
    }
    if (posix_net.options->reload) {
        posix_net.requested_ms = posix_net.reload->wanted ? posix_net.requested_ms : posix_net.now_ms;
        posix_net.reload->wanted = true;
    } else if (!posix_net.http || posix_net.options->token_file == NULL) {
        host_log("SIGHUP: nothing to read again; it needs --token-file or --reload");
    }
}

static void on_signal(void)
{
    int number = host_signals_next(posix_net.signals);

    if (number == 0) {
        return;
    }
    if (number == SIGHUP && !posix_reload_lost_terminal()) {
        reload_files();
    } else if (posix_net.stopping) {
        posix_net.killed = true;
    } else {
        stop_serving();
    }
}

static bool is_finished(void)
{
    if (!posix_net.stopping) {
        return false;
    }
    return posix_net.killed || (posix_net.slots.open == 0 && posix_net.lingers.count == 0) ||
           posix_net.now_ms - posix_net.stopped_ms >= posix_net.options->drain_ms;
}

static void check_clock(void)
{
    if (posix_net.now_ms - posix_net.checked_ms < posix_net.tick_ms) {
        return;
    }
    posix_net.checked_ms = posix_net.now_ms;
    for (size_t i = 0; i < posix_net.slots.count; i++) {
        if (posix_net.slots.links[i].fd >= 0) {
            posix_net_settle(&posix_net.slots.links[i],
                             posix_link_check(&posix_net.slots.links[i], &posix_net.patience, posix_net.now_ms));
        }
    }
    posix_lingers_check(&posix_net.lingers, posix_net.now_ms);
    if (posix_net.deaf && !posix_net.stopping) {
        posix_net_set_accepting(true);
    }
}

/* Lets handlers that need time go on, and sends their results. */
static void check_jobs(void)
{
    bool worked = posix_net.working;

    posix_net.working = skr_server_tick(posix_net.server, (uint32_t)posix_net.now_ms);
    for (size_t i = 0; (worked || posix_net.working) && i < posix_net.slots.count; i++) {
        struct posix_link *link = &posix_net.slots.links[i];
        if (link->fd >= 0 && link->doing == SKR_WORKING && skr_conn_activity(link->carrier.conn) != SKR_WORKING) {
            posix_net_settle(link, posix_link_turn(link, false, posix_net.now_ms));
        }
    }
}

/* ---- Another image ---- */

/* True while a response from the previous image is being sent. A peer that takes far too long to read one is dropped
 * when the next replacement is waiting for it. */
static bool old_is_used(void)
{
    bool patient = !posix_net.reload->wanted || posix_net.now_ms - posix_net.requested_ms < POSIX_HOLD_MS;
    bool used = false;

    for (size_t i = 0; posix_reload_holds(posix_net.reload) && i < posix_net.slots.count; i++) {
        struct posix_link *link = &posix_net.slots.links[i];
        if (link->fd >= 0 && skr_conn_uses_old_image(link->carrier.conn)) {
            used |= patient;
            if (!patient) {
                posix_net_drop(link);
            }
        }
    }
    return used;
}

/* Replaces the image if that is due, and lets links send their notifications. */
static void check_image(void)
{
    if (posix_net.reload->wanted || posix_reload_holds(posix_net.reload)) {
        posix_reload_turn(posix_net.reload, old_is_used());
    }
    if (posix_net.changes == skr_server_notification_count(posix_net.server)) {
        return;
    }
    posix_net.changes = skr_server_notification_count(posix_net.server);
    for (size_t i = 0; i < posix_net.slots.count; i++) {
        if (posix_net.slots.links[i].fd >= 0) {
            posix_net_settle(&posix_net.slots.links[i],
                             posix_link_turn(&posix_net.slots.links[i], false, posix_net.now_ms));
        }
    }
}

/* ---- The loop ---- */

static void serve_events(const struct host_ready *events, int count)
{
    for (int i = 0; i < count; i++) {
        size_t index = (uint32_t)events[i].tag;
        enum source source = (enum source)(events[i].tag >> 32);
        if (source == SOURCE_LINK) {
            posix_net_on_link(index, events[i].events);
        } else if (source == SOURCE_LINGER) {
            posix_lingers_turn(&posix_net.lingers, index);
        }
    }
    bool side = false; /* once, whether it was ready or due */
    for (int i = 0; i < count; i++) {
        enum source source = (enum source)(events[i].tag >> 32);
        if (source == SOURCE_LISTENER && !posix_net.stopping) {
            posix_net_on_listener(&posix_net.listeners[(uint32_t)events[i].tag]);
        } else if (source == SOURCE_SIGNAL) {
            on_signal();
        } else if (source == SOURCE_SIDE) {
            side = true;
        }
    }
    if (side) {
        posix_net.side_turn(posix_net.now_ms);
    }
}

static int run_loop(void)
{
    static struct host_ready events[EVENTS_MAX];

    while (!is_finished()) {
        bool clock_matters =
            posix_net.slots.open > 0 || posix_net.lingers.count > 0 || posix_net.deaf || posix_net.reload->wanted;
        int wait_ms = posix_net.working ? POSIX_WORK_MS : clock_matters ? (int)posix_net.tick_ms : -1;
        int count = host_wait(&posix_net.waiter, events, EVENTS_MAX, wait_ms);
        if (count < 0 && errno != EINTR) {
            host_log("cannot wait for clients: %s", strerror(errno));
            return 1;
        }
        posix_net.now_ms = host_clock_ms();
        serve_events(events, count);
        check_jobs();
        check_clock();
        check_image();
    }
    return 0;
}

/* ---- Start ---- */

static void on_refused(const struct skr_conn *from, const char *header, struct skr_span value)
{
    posix_refusals_log(&posix_net.refusals, &posix_net.slots.links[from - conns].peer, header, value.p, value.n);
}

static void write_who(const struct skr_conn *from, char who[POSIX_LINK_WHO])
{
    posix_link_who(&posix_net.slots.links[from - conns], who);
}

static bool set_up_loop(void)
{
    sigset_t stops;

    sigemptyset(&stops);
    sigaddset(&stops, SIGTERM);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGHUP);
    (void)posix_reload_lost_terminal(); /* from here on it can be lost */
    posix_net.signals = host_signals_open(&stops);
    bool ready = host_wait_open(&posix_net.waiter) && posix_net.signals >= 0 &&
                 posix_net_watch(host_wait_add, posix_net.signals, SOURCE_SIGNAL, 0, HOST_READABLE);
    posix_lingers_init(&posix_net.lingers, &posix_net.waiter);
    if (ready && posix_net.side != NULL) {
        ready = host_wait_nest(&posix_net.waiter, posix_net.side, (uint64_t)SOURCE_SIDE << 32);
    }
    for (size_t i = 0; ready && i < posix_net.listener_count; i++) {
        ready = posix_net_watch(host_wait_add, posix_net.listeners[i].fd, SOURCE_LISTENER, i, HOST_READABLE);
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

    posix_net.server = server;
    posix_net.reload = reload;
    posix_net.options = options;
    posix_net.patience = (struct posix_patience){options->timeout_ms, options->idle_ms,
                                                 options->grace_ms != 0 ? options->grace_ms : POSIX_GRACE_MS};
    posix_net.tick_ms = tick_for(&posix_net.patience);
    posix_net.now_ms = posix_net.checked_ms = host_clock_ms();
    posix_slots_init(&posix_net.slots, options->slots, options->peer_slots, posix_net.patience.grace_ms);
    for (size_t i = 0; i < POSIX_SLOTS; i++) {
        posix_net.slots.links[i].carrier.conn = &conns[i];
    }
    for (; posix_net.listener_count < options->listen_count; posix_net.listener_count++) {
        const struct posix_listen *wanted = &options->listen[posix_net.listener_count];
        if (!posix_listener_open(&posix_net.listeners[posix_net.listener_count], wanted)) {
            return 1;
        }
        posix_net.http |= wanted->wire == SKR_HTTP_1 && wanted->site == NULL;
        if (wanted->secure && !posix_secure_load(options)) {
            return 1;
        }
    }
    struct posix_hosts hosts = {options, posix_net.listeners, posix_net.listener_count, on_refused};
    if (!posix_hosts_allow(&hosts, server) ||
        !posix_announce_start(options, posix_net.listeners, posix_net.listener_count) || !set_up_loop()) {
        return 1;
    }
    posix_log_start(server, options, NULL, write_who);
    if (options->content == NULL) {
        posix_describe(server, what, sizeof what);
    }
    for (size_t i = 0; i < posix_net.listener_count; i++) {
        posix_listener_announce(&posix_net.listeners[i], options->content != NULL ? options->content : what, options);
    }
    if (!options->quiet) {
        posix_reload_remark(reload);
    }
    return run_loop();
}
