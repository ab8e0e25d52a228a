/* relay.c -- clients of the PC on lwIP's loopback interface. See stack.h. */
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "stack.h"

struct listener {
    int fd;
    unsigned port; /* lwIP's */
};

struct pair {
    int pc, lwip;
    pthread_t up;
};

/* What the client sends. */
static void *relay_up(void *context)
{
    const struct pair *pair = context;
    char bytes[1000];
    ssize_t n;

    while ((n = recv(pair->pc, bytes, sizeof bytes, 0)) > 0) {
        for (long sent = 0, k; sent < n; sent += k) {
            k = stack_send(pair->lwip, bytes + sent, (size_t)(n - sent));
            if (k <= 0) {
                return NULL;
            }
        }
    }
    stack_finish(pair->lwip);
    return NULL;
}

/* What the server sends. A client that does not read holds it up. */
static void *relay_down(void *context)
{
    struct pair *pair = context;
    char bytes[1000];
    long n;

    while ((n = stack_receive(pair->lwip, bytes, sizeof bytes)) > 0 &&
           send(pair->pc, bytes, (size_t)n, MSG_NOSIGNAL) == n) {
    }
    shutdown(pair->pc, n == 0 ? SHUT_WR : SHUT_RDWR);
    pthread_join(pair->up, NULL);
    stack_close(pair->lwip);
    close(pair->pc);
    free(pair);
    return NULL;
}

static void *accept_clients(void *context)
{
    const struct listener *listener = context;

    for (;;) {
        struct pair *pair = malloc(sizeof *pair);
        pthread_t down;
        *pair = (struct pair){.pc = accept(listener->fd, NULL, NULL), .lwip = stack_connect(listener->port)};
        if (pair->pc < 0 || pair->lwip < 0 || pthread_create(&pair->up, NULL, relay_up, pair) != 0 ||
            pthread_create(&down, NULL, relay_down, pair) != 0) {
            abort();
        }
        pthread_detach(down);
    }
    return NULL;
}

unsigned relay_start(unsigned port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    struct listener *listener = malloc(sizeof *listener);
    pthread_t thread;

    *listener = (struct listener){socket(AF_INET, SOCK_STREAM, 0), port};
    if (listener->fd < 0 || bind(listener->fd, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(listener->fd, 64) != 0 || getsockname(listener->fd, (struct sockaddr *)&at, &size) != 0 ||
        pthread_create(&thread, NULL, accept_clients, listener) != 0) {
        abort();
    }
    pthread_detach(thread);
    return ntohs(at.sin_port);
}
