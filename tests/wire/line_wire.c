/* line_wire.c -- transcripts against skillromd, one message a line: stdin and stdout,
 * or raw TCP. */
#include <string.h>

#include "wires.h"

#define PROBE "{\"jsonrpc\":\"2.0\",\"id\":\"probe\",\"method\":\"ping\"}\n"
#define PROBE_ANSWER "{\"jsonrpc\":\"2.0\",\"id\":\"probe\",\"result\":{}}"

static bool wants_nothing(const struct exchange *e)
{
    return e->wanted.at[0].nothing;
}

static size_t count_lines(const struct bytes *b)
{
    size_t lines = 0;
    for (size_t i = 0; i < b->n; i++) {
        lines += b->p[i] == '\n';
    }
    return lines;
}

/* That nothing comes cannot be waited for. A ping goes behind the message instead, and
 * its answer must be the first thing that comes back. */
static void take_probe(struct answers *answers)
{
    struct answer *last = answers->count > 0 ? &answers->at[answers->count - 1] : NULL;
    if (last != NULL && strcmp(last->text.p, PROBE_ANSWER) == 0) {
        bytes_free(&last->text);
        answers->count--;
    }
}

/* False when the server has gone silent or away: the rest of the scene makes no sense. */
static bool run_exchange(struct server *s, const struct place *place, struct memory *memory)
{
    const struct exchange *e = place->exchange;
    struct bytes in = {0}, out = {0}, all = {0};
    struct answers answers = {0};
    size_t wanted = e->wanted.count;
    bytes_clear(&out);
    transcript_sent(&e->sent, memory, "\n", &in);
    bytes_add(&all, in.p, in.n);
    if (wants_nothing(e)) {
        bytes_text(&all, PROBE);
    }
    bool alive = server_send(s, &all);
    while (alive && count_lines(&out) < wanted) {
        alive = server_receive(s, &out);
    }
    (void)answers_of_lines(&answers, &out);
    if (wants_nothing(e)) {
        take_probe(&answers);
    }
    if (!alive && answers.count == 0) {
        report_trouble(place, &in, "no answer came, or the connection ended");
    } else {
        (void)report_messages(place, memory, &in, &answers);
    }
    memory_learn(memory, &out);
    answers_free(&answers);
    bytes_free(&in);
    bytes_free(&out);
    bytes_free(&all);
    return alive;
}

static void run_scene(const struct transcript *t, const struct scene *scene, enum wire wire, struct memory *memory)
{
    struct server server;
    struct place place = {t, scene, NULL, wire == WIRE_STDIO ? "stdio" : "tcp"};
    if (!server_start(&server, scene, wire)) {
        report_trouble(&place, NULL, "the server did not start");
        return;
    }
    bool alive = true;
    for (size_t i = 0; alive && i < scene->count; i++) {
        place.exchange = &scene->at[i];
        if ((place.exchange->wires & (unsigned)wire) != 0) {
            alive = run_exchange(&server, &place, memory);
        }
    }
    place.exchange = NULL;
    if (!server_stop(&server)) {
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
