/* tcp.h -- a TCP connection with one message on each line, as `skillromd --tcp` serves it. */
#ifndef TRANSPORT_TCP_H
#define TRANSPORT_TCP_H

#include "connection.h"
#include "transport.h"

struct transport_tcp {
    struct transport base;
    struct transport_target target; /* set by the owner; unused with a stream */
    int stream;                     /* of transport_tcp_init_stream, until it is used; -1 without one */
    bool is_program;
    struct transport_connection connection;
    uint64_t probed_ms; /* when the probe was sent */
    char text[TRANSPORT_TEXT + 1];
    size_t text_at, text_n;
    char got[16384];
    size_t got_at, got_n;
};

/* Initialises l, whose owner's fields are set. */
void transport_tcp_init(struct transport_tcp *l);

/* Initialises l with an open stream socket, which cannot be opened again: the stdin and stdout of a program. */
void transport_tcp_init_stream(struct transport_tcp *l, int fd);

#endif
