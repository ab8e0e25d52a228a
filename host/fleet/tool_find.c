/* tool_find.c -- find_tools: BM25 over the tools and resources of all builds. Identical tools of several builds are one. */
#include <string.h>

#include "bm25.h"
#include "builds.h"
#include "job_slots.h"
#include "text/span.h"
#include "tools.h"

/* Results at most. */
#define BEST 50

struct found {
    const struct fleet_build *build;
    const struct fleet_tool_row *tool;
    double score;
};

static bool is_searched(const struct fleet_build *b, const struct tool_find_tools_args *args)
{
    return b->state == FLEET_BUILD_READY && b->devices > 0 &&
           (!args->has_kind || fleet_glob(args->kind, skr_span_of(b->kind)));
}

static bool is_same(const struct fleet_build *b, const struct fleet_tool_row *t, const struct fleet_build *c,
                    const struct fleet_tool_row *u)
{
    return t->same == u->same && skr_span_eq(fleet_build_text(b, t->json), fleet_build_text(c, u->json));
}

/* Whether no earlier build has this tool. */
static bool is_first(const struct fleet_build *b, const struct fleet_tool_row *t,
                     const struct tool_find_tools_args *args)
{
    for (const struct fleet_build *c = fleet_builds.at; c < b; c++) {
        for (const struct fleet_tool_row *u = c->tools; is_searched(c, args) && u < c->tools + c->tool_count; u++) {
            if (is_same(b, t, c, u)) {
                return false;
            }
        }
    }
    return true;
}

static void insert_found(struct found *best, uint32_t *count, uint32_t limit, struct found one)
{
    uint32_t at = *count;

    while (at > 0 && best[at - 1].score < one.score) {
        at--;
    }
    if (at == limit) {
        return;
    }
    *count += *count < limit;
    memmove(&best[at + 1], &best[at], (*count - at - 1) * sizeof *best);
    best[at] = one;
}

/* One search. */
struct search {
    struct bm25_words words;
    struct bm25_all all;
    bool any; /* the query is *, which finds everything */
    struct found best[BEST];
    uint32_t count, limit;
};

/* Counts words in all tools; or, if `scored`, finds the best tools. */
static void search_tools(struct search *s, const struct tool_find_tools_args *args, bool scored)
{
    for (const struct fleet_build *b = fleet_builds.at; b < fleet_builds.at + fleet_builds.count; b++) {
        for (const struct fleet_tool_row *t = b->tools; is_searched(b, args) && t < b->tools + b->tool_count; t++) {
            struct bm25_hits hits = {0};
            struct skr_span text = fleet_build_text(b, t->words);
            if (!is_first(b, t, args)) {
                continue;
            }
            bm25_add(&s->words, text.p, text.n, &hits);
            if (!scored) {
                bm25_count(&s->words, &hits, &s->all);
                continue;
            }
            double score = s->any ? 1.0 : bm25_score(&s->words, &hits, &s->all);
            if (score > 0.0) {
                insert_found(s->best, &s->count, s->limit, (struct found){b, t, score});
            }
        }
    }
}

static void put_build(struct fleet_json *t, const struct fleet_build *b, bool first)
{
    fleet_json_put(t, first ? "{" : ",{");
    fleet_json_member(t, true, "kind", skr_span_of(b->kind));
    fleet_json_member(t, false, "build", (struct skr_span){b->name, 8});
    fleet_json_count(t, false, "present", b->present);
    if (b->example != FLEET_NO_DEVICE) {
        fleet_json_member(t, false, "device", skr_span_of(fleet_registry.devices[b->example].id));
    }
    fleet_json_put(t, "}");
}

static void put_found(struct fleet_json *t, const struct found *f, const struct tool_find_tools_args *args)
{
    bool first = true;

    fleet_json_put(t, f->tool->resource ? "{\"resource\":" : "{\"tool\":");
    fleet_json_span(t, fleet_build_text(f->build, f->tool->json));
    fleet_json_put(t, ",\"builds\":[");
    for (const struct fleet_build *b = f->build; b < fleet_builds.at + fleet_builds.count; b++) {
        for (const struct fleet_tool_row *u = b->tools; is_searched(b, args) && u < b->tools + b->tool_count; u++) {
            if (is_same(f->build, f->tool, b, u)) {
                put_build(t, b, first);
                first = false;
            }
        }
    }
    fleet_json_put(t, "]}");
}

int tool_find_tools(struct skr_call *call, const struct tool_find_tools_args *args)
{
    static struct search s; /* too large for a stack; no other call is served meanwhile */
    struct fleet_slot *slot = fleet_slot_begin(call);

    memset(&s, 0, sizeof s);
    s.any = skr_span_is(args->query, "*");
    s.limit = (uint32_t)args->limit;
    fleet_builds_count_devices(&slot->client);
    bm25_query(&s.words, args->query.p, args->query.n);
    search_tools(&s, args, false);
    search_tools(&s, args, true);
    fleet_json_put(&slot->text, "{\"tools\":[");
    for (uint32_t i = 0; i < s.count; i++) {
        fleet_json_put(&slot->text, i > 0 ? "," : "");
        put_found(&slot->text, &s.best[i], args);
    }
    fleet_json_put(&slot->text, "]");
    fleet_json_count(&slot->text, false, "searched", s.all.documents);
    fleet_json_put(&slot->text, "}");
    return fleet_slot_structured(call, slot);
}
