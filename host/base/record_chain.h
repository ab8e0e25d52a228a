/* record_chain.h -- records of tool calls, of a device (core/handler/record.c) or of a fleet: lines of JSON, each
 * chained to the previous one by a hash, so that a line that was changed, deleted or moved shows.
 *
 *     {"after":"<chain>"}                               a device's lines only: the chain before the first entry
 *     {"number":7, ..., "chain":"<chain>"}              an entry; `number` may stand anywhere before the chain
 *     {"count":8,"chain":"<chain>"}                     a device's lines only: its entries so far, and the last one's chain
 *
 * chain = first 8 bytes of SHA-256(previous chain as hex, line up to `,"chain"`), as hex. The first is
 * 0000000000000000. */
#ifndef HOST_RECORD_CHAIN_H
#define HOST_RECORD_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "text/span.h"

#define HOST_CHAIN_HEX 16
#define HOST_CHAIN_TAIL (sizeof ",\"chain\":\"\"}" - 1 + HOST_CHAIN_HEX) /* bytes at the end of an entry */

/* How far a record has been read or written. */
struct host_chain {
    char last[HOST_CHAIN_HEX + 1]; /* the chain of the last entry */
    uint64_t next;                 /* number of the next entry */
    uint64_t entries;              /* read */
    uint64_t counted;              /* the device's count of entries; 0 while it is unknown */
    char counted_last[HOST_CHAIN_HEX + 1];
    bool begun;
    bool ended; /* the last line that was read has the device's count */
};

void host_chain_begin(struct host_chain *c);

/* Takes the entry whose line is this, without its chain: afterwards c->last is that chain. */
void host_chain_add(struct host_chain *c, struct skr_span line);

/* Takes over number and chain of an entry, unchecked. False when the line is not an entry. */
bool host_chain_continue(struct host_chain *c, struct skr_span line);

/* Checks the next line, without its newline. Returns what is wrong with it, or NULL. */
const char *host_chain_check(struct host_chain *c, struct skr_span line);

/* Checks the end. Returns what is wrong, or NULL. */
const char *host_chain_check_end(const struct host_chain *c);

#endif
