/* bm25.h -- ranks texts for a query with keywords alone: BM25 with its usual constants.
 *
 * The caller owns the documents. For each one it counts, text by text, how often the words of the query occur; then all are
 * scored together, because a word weighs more, the fewer documents have it. */
#ifndef HOST_BM25_H
#define HOST_BM25_H

#include <stddef.h>
#include <stdint.h>

#define BM25_WORDS 24 /* of a query; a sentence has fewer, and words after them are ignored */
#define BM25_WORD 40  /* bytes of a word that count; words of natural languages are shorter */

struct bm25_words {
    size_t count;
    char word[BM25_WORDS][BM25_WORD]; /* normalised, NUL-terminated */
};

/* The words in one document. Starts as all zeros. */
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

/* Reads the words of a query: letters and digits, in lower case, without a plural's s, so that "Doses" finds "dose". */
void bm25_query(struct bm25_words *q, const char *text, size_t n);

/* Adds a text to a document; texts are separate words. */
void bm25_add(const struct bm25_words *q, const char *text, size_t n, struct bm25_hits *hits);

/* Counts a document that is complete. */
void bm25_count(const struct bm25_words *q, const struct bm25_hits *hits, struct bm25_all *all);

/* The score of a counted document; 0 if it has none of the words. */
double bm25_score(const struct bm25_words *q, const struct bm25_hits *hits, const struct bm25_all *all);

#endif
