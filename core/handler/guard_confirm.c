/* guard_confirm.c -- asks a person to confirm a tool call, with the values that will be used. See guard.h. */
#include "handler/client_request.h"
#include "handler/guard.h"
#include "handler/handler.h"
#include "text/json_string.h"

#if SKR_GUARD && SKR_INTERACTIVE

#define CONFIRM_KEY "confirm"
#define CONFIRM_FORM                                                                                                   \
    "{\"type\":\"object\",\"properties\":{\"confirm\":{\"type\":\"boolean\",\"title\":\"Confirm\"}},"                  \
    "\"required\":[\"confirm\"]}"

bool skri_confirm_can(const struct skr_call *call)
{
    return skr_can(call, SKR_CAP_ELICITATION);
}

/* A number, or the index of an enum, which compilers may make small. */
static int64_t number_at(const char *at, unsigned size)
{
    int64_t large;
    int32_t middle;
    uint16_t small;

    switch (size) {
    case sizeof large: memcpy(&large, at, sizeof large); return large;
    case sizeof middle: memcpy(&middle, at, sizeof middle); return middle;
    case sizeof small: memcpy(&small, at, sizeof small); return small;
    default: return *(const uint8_t *)at;
    }
}

/* True for a character that is not shown, or changes how the rest of the question is shown: controls, marks of
 * direction, ends of lines, and what Unicode calls default ignorable, except shorthand and music. */
static bool is_hidden(uint32_t code)
{
    static const uint16_t first[] = {0x0000, 0x007F, 0x00AD, 0x034F, 0x061C, 0x115F, 0x17B4, 0x180B,
                                     0x200B, 0x2028, 0x2060, 0x3164, 0xFE00, 0xFEFF, 0xFFA0, 0xFFF0};
    static const uint8_t count[] = {32, 33, 1, 1, 1, 2, 2, 5, 5, 7, 16, 1, 16, 1, 1, 12};
    bool hidden = code >> 12 == 0xE0; /* tags and selectors */

    for (unsigned i = 0; i < sizeof count; i++) {
        hidden |= code - first[i] < count[i];
    }
    return hidden;
}

/* The character at p, which is valid UTF-8 and has n bytes. */
static uint32_t char_at(const char *p, size_t n)
{
    uint32_t code = (uint8_t)*p & (n == 1 ? 0x7Fu : 0x7Fu >> n);

    while (--n > 0) {
        code = code << 6 | ((uint8_t) * ++p & 0x3Fu);
    }
    return code;
}

/* Puts a string that the client has chosen, perhaps so that the person reads another question than this one. */
static void put_string_argument(struct skr_call *call, struct skr_span text)
{
    while (text.n > 0) {
        size_t n = skr_utf8_char(text.p, text.n);
        skr_put_span(call, is_hidden(char_at(text.p, n)) ? SPAN("?") : (struct skr_span){text.p, n});
        text = skr_span_from(text, n);
    }
}

/* The value of an argument as a person reads it. */
static void put_argument(struct skr_call *call, const struct skr_arg *arg, const char *at)
{
    if (arg->kind->first == 't') {
        skr_put(call, *(const bool *)(const void *)at ? "yes" : "no");
        return;
    }
    if (arg->kind->first == '"' && arg->of == NULL) {
        put_string_argument(call, *(const struct skr_span *)(const void *)at);
        return;
    }
    int64_t number = number_at(at, arg->size);
    if (arg->kind->first == '"') {
        skr_put(call, ((const char *const *)arg->of)[number]);
    } else {
        skr_put_fixed(call, number, arg->decimals);
    }
}

