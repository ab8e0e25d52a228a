/* mdns.c -- see mdns.h. The resolver of the C library parses the messages. */
#include "mdns.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "decimal.h"
#include "text/encode.h"
#include "text/json_string.h"

/* ---- Messages ---- */

static struct client_mdns_one *find_name(struct client_mdns *all, const char *name, bool add)
{
    for (size_t i = 0; i < all->count; i++) {
        if (strcasecmp(all->at[i].name, name) == 0) {
            return &all->at[i];
        }
    }
    if (!add || all->count == CLIENT_FOUND) {
        return NULL;
    }
    struct client_mdns_one *one = &all->at[all->count++];
    (void)snprintf(one->name, sizeof one->name, "%s", name);
    (void)strcpy(one->path, "/mcp");
    return one;
}

static void take_text(struct client_mdns_one *f, const unsigned char *at, size_t n)
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

/* Takes an address of a host. A link-local one needs its interface. */
static void take_address(struct client_mdns *all, const char *host, int family, const unsigned char *data,
                         unsigned scope)
{
    char text[INET6_ADDRSTRLEN], address[sizeof all->at->address], interface[IF_NAMESIZE];
    bool local = family == AF_INET6 && data[0] == 0xFE && (data[1] & 0xC0) == 0x80;
    enum client_address_use use = family == AF_INET ? CLIENT_IPV4 : local ? CLIENT_LINK_LOCAL : CLIENT_IPV6;

    if (local && if_indextoname(scope, interface) == NULL) {
        return;
    }
    (void)inet_ntop(family, data, text, sizeof text);
    (void)snprintf(address, sizeof address, use == CLIENT_IPV4 ? "%s%s%s" : "[%s%s%s]", text, local ? "%" : "",
                   local ? interface : "");
    for (size_t i = 0; i < all->count; i++) {
        if (strcasecmp(all->at[i].host, host) == 0 && use >= all->at[i].use) {
            (void)strcpy(all->at[i].address, address);
            all->at[i].use = use;
        }
    }
}

/* Takes one record. Those about an instance or a host may precede the one that names it, so all are read twice. */
static void take_record(struct client_mdns *all, ns_msg *message, const ns_rr *rr, unsigned scope)
{
    char name[NS_MAXDNAME];
    const unsigned char *data = ns_rr_rdata(*rr), *start = ns_msg_base(*message), *end = ns_msg_end(*message);
    struct client_mdns_one *f = find_name(all, ns_rr_name(*rr), false);

    switch (ns_rr_type(*rr)) {
    case ns_t_ptr:
        if (strcasecmp(ns_rr_name(*rr), CLIENT_MDNS_SERVICE) == 0 &&
            ns_name_uncompress(start, end, data, name, sizeof name) >= 0) {
            (void)find_name(all, name, true);
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
            take_address(all, ns_rr_name(*rr), AF_INET, data, scope);
        }
        break;
    case ns_t_aaaa:
        if (ns_rr_rdlen(*rr) == NS_IN6ADDRSZ) {
            take_address(all, ns_rr_name(*rr), AF_INET6, data, scope);
        }
        break;
    default: break;
    }
}

void client_mdns_take(struct client_mdns *all, const unsigned char *bytes, size_t n, unsigned scope)
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
                    take_record(all, &message, &rr, scope);
                }
            }
        }
    }
}

/* ---- Output ---- */

/* Copies the first label, without the escapes that the resolver adds and without control characters. */
static void show_label(const char *name, char *to, size_t room)
{
    size_t n = 0, kept = 0;

    for (; *name != '\0' && *name != '.' && n + 1 < room; name++) {
        uint64_t value = 0;
        if (*name == '\\' && host_decimal(name + 1, 3, UINT8_MAX, &value)) {
            to[n++] = (char)value;
            name += 3;
        } else {
            name += *name == '\\' && name[1] != '\0';
            to[n++] = *name;
        }
    }
    for (size_t at = 0; at < n;) {
        size_t k = skr_utf8_char(to + at, n - at);
        unsigned char first = (unsigned char)to[at], second = (unsigned char)(k > 1 ? to[at + 1] : 0);
        if (k == 0 || first < 0x20 || first == 0x7F ||
            (first == 0xC2 && second < 0xA0)) { /* U+0080 to U+009F are also controls */
            to[kept++] = '?';
            at += k > 0 ? k : 1;
            continue;
        }
        memmove(to + kept, to + at, k);
        kept += k;
        at += k;
    }
    to[kept] = '\0';
}

/* True if no character ends this part of a URL, or is special to a terminal or in a JSON string. */
static bool has_only(const char *text, const char *besides)
{
    for (; *text != '\0'; text++) {
        bool plain = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') || (*text >= '0' && *text <= '9');
        if (!plain && strchr(besides, *text) == NULL) {
            return false;
        }
    }
    return true;
}

size_t client_mdns_line(const struct client_mdns *all, size_t i, bool json, char line[CLIENT_MDNS_LINE])
{
    const struct client_mdns_one *f = &all->at[i];
    char url[NS_MAXDNAME + sizeof f->path + 32], name[128], quoted[6 * sizeof name];

    if (f->port == 0 || f->host[0] == '\0' || !has_only(f->host, "-._") || f->path[0] != '/' ||
        !has_only(f->path, "/-._~%!$&'()*+,;=:@?")) {
        return 0;
    }
    show_label(f->name, name, sizeof name);
    (void)snprintf(url, sizeof url, "http%s://%s:%u%s", f->tls ? "s" : "", f->host, f->port, f->path);
    if (!json) {
        return (size_t)snprintf(line, CLIENT_MDNS_LINE, "%-20s  %s  %s\n", name, url, f->address);
    }
    struct skr_encoding e = {.from = name, .n = strlen(name), .out = quoted, .room = sizeof quoted};
    skr_encode_any(&e, true);
    return (size_t)snprintf(line, CLIENT_MDNS_LINE, "{\"name\":\"%.*s\",\"url\":\"%s\",\"address\":\"%s\"}\n",
                            (int)e.made, quoted, url, f->address);
}
