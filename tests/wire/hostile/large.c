/* large.c -- too much of everything: lines and bodies of ten megabytes, brackets without end,
 * more values than there are tokens, and every parameter of every method with every wrong type.
 * Each gets its response, and the next request gets its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "count.h"
#include "judge.h"
#include "peer.h"

#define MUCH (10u << 20)
#define PING "{\"jsonrpc\":\"2.0\",\"id\":777,\"method\":\"ping\"}\n"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":777,\"result\":{}}\n"

static bool pings(void)
{
    return strcmp(peer_exchange(PING), PONG) == 0;
}

/* `head`, then `filler` again and again up to n bytes, then `tail`. */
static struct buf stretch(const char *head, const char *filler, size_t n, const char *tail)
{
    struct buf b = {0};

    buf_puts(&b, head);
    while (b.n < n) {
        buf_puts(&b, filler);
    }
    buf_puts(&b, tail);
    return b;
}

/* One line in, one error with this code out that says `word`, and the link goes on. */
static bool refuses_line(struct buf line, const char *start, const char *word)
{
    peer.out.n = 0;
    peer_send(line.p, line.n);
    peer_drain();
    struct verdict v = judge_lines((const char *)peer.out.p, peer.out.n);
    const char *response = buf_str(&peer.out);
    bool good = v.flaw == NULL && v.responses == 1 && v.messages == 1 && strncmp(response, start, strlen(start)) == 0 &&
                strstr(response, word) != NULL;
    if (!good) {
        count_show("answer", response, strlen(response));
    }
    free(line.p);
    return pings() && good;
}

#define NO_ID "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600"
#define WITH_ID "{\"jsonrpc\":\"2.0\",\"id\":\"x\\\"1\",\"error\":{\"code\":-32600"
#define NOT_JSON "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700"
#define PING_HEAD "{\"jsonrpc\":\"2.0\",\"id\":\"x\\\"1\",\"method\":\"ping\",\"params\":{\"a\":"

static void long_lines(void)
{
    const char *limit = "SKR_REQUEST_MAX";

    peer_open(SKR_LINE);
    count(refuses_line(stretch(PING_HEAD "\"", "abcdefgh", MUCH, "\"}}\n"), WITH_ID, limit),
          "a string of 10 MB is refused with the id");
    count(refuses_line(stretch(PING_HEAD, " ", MUCH, "1}}\n"), WITH_ID, limit),
          "10 MB of blanks are refused with the id");
    count(refuses_line(stretch(PING_HEAD "[1", ",1", MUCH, "]}}\n"), WITH_ID, limit),
          "10 MB of numbers are refused with the id");
    count(refuses_line(stretch(PING_HEAD, "[", MUCH, "\n"), WITH_ID, limit),
          "10 MB of brackets are refused with the id");
    count(refuses_line(stretch("", "[", MUCH, "\n"), NO_ID, limit), "10 MB of nothing but brackets are refused");
    count(refuses_line(stretch("", "{\"id\":", MUCH, "\n"), NO_ID, limit),
          "10 MB of objects in objects are refused without an id");
    count(refuses_line(stretch("{\"id\":", "9", MUCH, "}\n"), NO_ID, limit), "an id of 10 MB is not repeated");
    count(refuses_line(stretch("{\"id\":\"", "9", MUCH, "\"}\n"), NO_ID, limit),
          "a quoted id of 10 MB is not repeated");
    count(refuses_line(stretch("", "\xFF", MUCH, "\n"), NO_ID, limit), "10 MB that are not even text are refused");
    count(refuses_line(stretch("\"", "\\", MUCH, "\n"), NO_ID, limit), "10 MB of backslashes are refused");
}

/* Within the request's size, beyond another limit. */
static void crowded_lines(void)
{
    size_t room = SKR_REQUEST_MAX - 100, crowd = (size_t)3 * SKR_TOKENS < room ? (size_t)3 * SKR_TOKENS : room;

    peer_open(SKR_LINE);
    count(refuses_line(stretch(PING_HEAD, "[", room, "\n"), "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600",
                       "SKR_JSON_DEPTH"),
          "brackets deeper than the limit are refused");
    count(refuses_line(stretch("", "{\"a\":", room, "\n"), NO_ID, "SKR_JSON_DEPTH"),
          "objects deeper than the limit are refused");
    count(refuses_line(stretch(PING_HEAD "[1", ",1", crowd, "]}}\n"), WITH_ID, "SKR_TOKENS"),
          "more values than tokens are refused with the id");
    count(refuses_line(stretch("{\"a\":[1", ",1", crowd, "],\"id\":1,\"jsonrpc\":\"2.0\",\"method\":\"ping\"}\n"),
                       NO_ID, "SKR_TOKENS"),
          "more values than tokens before the id are refused without it");
    count(refuses_line(stretch("\"", "a", room, "\"\n"), NO_ID, ""), "a long string alone is not a message");
    count(refuses_line(stretch("", "1", room, "\n"), NO_ID, ""), "a long number alone is not a message");
    count(refuses_line(stretch("", "\xC3", room, "\n"), NOT_JSON, ""), "a long line that is not text is not JSON");
    struct buf blanks = stretch("", " ", room, "\n"); /* not empty, and not JSON */
    count(refuses_line(blanks, NOT_JSON, ""), "a long line of blanks is not JSON");
}

