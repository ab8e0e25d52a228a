// WiFi.cpp - see WiFi.h.
#include <WiFi.h>

#include <arpa/inet.h>
#include <cstdlib>
#include <ctime>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

WiFi_ WiFi;

void WiFi_::begin(const char *, const char *) {}

int WiFi_::status()
{
    return WL_CONNECTED;
}

const char *WiFi_::localIP()
{
    return "127.0.0.1";
}

static bool readable(int fd, int wait_ms)
{
    struct pollfd one = {fd, POLLIN, 0};
    return poll(&one, 1, wait_ms) == 1;
}

WiFiClient::WiFiClient(int fd) : socket(fd < 0 ? nullptr : new int(fd), [](int *held) {
    if (held) {
        close(*held);
        delete held;
    }
})
{
}

WiFiClient::operator bool()
{
    return socket.get() != nullptr;
}

int WiFiClient::available()
{
    int n = 0;
    return socket && ioctl(*socket, FIONREAD, &n) == 0 ? n : 0;
}

int WiFiClient::read(uint8_t *to, size_t n)
{
    return socket ? (int)recv(*socket, to, n < 100 ? n : 100, MSG_DONTWAIT) : -1;
}

// A stack with little room: it takes a part.
size_t WiFiClient::write(const uint8_t *from, size_t n)
{
    ssize_t sent = socket ? send(*socket, from, n < 200 ? n : 200, MSG_DONTWAIT | MSG_NOSIGNAL) : 0;
    return sent > 0 ? (size_t)sent : 0;
}

uint8_t WiFiClient::connected()
{
    char byte;
    return socket && recv(*socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
}

void WiFiClient::stop()
{
    socket.reset();
}

WiFiServer::WiFiServer(int) {}

void WiFiServer::begin()
{
    struct sockaddr_in at = {};
    int on = 1;
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    at.sin_port = htons((uint16_t)atoi(getenv("PORT")));
    fd = ::socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 8) != 0) {
        exit(1);
    }
}

// A loop that never waits would keep the processor busy here.
WiFiClient WiFiServer::accept()
{
    return WiFiClient(readable(fd, 1) ? ::accept(fd, nullptr, nullptr) : -1);
}

unsigned long millis()
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long)now.tv_sec * 1000 + (unsigned long)now.tv_nsec / 1000000;
}

void delay(unsigned long ms)
{
    usleep((useconds_t)ms * 1000);
}

uint32_t esp_random()
{
    uint32_t word;
    return getrandom(&word, sizeof word, 0) == sizeof word ? word : 0;
}
