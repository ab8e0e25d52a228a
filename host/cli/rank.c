/* rank.c -- see rank.h. host/base/bm25.c has the scores. */
#include "rank.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "bm25.h"

struct rank {
    char **texts;
    size_t count;
};

struct rank *rank_open(const char *const *texts, size_t count)
{
    struct rank *r = xmalloc(sizeof *r);

    *r = (struct rank){xmalloc(count * sizeof *r->texts), count};
    for (size_t i = 0; i < count; i++) {
        r->texts[i] = xstrdup(texts[i]);
    }
    return r;
}

size_t rank_find(const struct rank *r, const char *query, size_t *second, bool *tied)
{
    struct bm25_words words;
    struct bm25_all all = {0};
    struct bm25_hits *hits = xmalloc((r->count + 1) * sizeof *hits);
    size_t best = r->count, next = r->count;
    double best_score = 0.0, next_score = 0.0;

    bm25_query(&words, query, strlen(query));
    memset(hits, 0, (r->count + 1) * sizeof *hits);
    for (size_t i = 0; i < r->count; i++) {
        bm25_add(&words, r->texts[i], strlen(r->texts[i]), &hits[i]);
        bm25_count(&words, &hits[i], &all);
    }
    for (size_t i = 0; i < r->count; i++) {
        double s = bm25_score(&words, &hits[i], &all);
        if (s > best_score) {
            next = best;
            next_score = best_score;
            best = i;
            best_score = s;
        } else if (s > next_score) {
            next = i;
            next_score = s;
        }
    }
    if (second != NULL) {
        *second = next;
    }
    if (tied != NULL) {
        *tied = next < r->count && best_score - next_score < 1e-9;
    }
    return best;
}