/* 100 thousand tokens in requests that come one after the other. */
static void many_small_requests(void)
{
    unsigned wrong = 0;

    peer_open(SKR_LINE);
    for (unsigned i = 0; i < 100000 / 4; i++) {
        wrong += !pings();
    }
    count(wrong == 0, "25 thousand pings are answered one by one");
    struct buf blanks = stretch("", "\r\n", MUCH, PING);
    peer.out.n = 0;
    peer_send(blanks.p, blanks.n);
    peer_drain();
    count(strcmp(buf_str(&peer.out), PONG) == 0, "a ping behind 10 MB of empty lines is answered");
    free(blanks.p);
}

/* ---- Wrong types ---- */

static const char *const wrong_values[] = {
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1.5",
    "1e999",
    "99999999999999999999999",
    "\"\"",
    "\"x\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\xC3\xA9\xF0\x9F\x98\x80\"",
    "\"%\"",
    "\"skill://\"",
    "\"skill://%\"",
    "\"{\"",
    "\"{+path}\"",
    "\"skill://{name}/SKILL.md\"",
    "[]",
    "[null]",
    "[[[[]]]]",
    "[\"x\",\"y\"]",
    "{}",
    "{\"\":\"\"}",
    "{\"name\":1,\"value\":2}",
    "{\"type\":\"ref/prompt\"}",
    "{\"type\":\"ref/resource\",\"uri\":null}",
    "{\"type\":null}",
    "{\"who\":{}}",
    "{\"who\":null}",
    "{\"who\":\"\\\"\"}",
};
#define WRONG_VALUES (sizeof wrong_values / sizeof wrong_values[0])

static bool gets_one_response(const char *line)
{
    char text[4200];

    snprintf(text, sizeof text, "%s\n", line);
    const char *response = peer_exchange(text);
    struct verdict v = judge_lines(response, strlen(response));
    bool good = v.flaw == NULL && v.responses == 1 && strstr(response, "\"id\":42,") != NULL;
    if (!good) {
        count_show("request", line, strlen(line));
        count_show("answer", response, strlen(response));
    }
    return good;
}

/* Every method with parameter `which` replaced or left out and the others good. */
static unsigned spoil_parameter(const struct corpus_method *m, int modern, size_t which)
{
    unsigned wrong = 0;

    for (size_t k = 0; k <= WRONG_VALUES; k++) {
        char params[1024] = "";
        for (size_t i = 0; i < 3 && m->params[i].name != NULL; i++) {
            const char *value = i != which ? m->params[i].value : k < WRONG_VALUES ? wrong_values[k] : NULL;
            if (value != NULL) {
                snprintf(params + strlen(params), sizeof params - strlen(params), "%s\"%s\":%s",
                         params[0] != '\0' ? "," : "", m->params[i].name, value);
            }
        }
        wrong += !gets_one_response(corpus_request(m, modern, params));
        bool scalar = k < 8, missing = k == WRONG_VALUES, needed = m->params[which].required;
        if (needed && (scalar || missing) && corpus_has(m) && (modern ? m->modern : m->legacy)) {
            wrong += strstr(buf_str(&peer.out), "\"code\":-32602") == NULL;
        }
    }
    return wrong;
}

static void wrong_parameters(void)
{
    unsigned wrong = 0;

    peer_open(SKR_LINE);
    peer_initialize(NULL);
    for (size_t i = 0; i < corpus_method_count; i++) {
        for (int modern = 0; modern < 2; modern++) {
            for (size_t which = 0; which < 3 && corpus_methods[i].params[which].name != NULL; which++) {
                wrong += spoil_parameter(&corpus_methods[i], modern, which);
            }
        }
    }
    count(wrong == 0 && pings(), "every parameter of every method with every wrong type is answered once");
}

