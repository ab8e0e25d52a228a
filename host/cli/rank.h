/* rank.h -- ranks skills for a query with keywords alone: BM25 over names and descriptions.
 *
 * A model understands more than keywords, so this is a minimum: a model should also find what keywords find. */
#ifndef MKROMFS_RANK_H
#define MKROMFS_RANK_H

#include <stddef.h>

struct rank; /* a collection of documents */

/* `texts` are the documents; they are not kept. */
struct rank *rank_open(const char *const *texts, size_t count);

/* The document that fits best; `count` when no word of the query is in any. `*second`, if not NULL, is the next best, or `count`.
 * Documents that fit equally well are in the order given, and `*tied` says that the first two do. */
size_t rank_find(const struct rank *r, const char *query, size_t *second, _Bool *tied);

#endif
