/* find.c -- see find.h. One question is sent on each interface, over IPv4 and over IPv6, from ports of our own, so that
 * answers come only to us; the C library's resolver takes the answers apart. */
#include "find.h"

#include <arpa/inet.h>
#include <arpa/nameser.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clock.h"
#include "bridge.h"
#include "bridge_config.h"
#include "say.h"
#include "text/encode.h"

#define SERVICE "_mcp._tcp.local"
#define PORT 5353

static struct find_call {
    uint32_t ms;
    bool json;
} call;

/* clang-format off */
static const struct skr_opt rows[] = {
    SKR_NUMBER("--wait-ms", "N", struct find_call, ms, 100, 60000, "how long to listen for answers (2000)"),
    SKR_FLAG("--json", struct find_call, json, "one JSON object per line: name, url, address"),
};
/* clang-format on */

const struct skr_command skr_find_command = {
    .name = "find",
    .run = skr_find_main,
    .summary = "list the devices that announce themselves in this network",
    .usage = "[options]",
    .about = "Lists devices that announce themselves by mDNS as " SERVICE ", over IPv4 and IPv6: their names, URLs for "
             "`skillrom bridge` and `skillrom call`, and addresses, for a URL whose name this machine cannot look up. "
             "Anybody in the network can announce anything: a pin or a token shows who it is.",
    SKR_ROWS(rows),
    .most = 0,
};

/* ---- What was found ---- */

/* Which of several addresses is shown: the one that most programs can be given. */
enum use { NO_ADDRESS, LINK_LOCAL, IPV6, IPV4 };

static struct found {
    char name[NS_MAXDNAME]; /* of the instance, all of it */
    char host[NS_MAXDNAME];
    char path[128];
    char address[INET6_ADDRSTRLEN + IF_NAMESIZE + 3]; /* as a URL has it: IPv6 in brackets */
    enum use use;                                     /* of that address */
    unsigned port;                                    /* 0: not known yet */
    bool tls;
} found[SKR_BRIDGE_FOUND];

static size_t count;

static struct found *find_name(const char *name, bool add)
{
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(found[i].name, name) == 0) {
            return &found[i];
        }
    }
    if (!add || count == SKR_BRIDGE_FOUND) {
        return NULL;
    }
    (void)snprintf(found[count].name, sizeof found[count].name, "%s", name);
    (void)strcpy(found[count].path, "/mcp");
    return &found[count++];
}

static void take_text(struct found *f, const unsigned char *at, size_t n)
{
    while (n > 0 && at[0] < n) {
        size_t k = at[0];
        const char *word = (const char *)at + 1;
        if (k > 5 && memcmp(word, "path=", 5) == 0 && k - 5 < sizeof f->path) {
            memcpy(f->path, word + 5, k - 5);
            f->path[k - 5] = '\0';
        }
        f->tls |= k == 5 && memcmp(word, "tls=1", 5) == 0;
        at += k + 1;
        n -= k + 1;
    }
}

/* An address of a host, in an answer that came by the interface `scope`; 0: by IPv4. An address of a link means nothing
 * without its interface. */
static void take_address(const char *host, int family, const unsigned char *data, unsigned scope)
{
    char text[INET6_ADDRSTRLEN], address[sizeof found->address], interface[IF_NAMESIZE];
    bool local = family == AF_INET6 && data[0] == 0xFE && (data[1] & 0xC0) == 0x80;
    enum use use = family == AF_INET ? IPV4 : local ? LINK_LOCAL : IPV6;
    if (local && if_indextoname(scope, interface) == NULL) {
        return;
    }
    (void)inet_ntop(family, data, text, sizeof text);
    (void)snprintf(address, sizeof address, use == IPV4 ? "%s%s%s" : "[%s%s%s]", text, local ? "%" : "",
                   local ? interface : "");
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(found[i].host, host) == 0 && use >= found[i].use) {
            (void)strcpy(found[i].address, address);
            found[i].use = use;
        }
    }
}

/* One record. Those about an instance or a host may come before the one that names it, so all are looked at twice. */
static void take_record(ns_msg *message, const ns_rr *rr, unsigned scope)
{
    char name[NS_MAXDNAME];
    const unsigned char *data = ns_rr_rdata(*rr), *start = ns_msg_base(*message), *end = ns_msg_end(*message);
    struct found *f = find_name(ns_rr_name(*rr), false);
    switch (ns_rr_type(*rr)) {
    case ns_t_ptr:
        if (strcasecmp(ns_rr_name(*rr), SERVICE) == 0 && ns_name_uncompress(start, end, data, name, sizeof name) >= 0) {
            (void)find_name(name, true);
        }
        break;
    case ns_t_srv:
        if (f != NULL && ns_rr_rdlen(*rr) > 6 && ns_name_uncompress(start, end, data + 6, name, sizeof name) >= 0) {
            f->port = ns_get16(data + 4);
            (void)strcpy(f->host, name);
        }
        break;
    case ns_t_txt:
        if (f != NULL) {
            take_text(f, data, ns_rr_rdlen(*rr));
        }
        break;
    case ns_t_a:
        if (ns_rr_rdlen(*rr) == NS_INADDRSZ) {
            take_address(ns_rr_name(*rr), AF_INET, data, scope);
        }
        break;
    case ns_t_aaaa:
        if (ns_rr_rdlen(*rr) == NS_IN6ADDRSZ) {
            take_address(ns_rr_name(*rr), AF_INET6, data, scope);
        }
        break;
    default: break;
    }
}

