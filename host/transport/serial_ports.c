/* serial_ports.c -- see serial_ports.h. Linux lists terminals below /sys/class/tty; those on USB are called ttyACM<n> and
 * ttyUSB<n>, and the USB device's own folder, which has its names, is a few levels above the port's. */
#include "serial_ports.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "console.h"
#include "system.h"

#ifdef __linux__
#define CLASS "/sys/class/tty"
static const char *const on_usb[] = {"ttyACM", "ttyUSB"};
#else /* macOS, FreeBSD, OpenBSD: only the names */
#define CLASS "/dev"
static const char *const on_usb[] = {"cu.usb", "cuaU"};
#endif

/* The first line of a file; false when it cannot be read. */
static bool read_line(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, size - 1) : -1;

    if (fd >= 0) {
        close(fd);
    }
    if (n <= 0) {
        text[0] = '\0';
        return false;
    }
    text[n] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
    return true;
}

static void port_describe(struct transport_port *port, const char *name)
{
    static const char *const above[] = {"device/..", "device/../.."};
    char path[320];

    for (size_t i = 0; i < sizeof above / sizeof above[0]; i++) {
        (void)snprintf(path, sizeof path, CLASS "/%s/%s/product", name, above[i]);
        if (read_line(path, port->product, sizeof port->product)) {
            (void)snprintf(path, sizeof path, CLASS "/%s/%s/serial", name, above[i]);
            (void)read_line(path, port->serial, sizeof port->serial);
            return;
        }
    }
}

static void port_add(struct transport_serial_ports *ports, const char *name)
{
    struct transport_port port = {.path = ""};
    size_t at = ports->count;

    if (at == TRANSPORT_PORTS || strlen(name) + sizeof "/dev/" > sizeof port.path) {
        return;
    }
    (void)snprintf(port.path, sizeof port.path, "/dev/%.50s", name);
    port_describe(&port, name);
    while (at > 0 && strcmp(ports->at[at - 1].path, port.path) > 0) {
        ports->at[at] = ports->at[at - 1];
        at--;
    }
    ports->at[at] = port;
    ports->count++;
}

static void port_consider(void *ports, const char *name)
{
    for (size_t i = 0; i < sizeof on_usb / sizeof on_usb[0]; i++) {
        if (strncmp(name, on_usb[i], strlen(on_usb[i])) == 0) {
            port_add(ports, name);
            return;
        }
    }
}

void transport_serial_ports_find(struct transport_serial_ports *ports)
{
    int fd = open(CLASS, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    memset(ports, 0, sizeof *ports);
    if (fd >= 0) {
        host_folder_list(fd, port_consider, ports);
        close(fd);
    }
}

int transport_serial_ports_list(void)
{
    static struct transport_serial_ports ports;
    char line[320];

    transport_serial_ports_find(&ports);
    for (size_t i = 0; i < ports.count; i++) {
        const struct transport_port *port = &ports.at[i];
        int n = snprintf(line, sizeof line, "%s  %s%s%s\n", port->path, port->product,
                         port->serial[0] != '\0' ? ", " : "", port->serial);
        if (!host_write_result(line, (size_t)n)) {
            return 1;
        }
    }
    if (ports.count == 0) {
        host_log("no serial device on USB; plug it in, or name another port: skillrom bridge "
                 "/dev/ttyS0");
    }
    return ports.count > 0 ? 0 : 1;
}
