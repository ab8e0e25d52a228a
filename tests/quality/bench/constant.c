/* constant.c -- a server that understands nothing: for every complete HTTP request it writes
 * the same bytes. It does the system calls that any server on epoll must do and next to
 * nothing else, so its speed is what the machine allows, and the distance to it is what a
 * server's own work costs.
 *
 * usage: constant ANSWER-FILE     prints the port it listens on, then serves until killed */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http_size.h"

#define CLIENTS 144      /* as many as the load has, and some that are being closed */
#define LISTENER CLIENTS /* what stands for the listening socket in an event */

static struct client {
    int fd;
    size_t fill;
    char in[16384];
} clients[CLIENTS];

static char response[1 << 20];
static size_t response_size;

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

static void add_to_epoll(int epoll, int fd, uint32_t index)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};

    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) != 0) {
        give_up("constant: epoll_ctl");
    }
}

static int listen_anywhere(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

    if (fd < 0 || setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
        bind(fd, (struct sockaddr *)&at, size) != 0 || listen(fd, CLIENTS) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &size) != 0) {
        give_up("constant: cannot listen");
    }
    printf("%u\n", (unsigned)ntohs(at.sin_port));
    fflush(stdout);
    return fd;
}

static void welcome(int epoll, int listener)
{
    int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK);

    if (fd < 0) {
        return;
    }
    for (uint32_t i = 0; i < CLIENTS; i++) {
        if (clients[i].fd < 0) {
            clients[i].fd = fd;
            clients[i].fill = 0;
            add_to_epoll(epoll, fd, i);
            return;
        }
    }
    close(fd);
}

static void serve(struct client *c)
{
    ssize_t n = recv(c->fd, c->in + c->fill, sizeof c->in - c->fill, 0);

    if (n <= 0) {
        close(c->fd);
        c->fd = -1;
        return;
    }
    c->fill += (size_t)n;
    size_t size;
    while ((size = http_size(c->in, c->fill)) != 0 && size <= c->fill) {
        c->fill -= size;
        memmove(c->in, c->in + size, c->fill);
        if (send(c->fd, response, response_size, MSG_NOSIGNAL) != (ssize_t)response_size) {
            give_up("constant: a response did not leave whole");
        }
    }
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;

    if (file == NULL) {
        fputs("usage: constant ANSWER-FILE\n", stderr);
        return 2;
    }
    response_size = fread(response, 1, sizeof response, file);
    fclose(file);

    int epoll = epoll_create1(0), listener = listen_anywhere();
    for (size_t i = 0; i < CLIENTS; i++) {
        clients[i].fd = -1;
    }
    add_to_epoll(epoll, listener, LISTENER);
    for (;;) {
        struct epoll_event events[CLIENTS + 1];
        int count = epoll_wait(epoll, events, CLIENTS + 1, -1);
        for (int i = 0; i < count; i++) {
            if (events[i].data.u32 == LISTENER) {
                welcome(epoll, listener);
            } else {
                serve(&clients[events[i].data.u32]);
            }
        }
    }
}
