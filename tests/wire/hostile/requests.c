/* requests.c -- good requests are answered in every profile; requests that were bitten, cut and
 * spliced get a response or none, never a broken one, and the link goes on.
 *
 * usage: requests ROUNDS [SEED]   rounds of each wire; the same bites in every run with the same seed */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "count.h"
#include "judge.h"
#include "peer.h"

#define LAST "{\"jsonrpc\":\"2.0\",\"id\":777,\"method\":\"ping\"}"
#define LAST_RESPONSE "{\"jsonrpc\":\"2.0\",\"id\":777,\"result\":{}}"
#define FAILURES_SHOWN 5

/* ---- Good requests ---- */

static void good_lines_get_responses(void)
{
    unsigned wrong = 0;

    for (size_t i = 0; i < corpus_method_count; i++) {
        const struct corpus_method *m = &corpus_methods[i];
        for (int modern = 0; modern < 2; modern++) {
            char line[4200];
            peer_open(SKR_LINE);
            peer_initialize(NULL);
            snprintf(line, sizeof line, "%s\n", corpus_line(2 * i + (size_t)modern));
            const char *response = peer_exchange(line);
            struct verdict v = judge_lines(response, strlen(response));
            bool there = corpus_has(m) && (modern ? m->modern : m->legacy);
            bool right = there ? strstr(response, "\"id\":42,\"result\":{") != NULL
                               : strstr(response, "\"id\":42,\"error\":{\"code\":-32601") != NULL;
            if (v.flaw != NULL || v.responses != 1 || !right) {
                wrong++;
                count_show("request", line, strlen(line));
                count_show("answer", response, strlen(response));
            }
        }
    }
    count(wrong == 0, "every method is answered in its eras, and refused where this build lacks it");
}

/* ---- Bites ---- */

static const char *const dictionary[] = {
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\\u0000",
    "\\ud800",
    "\\udc00",
    "\\u",
    "null",
    "true",
    "1e999",
    "-0",
    "0.5",
    "99999999999999999999",
    "\xFF",
    "\xC3",
    "\xE2\x82\xAC",
    "\xED\xA0\x80",
    "\n",
    "\r\n",
    "\r\n\r\n",
    "\0",
    " ",
    "\t",
    "\"id\":",
    "\"method\":",
    "\"params\":",
    "\"_meta\":",
    "\"jsonrpc\":\"2.0\"",
    "\"cursor\":\"1.1\"",
    "skill://",
    "%2e%2e/",
    "%",
    "%00",
    "{name}",
    "initialize",
    "ping",
    "2025-03-26",
    "2026-07-28",
    "Content-Length: 5\r\n",
    "Content-Length: 999999999\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Expect: 100-continue\r\n",
    "Connection: close\r\n",
    "HTTP/1.0",
    "GET /mcp HTTP/1.1\r\n",
    "Host: localhost\r\n",
    "Mcp-Name: =?base64?AA==?=\r\n",
    "Mcp-Session-Id: ",
    "0\r\n\r\n",
    "ffffff\r\n",
    "Accept: text/event-stream\r\n",
};
#define WORDS (sizeof dictionary / sizeof dictionary[0])

static struct buf bitten;

static void insert(size_t at, const void *bytes, size_t n)
{
    buf_add(&bitten, bytes, n);
    memmove(bitten.p + at + n, bitten.p + at, bitten.n - n - at);
    memcpy(bitten.p + at, bytes, n);
}

static void remove_at(size_t at, size_t n)
{
    memmove(bitten.p + at, bitten.p + at + n, bitten.n - at - n);
    bitten.n -= n;
}

