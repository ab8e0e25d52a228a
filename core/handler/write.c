/* write.c -- JSON from a handler, one value at a time: commas, brackets and escapes are handled here, so the output is
 * JSON whatever the order of calls. */
#include "handler/handler.h"

/* The text before a value: a comma, its name. */
static void begin_value(struct skr_call *call, const char *name)
{
    struct skr_output *out = &call->out;
    char last = out->n > 0 ? out->p[out->n - 1] : '{';

    if (out->nest > 1 && last != '{' && last != '[') { /* strings end in a quote, so these are brackets */
        skr_put(call, ",");
    }
    if ((out->nest > 1) & (out->nest & 1)) {
        skri_put_quoted(call, skr_span_of(name != NULL ? name : ""));
        skr_put(call, ":");
    }
}

static void write_open(struct skr_call *call, const char *name, unsigned object)
{
    begin_value(call, name);
    skr_put(call, object ? "{" : "[");
    if ((call->out.nest & 0x80000000u) != 0) {
        call->out.overflow = true; /* more levels than `nest` has bits */
    }
    call->out.nest = (call->out.nest > 0 ? call->out.nest : 1u) << 1 | object;
}

void skr_write_object(struct skr_call *call, const char *name)
{
    write_open(call, name, 1);
}

void skr_write_array(struct skr_call *call, const char *name)
{
    write_open(call, name, 0);
}

void skr_write_end(struct skr_call *call)
{
    if (call->out.nest > 1) {
        skr_put(call, (call->out.nest & 1) != 0 ? "}" : "]");
        call->out.nest >>= 1;
    } else {
        call->out.unbalanced = true;
    }
}

void skr_write_int(struct skr_call *call, const char *name, int64_t value)
{
    skr_write_fixed(call, name, value, 0);
}

void skr_write_fixed(struct skr_call *call, const char *name, int64_t value, unsigned decimals)
{
    begin_value(call, name);
    skr_put_fixed(call, value, decimals);
}

void skr_write_bool(struct skr_call *call, const char *name, bool value)
{
    begin_value(call, name);
    skr_put(call, value ? "true" : "false");
}

void skr_write_null(struct skr_call *call, const char *name)
{
    begin_value(call, name);
    skr_put(call, "null");
}

void skr_write_string(struct skr_call *call, const char *name, const char *text)
{
    skr_write_span(call, name, skr_span_of(text));
}

void skr_write_span(struct skr_call *call, const char *name, struct skr_span text)
{
    begin_value(call, name);
    skri_put_quoted(call, text);
}
