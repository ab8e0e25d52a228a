/* line_wire.c -- transcripts against build/asan/pump, one message a line: stdin and stdout,
 * or raw TCP; and against a firmware, over its serial line. */
#include <string.h>

#include "needs.h"
#include "wires.h"

#define PROBE "{\"jsonrpc\":\"2.0\",\"id\":\"probe\",\"method\":\"ping\"}\n"
#define PROBE_RESPONSE "{\"jsonrpc\":\"2.0\",\"id\":\"probe\",\"result\":{}}\n"

static size_t count_lines(const struct bytes *b)
{
    size_t count = 0;

    for (size_t i = 0; i < b->n; i++) {
        count += b->p[i] == '\n';
    }
    return count;
}

static size_t count_wanted(const struct lines *wanted)
{
    size_t count = 0;

    for (size_t i = 0; i < wanted->count; i++) {
        count += !wanted->at[i].nothing && !wanted->at[i].bare;
    }
    return count;
}

/* That nothing more comes cannot be waited for. A ping goes behind every exchange instead,
 * and its response ends what came for the exchange; unless a handler takes its time and the
 * ping was faster. True when both are there; the probe's response is taken out. */
static bool is_probed(struct bytes *out, const struct lines *wanted)
{
    const size_t n = sizeof PROBE_RESPONSE - 1;
    char *at = out->n >= n ? memmem(out->p, out->n, PROBE_RESPONSE, n) : NULL;

    if (at == NULL || count_lines(out) < count_wanted(wanted) + 1 || out->p[out->n - 1] != '\n') {
        return false;
    }
    memmove(at, at + n, (size_t)(out->p + out->n - (at + n)));
    out->n -= n;
    out->p[out->n] = '\0';
    return true;
}

/* Is there a line that does not begin as a message does? Over TCP it ends the connection (defect 22). */
static bool is_foreign(const struct bytes *in)
{
    for (size_t at = 0; at < in->n;) {
        size_t blanks = at + strspn(in->p + at, " \t\r");
        if (blanks < in->n && memchr("{[\n", in->p[blanks], 3) == NULL) {
            return true;
        }
        const char *end = memchr(in->p + at, '\n', in->n - at);
        at = end != NULL ? (size_t)(end - in->p) + 1 : in->n;
    }
    return false;
}

/* Over TCP such a line is the last that is read: one error without an id, and the end. The ping after it must not be
 * answered. What comes next in the scene is for another connection. */
static bool run_foreign(struct server *s, const struct place *place, const struct bytes *in)
{
    static const char last[] =
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600,\"message\":\"A message must be a JSON object\"}}\n";
    const size_t n = sizeof last - 1;
    struct bytes all = {0}, out = {0};

    bytes_add(&all, in->p, in->n);
    bytes_text(&all, PROBE);
    (void)server_send(s, &all); /* the server may be gone before it has all */
    while (server_receive(s, &out)) {
    }
    if (out.n >= n && memcmp(out.p + out.n - n, last, n) == 0) {
        report_pass();
    } else {
        report_trouble(place, in, "over TCP the last that comes must be the error that ends the connection");
    }
    bytes_free(&all);
    bytes_free(&out);
    return server_connect(s);
}

/* False when the server has gone silent or away: the rest of the scene makes no sense. */
static bool run_exchange(struct server *s, const struct place *place, enum wire wire, struct memory *memory)
{
    struct bytes in = {0}, out = {0}, all = {0};
    struct responses responses = {0};

    bytes_clear(&out);
    transcript_sent(&place->exchange->sent, memory, "\n", &in);
    if (wire == WIRE_TCP && is_foreign(&in)) {
        bool connected = run_foreign(s, place, &in);
        bytes_free(&in);
        bytes_free(&out);
        return connected;
    }
    bytes_add(&all, in.p, in.n);
    bytes_text(&all, PROBE);
    bool alive = server_send(s, &all);
    while (alive && !is_probed(&out, &place->exchange->wanted)) {
        alive = server_receive(s, &out);
    }
    if (alive) {
        (void)responses_of_lines(&responses, &out);
        (void)report_messages(place, memory, &in, &responses);
    } else {
        report_trouble(place, &in, "no answer came, or the connection ended");
    }
    memory_learn(memory, &out);
    responses_free(&responses);
    bytes_free(&in);
    bytes_free(&out);
    bytes_free(&all);
    return alive;
}

static void run_scene(const struct transcript *t, const struct scene *scene, enum wire wire, struct memory *memory)
{
    struct server server;
    struct place place = {t, scene, NULL, wire == WIRE_STDIO ? "stdio" : wire == WIRE_TCP ? "tcp" : "uart"};
    bool started = false, alive = true;

    for (size_t i = 0; alive && i < scene->count; i++) {
        place.exchange = &scene->at[i];
        if (!needs_allow(scene, place.exchange, wire)) {
            continue;
        }
        if (!started && !server_start(&server, scene, wire)) {
            report_trouble(&place, NULL, "the server did not start");
            return;
        }
        started = true;
        alive = run_exchange(&server, &place, wire, memory);
    }
    place.exchange = NULL;
    if (started && !server_stop(&server)) {
        report_trouble(&place, NULL, "the server did not end well");
    }
}

void run_lines(const struct transcript *t, enum wire wire)
{
    struct memory memory = {0};

    for (size_t s = 0; s < t->count; s++) {
        if (scene_has_wire(&t->at[s], wire)) {
            run_scene(t, &t->at[s], wire, &memory);
        }
    }
    memory_free(&memory);
}