/* "Dispense {volume_ul} ul?" with its values; the packer has checked the names. False when it is too long. */
static bool write_message(const struct skr_rules *rules, const char *values, char *to, uint32_t room)
{
    struct skr_call text = {.out = {.p = to, .max = room - 1}};
    const struct skr_object *shape = rules->shape;

    for (const char *p = rules->confirm; *p != '\0'; p++) {
        const char *end = *p == '{' ? strchr(p, '}') : NULL;
        if (end == NULL) {
            skr_put_span(&text, (struct skr_span){p, 1});
            continue;
        }
        struct skr_span name = {p + 1, (size_t)(end - p - 1)};
        for (unsigned i = 0; i < shape->count; i++) {
            const struct skr_arg *arg = &shape->members[i];
            if (!skr_span_is(name, arg->name)) {
                continue;
            }
            if ((arg->flags & SKR_ARG_HAS) != 0 && !*(const bool *)(const void *)(values + arg->has)) {
                skr_put(&text, "not given");
            } else {
                put_argument(&text, arg, values + arg->offset);
            }
        }
        p = end;
    }
    to[text.out.n] = '\0';
    return !text.out.overflow;
}

/* The arguments wait at the end of the job's buffer, and take half of it at most. */
bool skri_confirm_keep(struct skr_call *call, struct skr_tool_call *tool_call)
{
    struct skr_span text = skr_args_json(call);

    if (call->modern || call->job == NULL || tool_call->tool->rules->confirm == NULL || tool_call->plan) {
        return true;
    }
    if (text.n > SKR_JOB_OUTPUT_MAX / 2) {
        return false;
    }
    tool_call->kept = (uint32_t)text.n;
    memcpy(call->srv->job_output[call->job - call->srv->jobs] + SKR_JOB_OUTPUT_MAX - text.n, text.p, text.n);
    return true;
}

/* The reply has come, and the request is long gone: its arguments are read again from what was kept of them. */
static void restore_arguments(struct skr_call *call, const struct skr_tool_call *tool_call)
{
    char *kept = call->srv->job_output[call->job - call->srv->jobs] + SKR_JOB_OUTPUT_MAX - tool_call->kept;

    (void)skr_json_parse(&call->json, kept, tool_call->kept, call->srv->tokens, SKR_TOKENS);
    call->params = call->arguments = 0;
    call->replies = call->reply = -1;
}

/* The person's decision, as a reason not to call the handler; NULL: they accept. */
static const char *not_accepted(const struct skr_reply *reply)
{
    bool confirmed = false;

    if (reply->action == SKR_CANCEL) {
        return "the person has cancelled it";
    }
    bool accepted = skr_reply_accepted(reply) && skr_reply_bool(reply, "confirm", &confirmed) && confirmed;
    return accepted ? NULL : "the person has declined it";
}

/* The reply is read before the arguments take its place in the tokens. */
enum confirmation skri_confirm_later(struct skr_call *call, struct skr_tool_call *tool_call)
{
    struct skr_reply reply;

    if (!skr_elicit_form(call, CONFIRM_KEY, "", CONFIRM_FORM, &reply)) {
        return call->out.final ? CONFIRM_REFUSED : CONFIRM_OPEN;
    }
    const char *why = not_accepted(&reply);
    if (why != NULL) {
        return skri_guard_unconfirmed(call, why);
    }
    restore_arguments(call, tool_call);
    return CONFIRM_ACCEPTED;
}

enum confirmation skri_confirm_now(struct skr_call *call, struct skr_tool_call *tool_call, const char *values)
{
    const struct skr_rules *rules = tool_call->tool->rules;
    char message[SKR_CONFIRM_MAX];
    struct skr_reply reply;

    if (!write_message(rules, values, message, sizeof message)) {
        return skri_guard_unconfirmed(call, "its arguments are too long to be shown to a person");
    }
    if (tool_call->phase != GUARD_ASKED) { /* a reply that was not asked for */
        call->replies = -1;
    }
    tool_call->phase = GUARD_ASKED;
    if (!skr_elicit_form(call, CONFIRM_KEY, message, CONFIRM_FORM, &reply)) {
        return call->out.final ? CONFIRM_REFUSED : CONFIRM_OPEN;
    }
    const char *why = not_accepted(&reply);
    return why == NULL ? CONFIRM_ACCEPTED : skri_guard_unconfirmed(call, why);
}

#endif