/* The members around the parameters. */
static void wrong_envelopes(void)
{
    static const char *const members[] = {"jsonrpc", "id", "method", "params", "_meta", "cursor"};
    unsigned wrong = 0;

    peer_open(SKR_LINE);
    peer_initialize(NULL);
    for (size_t m = 0; m < sizeof members / sizeof members[0]; m++) {
        for (size_t k = 0; k < WRONG_VALUES; k++) {
            char text[1024];
            bool inner = m >= 4;
            snprintf(text, sizeof text, "{\"jsonrpc\":%s,\"id\":%s,\"method\":%s,\"params\":%s%s%s%s%s}\n",
                     m == 0 ? wrong_values[k] : "\"2.0\"", m == 1 ? wrong_values[k] : "42",
                     m == 2 ? wrong_values[k] : "\"tools/list\"", inner ? "{\"" : "", inner ? members[m] : "",
                     inner ? "\":" : "", m >= 3 ? wrong_values[k] : "{}", inner ? "}" : "");
            const char *response = peer_exchange(text);
            struct verdict v = judge_lines(response, strlen(response));
            if (v.flaw != NULL || v.responses != 1) {
                wrong++;
                count_show("request", text, strlen(text));
                count_show("answer", response, strlen(response));
            }
        }
    }
    count(wrong == 0 && pings(), "every member of the envelope with every wrong type is answered once");
}

/* ---- HTTP ---- */

#if SKR_HTTP
#define HEAD "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" MODERN

static bool gets_status(struct buf request, const char *status)
{
    peer.out.n = 0;
    peer_send(request.p, request.n);
    peer_drain();
    struct verdict v = judge_http((const char *)peer.out.p, peer.out.n);
    bool good = v.flaw == NULL && v.http_responses == 1 && strstr(buf_str(&peer.out), status) != NULL;
    if (!good) {
        count_show("answer", peer.out.p, peer.out.n);
    }
    free(request.p);
    if (skr_conn_finished(&peer.conn)) {
        peer_open(SKR_HTTP_1);
    }
    return good && peer_status(peer_post(MODERN, DISCOVER)) == 200;
}

static struct buf chunked_request(size_t chunk)
{
    struct buf b = {0}, data = stretch("", "[1,", chunk, "");

    buf_puts(&b, HEAD "Transfer-Encoding: chunked\r\n\r\n");
    for (size_t sent = 0; sent < MUCH; sent += chunk) {
        buf_printf(&b, "%zx\r\n", chunk);
        buf_add(&b, data.p, chunk);
        buf_puts(&b, "\r\n");
    }
    buf_puts(&b, "0\r\n\r\n");
    free(data.p);
    return b;
}

static void large_bodies(void)
{
    char head[400];

    peer_open(SKR_HTTP_1);
    snprintf(head, sizeof head, HEAD "Content-Length: %u\r\n\r\n", MUCH);
    struct buf b = stretch(head, "[", strlen(head) + MUCH, "");
    count(gets_status(b, "HTTP/1.1 413"), "a body of 10 MB gets 413, and the connection goes on");
    static const size_t chunks[] = {1u << 20, 65536, 1000, 7};
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        count(gets_status(chunked_request(chunks[i]), "HTTP/1.1 413"),
              "10 MB in chunks of %zu get 413, and the connection goes on", chunks[i]);
    }
    count(gets_status(stretch(HEAD "X: ", "y", MUCH, "\r\n\r\n"), "HTTP/1.1 431"), "a header line of 10 MB gets 431");
    count(gets_status(stretch(HEAD, "X: y\r\n", MUCH, "\r\n"), "HTTP/1.1 431"), "10 MB of header lines get 431");
    count(gets_status(stretch("", "y", MUCH, "\r\n\r\n"), "HTTP/1.1 431"), "a request line of 10 MB gets 431");
    count(
        gets_status(stretch(HEAD "Transfer-Encoding: chunked\r\n\r\n0\r\n", "X: y\r\n", MUCH, "\r\n"), "HTTP/1.1 431"),
        "10 MB of trailers get 431");
    count(gets_status(stretch(HEAD "Transfer-Encoding: chunked\r\n\r\n2;", "x", MUCH, "\r\n{}\r\n0\r\n\r\n"),
                      "HTTP/1.1 431"),
          "a chunk extension of 10 MB gets 431");
}
#endif

int main(void)
{
    peer_start(SKR_LINE, 0);
    long_lines();
    crowded_lines();
    many_small_requests();
    wrong_parameters();
    wrong_envelopes();
#if SKR_HTTP
    large_bodies();
#endif
    return count_end();
}
