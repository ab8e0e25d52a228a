/* peer.h -- a peer for tests: opens a connection to the sample device, sends requests,
 * and takes the responses, in whatever portions the test likes. */
#ifndef PEER_H
#define PEER_H

#include "sample.h"

/* The one server and connection of a test. */
struct peer {
    struct skr_server server;
    struct skr_conn conn;
    struct buf image;
    struct buf out; /* what has come out since the last peer_clear */
    size_t take;    /* bytes taken at a time; 0: as many as there are */
};
extern struct peer peer;

/* A fresh server over the sample image and a fresh connection. */
void peer_start(enum skr_wire wire, size_t window);

/* The same over the image whose texts are not escaped. */
void peer_start_raw_text(enum skr_wire wire);

/* A fresh server over another image; what skr_server_init says to it. */
int peer_serve(const void *image, size_t n);

/* A fresh connection to the same server. */
void peer_open(enum skr_wire wire);

/* Sends n bytes, taking answers whenever the server wants to be rid of one first. False
 * when the server takes no more because the connection is finished. */
bool peer_send(const void *bytes, size_t n);

/* Takes what there is to take. */
void peer_drain(void);

/* Forgets the output; sends the text; returns the output as a string. */
const char *peer_exchange(const char *text);

/* Agrees on 2025-11-25 (or the given version) on a line, and forgets that it did. */
void peer_initialize(const char *version);

/* A modern request on a line, as text: method and the members of params besides _meta. */
const char *peer_modern(const char *method, const char *members);

/* An HTTP request, as text. `headers` are whole lines. */
const char *peer_post(const char *headers, const char *body);

/* The first HTTP response of a text. */
struct response {
    int status;
    const char *head;
    const char *body;
    size_t length;   /* of the body, as Content-Length says */
    const char *end; /* where the next response starts */
};
struct response peer_response(const char *text);

/* Sends one request; the status of its response, or -1 when that is not exactly one response. */
int peer_status(const char *request);

/* What comes out without being asked for. */
const char *peer_unasked(void);

/* On HTTP: asserts that the connection answers the next request; that it has closed, and another one answers. */
void peer_still_responds(void);
void peer_has_closed(void);

#define META                                                                                                           \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                           \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"

/* A modern request as headers and body. */
#define MODERN "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: server/discover\r\n"
#define DISCOVER "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}"

/* A request of older versions. */
#define LIST "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}"

#endif
