/* way.c -- see way.h. What all kinds of ways have in common. */
#include "transport.h"
#include "clock.h"
#include "console.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_EVERY_MS 200

/* ---- Messages ---- */

void bridge_transport_put(struct bridge_transport *w, const void *bytes, size_t n)
{
    size_t room = w->in_size - w->in_n;
    w->in_lost |= n > room;
    n = n < room ? n : room;
    memcpy(w->in + w->in_n, bytes, n);
    w->in_n += n;
}

void bridge_transport_end_message(struct bridge_transport *w)
{
    size_t n = w->in_lost ? 0 : w->in_n;
    w->in_n = 0;
    if (n > 0 && w->in[n - 1] == '\r') {
        n--;
    }
    w->on_message(w->owner, n);
    w->in_lost = false;
}

void bridge_transport_forget(struct bridge_transport *w)
{
    w->in_n = 0;
    w->in_lost = false;
}

/* Shows the progress of a long message, if stderr is a terminal. */
static void show_progress(struct bridge_transport *w, uint64_t now_ms)
{
    char line[128];
    int n;
    if (w->in_n == 0) {
        w->progress_from_ms = now_ms;
    }
    if (w->in_n >= BRIDGE_PROGRESS && bridge_waited(now_ms, w->progress_ms, PROGRESS_EVERY_MS) &&
        isatty(STDERR_FILENO)) {
        uint64_t ms = now_ms > w->progress_from_ms ? now_ms - w->progress_from_ms : 1;
        n = snprintf(line, sizeof line, "\r%s: receiving, %lu KB, %lu KB/s \033[K", w->label,
                     (unsigned long)(w->in_n / 1024), (unsigned long)((uint64_t)w->in_n * 1000 / 1024 / ms));
        (void)host_write_all(STDERR_FILENO, line, (size_t)n);
        w->progress_ms = now_ms;
        w->progress = true;
    } else if (w->progress && w->in_n < BRIDGE_PROGRESS) {
        (void)host_write_all(STDERR_FILENO, "\r\033[K", 4);
        w->progress = false;
    }
}

/* ---- What the kind does ---- */

void bridge_transport_turn(struct bridge_transport *w, uint64_t now_ms)
{
    w->kind->turn(w, now_ms);
    show_progress(w, now_ms);
}

bool bridge_transport_can_send(const struct bridge_transport *w)
{
    return w->state > BRIDGE_TRANSPORT_PROBING && w->kind->can_send(w);
}

void bridge_transport_send(struct bridge_transport *w, struct skr_span a, struct skr_span b, struct skr_span d)
{
    const struct skr_span parts[3] = {a, b, d};
    w->sent++;
    w->kind->send(w, parts);
}

bool bridge_transport_cancel(struct bridge_transport *w, const char *id)
{
    char text[128];
    if (w->kind->hang_up != NULL && w->kind->hang_up(w, id)) {
        return true;
    }
    if (!bridge_transport_can_send(w)) {
        return false;
    }
    int n = snprintf(text, sizeof text,
                     "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%s}}", id);
    bridge_transport_send(w, (struct skr_span){text, (size_t)n}, (struct skr_span){"", 0}, (struct skr_span){"", 0});
    return true;
}

void bridge_transport_wait(struct bridge_transport *w, int fd, uint32_t ms)
{
    struct pollfd fds[BRIDGE_TRANSPORT_FDS + 1];
    int numbers[BRIDGE_TRANSPORT_FDS];
    short events[BRIDGE_TRANSPORT_FDS];
    unsigned n = bridge_transport_wants(w, numbers, events);
    for (unsigned i = 0; i < n; i++) {
        fds[i] = (struct pollfd){.fd = numbers[i], .events = events[i]};
    }
    fds[n] = (struct pollfd){.fd = fd, .events = POLLIN};
    uint32_t due_ms = bridge_transport_wait_ms(w, host_clock_ms());
    (void)poll(fds, n + 1, (int)(due_ms < ms ? due_ms : ms));
    bridge_transport_turn(w, host_clock_ms());
}

bool bridge_transport_flush(struct bridge_transport *w, uint32_t ms)
{
    uint64_t since_ms = host_clock_ms();
    while (w->state > BRIDGE_TRANSPORT_PROBING && !(bridge_transport_can_send(w) && bridge_transport_has_taken_all(w))) {
        if (bridge_waited(host_clock_ms(), since_ms, ms)) {
            return false;
        }
        bridge_transport_wait(w, -1, BRIDGE_TURN_MS);
    }
    return w->state > BRIDGE_TRANSPORT_PROBING;
}

void bridge_transport_end_line(struct bridge_transport *w)
{
    if (w->state == BRIDGE_TRANSPORT_PLAIN) {
        w->kind->end_line(w);
    }
}

bool bridge_transport_is_checked(const struct bridge_transport *w)
{
    return w->state == BRIDGE_TRANSPORT_SOUND || w->state == BRIDGE_TRANSPORT_SHARED;
}

bool bridge_transport_is_own(const struct bridge_transport *w)
{
    return w->state == BRIDGE_TRANSPORT_PLAIN || w->state == BRIDGE_TRANSPORT_SOUND;
}

bool bridge_transport_has_taken_all(const struct bridge_transport *w)
{
    return w->kind->has_taken_all(w);
}

bool bridge_transport_give_up(struct bridge_transport *w, struct skr_span id)
{
    return w->kind->give_up != NULL && w->kind->give_up(w, id);
}

uint32_t bridge_transport_wait_ms(const struct bridge_transport *w, uint64_t now_ms)
{
    return w->kind->wait_ms(w, now_ms);
}

unsigned bridge_transport_wants(const struct bridge_transport *w, int fds[BRIDGE_TRANSPORT_FDS], short events[BRIDGE_TRANSPORT_FDS])
{
    return w->kind->wants(w, fds, events);
}

const char *bridge_transport_remedy(const struct bridge_transport *w)
{
    return w->kind->remedy(w);
}

void bridge_transport_restart(struct bridge_transport *w, const char *why)
{
    host_log("%s: %s; connecting again", w->path, why);
    w->kind->restart(w, why);
}

void bridge_transport_end(struct bridge_transport *w)
{
    w->kind->end(w);
}
