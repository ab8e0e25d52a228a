/* bm25.c -- see bm25.h. */
#include "bm25.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define K1 1.2
#define B 0.75

/* Letters and digits; bytes above ASCII belong to letters. */
static bool in_word(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 0x80;
}

/* The next word of text[*at..n), normalised. False at the end. */
static bool next_word(const char *text, size_t n, size_t *at, char word[BM25_WORD])
{
    size_t length = 0, kept;

    while (*at < n && !in_word((unsigned char)text[*at])) {
        ++*at;
    }
    for (kept = 0; *at < n && in_word((unsigned char)text[*at]); ++*at, length++) {
        char c = text[*at];
        if (kept < BM25_WORD - 1) {
            word[kept++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        }
    }
    if (kept == length && kept > 3 && word[kept - 1] == 's' && word[kept - 2] != 's') {
        kept--;
    }
    word[kept] = '\0';
    return length > 0;
}

void bm25_query(struct bm25_words *q, const char *text, size_t n)
{
    size_t at = 0;

    q->count = 0;
    while (q->count < BM25_WORDS && next_word(text, n, &at, q->word[q->count])) {
        q->count++;
    }
}

void bm25_add(const struct bm25_words *q, const char *text, size_t n, struct bm25_hits *hits)
{
    char word[BM25_WORD];

    for (size_t at = 0; next_word(text, n, &at, word);) {
        hits->length++;
        for (size_t i = 0; i < q->count; i++) {
            hits->times[i] =
                (uint16_t)(hits->times[i] + (hits->times[i] < UINT16_MAX && strcmp(word, q->word[i]) == 0));
        }
    }
}

void bm25_count(const struct bm25_words *q, const struct bm25_hits *hits, struct bm25_all *all)
{
    all->documents++;
    all->length += hits->length;
    for (size_t i = 0; i < q->count; i++) {
        all->with[i] += hits->times[i] > 0;
    }
}

double bm25_score(const struct bm25_words *q, const struct bm25_hits *hits, const struct bm25_all *all)
{
    double documents = (double)all->documents;
    double mean = all->length > 0 ? (double)all->length / documents : 1.0;
    double length = K1 * (1.0 - B + B * (double)hits->length / mean);
    double sum = 0.0;

    for (size_t i = 0; i < q->count; i++) {
        double n = (double)hits->times[i], with = (double)all->with[i];
        double weight = log(1.0 + (documents - with + 0.5) / (with + 0.5));
        sum += n > 0.0 ? weight * n * (K1 + 1.0) / (n + length) : 0.0;
    }
    return sum;
}
