/* show.c -- see show.h. */
#include "show.h"

#include <stdio.h>
#include <string.h>

static void show_object(struct skr_call *call, const struct skr_object *shape, const char *args);

static void show_bytes(struct skr_call *call, const char *kind, struct skr_span bytes)
{
    char two[3];

    skr_put(call, kind);
    for (size_t i = 0; i < bytes.n; i++) {
        snprintf(two, sizeof two, "%02x", (unsigned char)bytes.p[i]);
        skr_put(call, two);
    }
    skr_put(call, "\"}");
}

static int64_t whole(const void *at, size_t size)
{
    int64_t eight;
    int32_t four;

    if (size == sizeof eight) {
        memcpy(&eight, at, sizeof eight);
        return eight;
    }
    memcpy(&four, at, sizeof four);
    return four;
}

static void show_real(struct skr_call *call, const struct skr_arg *arg, const char *at)
{
    bool single = arg->kind == &skr_arg_float;
    double value;
    float small;
    char text[32];

    memcpy(single ? (void *)&small : (void *)&value, at, single ? sizeof small : sizeof value);
    snprintf(text, sizeof text, "%.17g", single ? (double)small : value);
    skr_put(call, text);
}

static void show_value(struct skr_call *call, const struct skr_arg *arg, const char *at)
{
    const struct skr_arg_kind *kind = arg->kind;
    const struct skr_arg *element = arg->of;
    struct skr_span text;
    size_t count;

    if (kind == &skr_arg_int) {
        skr_put_int(call, whole(at, sizeof(int32_t)));
    } else if (kind == &skr_arg_wide || kind == &skr_arg_decimal || kind == &skr_arg_enum) {
        skr_put_int(call, whole(at, arg->size));
    } else if (kind == &skr_arg_double || kind == &skr_arg_float) {
        show_real(call, arg, at);
    } else if (kind == &skr_arg_bool) {
        skr_put(call, *(const bool *)at ? "true" : "false");
    } else if (kind == &skr_arg_array) {
        memcpy(&count, at, sizeof count);
        for (size_t i = 0; i < count; i++) {
            skr_put(call, i > 0 ? "," : "[");
            show_value(call, element, at + element->offset + i * arg->size);
        }
        skr_put(call, count > 0 ? "]" : "[]");
    } else if (kind == &skr_arg_object) {
        show_object(call, arg->of, at);
    } else {
        memcpy(&text, at, sizeof text);
        show_bytes(call, kind == &skr_arg_raw ? "{\"r\":\"" : "{\"s\":\"", text);
    }
}

static void show_object(struct skr_call *call, const struct skr_object *shape, const char *args)
{
    const char *between = "";

    skr_put(call, "[");
    for (unsigned i = 0; i < shape->count; i++) {
        const struct skr_arg *arg = &shape->members[i];
        if ((arg->flags & SKR_ARG_HAS) == 0 || *(const bool *)(args + arg->has)) {
            skr_put(call, between);
            skr_put(call, "[");
            skr_put_int(call, i);
            skr_put(call, ",");
            show_value(call, arg, args + arg->offset);
            skr_put(call, "]");
            between = ",";
        }
    }
    skr_put(call, "]");
}

int show(struct skr_call *call, const struct skr_object *shape, const void *args)
{
    show_object(call, shape, args);
    return 0;
}