static void take_answer(const unsigned char *bytes, size_t n, unsigned scope)
{
    ns_msg message;
    if (ns_initparse(bytes, (int)n, &message) != 0) {
        return;
    }
    for (unsigned pass = 0; pass < 3; pass++) {
        for (ns_sect section = ns_s_an; section <= ns_s_ar; section++) {
            for (int i = 0; i < ns_msg_count(message, section); i++) {
                ns_rr rr;
                if (ns_parserr(&message, section, i, &rr) == 0) {
                    take_record(&message, &rr, scope);
                }
            }
        }
    }
}

/* ---- Asking ---- */

static const unsigned char question[] = "\0\1\0\0\0\1\0\0\0\0\0\0"
                                        "\4_mcp\4_tcp\5local\0"
                                        "\0\x0C\0\1";

/* Asks on every interface that has an address. */
static void ask_ipv4(int fd)
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
        (void)sendto(fd, question, sizeof question - 1, 0, (const void *)&all, sizeof all);
    }
}

/* Asks ff02::fb on every interface; one without IPv6 refuses. */
static void ask_ipv6(int fd)
{
    struct if_nameindex *interfaces = if_nameindex();
    for (size_t i = 0; interfaces != NULL && interfaces[i].if_index != 0; i++) {
        const struct sockaddr_in6 all = {.sin6_family = AF_INET6,
                                         .sin6_port = htons(PORT),
                                         .sin6_addr.s6_addr = {0xFF, 0x02, [15] = 0xFB},
                                         .sin6_scope_id = interfaces[i].if_index};
        (void)sendto(fd, question, sizeof question - 1, 0, (const void *)&all, sizeof all);
    }
    if (interfaces != NULL) {
        if_freenameindex(interfaces);
    }
}

static void take_answers(int fd)
{
    static unsigned char bytes[9000]; /* the longest message of mDNS */
    struct sockaddr_in6 from;
    socklen_t n_from = sizeof from;
    ssize_t n;
    while ((n = recvfrom(fd, bytes, sizeof bytes, 0, (void *)&from, &n_from)) > 0) {
        take_answer(bytes, (size_t)n, from.sin6_family == AF_INET6 ? from.sin6_scope_id : 0);
        n_from = sizeof from;
    }
}

/* A machine may be without one of both. */
static bool listen_for(uint32_t ms)
{
    struct pollfd ends[2] = {{.events = POLLIN}, {.events = POLLIN}};
    uint64_t start_ms = skr_clock_ms(), now_ms = start_ms;
    unsigned asked = 0;
    ends[0].fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    ends[1].fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (ends[0].fd < 0 && ends[1].fd < 0) {
        skr_say("cannot ask: %s", strerror(errno));
        return false;
    }
    while (now_ms - start_ms < ms) {
        if (now_ms - start_ms >= asked * (uint64_t)ms / 3) { /* packets get lost */
            ask_ipv4(ends[0].fd);
            ask_ipv6(ends[1].fd);
            asked++;
        }
        (void)poll(ends, 2, 50);
        take_answers(ends[0].fd);
        take_answers(ends[1].fd);
        now_ms = skr_clock_ms();
    }
    close(ends[0].fd);
    close(ends[1].fd);
    return true;
}

/* ---- Showing ---- */

/* The first label, without the escapes that the resolver adds; nothing that could move the cursor. */
static void show_label(const char *name, char *to, size_t room)
{
    size_t n = 0;
    for (; *name != '\0' && *name != '.' && n + 1 < room; name++) {
        if (*name == '\\' && name[1] >= '0' && name[1] <= '9' && name[2] != '\0' && name[3] != '\0') {
            int value = (name[1] - '0') * 100 + (name[2] - '0') * 10 + (name[3] - '0');
            to[n++] = value >= 0x20 && value != 0x7F ? (char)value : '?';
            name += 3;
        } else {
            name += *name == '\\' && name[1] != '\0';
            to[n++] = (unsigned char)*name >= 0x20 && *name != 0x7F ? *name : '?';
        }
    }
    to[n] = '\0';
}

/* Neither for a terminal nor in a JSON string does it mean anything but itself. */
static bool is_plain(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text <= ' ' || *text > '~' || *text == '"' || *text == '\\') {
            return false;
        }
    }
    return true;
}

/* A line about a device, of which `name` is the label; how long it is. Host, path and address are plain. */
static size_t show(const struct found *f, const char *name, char *line, size_t room)
{
    char url[NS_MAXDNAME + sizeof f->path + 32], quoted[6 * 128];
    (void)snprintf(url, sizeof url, "http%s://%s:%u%s", f->tls ? "s" : "", f->host, f->port, f->path);
    if (!call.json) {
        return (size_t)snprintf(line, room, "%-20s  %s  %s\n", name, url, f->address);
    }
    struct skr_encoding e = {.from = name, .n = strlen(name), .out = quoted, .room = sizeof quoted};
    skri_encode_any(&e, true);
    return (size_t)snprintf(line, room, "{\"name\":\"%.*s\",\"url\":\"%s\",\"address\":\"%s\"}\n", (int)e.made, quoted,
                            url, f->address);
}

int skr_find_main(int argc, char **argv)
{
    size_t shown = 0;
    call.ms = 2000;
    if (skr_command_read(&skr_find_command, &call, argc, argv) < 0) {
        return 2;
    }
    if (!listen_for(call.ms)) {
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        const struct found *f = &found[i];
        char name[128], line[2400];
        if (f->port == 0 || !is_plain(f->host) || !is_plain(f->path)) {
            continue;
        }
        show_label(f->name, name, sizeof name);
        if (!skr_say_result(line, show(f, name, line, sizeof line))) {
            return 1;
        }
        shown++;
    }
    if (shown == 0) {
        skr_say("no device announces itself here as " SERVICE
                "; start skillromd with --announce NAME, or name the device's URL");
    }
    return shown > 0 ? 0 : 1;
}
