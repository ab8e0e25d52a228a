/* record.c -- the record of tool calls: a ring of entries, each chained to the previous one by a hash. See guard.h.
 *
 * The hash is that of the entry's line without its last member. So a program that has the lines can check the chain
 * with nothing but SHA-256: chain = first 8 bytes of SHA-256(previous chain as hex, line up to `,"chain"`). */
#include "handler/guard.h"
#include "handler/handler.h"
#include "handler/tool_call.h"
#include "sha256.h"
#include "text/number.h"

#if SKR_GUARD

#define LINE_MAX 320 /* a line: a tool's name has at most 128 characters */
#define LAST_LINE                                                                                                      \
    48 /* bytes of {"count":4294967295,"chain":"..."} and its newline: the longest entry fits SKR_OUTPUT_MAX, 384 */

static void put_digest(struct skr_call *to, const uint8_t bytes[SKR_DIGEST])
{
    char hex[2 * SKR_DIGEST + 1];

    romfs_sha256_hex(bytes, SKR_DIGEST, hex);
    skr_put(to, hex);
}

/* The line of entry number `number`, without its chain and its brace. */
static void put_line(struct skr_call *to, const struct skr_device *d, const struct skr_record_entry *entry,
                     uint32_t number)
{
    skr_put(to, "{\"number\":");
    skr_put_int(to, number);
    skr_put(to, ",\"time\":");
    skr_put_int(to, entry->time_s);
    skr_put(to, ",\"tool\":\"");
    skr_put(to, entry->tool < d->tool_count ? d->tools[entry->tool].name : "");
    skr_put(to, "\",\"who\":\"");
    put_digest(to, entry->who);
    skr_put(to, "\",\"arguments\":\"");
    put_digest(to, entry->arguments);
    skr_put(to, "\",\"how\":\"");
    skr_put(to, skri_tool_call_how(entry->how));
    skr_put(to, "\",\"ms\":");
    skr_put_int(to, entry->ms);
}

static struct skr_record_entry *entry_at(struct skr_kept *kept, uint32_t number)
{
    return &kept->entries[number % SKR_RECORD];
}

/* The chain before entry number `number`. */
static const uint8_t *chain_before(struct skr_kept *kept, uint32_t number)
{
    bool oldest = number == 0 || kept->count - number >= SKR_RECORD;

    return oldest ? kept->before : entry_at(kept, number - 1)->chain;
}

static uint32_t oldest_of(const struct skr_kept *kept)
{
    return kept->count > SKR_RECORD ? kept->count - SKR_RECORD : 0;
}

static void make_chain(const struct skr_device *d, struct skr_kept *kept, uint32_t number, uint8_t chain[SKR_DIGEST])
{
    char line[LINE_MAX];
    uint8_t digest[ROMFS_SHA256_SIZE];
    struct skr_call text = {.out = {.p = line, .max = sizeof line}};

    put_digest(&text, chain_before(kept, number));
    put_line(&text, d, entry_at(kept, number), number);
    romfs_sha256_of(line, text.out.n, digest);
    memcpy(chain, digest, SKR_DIGEST);
}

const uint8_t *skri_record_chain(struct skr_kept *kept)
{
    return kept->count > 0 ? entry_at(kept, kept->count - 1)->chain : kept->before;
}

bool skri_record_is_whole(const struct skr_device *d, struct skr_kept *kept)
{
    uint8_t chain[SKR_DIGEST];

    for (uint32_t number = oldest_of(kept); number < kept->count; number++) {
        make_chain(d, kept, number, chain);
        if (memcmp(chain, entry_at(kept, number)->chain, sizeof chain) != 0) {
            return false;
        }
    }
    return true;
}

void skri_record_add(const struct skr_server *s, const struct skr_tool_call *tool_call, unsigned how, uint32_t ms)
{
    const struct skr_guard *guard = skri_guard_of(s);
    const struct skr_device *d = s->device;
    size_t tool = 0;

    if (guard == NULL) {
        return;
    }
    while (tool < d->tool_count && &d->tools[tool] != tool_call->tool) {
        tool++;
    }
    struct skr_kept *kept = guard->kept;
    struct skr_record_entry *entry = entry_at(kept, kept->count);
    if (kept->count >= SKR_RECORD) {
        memcpy(kept->before, entry->chain, sizeof kept->before);
    }
    *entry = (struct skr_record_entry){.time_s = d->clock != NULL ? d->clock(d->context) : skri_guard_now_s(s),
                                       .ms = ms,
                                       .tool = (uint16_t)tool,
                                       .how = (uint8_t)how};
    memcpy(entry->who, tool_call->who, sizeof entry->who);
    memcpy(entry->arguments, tool_call->arguments, sizeof entry->arguments);
    make_chain(d, kept, kept->count, entry->chain);
    kept->count++;
    skri_guard_keep(s);
}

/* {"after":"<chain>"}, then the lines that fit, then {"count":17,"chain":"<of the last>"}. */
int skr_read_record(struct skr_call *call, struct skr_span from)
{
    const struct skr_guard *guard = skri_guard_of(call->srv);
    uint32_t number;

    if (guard == NULL || !skr_number_read(&from, &number) || from.n > 0) {
        return SKR_NOT_FOUND;
    }
    struct skr_kept *kept = guard->kept;
    uint32_t oldest = oldest_of(kept);
    number = number < oldest ? oldest : number > kept->count ? kept->count : number;
    skr_put(call, "{\"after\":\"");
    put_digest(call,
               number == kept->count && number > 0 ? entry_at(kept, number - 1)->chain : chain_before(kept, number));
    skr_put(call, "\"}\n");
    for (; number < kept->count; number++) {
        uint32_t begin = call->out.n;
        put_line(call, call->srv->device, entry_at(kept, number), number);
        skr_put(call, ",\"chain\":\"");
        put_digest(call, entry_at(kept, number)->chain);
        skr_put(call, "\"}\n");
        if (call->out.overflow || call->out.max - call->out.n < LAST_LINE) {
            call->out.overflow = false;
            call->out.n = begin;
            break;
        }
    }
    skr_put(call, "{\"count\":");
    skr_put_int(call, kept->count);
    skr_put(call, ",\"chain\":\"");
    put_digest(call, skri_record_chain(kept));
    skr_put(call, "\"}\n");
    return 0;
}

#endif
