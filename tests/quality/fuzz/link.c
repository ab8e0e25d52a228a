/* link.c -- see link.h. */
#define _GNU_SOURCE
#include "link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../unit/stale.h"
#include "../../wire/hostile/judge.h"

void link_make(struct link *l)
{
    l->conn = malloc(sizeof *l->conn);
    l->in = malloc(1); /* so that there is text, however short */
    l->out = malloc(1);
}

void link_open(struct link *l, struct skr_server *server, enum skr_wire wire)
{
    make_stale(l->conn, sizeof *l->conn);
    skr_conn_open(l->conn, server, wire);
    l->wire = wire;
    l->in_n = l->out_n = 0;
    l->cut = false;
}

void link_fail(const struct link *l, const char *why)
{
    fprintf(stderr, "it does not hold on a connection: %s\nin:  %.*s\nout: %.*s\n", why,
            (int)(l->in_n < 4000 ? l->in_n : 4000), l->in, (int)(l->out_n < 4000 ? l->out_n : 4000), l->out);
    abort();
}

void link_keep(char **to, size_t *n, const void *bytes, size_t more)
{
    *to = realloc(*to, *n + more + 1);
    memcpy(*to + *n, bytes, more);
    *n += more;
}

size_t link_offer(struct link *l, const char *bytes, size_t n, bool by_copy)
{
    if (by_copy) {
        return skr_conn_rx(l->conn, bytes, n);
    }
    size_t room;
    void *to = skr_conn_rx_room(l->conn, &room);
    n = n < room ? n : room;
    memcpy(to, bytes, n);
    skr_conn_rx_done(l->conn, n);
    return n;
}

size_t link_take(struct link *l, size_t n, void (*taken)(struct link *l, const char *bytes, size_t n))
{
    struct skr_span spans[3];
    size_t count = n > 0 ? skr_conn_txv(l->conn, spans, 1 + n % 3) : 0, all = 0;

#if SKR_TASKS
    l->cut |= l->conn->response.damaged && l->conn->response.kind == SKR_AS_job &&
              l->conn->response.as.job.is_current != NULL; /* the task whose end it tells is no more */
#endif
    for (size_t i = 0; i < count && all < n; i++) {
        size_t part = spans[i].n < n - all ? spans[i].n : n - all;
        link_keep(&l->out, &l->out_n, spans[i].p, part);
        taken(l, l->out + l->out_n - part, part);
        all += part;
    }
    if (count > 0 && all == 0) {
        link_fail(l, "a span has bytes, or a port would never come to an end");
    }
    skr_conn_tx_done(l->conn, all);
    return all;
}

/* ---- What must hold ---- */

#define COUNTED 50 /* answers whose ids are counted, which takes time */

static size_t times(const char *text, size_t n, const char *word, size_t word_n)
{
    size_t count = 0;
    const char *end = text + n;

    while ((text = memmem(text, (size_t)(end - text), word, word_n)) != NULL) {
        text++;
        count++;
    }
    return count;
}

static bool begins(const char *p, const char *end, const char *word)
{
    return (size_t)(end - p) >= strlen(word) && memcmp(p, word, strlen(word)) == 0;
}

static void check_ids(const struct link *l)
{
    static const char before[] = "{\"jsonrpc\":\"2.0\",\"id\":";
    const char *end = l->out + l->out_n;
    unsigned count = 0;

    for (const char *p = l->out; (p = memmem(p, (size_t)(end - p), before, sizeof before - 1)) != NULL;) {
        const char *from = p, *stop = memmem(p += sizeof before - 1, (size_t)(end - p), ",\"", 2);
        size_t n = stop == NULL ? 0 : (size_t)(stop - p);
        if (stop == NULL || n >= 100 || memchr(p, '\\', n) != NULL ||
            (!begins(stop, end, ",\"result\"") && !begins(stop, end, ",\"error\""))) {
            continue;
        }
        size_t sent = times(l->in, l->in_n, p, n), length = (size_t)(stop - from);
        if (sent == 0) {
            link_fail(l, "a response has an id that was sent");
        }
        if (count++ < COUNTED && times(l->out, l->out_n, from, length + 3) > sent) { /* up to the "r" or "e" after it */
            link_fail(l, "a request has no more than one answer");
        }
    }
}

void link_check(const struct link *l)
{
    struct verdict v = {0};

    if (!l->cut &&
        memmem(l->in, l->in_n, "HEAD", 4) == NULL) { /* a response to HEAD promises a body that does not come */
        v = l->wire == SKR_HTTP_1 ? judge_http(l->out, l->out_n) : judge_lines(l->out, l->out_n);
    }
    if (v.flaw != NULL) {
        link_fail(l, v.flaw);
    }
    check_ids(l);
}
