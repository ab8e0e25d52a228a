/* stack.c -- the client's end of lwIP. See stack.h. */
#include "stack.h"

#include "lwip/inet.h"
#include "lwip/sockets.h"
#include "lwip/tcpip.h"

static void signal_start(void *started)
{
    sys_sem_signal(started);
}

void stack_start(void)
{
    sys_sem_t started;

    sys_sem_new(&started, 0);
    tcpip_init(signal_start, &started);
    sys_arch_sem_wait(&started, 0);
}

int stack_connect(unsigned port)
{
    struct sockaddr_in to = {.sin_len = sizeof to, .sin_family = AF_INET, .sin_port = lwip_htons((u16_t)port)};
    const int one = 1;
    int fd = lwip_socket(AF_INET, SOCK_STREAM, 0);

    to.sin_addr.s_addr = lwip_htonl(INADDR_LOOPBACK);
    if (fd >= 0 && lwip_connect(fd, (struct sockaddr *)&to, sizeof to) != 0) {
        lwip_close(fd);
        return -1;
    }
    (void)lwip_setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

/* clang-format off */
long stack_receive(int fd, void *to, size_t n)        { return lwip_recv(fd, to, n, 0); }
long stack_send(int fd, const void *from, size_t n)   { return lwip_send(fd, from, n, 0); }
void stack_finish(int fd)                             { (void)lwip_shutdown(fd, SHUT_WR); }
void stack_close(int fd)                              { (void)lwip_close(fd); }
/* clang-format on */
