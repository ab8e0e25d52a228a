/* tty.c -- see tty.h. */
#include "tty.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* Linux has a code for each speed. On macOS and the BSDs a speed is its own code, and the driver refuses what it cannot do. */
#ifndef B460800
enum {
    B460800 = 460800,
    B500000 = 500000,
    B576000 = 576000,
    B921600 = 921600,
    B1000000 = 1000000,
    B1152000 = 1152000,
    B1500000 = 1500000,
    B2000000 = 2000000,
    B2500000 = 2500000,
    B3000000 = 3000000,
    B3500000 = 3500000,
    B4000000 = 4000000
};
#endif

static const struct speed {
    uint32_t baud;
    speed_t code;
} speeds[] = {
    {1200, B1200},       {2400, B2400},       {4800, B4800},       {9600, B9600},       {19200, B19200},
    {38400, B38400},     {57600, B57600},     {115200, B115200},   {230400, B230400},   {460800, B460800},
    {500000, B500000},   {576000, B576000},   {921600, B921600},   {1000000, B1000000}, {1152000, B1152000},
    {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000}, {3000000, B3000000}, {3500000, B3500000},
    {4000000, B4000000},
};

static const struct speed *find(uint32_t baud)
{
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
        if (speeds[i].baud == baud) {
            return &speeds[i];
        }
    }
    return NULL;
}

bool posix_tty_supports(uint32_t baud)
{
    return find(baud) != NULL;
}

bool posix_tty_set_baud(int fd, uint32_t baud)
{
    struct termios settings;
    const struct speed *speed = find(baud);

    if (speed == NULL || tcgetattr(fd, &settings) != 0) {
        return false;
    }
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD;                        /* ignore modem control lines */
    settings.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS | HUPCL); /* leaving must not reset boards that listen to DTR */
    settings.c_cc[VMIN] = 1;                                   /* so that reading 0 bytes means hung up */
    settings.c_cc[VTIME] = 0;
    return cfsetispeed(&settings, speed->code) == 0 && cfsetospeed(&settings, speed->code) == 0 &&
           tcsetattr(fd, TCSANOW, &settings) == 0 && tcflush(fd, TCIOFLUSH) == 0;
}

/* Locks the port, before anything about it is changed. */
static bool lock(int fd)
{
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        return true;
    }
    errno = errno == EWOULDBLOCK ? EBUSY : errno;
    return false;
}

int posix_tty_open(const char *path, uint32_t baud)
{
    int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

    if (fd >= 0 && (!isatty(fd) || !lock(fd) || !posix_tty_set_baud(fd, baud))) {
        int why = errno;
        close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

void posix_tty_exclude(int fd)
{
    (void)ioctl(fd, TIOCEXCL);
}

void posix_tty_close(int fd)
{
    (void)ioctl(fd, TIOCNXCL);
    close(fd);
}
