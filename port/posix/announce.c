/* announce.c -- see announce.h. Every question about this server gets the whole answer: PTR, SRV, TXT and A. It goes to the sender
 * of a question from another port than mDNS's, otherwise to all. Whether another machine has the same name is not checked. */
#include "announce.h"

#include <arpa/nameser.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "console.h"
#include "serve.h"
#include "system.h"

#define GROUP 0xE00000FBu /* 224.0.0.251 */
#define PORT 5353
#define TTL_S 120

static struct {
    int fd;
    struct host_waiter waiter; /* for fd */
    const char *name, *path;
    char host[64]; /* of this machine, without .local */
    unsigned port;
    bool secure;
} me = {.fd = -1};

/* ---- Writing ---- */

struct message {
    unsigned char bytes[1024];
    size_t n;
};

static void put(struct message *m, const void *bytes, size_t n)
{
    n = n <= sizeof m->bytes - m->n ? n : 0;
    memcpy(m->bytes + m->n, bytes, n);
    m->n += n;
}

static void put16(struct message *m, unsigned value)
{
    const unsigned char bytes[] = {(unsigned char)(value >> 8), (unsigned char)value};

    put(m, bytes, sizeof bytes);
}

static void put_label(struct message *m, const char *label)
{
    size_t n = strlen(label);
    unsigned char length = (unsigned char)n;

    put(m, &length, 1);
    put(m, label, n);
}

/* With `first`, unless it is NULL, before it. */
static void put_service(struct message *m, const char *first)
{
    if (first != NULL) {
        put_label(m, first);
    }
    put_label(m, "_mcp");
    put_label(m, "_tcp");
    put_label(m, "local");
    put_label(m, "");
}

static void put_host(struct message *m)
{
    put_label(m, me.host);
    put_label(m, "local");
    put_label(m, "");
}

/* Type, class, time to live; the length is written by end_record. */
static size_t begin_record(struct message *m, unsigned type)
{
    put16(m, type);
    put16(m, ns_c_in);
    put16(m, 0);
    put16(m, TTL_S);
    put16(m, 0);
    return m->n;
}

static void end_record(struct message *m, size_t from)
{
    m->bytes[from - 2] = (unsigned char)((m->n - from) >> 8);
    m->bytes[from - 1] = (unsigned char)(m->n - from);
}

static void put_text(struct message *m)
{
    unsigned char n = (unsigned char)(5 + strlen(me.path));

    put(m, &n, 1);
    put(m, "path=", 5);
    put(m, me.path, strlen(me.path));
    if (me.secure) {
        put_label(m, "tls=1");
    }
}

static void write_answer(struct message *m, unsigned id, struct in_addr address)
{
    m->n = 0;
    put16(m, id);
    put16(m, 0x8400); /* an authoritative answer */
    put16(m, 0);
    put16(m, 4);
    put16(m, 0);
    put16(m, 0);
    put_service(m, NULL);
    size_t at = begin_record(m, ns_t_ptr);
    put_service(m, me.name);
    end_record(m, at);
    put_service(m, me.name);
    at = begin_record(m, ns_t_srv);
    put16(m, 0);
    put16(m, 0);
    put16(m, me.port);
    put_host(m);
    end_record(m, at);
    put_service(m, me.name);
    at = begin_record(m, ns_t_txt);
    put_text(m);
    end_record(m, at);
    put_host(m);
    at = begin_record(m, ns_t_a);
    put(m, &address, 4);
    end_record(m, at);
}

/* ---- Questions ---- */

/* True when one of its questions is about us. */
static bool is_about_us(const unsigned char *bytes, size_t n)
{
    const unsigned char *at = bytes + NS_HFIXEDSZ, *end = bytes + n;
    char name[NS_MAXDNAME], own[NS_MAXDNAME], host[sizeof me.host + 8];
    struct message service = {.n = 0};

    put_service(&service, me.name); /* and back again, as the resolver spells it: with escapes */
    if (n < NS_HFIXEDSZ || (bytes[2] & 0x80) != 0 ||
        dn_expand(service.bytes, service.bytes + service.n, service.bytes, own, sizeof own) < 0) {
        return false;
    }
    (void)strcat(strcpy(host, me.host), ".local");
    for (unsigned left = (unsigned)(bytes[4] << 8 | bytes[5]); left > 0; left--) {
        int k = dn_expand(bytes, end, at, name, sizeof name);
        if (k < 0 || end - at < k + 4) {
            return false;
        }
        if (strcasecmp(name, "_mcp._tcp.local") == 0 || strcasecmp(name, own) == 0 || strcasecmp(name, host) == 0) {
            return true;
        }
        at += k + 4;
    }
    return false;
}

