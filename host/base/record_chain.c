/* record_chain.c -- see record_chain.h. */
#include "record_chain.h"

#include <string.h>

#include "sha256.h"
#include "text/json_scan.h"
#include "text/number.h"

#define NO_CHAIN "0000000000000000"

void host_chain_begin(struct host_chain *c)
{
    memset(c, 0, sizeof *c);
    memcpy(c->last, NO_CHAIN, sizeof c->last);
}

static void chain_of(const char *before, struct skr_span line, char chain[HOST_CHAIN_HEX + 1])
{
    struct romfs_sha256 hash;
    uint8_t digest[ROMFS_SHA256_SIZE];

    romfs_sha256_start(&hash);
    romfs_sha256_add(&hash, before, HOST_CHAIN_HEX);
    romfs_sha256_add(&hash, line.p, line.n);
    romfs_sha256_finish(&hash, digest);
    romfs_sha256_hex(digest, HOST_CHAIN_HEX / 2, chain);
}

void host_chain_add(struct host_chain *c, struct skr_span line)
{
    chain_of(c->last, line, c->last);
    c->begun = true;
    c->next++;
}

/* The chain at the end of an entry's line. */
static bool chain_at_end(struct skr_span line, char chain[HOST_CHAIN_HEX + 1])
{
    static const char key[] = ",\"chain\":\"";

    if (line.n <= HOST_CHAIN_TAIL || memcmp(line.p + line.n - HOST_CHAIN_TAIL, key, sizeof key - 1) != 0 ||
        memcmp(line.p + line.n - 2, "\"}", 2) != 0) {
        return false;
    }
    memcpy(chain, line.p + line.n - 2 - HOST_CHAIN_HEX, HOST_CHAIN_HEX);
    chain[HOST_CHAIN_HEX] = '\0';
    return true;
}

/* A member that is a number of entries. */
static bool number_of(struct skr_span line, const char *name, uint64_t *number)
{
    struct skr_span value = skr_scan_get(line, name);
    uint32_t small = 0;
    bool found = value.p != NULL && skr_number_read(&value, &small) && value.n == 0;

    *number = small;
    return found;
}

bool host_chain_continue(struct host_chain *c, struct skr_span line)
{
    uint64_t number;

    if (line.n == 0 || *line.p != '{' || !number_of(line, "number", &number) || !chain_at_end(line, c->last)) {
        return false;
    }
    c->next = number + 1;
    c->begun = true;
    return true;
}

static const char *check_entry(struct host_chain *c, struct skr_span line, uint64_t number)
{
    char said[HOST_CHAIN_HEX + 1], made[HOST_CHAIN_HEX + 1];

    if (!chain_at_end(line, said)) {
        return "the line has no chain at its end";
    }
    if (!c->begun) {
        c->begun = true;
        c->next = number;
        if (number > 0 && strcmp(c->last, NO_CHAIN) == 0) {
            return "the entries before it are missing";
        }
    }
    if (number != c->next) {
        return number > c->next ? "entries before it are missing" : "it comes after a later entry";
    }
    chain_of(c->last, (struct skr_span){line.p, line.n - HOST_CHAIN_TAIL}, made);
    if (strcmp(made, said) != 0) {
        return "it does not fit its chain: this entry or the one before it was changed";
    }
    memcpy(c->last, said, sizeof c->last);
    c->next++;
    c->entries++;
    return NULL;
}

static const char *check_count(struct host_chain *c, struct skr_span line, uint64_t count)
{
    char said[HOST_CHAIN_HEX + 1];

    if (!chain_at_end(line, said)) {
        return "the line has no chain at its end";
    }
    bool first = !c->begun;
    c->next = first ? count : c->next;
    c->begun = c->ended = true;
    if (count < c->next || count < c->counted || (count == c->next && strcmp(said, c->last) != 0)) {
        return "it does not fit the entries before it";
    }
    c->counted = count;
    memcpy(c->counted_last, said, sizeof said);
    return NULL;
}

const char *host_chain_check(struct host_chain *c, struct skr_span line)
{
    bool whole = line.n > 2 && *line.p == '{' && line.p[line.n - 1] == '}';
    struct skr_span after = whole ? skr_scan_inside(skr_scan_get(line, "after")) : NOTHING;
    uint64_t number;

    c->ended = false;
    if (whole && number_of(line, "number", &number)) {
        return check_entry(c, line, number);
    }
    if (whole && number_of(line, "count", &number)) {
        return check_count(c, line, number);
    }
    if (after.n != HOST_CHAIN_HEX) {
        return "it is not a line of a record";
    }
    if (c->begun && memcmp(after.p, c->last, HOST_CHAIN_HEX) != 0) {
        return "it does not follow the entry before it";
    }
    memcpy(c->last, after.p, HOST_CHAIN_HEX);
    return NULL;
}

const char *host_chain_check_end(const struct host_chain *c)
{
    if (c->counted > c->next) {
        return "the last entries are missing";
    }
    return c->counted == 0 || c->counted < c->next || strcmp(c->counted_last, c->last) == 0
               ? NULL
               : "it does not fit the entries before it";
}
