/* guard_confirm.c -- asks a person to confirm a tool call, with the values that will be used. See guard.h. */
#include "handler/client_request.h"
#include "handler/guard.h"
#include "handler/handler.h"

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

/* The length of the character at `text` if it could change how the rest of the question is shown: a control, a mark of
 * direction, a space without width. 0 for any other. The text is valid UTF-8. */
static size_t hidden_bytes(const char *text)
{
    const uint8_t *p = (const uint8_t *)text;

    if (p[0] < ' ' || p[0] == 0x7F) {
        return 1;
    }
    if ((p[0] == 0xC2 && p[1] < 0xA0) || (p[0] == 0xD8 && p[1] == 0x9C)) { /* to U+009F, U+061C */
        return 2;
    }
    bool separates = p[0] == 0xE2 && p[1] == 0x80 && ((p[2] >= 0x8B && p[2] <= 0x8F) || (p[2] >= 0xA8 && p[2] <= 0xAE));
    bool isolates = p[0] == 0xE2 && p[1] == 0x81 && p[2] >= 0xA0 && p[2] <= 0xAF;
    return separates || isolates ? 3 : 0; /* U+200B to U+200F, U+2028 to U+202E, U+2060 to U+206F */
}

/* Puts a string that the client has chosen, perhaps so that the person reads another question than this one. */
static void put_string_argument(struct skr_call *call, struct skr_span text)
{
    for (size_t i = 0; i < text.n;) {
        size_t hidden = hidden_bytes(text.p + i);
        skr_put_span(call, hidden > 0 ? SPAN("?") : (struct skr_span){text.p + i, 1});
        i += hidden > 0 ? hidden : 1;
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
