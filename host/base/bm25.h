/* words.h -- which of several texts a question finds by its words alone: BM25 with its usual constants.
 *
 * The caller owns the documents. For each one it adds up, text by text, how often the words of the question occur; then
 * all are judged together, because a word tells the more, the fewer documents have it. */
#ifndef SKR_WORDS_H
#define SKR_WORDS_H

#include <stddef.h>
#include <stdint.h>

#define BM25_WORDS 24 /* of a question; a sentence has fewer, and what is behind them is ignored */
#define BM25_WORD 40  /* bytes of a word that count: no word of a language people write is longer */

struct bm25_words {
    size_t count;
    char word[BM25_WORDS][BM25_WORD]; /* normalised, NUL-terminated */
};

/* What a document has of them. Starts as all zeros. */
struct bm25_hits {
    uint32_t length; /* in words */
    uint16_t times[BM25_WORDS];
};

/* Over all documents. Starts as all zeros. */
struct bm25_all {
    size_t documents;
    uint64_t length;
    size_t with[BM25_WORDS]; /* how many have the word */
};

/* The words of a question: letters and digits, in lower case, without a plural's s, so that "Doses" finds "dose". */
void bm25_query(struct bm25_words *q, const char *text, size_t n);

/* Adds a text to a document; texts are separate words. */
void bm25_add(const struct bm25_words *q, const char *text, size_t n, struct bm25_hits *hits);

/* Counts a document that is complete. */
void bm25_count(const struct bm25_words *q, const struct bm25_hits *hits, struct bm25_all *all);

/* How well a counted document fits; 0: it has none of the words. */
double bm25_score(const struct bm25_words *q, const struct bm25_hits *hits, const struct bm25_all *all);

#endif
