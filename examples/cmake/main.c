/* main.c -- the lamp on a PC: its line is standard input and output. */
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "serve.h"

static struct pollfd input = {.fd = 0, .events = POLLIN};
static bool ended;

static size_t take(void *to, size_t room)
{
    if (room == 0 || poll(&input, 1, 0) <= 0) {
        return 0;
    }
    ssize_t n = read(0, to, room);
    ended = n <= 0;
    return n > 0 ? (size_t)n : 0;
}

static size_t give(const void *bytes, size_t n)
{
    ssize_t done = write(1, bytes, n);

    if (done < 0) {
        exit(1);
    }
    return (size_t)done;
}

int main(void)
{
    if (lamp_open() != 0) {
        return 1;
    }
    while (lamp_serve(take, give) > 0 || !ended) {
        if (!ended) {
            (void)poll(&input, 1, -1);
        }
    }
    return 0;
}
