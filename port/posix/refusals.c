/* refusals.c -- see refusals.h. */
#include "refusals.h"

#include <string.h>

#include "console.h"

#define VALUE_SHOWN 128 /* a host name has at most 253 bytes, and fewer are enough to recognise it */

static bool is_reported(const struct posix_refusals *refusals, const struct skr_sockets_address *peer)
{
    for (size_t i = 0; i < refusals->count; i++) {
        if (skr_sockets_is_same_host(&refusals->reported[i], peer)) {
            return true;
        }
    }
    return false;
}

void posix_refusals_log(struct posix_refusals *refusals, const struct skr_sockets_address *peer, const char *header,
                        const char *value, size_t n)
{
    char from[POSIX_ADDRESS_TEXT], shown[VALUE_SHOWN + 1];

    if (refusals->count == POSIX_REFUSALS || is_reported(refusals, peer)) {
        return;
    }
    refusals->reported[refusals->count++] = *peer;
    (void)host_printable(shown, sizeof shown, value, n);
    posix_address_host(peer, from);
    const char *last = refusals->count == POSIX_REFUSALS ? ". Further peers that are refused are not reported" : "";
    if (strcmp(header, "Authorization") == 0) {
        host_log("refused a request from %s: %s%s%s", from,
                 n > 0 ? "its token is refused: " : "it has no token of this server", shown, last);
        return;
    }
    host_log(
        "refused a request from %s: its %s is \"%s\", which is not a name of this server; --host NAME allows a name%s",
        from, header, shown, last);
}
