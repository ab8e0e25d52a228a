/* tool_find.c -- find_tools: BM25 over the tools and resources of all builds. A tool that several builds have in the same words is one. */
#include <string.h>

#include "builds.h"
#include "slots.h"
#include "text/span.h"
#include "tools.h"
#include "words.h"

/* As many as may be shown, and how well they fit. */
#define BEST 50

struct found {
    const struct skr_build *build;
    const struct skr_described *tool;
    double score;
};

static bool see(const void *whom, const struct skr_fleet_device *d)
{
    return skr_rights_see(whom, d);
}

static bool is_searched(const struct skr_build *b, const struct tool_find_tools_args *args)
{
    return b->state == SKR_BUILD_KNOWN && b->known > 0 &&
           (!args->has_kind || skr_glob(args->kind, skri_span_of(b->kind)));
}

static bool is_same(const struct skr_build *b, const struct skr_described *t, const struct skr_build *c,
                    const struct skr_described *u)
{
    return t->same == u->same && skri_span_eq(skr_build_text(b, t->json), skr_build_text(c, u->json));
}

/* The first build with this very tool. Later ones are not counted again. */
static bool is_first(const struct skr_build *b, const struct skr_described *t, const struct tool_find_tools_args *args)
{
    for (const struct skr_build *c = skr_builds.at; c < b; c++) {
        for (const struct skr_described *u = c->tools; is_searched(c, args) && u < c->tools + c->tool_count; u++) {
            if (is_same(b, t, c, u)) {
                return false;
            }
        }
    }
    return true;
}

static void insert(struct found *best, uint32_t *count, uint32_t limit, struct found one)
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
    struct skr_question_words words;
    struct skr_rank_all all;
    bool any; /* the question is *, which finds everything */
    struct found best[BEST];
    uint32_t count, limit;
};

static void look(struct search *s, const struct tool_find_tools_args *args, bool judge)
{
    for (const struct skr_build *b = skr_builds.at; b < skr_builds.at + skr_builds.count; b++) {
        for (const struct skr_described *t = b->tools; is_searched(b, args) && t < b->tools + b->tool_count; t++) {
            struct skr_rank_hits hits = {0};
            struct skr_span text = skr_build_text(b, t->words);
            if (!is_first(b, t, args)) {
                continue;
            }
            skr_rank_add(&s->words, text.p, text.n, &hits);
            if (!judge) {
                skr_rank_count(&s->words, &hits, &s->all);
                continue;
            }
            double score = s->any ? 1.0 : skr_rank_score(&s->words, &hits, &s->all);
            if (score > 0.0) {
                insert(s->best, &s->count, s->limit, (struct found){b, t, score});
            }
        }
    }
}

static void put_build(struct skr_text *t, const struct skr_build *b, bool first)
{
    skr_text_put(t, first ? "{" : ",{");
    skr_text_member(t, true, "kind", skri_span_of(b->kind));
    skr_text_member(t, false, "build", (struct skr_span){b->name, 8});
    skr_text_count(t, false, "present", b->present);
    if (b->example != SKR_NO_DEVICE) {
        skr_text_member(t, false, "device", skri_span_of(skr_registry.devices[b->example].id));
    }
    skr_text_put(t, "}");
}

static void put_found(struct skr_text *t, const struct found *f, const struct tool_find_tools_args *args)
{
    bool first = true;
    skr_text_put(t, f->tool->resource ? "{\"resource\":" : "{\"tool\":");
    skr_text_span(t, skr_build_text(f->build, f->tool->json));
    skr_text_put(t, ",\"builds\":[");
    for (const struct skr_build *b = f->build; b < skr_builds.at + skr_builds.count; b++) {
        for (const struct skr_described *u = b->tools; is_searched(b, args) && u < b->tools + b->tool_count; u++) {
            if (is_same(f->build, f->tool, b, u)) {
                put_build(t, b, first);
                first = false;
            }
        }
    }
    skr_text_put(t, "]}");
}

int tool_find_tools(struct skr_call *call, const struct tool_find_tools_args *args)
{
    static struct search s; /* too large for a stack; no other call is served meanwhile */
    struct skr_slot *slot = skr_slot_begin(call);
    memset(&s, 0, sizeof s);
    s.any = skri_span_is(args->query, "*");
    s.limit = (uint32_t)args->limit;
    skr_builds_survey_devices(see, &slot->whom);
    skr_rank_question(&s.words, args->query.p, args->query.n);
    look(&s, args, false);
    look(&s, args, true);
    skr_text_put(&slot->text, "{\"tools\":[");
    for (uint32_t i = 0; i < s.count; i++) {
        skr_text_put(&slot->text, i > 0 ? "," : "");
        put_found(&slot->text, &s.best[i], args);
    }
    skr_text_put(&slot->text, "]");
    skr_text_count(&slot->text, false, "searched", s.all.documents);
    skr_text_put(&slot->text, "}");
    return skr_slot_structured(call, slot);
}
