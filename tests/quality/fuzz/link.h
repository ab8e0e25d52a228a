/* link.h -- a connection of the core as a fuzzer drives it: all that went in and came out is kept, and judged when it is over. */
#ifndef FUZZ_LINK_H
#define FUZZ_LINK_H

#include "skillrom.h"

struct link {
    struct skr_conn *conn;
    enum skr_wire wire;
    char *in, *out; /* since it was opened */
    size_t in_n, out_n;
    bool cut; /* what came out may end anywhere */
};

/* Allocates what every connection needs, once. */
void link_make(struct link *l);

/* Opens it, in memory as a device finds it. */
void link_open(struct link *l, struct skr_server *server, enum skr_wire wire);

/* Ends the program with what was said. */
void link_fail(const struct link *l, const char *why);

/* Lets the connection have n bytes, by a copy or in its own buffer; returns how many it took. */
size_t link_offer(struct link *l, const char *bytes, size_t n, bool by_copy);

/* Notes bytes that go in or have come out. */
void link_keep(char **to, size_t *n, const void *bytes, size_t more);

/* Takes at most n bytes of what there is to send, from a few spans at a time, and calls `taken` for each. Returns how many; 0: there is
 * nothing. */
size_t link_take(struct link *l, size_t n, void (*taken)(struct link *l, const char *bytes, size_t n));

/* Every byte sent is JSON-RPC, in lines or in whole HTTP responses; a response's id is one that was sent, spelled the same way, and no
 * request has more than one response. */
void link_check(const struct link *l);

#endif