static void bite(struct dice *d, const char *other)
{
    size_t at = roll(d, (unsigned)bitten.n + 1), left = bitten.n - at;
    size_t n = left > 0 ? roll(d, (unsigned)left) % (roll(d, 4) == 0 ? 200 : 8) : 0;
    char copy[200];

    switch (roll(d, 9)) {
    case 0:
        if (left > 0) {
            bitten.p[at] ^= (uint8_t)(1u << roll(d, 8));
        }
        break;
    case 1:
        if (left > 0) {
            bitten.p[at] = (uint8_t)roll(d, 256);
        }
        break;
    case 2: remove_at(at, n); break;
    case 3:
        memcpy(copy, bitten.p + at, n);
        for (unsigned times = 1 + roll(d, 3) * roll(d, 12); times > 0; times--) {
            insert(at, copy, n);
        }
        break;
    case 4:
    case 5: {
        const char *word = dictionary[roll(d, WORDS)];
        insert(at, word, word[0] == '\0' ? 1 : strlen(word));
        break;
    }
    case 6: { /* the rest of another request */
        size_t from = roll(d, (unsigned)strlen(other) + 1);
        bitten.n = at;
        buf_add(&bitten, other + from, strlen(other) - from);
        break;
    }
    case 7: bitten.n = at; break;
    default: { /* a quoted value, replaced */
        uint8_t *quote = left > 0 ? memchr(bitten.p + at, '"', left) : NULL;
        if (quote != NULL) {
            const char *word = dictionary[roll(d, WORDS)];
            insert((size_t)(quote - bitten.p), word, strlen(word));
        }
    }
    }
}

static void bite_often(struct dice *d, const char *text, const char *other)
{
    bitten.n = 0;
    buf_add(&bitten, text, strlen(text));
    for (unsigned bites = 1 + roll(d, 3) * roll(d, 4); bites > 0; bites--) {
        bite(d, other);
    }
}

/* Hands it over in portions, taking answers in portions, never minding the order. */
static void send_in_portions(struct dice *d)
{
    unsigned portion = 1 + roll(d, 3) * roll(d, 300);

    peer.take = roll(d, 2) * roll(d, 50);
    for (size_t at = 0; at < bitten.n;) {
        size_t n = 1 + roll(d, portion + 1);
        n = n < bitten.n - at ? n : bitten.n - at;
        char *copy = sample_exact_copy(bitten.p + at, n);
        if (!peer_send(copy, n)) {
            at = bitten.n; /* closed; the rest goes nowhere */
        }
        free(copy);
        at += n;
        if (roll(d, 2) == 0) {
            peer_drain();
        }
    }
    peer_drain();
    peer.take = 0;
}

static unsigned failures;

static void blame(const char *flaw, unsigned round)
{
    if (failures++ < FAILURES_SHOWN) {
        printf("       round %u: %s\n", round, flaw);
        count_show("input", bitten.p, bitten.n);
        count_show("output", peer.out.p, peer.out.n);
    }
}

/* ---- Lines ---- */

/* Lines that hold anything, each of which may get one response. */
static unsigned lines_of_input(void)
{
    unsigned lines = 0;
    size_t length = 0;

    for (size_t i = 0; i < bitten.n; i++) {
        if (bitten.p[i] != '\n') {
            length++;
        } else {
            lines += length > 0;
            length = 0;
        }
    }
    return lines;
}

static void check_line_round(unsigned round)
{
    struct verdict v = judge_lines((const char *)peer.out.p, peer.out.n);
    bool batch = peer.out.n > 0 && peer.out.p[0] == '[';

    if (v.flaw != NULL) {
        blame(v.flaw, round);
    } else if (v.responses > lines_of_input() && !batch) {
        blame("more answers than requests", round);
    }
    const char *pong = peer_exchange(LAST "\n");
    if (strcmp(pong, LAST_RESPONSE "\n") != 0) {
        blame("the ping after it is not answered", round);
        peer_open(SKR_LINE);
    }
}

static const char *pick_line(struct dice *d)
{
    const char *line;

    do {
        line = corpus_line(roll(d, 60));
    } while (line == NULL);
    return line;
}

static void bitten_lines(unsigned rounds, unsigned seed)
{
    struct dice d = {seed};
    static const char *const versions[] = {"2025-11-25", "2025-03-26", "2024-11-05"};

    failures = 0;
    for (unsigned round = 0; round < rounds; round++) {
        char other[4200];
        if (round % 64 == 0) {
            peer_open(SKR_LINE);
            if (roll(&d, 4) > 0) {
                peer_initialize(versions[roll(&d, 3)]);
            }
        }
        strcpy(other, pick_line(&d));
        bite_often(&d, pick_line(&d), other);
        buf_add(&bitten, "\n", 1);
        peer.out.n = 0;
        send_in_portions(&d);
        check_line_round(round);
    }
    count(failures == 0, "%u bitten lines: all output is JSON-RPC, and the next ping is answered", rounds);
}

