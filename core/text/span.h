/* span.h -- small operations on struct skr_span. */
#ifndef SKR_SPAN_H
#define SKR_SPAN_H

#include <string.h>

#include "skillrom.h"
#include "text/assert.h"

/* A string literal as a span. */
#define SPAN(literal) ((struct skr_span){literal, sizeof(literal) - 1})

/* A span that is not there, which an empty one is. */
#define NOTHING ((struct skr_span){NULL, 0})

static inline struct skr_span skr_span_of(const char *text)
{
    struct skr_span s = {text, strlen(text)};

    return s;
}

static inline bool skr_span_eq(struct skr_span a, struct skr_span b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

/* Likewise for NUL-terminated text. */
bool skr_span_is(struct skr_span s, const char *text);

static inline bool skr_span_starts(struct skr_span s, struct skr_span start)
{
    return s.n >= start.n && memcmp(s.p, start.p, start.n) == 0;
}

static inline bool skr_span_ends(struct skr_span s, struct skr_span end)
{
    return s.n >= end.n && memcmp(s.p + s.n - end.n, end.p, end.n) == 0;
}

static inline struct skr_span skr_span_from(struct skr_span s, size_t at)
{
    SKR_ASSERT(at <= s.n);
    struct skr_span rest = {s.p + at, s.n - at};
    return rest;
}

/* The beginning of a text, `most` bytes at most, cut between characters. */
static inline struct skr_span skr_span_clip(struct skr_span s, size_t most)
{
    size_t n = s.n > most ? most : s.n;

    while (n < s.n && n > 0 && (s.p[n] & 0xC0) == 0x80) {
        n--;
    }
    s.n = n;
    return s;
}

/* ASCII only: header names, schemes and hosts. */
static inline char skr_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool skr_same_nocase(const char *a, const char *b, size_t n);

/* Most peers spell names as we do, so the exact comparison comes first: with a literal it is a few instructions. */
static inline bool skr_span_eq_nocase(struct skr_span a, struct skr_span b)
{
    return a.n == b.n && ((SKR_FAST && memcmp(a.p, b.p, b.n) == 0) || skr_same_nocase(a.p, b.p, b.n));
}

/* A text of the image. */
static inline struct skr_span skr_span_rom(const struct romfs *fs, struct romfs_text t)
{
    SKR_ASSERT(t.off <= fs->header->meta_size && t.len <= fs->header->meta_size - t.off); /* mounting has checked it */
    struct skr_span s = {romfs_at(fs, t), t.len};
    return s;
}

#endif
