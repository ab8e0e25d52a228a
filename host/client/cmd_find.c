/* cmd_find.c -- `skillrom find`: serial devices on USB, and devices that announce themselves on this network, over mDNS (RFC 6762) and DNS-SD (RFC 6763).
 *
 * The type of service is _mcp._tcp. TXT has path=/mcp, and tls=1 where it is https. One query is sent on each interface, over
 * IPv4 and over IPv6, from ports of our own, so that responses come only to us. */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../transport/serial_ports.h"
#include "client.h"
#include "clock.h"
#include "console.h"
#include "mdns.h"
#include "system.h"
#include "text/encode.h"

#define PORT 5353

static struct find_options {
    uint32_t ms;
    bool json;
} options;

/* clang-format off */
static const struct host_option rows[] = {
    HOST_TIME("--wait", struct find_options, ms, 100, 60000, "how long to wait for responses (2s)"),
    HOST_FLAG("--json", struct find_options, json, "one JSON object per line: name, and tty or url and address"),
};
/* clang-format on */

static int find_main(int argc, char **argv);

const struct host_command client_find_command = {
    .name = "find",
    .run = find_main,
    .group = "Device",
    .summary = "list the devices on USB and those that announce themselves on this network",
    .usage = "[options]",
    .about = "Lists serial devices on USB, and devices that announce themselves over mDNS as " CLIENT_MDNS_SERVICE
             ", over IPv4 and IPv6: their names, URLs for "
             "`skillrom bridge` and `skillrom call`, and addresses, for a URL whose name this machine cannot look up. "
             "Any machine on the network can announce anything; --pin or --device-token verifies the device.",
    HOST_ROWS(rows),
    .examples = {{"skillrom find", "list devices on USB and on the network"},
                 {"skillrom find --json --wait 5s", "search longer, and print JSON"}},
    .most = 0,
};

/* ---- Queries ---- */

static const unsigned char query[] = "\0\1\0\0\0\1\0\0\0\0\0\0"
                                     "\4_mcp\4_tcp\5local\0"
                                     "\0\x0C\0\1";

/* Sends the query on every interface that has an address. */
static void query_ipv4(int fd)
{
    const struct sockaddr_in all = {
        .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(0xE00000FB)};
    static struct ifreq interfaces[64];
    struct ifconf list = {.ifc_len = sizeof interfaces, .ifc_req = interfaces};

    if (ioctl(fd, SIOCGIFCONF, &list) != 0) {
        return;
    }
    for (size_t i = 0; i < (size_t)list.ifc_len / sizeof interfaces[0]; i++) {
        const struct sockaddr_in *address = (const void *)&interfaces[i].ifr_addr;
        (void)setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &address->sin_addr, sizeof address->sin_addr);
        (void)sendto(fd, query, sizeof query - 1, 0, (const void *)&all, sizeof all);
    }
}

/* Sends the query to ff02::fb on every interface; one without IPv6 refuses. */
static void query_ipv6(int fd)
{
    struct if_nameindex *interfaces = if_nameindex();

    for (size_t i = 0; interfaces != NULL && interfaces[i].if_index != 0; i++) {
        const struct sockaddr_in6 all = {.sin6_family = AF_INET6,
                                         .sin6_port = htons(PORT),
                                         .sin6_addr.s6_addr = {0xFF, 0x02, [15] = 0xFB},
                                         .sin6_scope_id = interfaces[i].if_index};
        (void)sendto(fd, query, sizeof query - 1, 0, (const void *)&all, sizeof all);
    }
    if (interfaces != NULL) {
        if_freenameindex(interfaces);
    }
}

static void take_responses(struct client_mdns *all, int fd)
{
    static unsigned char bytes[9000]; /* the longest message of mDNS */
    struct sockaddr_in6 from;
    socklen_t n_from = sizeof from;
    ssize_t n;

    while ((n = recvfrom(fd, bytes, sizeof bytes, 0, (void *)&from, &n_from)) > 0) {
        client_mdns_take(all, bytes, (size_t)n, from.sin6_family == AF_INET6 ? from.sin6_scope_id : 0);
        n_from = sizeof from;
    }
}

/* Sends queries and takes responses for `ms`. A machine may have only one of IPv4 and IPv6. */
static bool listen_for(struct client_mdns *all, uint32_t ms)
{
    struct pollfd ends[2] = {{.events = POLLIN}, {.events = POLLIN}};
    uint64_t start_ms = host_clock_ms(), now_ms = start_ms;
    unsigned sent = 0;

    ends[0].fd = host_datagram_socket(AF_INET);
    ends[1].fd = host_datagram_socket(AF_INET6);
    if (ends[0].fd < 0 && ends[1].fd < 0) {
        host_log("cannot send a query: %s", strerror(errno));
        return false;
    }
    while (now_ms - start_ms < ms) {
        if (now_ms - start_ms >= sent * (uint64_t)ms / 3) { /* packets get lost */
            query_ipv4(ends[0].fd);
            query_ipv6(ends[1].fd);
            sent++;
        }
        (void)poll(ends, 2, 50);
        take_responses(all, ends[0].fd);
        take_responses(all, ends[1].fd);
        now_ms = host_clock_ms();
    }
    close(ends[0].fd);
    close(ends[1].fd);
    return true;
}

/* Prints a serial port on USB. False if stdout could not be written. */
static bool print_port(const struct transport_port *port)
{
    char line[640], product[2 * sizeof port->product], clean[sizeof port->product];
    int n;

    (void)host_printable(clean, sizeof clean, port->product, strlen(port->product));
    struct skr_encoding e = {.from = clean, .n = strlen(clean), .out = product, .room = sizeof product - 1};
    skr_encode_any(&e, true);
    if (options.json) {
        n = snprintf(line, sizeof line, "{\"name\":\"%.*s\",\"tty\":\"%s\"}\n", (int)e.made, product, port->path);
    } else {
        n = snprintf(line, sizeof line, "%s  %s\n", port->path, clean);
    }
    return host_write_result(line, (size_t)n);
}

static int find_main(int argc, char **argv)
{
    static struct client_mdns all;
    static struct transport_serial_ports ports;
    size_t shown = 0;

    options.ms = 2000;
    if (host_command_read(&client_find_command, &options, argc, argv) < 0) {
        return 2;
    }
    transport_serial_ports_find(&ports);
    for (; shown < ports.count; shown++) {
        if (!print_port(&ports.at[shown])) {
            return 1;
        }
    }
    if (!listen_for(&all, options.ms)) {
        return 1;
    }
    for (size_t i = 0; i < all.count; i++) {
        char line[CLIENT_MDNS_LINE];
        size_t n = client_mdns_line(&all, i, options.json, line);
        if (n > 0 && !host_write_result(line, n)) {
            return 1;
        }
        shown += n > 0;
    }
    if (shown == 0) {
        host_notice("no serial device on USB, and no device announces itself on this network as " CLIENT_MDNS_SERVICE
                    "; plug it in, start skillromd with --announce NAME, or name the device's URL");
    }
    return shown > 0 ? 0 : 1;
}
