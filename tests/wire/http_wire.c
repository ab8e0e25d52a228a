/* http_wire.c -- transcripts against build/asan/pump over HTTP: each message as a POST of its
 * own on a kept connection, or the raw bytes of an @http file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "needs.h"
#include "wires.h"

/* The length of a chunked body at p, its last chunk included; 0 while it is not complete.
 * With `content` its chunks are put together there. */
static size_t chunked_length(const char *p, size_t n, struct bytes *content)
{
    size_t at = 0;

    for (;;) {
        char *end;
        const char *line = memmem(p + at, n - at, "\r\n", 2);
        size_t size = strtoul(p + at, &end, 16);
        if (line == NULL || end != line || n - (size_t)(line + 2 - p) < size + 2) {
            return 0;
        }
        at = (size_t)(line + 2 - p);
        if (content != NULL) {
            bytes_add(content, p + at, size);
        }
        at += size + 2;
        if (size == 0) {
            return at;
        }
    }
}

/* The value of a header in head[0..n), or NULL. */
static const char *find_header(const char *head, size_t n, const char *name)
{
    const char *p = memmem(head, n, name, strlen(name));

    return p != NULL ? p + strlen(name) : NULL;
}

/* True when head[0..n) is that of a stream, which ends with its connection. */
static bool is_stream(const char *head, size_t n)
{
    return find_header(head, n, "\r\nContent-Type: text/event-stream\r\n") != NULL &&
           find_header(head, n, "\r\nContent-Length: ") == NULL;
}

/* Length of the HTTP response at the start of b, 0 while it is not complete. *body gets where its
 * body starts. */
static size_t response_length(const struct bytes *b, size_t *body)
{
    const char *end = b->n > 0 ? memmem(b->p, b->n, "\r\n\r\n", 4) : NULL;

    if (end == NULL) {
        return 0;
    }
    *body = (size_t)(end - b->p) + 4;
    const char *length = find_header(b->p, *body, "\r\nContent-Length: ");
    if (find_header(b->p, *body, "\r\nTransfer-Encoding: chunked\r\n") != NULL) {
        size_t chunks = chunked_length(b->p + *body, b->n - *body, NULL);
        return chunks > 0 ? *body + chunks : 0;
    }
    if (is_stream(b->p, *body)) {
        return 0;
    }
    size_t n = length != NULL ? strtoul(length, NULL, 10) : 0;
    return b->n - *body >= n ? *body + n : 0;
}

/* ---- Messages ---- */

/* The messages of a body: one, or several as events. */
static void take_messages(const struct bytes *head, const struct bytes *body, int status, struct responses *responses)
{
    if (strstr(head->p, "\r\nContent-Type: text/event-stream\r\n") == NULL) {
        responses_add(responses, status, body->p, body->n);
        return;
    }
    const char *p = body->p;
    while (strncmp(p, "data: ", 6) == 0) {
        size_t n = strcspn(p + 6, "\n");
        responses_add(responses, status, p + 6, n);
        p += 6 + n;
        p += strspn(p, "\n");
    }
    if (*p != '\0') {
        responses_add(responses, status, p, strlen(p)); /* not an event: shows up as a difference */
    }
}

/* What no transcript line says but every response must keep; NULL when it does. */
static const char *head_problem(const struct client *c, const struct bytes *head, const struct bytes *body, int status)
{
    bool session = strstr(head->p, "\r\nMcp-Session-Id: ") != NULL;
    bool json = strstr(head->p, "\r\nContent-Type: application/json\r\n") != NULL;
    bool sse = strstr(head->p, "\r\nContent-Type: text/event-stream\r\n") != NULL;
    bool result = strstr(body->p, "\"result\":") != NULL;

    if (body->n > 0 && !json && !sse) {
        return "a body without its Content-Type";
    }
    if (session != (c->initialize && status == 200 && result)) {
        return session ? "Mcp-Session-Id in a response to something else than initialize" : "no Mcp-Session-Id";
    }
    if (strstr(head->p, "\r\nMCP-Protocol-Version:") != NULL) {
        return "there is no MCP-Protocol-Version in answers";
    }
    return NULL;
}

/* The response that is a stream and has not ended: its connection is kept beside the one on
 * which the next messages are posted. */
struct stream {
    struct server link;
    struct bytes in; /* what has come of it and not been looked at */
    bool open;
};

