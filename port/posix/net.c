/* net.c -- many clients over TCP: port/sockets serves them; here is what a program on a PC adds: signals, tokens and images that
 * are read again, a log.
 *
 * A turn first serves the clients that have something, then looks at signals and the side, then replaces the image, if
 * requested; handlers and timeouts come last, so that what all of this has produced is sent immediately. */
#include "net.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "announce.h"
#include "clock.h"
#include "console.h"
#include "hosts.h"
#include "listener.h"
#include "log.h"
#include "secure.h"
#include "system.h"

#define IMAGE_MS 125 /* how often a wanted image is looked for */

struct posix_net posix_net;

/* ---- Signals and the clock ---- */

static void stop_serving(void)
{
    posix_net.stopped_ms = host_clock_ms();
    skr_sockets_stop(&posix_net.sockets);
}

void posix_net_stop(void)
{
    if (!posix_net.sockets.stopping) {
        stop_serving();
    }
}

void posix_net_nest(struct host_waiter *side, void (*turn)(uint64_t now_ms))
{
    posix_net.side = side;
    posix_net.side_turn = turn;
}

bool posix_net_adopt(int fd, const char *name)
{
    posix_net.adopted = name;
    return skr_sockets_adopt(&posix_net.sockets, fd, SKR_LINE) != NULL;
}

/* Reads the tokens again, and with --reload the image. Connections whose token is gone are closed. */
static void reload_files(void)
{
    bool tokens = posix_net.sockets.http && posix_hosts_reload(posix_net.options, posix_net.sockets.server);

    for (size_t i = 0; tokens && i < SKR_SOCKETS_SLOTS; i++) {
        struct skr_sockets_slot *slot = &posix_net.sockets.slots[i];
        if (slot->place.fd >= 0 && !skr_conn_keep_grant(slot->carrier.conn)) {
            skr_sockets_drop(&posix_net.sockets, slot);
        }
    }
    if (posix_net.options->reload) {
        posix_net.requested_ms = posix_net.reload->wanted ? posix_net.requested_ms : host_clock_ms();
        posix_net.reload->wanted = true;
    } else if (!posix_net.sockets.http || posix_net.options->token_file == NULL) {
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
    } else if (posix_net.sockets.stopping) {
        posix_net.killed = true;
    } else {
        stop_serving();
    }
}

static bool is_finished(void)
{
    if (!posix_net.sockets.stopping) {
        return false;
    }
    return posix_net.killed || skr_sockets_is_idle(&posix_net.sockets) ||
           host_clock_ms() - posix_net.stopped_ms >= posix_net.options->drain_ms;
}

/* ---- Another image ---- */

/* True while a response from the previous image is being sent. A peer that takes far too long to read one is dropped
 * when the next replacement is waiting for it. */
static bool old_is_used(void)
{
    if (!posix_reload_holds(posix_net.reload) || !skr_sockets_uses_old_image(&posix_net.sockets)) {
        return false;
    }
    if (!posix_net.reload->wanted || host_clock_ms() - posix_net.requested_ms < POSIX_HOLD_MS) {
        return true;
    }
    for (size_t i = 0; i < SKR_SOCKETS_SLOTS; i++) {
        struct skr_sockets_slot *slot = &posix_net.sockets.slots[i];
        if (slot->place.fd >= 0 && skr_conn_uses_old_image(slot->carrier.conn)) {
            skr_sockets_drop(&posix_net.sockets, slot);
        }
    }
    return false;
}

/* ---- The loop ---- */

static int run_loop(void)
{
    while (!is_finished()) {
        int why = skr_sockets_serve(&posix_net.sockets, posix_net.reload->wanted ? IMAGE_MS : -1);
        if (why != 0) {
            host_log("cannot wait for clients: %s", strerror(why));
            return 1;
        }
        if (posix_net.signals_ready) {
            on_signal();
        }
        if (posix_net.side_ready && posix_net.side != NULL) {
            posix_net.side_turn(host_clock_ms());
        }
        if (posix_net.reload->wanted || posix_reload_holds(posix_net.reload)) {
            posix_reload_turn(posix_net.reload, old_is_used());
        }
        skr_sockets_tick(&posix_net.sockets);
    }
    return 0;
}

