/* bytes.c -- growing byte strings, and matching against expectations. */
#include "bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grow(void *p, size_t size)
{
    void *q = realloc(p, size);

    if (q == NULL) {
        fprintf(stderr, "wire-runner: out of memory\n");
        exit(2);
    }
    return q;
}

void bytes_add(struct bytes *b, const void *from, size_t n)
{
    if (b->n + n + 1 > b->room) {
        b->room = 2 * (b->n + n + 1);
        b->p = grow(b->p, b->room);
    }
    if (n > 0) {
        memcpy(b->p + b->n, from, n);
    }
    b->n += n;
    b->p[b->n] = '\0';
}

void bytes_text(struct bytes *b, const char *text)
{
    bytes_add(b, text, strlen(text));
}

void bytes_number(struct bytes *b, size_t value)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%zu", value);

    bytes_add(b, digits, (size_t)n);
}

void bytes_clear(struct bytes *b)
{
    b->n = 0;
    bytes_add(b, "", 0);
}

void bytes_free(struct bytes *b)
{
    free(b->p);
    memset(b, 0, sizeof *b);
}

bool bytes_equal(const struct bytes *a, const struct bytes *b)
{
    return a->n == b->n && (a->n == 0 || memcmp(a->p, b->p, a->n) == 0);
}

void bytes_drop(struct bytes *b, size_t n)
{
    memmove(b->p, b->p + n, b->n - n + 1);
    b->n -= n;
}

/* ---- Expectations ---- */

void pattern_add(struct pattern *p, const char *text, size_t n, bool wild)
{
    if (p->n + n > p->room) {
        p->room = 2 * (p->n + n);
        p->item = grow(p->item, p->room * sizeof *p->item);
    }
    for (size_t i = 0; i < n; i++) {
        if (wild && n - i >= 3 && memcmp(text + i, "...", 3) == 0) {
            p->item[p->n++] = PATTERN_ANY;
            i += 2;
        } else {
            p->item[p->n++] = (unsigned char)text[i];
        }
    }
}

/* The usual walk: behind a wild part try each place in turn, and when the rest does not
 * fit go back to the last wild part only, because earlier ones cannot help any more. */
bool pattern_matches(const struct pattern *p, const char *text, size_t n)
{
    size_t at = 0, i = 0, wild = p->n, wild_at = 0;

    while (i < n) {
        if (at < p->n && p->item[at] == PATTERN_ANY) {
            wild = at++;
            wild_at = i;
        } else if (at < p->n && p->item[at] == (unsigned char)text[i]) {
            at++;
            i++;
        } else if (wild < p->n) {
            at = wild + 1;
            i = ++wild_at;
        } else {
            return false;
        }
    }
    while (at < p->n && p->item[at] == PATTERN_ANY) {
        at++;
    }
    return at == p->n;
}

size_t pattern_common(const struct pattern *p, const char *text, size_t n)
{
    size_t i = 0;

    while (i < n && i < p->n && p->item[i] == (unsigned char)text[i]) {
        i++;
    }
    return i;
}

void pattern_free(struct pattern *p)
{
    free(p->item);
    memset(p, 0, sizeof *p);
}