/* Takes the events that have come whole; comments, and events without data, say nothing. */
static void take_events(struct stream *stream, struct responses *responses)
{
    const char *end;

    while (stream->in.n > 0 && (end = memmem(stream->in.p, stream->in.n, "\n\n", 2)) != NULL) {
        size_t n = (size_t)(end - stream->in.p);
        struct bytes event = {0};
        bytes_add(&event, stream->in.p, n);
        const char *data = strncmp(event.p, "data: ", 6) == 0 ? event.p : strstr(event.p, "\ndata: ");
        data = data != NULL ? strchr(data, ' ') + 1 : NULL;
        if (data != NULL && *data != '\0') {
            responses_add(responses, 200, data, strlen(data));
        }
        bytes_free(&event);
        bytes_drop(&stream->in, n + 2);
    }
}

static void close_stream(struct stream *stream)
{
    if (stream->open) {
        server_disconnect(&stream->link);
    }
    stream->open = false;
    bytes_clear(&stream->in);
}

/* Waits for as many answers as are wanted, or for the end of the stream. */
static void follow(struct stream *stream, size_t wanted, struct responses *responses)
{
    take_events(stream, responses);
    while (stream->open && responses->count < wanted) {
        if (!server_receive(&stream->link, &stream->in)) {
            close_stream(stream);
            return;
        }
        take_events(stream, responses);
    }
}

/* The response to a post is a stream: keeps it, and connects anew for what is posted next. */
static bool keep_stream(struct server *s, struct stream *stream, const struct bytes *in, size_t start)
{
    close_stream(stream);
    stream->link = *s;
    stream->open = true;
    bytes_add(&stream->in, in->p + start, in->n - start);
    s->to = s->from = -1;
    return server_connect(s);
}

/* Posts one message and adds what comes back to answers. NULL, or what went wrong. */
static const char *post(struct server *s, struct client *client, struct stream *stream, const struct bytes *message,
                        struct responses *responses)
{
    struct bytes request = {0}, in = {0}, head = {0}, body = {0};
    size_t start, n;
    int status = 0;
    const char *problem = NULL;

    client_post(client, message, &request);
    bool alive = server_send(s, &request);
    start = 0;
    while ((n = response_length(&in, &start)) == 0 && alive && !(start > 0 && is_stream(in.p, start))) {
        alive = server_receive(s, &in);
    }
    if (n == 0 && start > 0 && is_stream(in.p, start)) {
        problem = keep_stream(s, stream, &in, start) ? NULL : "cannot connect again";
    } else if (n == 0) {
        problem = "no answer came, or the connection ended";
    } else {
        bytes_add(&head, in.p, start);
        bytes_clear(&body);
        if (strstr(head.p, "\r\nTransfer-Encoding: chunked\r\n") != NULL) {
            (void)chunked_length(in.p + start, n - start, &body);
        } else {
            bytes_add(&body, in.p + start, n - start);
        }
        if (sscanf(head.p, "HTTP/1.1 %d", &status) != 1) {
            problem = "not an HTTP/1.1 answer";
        } else {
            problem =
                n < in.n ? "more bytes came than Content-Length says" : head_problem(client, &head, &body, status);
        }
        client_learn(client, &head, &body);
        take_messages(&head, &body, status, responses);
    }
    bytes_free(&request);
    bytes_free(&in);
    bytes_free(&head);
    bytes_free(&body);
    return problem;
}

/* A post that was only taken says nothing, when a stream does. */
static void drop_empty(struct responses *responses)
{
    while (responses->count > 0 && responses->at[responses->count - 1].text.n == 0) {
        bytes_free(&responses->at[--responses->count].text);
    }
}

static bool run_exchange(struct server *s, struct client *client, struct stream *stream, const struct place *place,
                         struct memory *memory)
{
    const struct exchange *e = place->exchange;
    struct responses responses = {0};
    struct bytes message = {0}, all = {0};
    const char *problem = NULL;

    for (size_t i = 0; problem == NULL && i < e->sent.count; i++) {
        bytes_clear(&message);
        transcript_text(&e->sent, i, memory, &message);
        problem = post(s, client, stream, &message, &responses);
        bytes_add(&all, message.p, message.n);
        bytes_text(&all, "\n");
    }
    if (problem == NULL && stream->open && !e->wanted.at[0].nothing) {
        drop_empty(&responses);
        follow(stream, e->wanted.count, &responses);
    }
    if (problem != NULL) {
        report_trouble(place, &all, problem);
    } else {
        (void)report_messages(place, memory, &all, &responses);
    }
    for (size_t i = 0; i < responses.count; i++) {
        memory_learn(memory, &responses.at[i].text);
    }
    responses_free(&responses);
    bytes_free(&message);
    bytes_free(&all);
    return problem == NULL;
}

