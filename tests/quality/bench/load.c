/* load.c -- sends one HTTP request over and over on kept-alive connections and counts the
 * responses. One thread; each connection has one request under way.
 *
 * The first response on every connection is read and checked. Later ones only have to have its
 * length, and are thrown away by the kernel without a copy (MSG_TRUNC), so that the load costs
 * less than the server and the server is what is measured. For the same reason it never sleeps:
 * waking another core costs the server that does it more than many a response.
 *
 * usage: load PORT CONNECTIONS MILLISECONDS REQUEST-FILE     prints answers, nanoseconds, and how many of these 99 of
 *                                                            100 answers took at most */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "http_size.h"

#define CONNECTIONS 128
#define TIMES_MAX (1 << 20) /* answers whose time is kept: seconds of them */

static char request[16384];
static size_t request_size;
static size_t response_size;

static struct link {
    int fd;
    size_t left; /* bytes of the response still to come; 0: none is expected */
    uint64_t asked_ns;
} links[CONNECTIONS];

static uint64_t times[TIMES_MAX];
static size_t time_count;

static void give_up(const char *what)
{
    fprintf(stderr, "load: %s\n", what);
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void send_request(struct link *link)
{
    if (send(link->fd, request, request_size, MSG_NOSIGNAL) != (ssize_t)request_size) {
        give_up("a request did not leave whole");
    }
    link->left = response_size;
}

/* Asks once and reads the response with care. */
static void try_out(struct link *link)
{
    static char response[1 << 20];
    size_t fill = 0, size = 0;

    send_request(link);
    while (size == 0 || fill < size) {
        ssize_t n = recv(link->fd, response + fill, sizeof response - fill, 0);
        if (n <= 0) {
            give_up("the server closed the connection");
        }
        fill += (size_t)n;
        size = http_size(response, fill);
    }
    if (memcmp(response, "HTTP/1.1 200 ", 13) != 0 || fill != size || (response_size != 0 && size != response_size)) {
        fprintf(stderr, "%.*s\n", (int)fill, response);
        give_up("not the response that was expected");
    }
    response_size = size;
    link->left = 0;
}

static void open_link(struct link *link, uint16_t port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;

    link->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (link->fd < 0 || connect(link->fd, (struct sockaddr *)&to, sizeof to) != 0 ||
        setsockopt(link->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) {
        give_up("cannot connect");
    }
    try_out(link);
}

/* Takes what has come. True when the response is complete. */
static bool take(struct link *link)
{
    ssize_t n = recv(link->fd, NULL, link->left, MSG_TRUNC);

    if (n <= 0) {
        give_up("the server closed the connection");
    }
    link->left -= (size_t)n;
    return link->left == 0;
}

static int by_size(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

    return (one > other) - (one < other);
}

static void keep_time(const struct link *link, uint64_t now)
{
    if (time_count < TIMES_MAX) {
        times[time_count++] = now - link->asked_ns;
    }
}

static void send_request_at(struct link *link, uint64_t now)
{
    link->asked_ns = now;
    send_request(link);
}

static void run(int epoll, unsigned count, uint64_t duration_ns)
{
    struct epoll_event events[CONNECTIONS];
    uint64_t responses = 0, start = now_ns(), now = start;

    for (unsigned i = 0; i < count; i++) {
        send_request_at(&links[i], start);
    }
    for (unsigned waiting = count; waiting > 0;) {
        int ready = epoll_wait(epoll, events, CONNECTIONS, 0);
        now = now_ns();
        for (int i = 0; i < ready; i++) {
            struct link *link = &links[events[i].data.u32];
            if (!take(link)) {
                continue;
            }
            responses++;
            keep_time(link, now);
            if (now - start < duration_ns) {
                send_request_at(link, now);
            } else {
                waiting--;
            }
        }
    }
    qsort(times, time_count, sizeof times[0], by_size);
    printf("%llu %llu %llu\n", (unsigned long long)responses, (unsigned long long)(now - start),
           (unsigned long long)times[time_count * 99 / 100]);
}

int main(int argc, char **argv)
{
    FILE *file = argc == 5 ? fopen(argv[4], "rb") : NULL;

    if (file == NULL) {
        fputs("usage: load PORT CONNECTIONS MILLISECONDS REQUEST-FILE\n", stderr);
        return 2;
    }
    request_size = fread(request, 1, sizeof request, file);
    fclose(file);

    unsigned count = (unsigned)strtoul(argv[2], NULL, 10);
    if (count < 1 || count > CONNECTIONS) {
        give_up("CONNECTIONS is a number from 1 to 128");
    }
    int epoll = epoll_create1(0);
    for (unsigned i = 0; i < count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = i};
        open_link(&links[i], (uint16_t)strtoul(argv[1], NULL, 10));
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, links[i].fd, &event) != 0) {
            give_up("epoll_ctl failed");
        }
    }
    run(epoll, count, strtoull(argv[3], NULL, 10) * 1000000u);
    return 0;
}
