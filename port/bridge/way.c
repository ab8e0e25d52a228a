/* way.c -- see way.h. What all kinds of ways have in common. */
#include "way.h"
#include "clock.h"
#include "say.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROGRESS_EVERY_MS 200

/* ---- Messages ---- */

void skr_way_put(struct skr_way *w, const void *bytes, size_t n)
{
    size_t room = w->in_size - w->in_n;
    w->in_lost |= n > room;
    n = n < room ? n : room;
    memcpy(w->in + w->in_n, bytes, n);
    w->in_n += n;
}

void skr_way_end_message(struct skr_way *w)
{
    size_t n = w->in_lost ? 0 : w->in_n;
    w->in_n = 0;
    if (n > 0 && w->in[n - 1] == '\r') {
        n--;
    }
    w->on_message(w->owner, n);
    w->in_lost = false;
}

void skr_way_forget(struct skr_way *w)
{
    w->in_n = 0;
    w->in_lost = false;
}

/* Shows the progress of a long message, if stderr is a terminal. */
static void show_progress(struct skr_way *w, uint64_t now_ms)
{
    char line[128];
    int n;
    if (w->in_n == 0) {
        w->progress_from_ms = now_ms;
    }
    if (w->in_n >= SKR_BRIDGE_PROGRESS && skr_waited(now_ms, w->progress_ms, PROGRESS_EVERY_MS) &&
        isatty(STDERR_FILENO)) {
        uint64_t ms = now_ms > w->progress_from_ms ? now_ms - w->progress_from_ms : 1;
        n = snprintf(line, sizeof line, "\r%s: receiving, %lu KB, %lu KB/s \033[K", w->label,
                     (unsigned long)(w->in_n / 1024), (unsigned long)((uint64_t)w->in_n * 1000 / 1024 / ms));
        (void)skr_say_raw(STDERR_FILENO, line, (size_t)n);
        w->progress_ms = now_ms;
        w->progress = true;
    } else if (w->progress && w->in_n < SKR_BRIDGE_PROGRESS) {
        (void)skr_say_raw(STDERR_FILENO, "\r\033[K", 4);
        w->progress = false;
    }
}

/* ---- What the kind does ---- */

void skr_way_turn(struct skr_way *w, uint64_t now_ms)
{
    w->kind->turn(w, now_ms);
    show_progress(w, now_ms);
}

bool skr_way_can_send(const struct skr_way *w)
{
    return w->state > SKR_WAY_PROBING && w->kind->can_send(w);
}

void skr_way_send(struct skr_way *w, struct skr_span a, struct skr_span b, struct skr_span d)
{
    const struct skr_span parts[3] = {a, b, d};
    w->sent++;
    w->kind->send(w, parts);
}

bool skr_way_cancel(struct skr_way *w, const char *id)
{
    char text[128];
    if (w->kind->hang_up != NULL && w->kind->hang_up(w, id)) {
        return true;
    }
    if (!skr_way_can_send(w)) {
        return false;
    }
    int n = snprintf(text, sizeof text,
                     "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%s}}", id);
    skr_way_send(w, (struct skr_span){text, (size_t)n}, (struct skr_span){"", 0}, (struct skr_span){"", 0});
    return true;
}

void skr_way_wait(struct skr_way *w, int fd, uint32_t ms)
{
    struct pollfd fds[SKR_WAY_FDS + 1];
    int numbers[SKR_WAY_FDS];
    short events[SKR_WAY_FDS];
    unsigned n = skr_way_wants(w, numbers, events);
    for (unsigned i = 0; i < n; i++) {
        fds[i] = (struct pollfd){.fd = numbers[i], .events = events[i]};
    }
    fds[n] = (struct pollfd){.fd = fd, .events = POLLIN};
    uint32_t due_ms = skr_way_wait_ms(w, skr_clock_ms());
    (void)poll(fds, n + 1, (int)(due_ms < ms ? due_ms : ms));
    skr_way_turn(w, skr_clock_ms());
}

bool skr_way_flush(struct skr_way *w, uint32_t ms)
{
    uint64_t since_ms = skr_clock_ms();
    while (w->state > SKR_WAY_PROBING && !(skr_way_can_send(w) && skr_way_has_taken_all(w))) {
        if (skr_waited(skr_clock_ms(), since_ms, ms)) {
            return false;
        }
        skr_way_wait(w, -1, SKR_BRIDGE_TURN_MS);
    }
    return w->state > SKR_WAY_PROBING;
}

void skr_way_end_line(struct skr_way *w)
{
    if (w->state == SKR_WAY_PLAIN) {
        w->kind->end_line(w);
    }
}

bool skr_way_is_checked(const struct skr_way *w)
{
    return w->state == SKR_WAY_SOUND || w->state == SKR_WAY_SHARED;
}

bool skr_way_is_own(const struct skr_way *w)
{
    return w->state == SKR_WAY_PLAIN || w->state == SKR_WAY_SOUND;
}

bool skr_way_has_taken_all(const struct skr_way *w)
{
    return w->kind->has_taken_all(w);
}

bool skr_way_give_up(struct skr_way *w, struct skr_span id)
{
    return w->kind->give_up != NULL && w->kind->give_up(w, id);
}

uint32_t skr_way_wait_ms(const struct skr_way *w, uint64_t now_ms)
{
    return w->kind->wait_ms(w, now_ms);
}

unsigned skr_way_wants(const struct skr_way *w, int fds[SKR_WAY_FDS], short events[SKR_WAY_FDS])
{
    return w->kind->wants(w, fds, events);
}

const char *skr_way_remedy(const struct skr_way *w)
{
    return w->kind->remedy(w);
}

void skr_way_restart(struct skr_way *w, const char *why)
{
    skr_say("%s: %s; connecting again", w->path, why);
    w->kind->restart(w, why);
}

void skr_way_end(struct skr_way *w)
{
    w->kind->end(w);
}