/* ---- Raw HTTP ---- */

static bool wants_closed(const struct exchange *e)
{
    return e->wanted.at[e->wanted.count - 1].closed;
}

/* Answers that the exchange expects: its status lines. One may stand behind a body that ends with no line. */
static size_t wanted_responses(const struct exchange *e)
{
    size_t count = 0;

    for (size_t i = 0; i < e->wanted.count; i++) {
        const char *at = e->wanted.at[i].text.n > 0 ? e->wanted.at[i].text.p : "";
        while ((at = strstr(at, "HTTP/1.1 ")) != NULL) {
            count++;
            at++;
        }
    }
    return count;
}

/* Answers that have come whole. A response to HEAD has a head only, whatever length it names. */
static size_t whole_responses(const struct bytes *in, bool head_only)
{
    struct bytes rest = {0};
    size_t count = 0, body, n;

    if (head_only) {
        return in->n > 0 && memmem(in->p, in->n, "\r\n\r\n", 4) != NULL;
    }
    bytes_add(&rest, in->p, in->n);
    while ((n = response_length(&rest, &body)) > 0) {
        bytes_drop(&rest, n);
        count++;
    }
    bytes_free(&rest);
    return count;
}

/* Sends the request and gathers what comes back. False: the server is gone. *open: it has not closed the connection. */
static bool exchange_raw(struct server *s, const struct exchange *e, const struct bytes *request, struct bytes *in,
                         bool *open)
{
    bool alive = server_send(s, request) || wants_closed(e); /* it may close before it has read all */
    bool head_only = strncmp(request->p, "HEAD ", 5) == 0;

    *open = true;
    bytes_clear(in);
    while (alive && *open && (wants_closed(e) || whole_responses(in, head_only) < wanted_responses(e))) {
        *open = server_receive(s, in);
    }
    return alive;
}

/* A board has few connections, and where its emulator gets little time, has not yet seen that the last ones are over. */
static bool is_full(const struct bytes *in)
{
    return in->n > 0 && strncmp(in->p, "HTTP/1.1 503 ", 13) == 0 && strstr(in->p, "all connections are in use") != NULL;
}

/* False: the server is gone, and the rest of the scene makes no sense. */
static bool run_raw_exchange(struct server *s, const struct place *place, struct memory *memory)
{
    const struct exchange *e = place->exchange;
    struct bytes request = {0}, in = {0};
    bool open;

    transcript_sent(&e->sent, memory, "\r\n", &request);
    bool alive = exchange_raw(s, e, &request, &in, &open);
    for (unsigned tries = 0; tries < 5 && alive && is_full(&in); tries++) {
        sleep(1); /* as its Retry-After says */
        alive = server_connect(s) && exchange_raw(s, e, &request, &in, &open);
    }
    bool fits = report_raw(place, memory, &request, &in, !open);
    memory_learn(memory, &in);
    if (!open || !fits) {
        alive = server_connect(s);
    }
    bytes_free(&request);
    bytes_free(&in);
    return alive;
}

/* ---- Scenes ---- */

static void run_scene(const struct transcript *t, const struct scene *scene, struct memory *memory)
{
    struct server server;
    struct client client = {0};
    struct stream stream = {0};
    struct place place = {t, scene, NULL, "http"};
    bool started = false, alive = true;

    for (size_t i = 0; alive && i < scene->count; i++) {
        place.exchange = &scene->at[i];
        if (!needs_allow(scene, place.exchange, WIRE_HTTP)) {
            continue;
        }
        if (!started && !server_start(&server, scene, WIRE_HTTP)) {
            report_trouble(&place, NULL, "the server did not start");
            return;
        }
        if (started && place.exchange->restart && !(server_stop(&server) && server_start(&server, scene, WIRE_HTTP))) {
            report_trouble(&place, NULL, "the server did not start again");
            return;
        }
        started = true;
        alive = t->http ? run_raw_exchange(&server, &place, memory)
                        : run_exchange(&server, &client, &stream, &place, memory);
    }
    place.exchange = NULL;
    close_stream(&stream);
    bytes_free(&stream.in);
    if (started && !server_stop(&server)) {
        report_trouble(&place, NULL, "the server did not end well");
    }
    client_free(&client);
}

void run_http(const struct transcript *t)
{
    struct memory memory = {0};

    for (size_t s = 0; s < t->count; s++) {
        if (scene_has_wire(&t->at[s], WIRE_HTTP)) {
            run_scene(t, &t->at[s], &memory);
        }
    }
    memory_free(&memory);
}
