/* tasks.c -- tools that become tasks. */
#include <string.h>

#include "device.h"
#include "tools.h"

#define LABEL_MAX 48

int tool_greet(struct skr_call *call, const struct tool_greet_args *args)
{
    skr_putf(call, "Hello, %.*s!", SKR_SPAN_ARG(args->name));
    return 0;
}

struct slow {
    int32_t seconds;
    char label[LABEL_MAX];
};

int tool_slow_compute(struct skr_call *call, const struct tool_slow_compute_args *args)
{
    struct slow *s = SKR_JOB_STATE_OF(call, struct slow);

    if (args != NULL) {
        s->seconds = args->seconds;
        if (args->has_label && args->label.n < LABEL_MAX) {
            memcpy(s->label, args->label.p, args->label.n);
        }
        if (s->seconds > 0) {
            return SKR_PENDING;
        }
    }
    if (skr_job_ms(call) < (uint32_t)s->seconds * 1000 && !skr_cancelled(call)) {
        return SKR_PENDING;
    }
    skr_putf(call, "computed %s", s->label);
    return 0;
}

int tool_failing_job(struct skr_call *call, const struct tool_failing_job_args *args)
{
    (void)args;
    bool *started = SKR_JOB_STATE_OF(call, bool);
    if (!*started || (skr_job_ms(call) < 1000 && !skr_cancelled(call))) {
        *started = true;
        return SKR_PENDING;
    }
    return skr_fail(call, "this job always fails");
}

int tool_protocol_error_job(struct skr_call *call, const struct tool_protocol_error_job_args *args)
{
    (void)args;
    bool *started = SKR_JOB_STATE_OF(call, bool);
    if (!*started) {
        *started = true;
        return SKR_PENDING;
    }
    return skr_error(call, -32603, "this job ends with an \"error\"");
}

#define CONFIRM_SCHEMA(name)                                                                                           \
    "{\"type\":\"object\",\"properties\":{\"" name "\":{\"type\":\"boolean\"}},\"required\":[\"" name "\"]}"
#define STRING_SCHEMA(name)                                                                                            \
    "{\"type\":\"object\",\"properties\":{\"" name "\":{\"type\":\"string\"}},\"required\":[\"" name "\"]}"

int tool_confirm_delete(struct skr_call *call, const struct tool_confirm_delete_args *args)
{
    (void)args;
    bool *started = SKR_JOB_STATE_OF(call, bool), confirmed = false;
    struct skr_reply reply;
    if (!*started) { /* a task first, the question then */
        *started = true;
        return SKR_PENDING;
    }
    if (!skr_elicit_form(call, "confirm", "Delete the file?", CONFIRM_SCHEMA("confirm"), &reply)) {
        return SKR_PENDING;
    }
    (void)skr_reply_bool(&reply, "confirm", &confirmed);
    skr_put(call, skr_reply_accepted(&reply) && confirmed ? "deleted" : "kept");
    return 0;
}

int tool_multi_input(struct skr_call *call, const struct tool_multi_input_args *args)
{
    (void)args;
    typedef bool flags[3];
    bool *done = *SKR_JOB_STATE_OF(call, flags); /* started, first, second */
    struct skr_reply reply;
    if (!done[0]) {
        done[0] = true;
        return SKR_PENDING;
    }
    done[1] = done[1] || skr_elicit_form(call, "first", "First?", STRING_SCHEMA("value"), &reply);
    done[2] = done[2] || skr_elicit_form(call, "second", "Second?", STRING_SCHEMA("value"), &reply);
    if (!done[1] || !done[2]) {
        return SKR_PENDING;
    }
    skr_put(call, "both answered");
    skr_begin_image(call, "image/png");
    skr_put_static(call, conformance_png);
    return 0;
}

struct named {
    bool worked;
    char name[LABEL_MAX];
};

int tool_test_tool_with_task(struct skr_call *call, const struct tool_test_tool_with_task_args *args)
{
    (void)args;
    struct named *s = SKR_JOB_STATE_OF(call, struct named);
    struct skr_reply reply;
    if (s->name[0] == '\0') {
        if (!skr_elicit_form(call, "name", "What is your name?", STRING_SCHEMA("name"), &reply)) {
            return SKR_PENDING;
        }
        if (!skr_reply_string(&reply, "name", s->name, sizeof s->name) || s->name[0] == '\0') {
            return skr_fail(call, "no name");
        }
    }
    if (!s->worked) {
        s->worked = true;
        return SKR_PENDING;
    }
    skr_putf(call, "worked for %s", s->name);
    return 0;
}