/* ---- HTTP ---- */

#if SKR_HTTP
#define LAST_HEADERS "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: skills/list\r\n"
#define LAST_BODY "{\"jsonrpc\":\"2.0\",\"id\":777,\"method\":\"skills/list\",\"params\":{" META "}}"

static char session[33];

static void new_session(void)
{
    static const char initialize[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-03-"
        "26\","
        "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";

    peer_open(SKR_HTTP_1);
    const char *at = strstr(peer_exchange(peer_post("", initialize)), "Mcp-Session-Id: ");
    if (at == NULL || sscanf(at, "Mcp-Session-Id: %32[0-9a-f]", session) != 1) {
        blame("no session", 0);
    }
}

static void next_request_gets_a_response(const char *where, unsigned round)
{
    struct verdict v;

    peer_exchange(peer_post(LAST_HEADERS, LAST_BODY));
    v = judge_http((const char *)peer.out.p, peer.out.n);
    if (v.flaw != NULL || v.http_responses != 1 || strstr(buf_str(&peer.out), "\"id\":777,\"result\":{") == NULL) {
        blame(where, round);
    }
}

static void check_http_round(unsigned round)
{
    struct verdict v = judge_http((const char *)peer.out.p, peer.out.n);

    if (v.flaw != NULL) {
        blame(v.flaw, round);
    }
    if (!skr_conn_finished(&peer.conn) && skr_conn_activity(&peer.conn) == SKR_IDLE) {
        next_request_gets_a_response("the next request on the same connection is not answered", round);
        return;
    }
    if (!skr_conn_finished(&peer.conn)) { /* a part of a request has come; its peer goes away, or waits too long */
        peer.out.n = 0;
        skr_conn_timed_out(&peer.conn);
        peer_drain();
        v = judge_http((const char *)peer.out.p, peer.out.n);
        if (v.flaw != NULL || v.http_responses != 1 || !skr_conn_finished(&peer.conn)) {
            blame("no clean end of a request that took too long", round);
        }
    }
    peer_open(SKR_HTTP_1);
    next_request_gets_a_response("a request on a fresh connection is not answered", round);
}

static const char *pick_http(struct dice *d)
{
    const char *request;

    do {
        request = corpus_http(roll(d, 70), session);
    } while (request == NULL);
    return request;
}

static void bitten_http(unsigned rounds, unsigned seed)
{
    struct dice d = {seed + 1};

    failures = 0;
    for (unsigned round = 0; round < rounds; round++) {
        char other[8400];
        if (round % 500 == 0) {
            new_session();
        }
        strcpy(other, pick_http(&d));
        bite_often(&d, pick_http(&d), other);
        peer.out.n = 0;
        send_in_portions(&d);
        check_http_round(round);
    }
    count(failures == 0, "%u bitten HTTP requests: all output is whole responses, and the next request is answered",
          rounds);
}

static void good_http_gets_responses(void)
{
    unsigned wrong = 0;

    new_session();
    for (size_t i = 0; corpus_http(i, session) != NULL; i++) {
        const char *request = corpus_http(i, session);
        peer_open(SKR_HTTP_1);
        peer_exchange(request);
        struct verdict v = judge_http((const char *)peer.out.p, peer.out.n);
        if (v.flaw != NULL || v.http_responses != 1) {
            wrong++;
            count_show("request", request, strlen(request));
            count_show("answer", peer.out.p, peer.out.n);
        }
    }
    count(wrong == 0, "every good HTTP request gets one whole response");
}
#endif

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
    unsigned seed = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 20260728;

    printf("request %d bytes, connection %zu bytes, server %zu bytes\n", SKR_REQUEST_MAX, sizeof(struct skr_conn),
           sizeof(struct skr_server));
    peer_start(SKR_LINE, SKR_DEFLATE ? 512 : 0);
    good_lines_get_responses();
    bitten_lines(rounds, seed);
#if SKR_HTTP
    good_http_gets_responses();
    bitten_http(rounds, seed);
#endif
    return count_end();
}