static void send_answer(const unsigned char *bytes, size_t n, const struct sockaddr_in *from,
                        const struct in_pktinfo *info)
{
    static struct message m;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(GROUP)};

    if (!is_about_us(bytes, n)) {
        return;
    }
    bool alone = from->sin_port != htons(PORT);
    write_answer(&m, alone ? (unsigned)(bytes[0] << 8 | bytes[1]) : 0, info->ipi_spec_dst);
    (void)setsockopt(me.fd, IPPROTO_IP, IP_MULTICAST_IF, &info->ipi_spec_dst, sizeof info->ipi_spec_dst);
    (void)sendto(me.fd, m.bytes, m.n, 0, (const void *)(alone ? from : &to), sizeof to);
}

static void turn(uint64_t now_ms)
{
    static unsigned char bytes[9000]; /* the longest message of mDNS */
    union {
        char room[CMSG_SPACE(sizeof(struct in_pktinfo))];
        struct cmsghdr align;
    } control;
    struct sockaddr_in from;
    struct iovec part = {bytes, sizeof bytes};
    ssize_t n;

    (void)now_ms;
    for (;;) {
        struct msghdr message = {.msg_name = &from,
                                 .msg_namelen = sizeof from,
                                 .msg_iov = &part,
                                 .msg_iovlen = 1,
                                 .msg_control = &control,
                                 .msg_controllen = sizeof control};
        n = recvmsg(me.fd, &message, 0);
        if (n < 0) {
            return;
        }
        const struct cmsghdr *more = CMSG_FIRSTHDR(&message);
        if (more != NULL && more->cmsg_type == IP_PKTINFO) {
            struct in_pktinfo info;
            memcpy(&info, CMSG_DATA(more), sizeof info);
            send_answer(bytes, (size_t)n, &from, &info);
        }
    }
}

/* ---- Starting ---- */

static bool open_socket(void)
{
    const int on = 1, hops = 255;
    const struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(PORT)};

    me.fd = host_datagram_socket(AF_INET);
    return me.fd >= 0 && setsockopt(me.fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
           setsockopt(me.fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) == 0 &&
           setsockopt(me.fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof on) == 0 &&
           setsockopt(me.fd, IPPROTO_IP, IP_MULTICAST_TTL, &hops, sizeof hops) == 0 &&
           bind(me.fd, (const void *)&here, sizeof here) == 0;
}

/* On every interface that has an address now. False when there is none. */
static bool join(void)
{
    static struct ifreq interfaces[64];
    struct ifconf list = {.ifc_len = sizeof interfaces, .ifc_req = interfaces};
    bool joined = false;

    if (ioctl(me.fd, SIOCGIFCONF, &list) != 0) {
        return false;
    }
    for (size_t i = 0; i < (size_t)list.ifc_len / sizeof interfaces[0]; i++) {
        const struct sockaddr_in *address = (const void *)&interfaces[i].ifr_addr;
        struct ip_mreqn group = {.imr_multiaddr.s_addr = htonl(GROUP), .imr_address = address->sin_addr};
        joined |= setsockopt(me.fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group) == 0;
    }
    return joined;
}

bool posix_announce_start(const struct posix_options *options, const struct skr_sockets *net)
{
    const struct skr_sockets_endpoint *served = NULL;

    if (options->announce == NULL) {
        return true;
    }
    for (size_t i = net->listener_count; i-- > 0;) {
        const struct skr_sockets_endpoint *one = &net->listeners[i].is;
        bool reached = !one->address.ipv6 && !skr_sockets_is_loopback(&one->address);
        served = reached && one->wire == SKR_HTTP_1 && one->server == net->server ? one : served;
    }
    if (served == NULL) {
        host_log(
            "--announce %s: no listening address is reachable; serve --http or --https at an IPv4 address that other machines can reach",
            options->announce);
        return false;
    }
    me.name = options->announce;
    me.path = options->path;
    me.port = served->address.port;
#if SKR_TLS
    me.secure = served->tls != NULL;
#endif
    if (gethostname(me.host, sizeof me.host - 1) != 0 || me.host[0] == '\0') {
        (void)strcpy(me.host, "skillrom");
    }
    me.host[strcspn(me.host, ".")] = '\0';
    if (!open_socket() || !join() || !host_wait_open(&me.waiter) ||
        !host_wait_add(&me.waiter, me.fd, 0, HOST_READABLE)) {
        host_log("--announce %s: mDNS is not possible here: %s", me.name, strerror(errno));
        return false;
    }
    posix_net_nest(&me.waiter, turn);
    return true;
}
