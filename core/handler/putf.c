/* putf.c -- skr_putf: text with values in it, for handlers. A file of its own, so that only firmware
 * that calls it has it. */
#include <stdarg.h>

#include "handler/handler.h"
#include "text/span.h"

/* A conversion, taken apart. */
struct conversion {
    const char *rest; /* what follows it in the format */
    unsigned longs;   /* `l` in it: none, one or two */
    bool size;        /* `z` instead */
    bool limited;     /* `.*`, of a string */
    char letter;
};

/* True when the format has one of our conversions at `at`, after the '%'. */
static bool read_conversion(const char *at, struct conversion *to)
{
    *to = (struct conversion){.rest = at};
    if (at[0] == '.' && at[1] == '*' && at[2] == 's') {
        to->limited = true;
        to->letter = 's';
        to->rest = at + 3;
        return true;
    }
    to->size = *at == 'z';
    at += to->size;
    for (; *at == 'l' && !to->size && to->longs < 2; at++) {
        to->longs++;
    }
    to->letter = *at;
    to->rest = at + 1;
    switch (*at) {
    case 'd': return !to->size;
    case 'u':
    case 'x': return true;
    case 's':
    case 'c':
    case '%': return !to->size && to->longs == 0;
    default: return false;
    }
}

/* Puts the text up to its NUL, but at most `most` bytes. */
static void put_string(struct skr_call *call, const char *text, size_t most)
{
    size_t n = 0;

    text = text != NULL || most == 0 ? text : "(null)";
    while (n < most && text[n] != '\0') {
        n++;
    }
    struct skr_span bytes = {text, n};
    skr_put_span(call, bytes);
}

static void put_char(struct skr_call *call, char c)
{
    struct skr_span byte = {&c, 1};

    skr_put_span(call, byte);
}

/* A value too large for skr_put_int is put in two parts: all digits but the last, then that. A 64-bit division would
 * cost 700 bytes. */
static void put_unsigned(struct skr_call *call, uint64_t value)
{
    if (value > INT64_MAX) {
        uint64_t tens = 0;
        for (unsigned shift = 61; shift-- > 0;) {
            if (value >= (uint64_t)10 << shift) {
                value -= (uint64_t)10 << shift;
                tens += (uint64_t)1 << shift;
            }
        }
        skr_put_int(call, (int64_t)tens);
    }
    skr_put_int(call, (int64_t)value);
}

static void put_hex(struct skr_call *call, uint64_t value)
{
    unsigned shift = 60;

    while (shift > 0 && value >> shift == 0) {
        shift -= 4;
    }
    for (;; shift -= 4) {
        put_char(call, "0123456789abcdef"[value >> shift & 15]);
        if (shift == 0) {
            return;
        }
    }
}

/* In a struct, because a bare va_list cannot be passed on and then used again. */
struct writing {
    struct skr_call *call;
    va_list values;
};

static int64_t next_signed(struct writing *w, const struct conversion *c)
{
    return c->longs == 0   ? va_arg(w->values, int)
           : c->longs == 1 ? va_arg(w->values, long)
                           : va_arg(w->values, long long);
}

static uint64_t next_unsigned(struct writing *w, const struct conversion *c)
{
    if (c->size) {
        return va_arg(w->values, size_t);
    }
    return c->longs == 0   ? va_arg(w->values, unsigned)
           : c->longs == 1 ? va_arg(w->values, unsigned long)
                           : va_arg(w->values, unsigned long long);
}

static void put_value(struct writing *w, const struct conversion *c)
{
    switch (c->letter) {
    case 'd': skr_put_int(w->call, next_signed(w, c)); break;
    case 'u': put_unsigned(w->call, next_unsigned(w, c)); break;
    case 'x': put_hex(w->call, next_unsigned(w, c)); break;
    case 'c': put_char(w->call, (char)va_arg(w->values, int)); break;
    case 's': {
        int most = c->limited ? va_arg(w->values, int) : -1; /* below 0: as if there were no limit */
        put_string(w->call, va_arg(w->values, const char *), most < 0 ? SIZE_MAX : (size_t)most);
        break;
    }
    default: put_char(w->call, c->letter); /* '%' */
    }
}

void skr_putf(struct skr_call *call, const char *format, ...)
{
    struct writing w = {.call = call};
    struct conversion found;

    va_start(w.values, format);
    for (;;) {
        const char *start = format;
        while (*format != '\0' && *format != '%') {
            format++;
        }
        put_string(call, start, (size_t)(format - start));
        if (*format == '\0' || !read_conversion(format + 1, &found)) {
            break;
        }
        put_value(&w, &found);
        format = found.rest;
    }
    va_end(w.values);
    skr_put(call, format); /* empty, or from an unknown conversion on: which arguments belong to the rest is unknown */
}
