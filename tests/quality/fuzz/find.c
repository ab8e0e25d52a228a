/* find.c -- what `skillrom find` makes of messages that anybody in the network may send: the input is a few of them, each after its length.
 *
 * Whatever they say, each device is one line: for a terminal, without anything that moves its cursor; or JSON. Its URL leads to the host and
 * port that were announced, and the longest line fits. */
#include <stdlib.h>
#include <string.h>

#include "../../wire/hostile/judge.h"
#include "mdns.h"
#include "stand_in.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/span.h"

#define INPUT_MAX 3000

static bool is_printed(const char *text, size_t n)
{
    for (size_t i = 0, k; i < n; i += k) {
        unsigned char c = (unsigned char)text[i];
        k = skr_utf8_char(text + i, n - i);
        if (k == 0 || c < 0x20 || c == 0x7F || (c == 0xC2 && (unsigned char)text[i + 1] < 0xA0)) {
            return false;
        }
    }
    return true;
}

/* The URL of a line, taken apart as RFC 3986 says. */
static void check_url(struct skr_span url, const struct client_mdns_one *one)
{
    char port[8];
    size_t scheme = one->tls ? 8 : 7;

    must(url.n > scheme && memcmp(url.p, one->tls ? "https://" : "http://", scheme) == 0, "a URL has its scheme");
    struct skr_span authority = skr_span_from(url, scheme);
    authority.n = strcspn(authority.p, "/?#\"  ");
    const char *colon = memchr(authority.p, ':', authority.n);
    must(memchr(authority.p, '@', authority.n) == NULL && colon != NULL, "a URL has a host and a port, and no user");
    must(skr_span_is((struct skr_span){authority.p, (size_t)(colon - authority.p)}, one->host),
         "its host is the one announced");
    memset(port, 0, sizeof port);
    memcpy(port, colon + 1, (size_t)(authority.p + authority.n - colon - 1) % sizeof port);
    must((unsigned)atoi(port) == one->port, "its port is the one announced");
}

static void check_line(const struct client_mdns *all, size_t i)
{
    char line[CLIENT_MDNS_LINE];
    size_t n = client_mdns_line(all, i, true, line);

    if (n > 0) {
        must(n < sizeof line && line[n - 1] == '\n' && judge_json(line, n - 1), "a line is JSON");
        struct skr_span text = {line, n - 1};
        must(skr_scan_inside(skr_scan_get(text, "name")).p != NULL, "it has a name");
        check_url(skr_scan_inside(skr_scan_get(text, "url")), &all->at[i]);
    }
    must((n > 0) == ((n = client_mdns_line(all, i, false, line)) > 0), "both forms show the same devices");
    must(n == 0 || (n < sizeof line && line[n - 1] == '\n' && is_printed(line, n - 1)),
         "a terminal prints a line as it is");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct client_mdns all;

    if (size > INPUT_MAX) {
        return 0;
    }
    while (size >= 2) {
        size_t n = (size_t)data[0] * 256 + data[1];
        n = n < size - 2 ? n : size - 2;
        unsigned char *message = malloc(n + (n == 0));
        memcpy(message, data + 2, n);
        client_mdns_take(&all, message, n, 1);
        free(message);
        data += 2 + n;
        size -= 2 + n;
    }
    must(all.count <= CLIENT_FOUND, "no more are kept than there is room for");
    for (size_t i = 0; i < all.count; i++) {
        check_line(&all, i);
    }
    memset(&all, 0, sizeof all.count + all.count * sizeof all.at[0]);
    return 0;
}