/* ---- Start ---- */

static void write_who(const struct skr_sockets_slot *slot, char who[POSIX_ADDRESS_WHO])
{
    if (slot->peer.none) {
        (void)snprintf(who, POSIX_ADDRESS_WHO, "%s", posix_net.names[slot - posix_net.sockets.slots]);
    } else {
        posix_address_who(&slot->peer, who);
    }
}

static void write_sender(const struct skr_conn *from, char who[POSIX_ADDRESS_WHO])
{
    write_who(&posix_net.sockets.slots[from - posix_net.sockets.conns], who);
}

/* --verbose */
static void on_changed(const struct skr_sockets_slot *slot, bool open)
{
    char who[POSIX_ADDRESS_WHO];

    if (open && slot->peer.none) {
        posix_net.names[slot - posix_net.sockets.slots] = posix_net.adopted;
    }
    if (posix_net.options->verbose) {
        write_who(slot, who);
        host_log("%s %s", who, open ? "connected" : "disconnected");
    }
}

static void on_refused(const struct skr_conn *from, const char *header, struct skr_span value)
{
    posix_refusals_log(&posix_net.refusals, &posix_net.sockets.slots[from - posix_net.sockets.conns].peer, header,
                       value.p, value.n);
}

static bool set_up_loop(void)
{
    sigset_t stops;

    host_signals_to_end(&stops);
    sigaddset(&stops, SIGHUP);          /* reloads */
    (void)posix_reload_lost_terminal(); /* from here on it can be lost */
    posix_net.signals = host_signals_open(&stops);
    bool ready = posix_net.signals >= 0 && posix_net_wait_open();
    if (!ready) {
        host_log("cannot wait for clients: %s", strerror(errno));
    }
    return ready;
}

static void set_limits(const struct posix_options *options)
{
    struct skr_sockets_limits *limits = &posix_net.sockets.limits;

    limits->timeout_ms = options->timeout_ms;
    limits->idle_ms = options->idle_ms;
    limits->grace_ms = options->grace_ms != 0 ? options->grace_ms : SKR_SOCKETS_GRACE_MS;
    limits->slots = (uint16_t)options->slots;
    limits->strict = options->peer_slots != 0;
    limits->peer_slots = (uint16_t)(limits->strict ? options->peer_slots : (options->slots + 1) / 2);
}

static bool listen_everywhere(const struct posix_options *options)
{
    for (size_t i = 0; i < options->listen_count; i++) {
        if ((options->listen[i].secure && !posix_secure_load(options)) ||
            !posix_listener_open(&posix_net.sockets, &options->listen[i])) {
            return false;
        }
    }
    return true;
}

int posix_serve_net(struct skr_server *server, const struct posix_options *options, struct posix_reload *reload)
{
    char what[64];

    posix_net.reload = reload;
    posix_net.options = options;
    skr_sockets_init(&posix_net.sockets, server);
    posix_net.sockets.changed = on_changed;
    set_limits(options);
    struct posix_hosts hosts = {options, &posix_net.sockets, on_refused};
    if (!listen_everywhere(options) || !posix_hosts_allow(&hosts, server) ||
        !posix_announce_start(options, &posix_net.sockets) || !set_up_loop()) {
        return 1;
    }
    posix_log_start(server, options, NULL, write_sender);
    if (options->content == NULL) {
        posix_describe(server, what, sizeof what);
    }
    for (size_t i = 0; i < options->listen_count; i++) {
        posix_listener_announce(&options->listen[i], &posix_net.sockets.listeners[i].is.address,
                                options->content != NULL ? options->content : what, options);
    }
    if (!options->quiet) {
        posix_reload_remark(reload);
    }
    return run_loop();
}
