/* transport.c -- see transport.h. The common part of all kinds of transports. */
#include "transport.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "console.h"

#define PROGRESS_EVERY_MS 200

/* ---- Messages ---- */

void transport_put(struct transport *t, const void *bytes, size_t n)
{
    size_t room = t->in_size - t->in_n;

    t->in_lost |= n > room;
    n = n < room ? n : room;
    memcpy(t->in + t->in_n, bytes, n);
    t->in_n += n;
}

void transport_end_message(struct transport *t)
{
    size_t n = t->in_lost ? 0 : t->in_n;

    t->in_n = 0;
    if (n > 0 && t->in[n - 1] == '\r') {
        n--;
    }
    t->on_message(t->owner, n);
    t->in_lost = false;
}

void transport_forget(struct transport *t)
{
    t->in_n = 0;
    t->in_lost = false;
}

/* Shows the progress of a long message, if stderr is a terminal. */
static void show_progress(struct transport *t, uint64_t now_ms)
{
    char line[128];
    int n;

    if (t->in_n == 0) {
        t->progress_from_ms = now_ms;
    }
    if (t->in_n >= TRANSPORT_PROGRESS && host_waited(now_ms, t->progress_ms, PROGRESS_EVERY_MS) &&
        isatty(STDERR_FILENO)) {
        uint64_t ms = now_ms > t->progress_from_ms ? now_ms - t->progress_from_ms : 1;
        n = snprintf(line, sizeof line, "\r%s: receiving, %lu KB, %lu KB/s \033[K", t->label,
                     (unsigned long)(t->in_n / 1024), (unsigned long)((uint64_t)t->in_n * 1000 / 1024 / ms));
        (void)host_write_all(STDERR_FILENO, line, (size_t)n);
        t->progress_ms = now_ms;
        t->progress = true;
    } else if (t->progress && t->in_n < TRANSPORT_PROGRESS) {
        (void)host_write_all(STDERR_FILENO, "\r\033[K", 4);
        t->progress = false;
    }
}

/* ---- Outages ---- */

void transport_init(struct transport *t, const struct transport_ops *ops)
{
    t->ops = ops;
    t->most = TRANSPORT_IN_FLIGHT;
    t->state = TRANSPORT_CLOSED;
    transport_set_remedy(t, "it has not responded yet");
}

void transport_set_remedy(struct transport *t, const char *why)
{
    (void)snprintf(t->remedy, sizeof t->remedy, "The device cannot be reached: %s", why);
}

void transport_report_outage(struct transport *t, const char *why)
{
    if (!t->outage_logged || strstr(t->remedy, why) == NULL) {
        host_log("%s: %s%s", t->path, why, t->refused && t->hasty ? "" : "; trying again");
    }
    t->outage_logged = true;
    transport_set_remedy(t, why);
}

/* ---- Functions of the kind ---- */

void transport_turn(struct transport *t, uint64_t now_ms)
{
    t->ops->turn(t, now_ms);
    show_progress(t, now_ms);
}

bool transport_can_send(const struct transport *t)
{
    return t->state > TRANSPORT_PROBING && t->ops->can_send(t);
}

void transport_send(struct transport *t, struct skr_span a, struct skr_span b, struct skr_span d)
{
    const struct skr_span parts[3] = {a, b, d};

    t->sent++;
    t->ops->send(t, parts);
}

void transport_send_text(struct transport *t, struct skr_span message)
{
    transport_send(t, message, (struct skr_span){"", 0}, (struct skr_span){"", 0});
}

bool transport_cancel(struct transport *t, const char *id)
{
    char text[128];

    if (t->ops->hang_up != NULL && t->ops->hang_up(t, id)) {
        return true;
    }
    if (!transport_can_send(t)) {
        return false;
    }
    int n = snprintf(text, sizeof text,
                     "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%s}}", id);
    transport_send_text(t, (struct skr_span){text, (size_t)n});
    return true;
}

void transport_wait(struct transport *t, int fd, uint32_t ms)
{
    struct pollfd fds[TRANSPORT_FDS + 1];
    int numbers[TRANSPORT_FDS];
    short events[TRANSPORT_FDS];
    unsigned n = transport_wants(t, numbers, events);

    for (unsigned i = 0; i < n; i++) {
        fds[i] = (struct pollfd){.fd = numbers[i], .events = events[i]};
    }
    fds[n] = (struct pollfd){.fd = fd, .events = POLLIN};
    uint32_t due_ms = transport_wait_ms(t, host_clock_ms());
    (void)poll(fds, n + 1, (int)(due_ms < ms ? due_ms : ms));
    transport_turn(t, host_clock_ms());
}

bool transport_flush(struct transport *t, uint32_t ms)
{
    uint64_t since_ms = host_clock_ms();

    while (t->state > TRANSPORT_PROBING && !(transport_can_send(t) && transport_has_taken_all(t))) {
        if (host_waited(host_clock_ms(), since_ms, ms)) {
            return false;
        }
        transport_wait(t, -1, TRANSPORT_TURN_MS);
    }
    return t->state > TRANSPORT_PROBING;
}

void transport_end_line(struct transport *t)
{
    if (t->state == TRANSPORT_PLAIN) {
        t->ops->end_line(t);
    }
}

bool transport_is_checked(const struct transport *t)
{
    return t->state == TRANSPORT_RELIABLE || t->state == TRANSPORT_SHARED;
}

bool transport_is_own(const struct transport *t)
{
    return t->state == TRANSPORT_PLAIN || t->state == TRANSPORT_RELIABLE;
}

bool transport_has_taken_all(const struct transport *t)
{
    return t->ops->has_taken_all(t);
}

bool transport_give_up(struct transport *t, struct skr_span id)
{
    return t->ops->give_up != NULL && t->ops->give_up(t, id);
}

uint32_t transport_wait_ms(const struct transport *t, uint64_t now_ms)
{
    return t->ops->wait_ms(t, now_ms);
}

unsigned transport_wants(const struct transport *t, int fds[TRANSPORT_FDS], short events[TRANSPORT_FDS])
{
    return t->ops->wants(t, fds, events);
}

const char *transport_remedy(const struct transport *t)
{
    return t->remedy;
}

void transport_restart(struct transport *t, const char *why)
{
    host_log("%s: %s; connecting again", t->path, why);
    transport_set_remedy(t, why);
    t->ops->restart(t);
}

void transport_end(struct transport *t)
{
    t->ops->end(t);
}
