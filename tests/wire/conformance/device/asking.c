/* asking.c -- tools that ask the client. Each is written once, for clients of both eras:
 * see "Asking the client" in core/skillrom.h. */
#include <string.h>

#include "device.h"
#include "tools.h"

#define STRING_SCHEMA(name)                                                                                            \
    "{\"type\":\"object\",\"properties\":{\"" name "\":{\"type\":\"string\"}},\"required\":[\"" name "\"]}"
#define BOOLEAN_SCHEMA(name)                                                                                           \
    "{\"type\":\"object\",\"properties\":{\"" name "\":{\"type\":\"boolean\"}},\"required\":[\"" name "\"]}"

#define TEXT_MAX 64

/* ---- One question each ---- */

int tool_test_input_required_result_elicitation(struct skr_call *call,
                                                const struct tool_test_input_required_result_elicitation_args *args)
{
    (void)args;
    struct skr_reply reply;
    char name[TEXT_MAX];
    if (!skr_elicit_form(call, "user_name", "What is your name?", STRING_SCHEMA("name"), &reply)) {
        return SKR_PENDING;
    }
    if (!skr_reply_accepted(&reply) || !skr_reply_string(&reply, "name", name, sizeof name)) {
        return skr_fail(call, "nobody greeted: the name was not given");
    }
    skr_putf(call, "Hello, %s!", name);
    return 0;
}

int tool_test_input_required_result_sampling(struct skr_call *call,
                                             const struct tool_test_input_required_result_sampling_args *args)
{
    (void)args;
    struct skr_reply reply;
    if (!skr_sample(call, "capital_question", "What is the capital of France?", 100, &reply)) {
        return SKR_PENDING;
    }
    if (!skr_reply_accepted(&reply)) {
        return skr_fail(call, "the model was not asked");
    }
    skr_put_span(call, skr_reply_text(&reply));
    return 0;
}

static void put_roots(struct skr_call *call, const struct skr_reply *reply)
{
    struct skr_span uri, name;

    skr_put(call, "Roots:");
    for (unsigned i = 0; skr_reply_root(reply, i, &uri, &name); i++) {
        skr_putf(call, " %.*s (%.*s)", SKR_SPAN_ARG(uri), SKR_SPAN_ARG(name));
    }
}

int tool_test_input_required_result_list_roots(struct skr_call *call,
                                               const struct tool_test_input_required_result_list_roots_args *args)
{
    (void)args;
    struct skr_reply reply;
    if (!skr_list_roots(call, "client_roots", &reply)) {
        return SKR_PENDING;
    }
    if (!skr_reply_accepted(&reply)) {
        return skr_fail(call, "the client keeps its roots to itself");
    }
    put_roots(call, &reply);
    return 0;
}

int tool_test_elicit_url(struct skr_call *call, const struct tool_test_elicit_url_args *args)
{
    (void)args;
    struct skr_reply reply;
    if (!skr_elicit_url(call, "sign_in", "Please sign in", "https://example.com/sign-in?a=1&b=2", &reply)) {
        return SKR_PENDING;
    }
    skr_put(call, skr_reply_accepted(&reply) ? "on the way" : "not now");
    return 0;
}

/* ---- With a state ---- */

static int elicit_with_state(struct skr_call *call)
{
    struct skr_reply reply;
    uint32_t *asked = SKR_JOB_STATE_OF(call, uint32_t);
    bool ok = false, expected = *asked == 7;

    *asked = 7;
    if (!skr_elicit_form(call, "confirm", "Please confirm", BOOLEAN_SCHEMA("ok"), &reply)) {
        return SKR_PENDING;
    }
    if (!skr_reply_accepted(&reply) || !skr_reply_bool(&reply, "ok", &ok) || !ok) {
        return skr_fail(call, "not confirmed");
    }
    skr_put(call, expected ? "state-ok" : "confirmed without being asked");
    return 0;
}

int tool_test_input_required_result_request_state(struct skr_call *call,
                                                  const struct tool_test_input_required_result_request_state_args *args)
{
    (void)args;
    return elicit_with_state(call);
}

/* The suite changes what comes back to this one. */
int tool_test_input_required_result_tampered_state(
    struct skr_call *call, const struct tool_test_input_required_result_tampered_state_args *args)
{
    (void)args;
    return elicit_with_state(call);
}

struct three {
    bool has_name, has_greeting, has_roots;
    char name[TEXT_MAX - 3];
};

int tool_test_input_required_result_multiple_inputs(
    struct skr_call *call, const struct tool_test_input_required_result_multiple_inputs_args *args)
{
    (void)args;
    struct three *s = SKR_JOB_STATE_OF(call, struct three);
    struct skr_reply reply;
    if (!s->has_name && skr_elicit_form(call, "user_name", "What is your name?", STRING_SCHEMA("name"), &reply)) {
        s->has_name = true;
        (void)skr_reply_string(&reply, "name", s->name, sizeof s->name);
    }
    if (!s->has_greeting && skr_sample(call, "greeting", "Generate a greeting", 50, &reply)) {
        s->has_greeting = true;
    }
    if (!s->has_roots && skr_list_roots(call, "client_roots", &reply)) {
        s->has_roots = true;
    }
    if (!s->has_name || !s->has_greeting || !s->has_roots) {
        return SKR_PENDING;
    }
    skr_putf(call, "All three answered, %s", s->name);
    return 0;
}

struct rounds {
    bool has_name;
    char name[TEXT_MAX - 1];
};

int tool_test_input_required_result_multi_round(struct skr_call *call,
                                                const struct tool_test_input_required_result_multi_round_args *args)
{
    (void)args;
    struct rounds *s = SKR_JOB_STATE_OF(call, struct rounds);
    struct skr_reply reply;
    char color[TEXT_MAX];
    if (!s->has_name) {
        if (!skr_elicit_form(call, "step1", "Step 1: What is your name?", STRING_SCHEMA("name"), &reply)) {
            return SKR_PENDING;
        }
        s->has_name = skr_reply_accepted(&reply) && skr_reply_string(&reply, "name", s->name, sizeof s->name);
        if (!s->has_name) {
            return skr_fail(call, "stopped at step 1");
        }
    }
    if (!skr_elicit_form(call, "step2", "Step 2: What is your favorite color?", STRING_SCHEMA("color"), &reply)) {
        return SKR_PENDING;
    }
    if (!skr_reply_accepted(&reply) || !skr_reply_string(&reply, "color", color, sizeof color)) {
        return skr_fail(call, "stopped at step 2");
    }
    skr_putf(call, "%s likes %s", s->name, color);
    return 0;
}

int tool_test_input_required_result_capabilities(struct skr_call *call,
                                                 const struct tool_test_input_required_result_capabilities_args *args)
{
    (void)args;
    typedef bool flags[2];
    bool *done = *SKR_JOB_STATE_OF(call, flags);
    struct skr_reply reply;
    if (!done[0] && skr_can(call, SKR_CAP_SAMPLING)) {
        done[0] = skr_sample(call, "greeting", "Generate a greeting", 50, &reply);
    } else {
        done[0] = true;
    }
    if (!done[1] && skr_can(call, SKR_CAP_ELICITATION)) {
        done[1] = skr_elicit_form(call, "user_name", "What is your name?", STRING_SCHEMA("name"), &reply);
    } else {
        done[1] = true;
    }
    if (!done[0] || !done[1]) {
        return SKR_PENDING;
    }
    skr_put(call, "asked all that could be asked");
    return 0;
}

int tool_test_elicit_too_much(struct skr_call *call, const struct tool_test_elicit_too_much_args *args)
{
    (void)args;
    static const char *const keys[] = {"q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q9"};
    struct skr_reply reply;
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        (void)skr_list_roots(call, keys[i], &reply);
    }
    return SKR_PENDING;
}

/* A prompt may ask as a tool does. */
int prompt_elicit_context(struct skr_call *call)
{
    struct skr_reply reply;
    char context[TEXT_MAX];

    if (!skr_elicit_form(call, "user_context", "What context should the prompt use?", STRING_SCHEMA("context"),
                         &reply)) {
        return SKR_PENDING;
    }
    if (!skr_reply_accepted(&reply) || !skr_reply_string(&reply, "context", context, sizeof context)) {
        return skr_fail(call, "the context was not given");
    }
    skr_putf(call, "Prompt with context: %s", context);
    return 0;
}

/* ---- The words come from the client ---- */

/* An argument as text with an end; what asks again does not need it. */
static const char *ended(struct skr_span text, char to[4 * TEXT_MAX])
{
    size_t n = text.n < 4 * TEXT_MAX ? text.n : 4 * TEXT_MAX - 1;

    memcpy(to, text.p, n);
    to[n] = '\0';
    return to;
}

int tool_test_sampling(struct skr_call *call, const struct tool_test_sampling_args *args)
{
    struct skr_reply reply;
    char prompt[4 * TEXT_MAX];

    if (!skr_sample(call, "sampling", args != NULL ? ended(args->prompt, prompt) : "", 100, &reply)) {
        return SKR_PENDING;
    }
    if (!skr_reply_accepted(&reply)) {
        return skr_fail(call, "the model was not asked");
    }
    skr_put(call, "LLM response: ");
    skr_put_span(call, skr_reply_text(&reply));
    return 0;
}

static const char *const actions[] = {[SKR_ACCEPT] = "accept", [SKR_DECLINE] = "decline", [SKR_CANCEL] = "cancel"};

static void put_reply(struct skr_call *call, const char *title, const struct skr_reply *reply)
{
    skr_putf(call, "%saction=%s, content=", title, actions[reply->action]);
    skr_put_span(call, skr_reply_json(reply));
}

int tool_test_elicitation(struct skr_call *call, const struct tool_test_elicitation_args *args)
{
    static const char schema[] = "{\"type\":\"object\",\"properties\":{\"username\":{\"type\":\"string\","
                                 "\"description\":\"User's response\"},"
                                 "\"email\":{\"type\":\"string\",\"description\":\"User's email address\"}},"
                                 "\"required\":[\"username\",\"email\"]}";
    struct skr_reply reply;
    char message[4 * TEXT_MAX];

    if (!skr_elicit_form(call, "user", args != NULL ? ended(args->message, message) : "", schema, &reply)) {
        return SKR_PENDING;
    }
    put_reply(call, "User response: ", &reply);
    return 0;
}

int tool_test_elicitation_sep1034_defaults(struct skr_call *call,
                                           const struct tool_test_elicitation_sep1034_defaults_args *args)
{
    (void)args;
    static const char schema[] = "{\"type\":\"object\",\"properties\":{"
                                 "\"name\":{\"type\":\"string\",\"default\":\"John Doe\"},"
                                 "\"age\":{\"type\":\"integer\",\"default\":30},"
                                 "\"score\":{\"type\":\"number\",\"default\":95.5},"
                                 "\"status\":{\"type\":\"string\",\"enum\":[\"active\",\"inactive\","
                                 "\"pending\"],\"default\":\"active\"},"
                                 "\"verified\":{\"type\":\"boolean\",\"default\":true}}}";
    struct skr_reply reply;
    if (!skr_elicit_form(call, "profile", "Please check these values", schema, &reply)) {
        return SKR_PENDING;
    }
    put_reply(call, "Elicitation completed: ", &reply);
    return 0;
}

int tool_test_elicitation_sep1330_enums(struct skr_call *call,
                                        const struct tool_test_elicitation_sep1330_enums_args *args)
{
    (void)args;
    static const char schema[] =
        "{\"type\":\"object\",\"properties\":{"
        "\"untitledSingle\":{\"type\":\"string\",\"enum\":[\"option1\",\"option2\",\"option3\"]},"
        "\"titledSingle\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"value1\",\"title\":\"First Option\"},"
        "{\"const\":\"value2\",\"title\":\"Second Option\"},{\"const\":\"value3\",\"title\":\"Third "
        "Option\"}]},"
        "\"legacyEnum\":{\"type\":\"string\",\"enum\":[\"opt1\",\"opt2\",\"opt3\"],"
        "\"enumNames\":[\"Option One\",\"Option Two\",\"Option Three\"]},"
        "\"untitledMulti\":{\"type\":\"array\",\"items\":{\"type\":\"string\","
        "\"enum\":[\"option1\",\"option2\",\"option3\"]}},"
        "\"titledMulti\":{\"type\":\"array\",\"items\":{\"anyOf\":[{\"const\":\"value1\",\"title\":\"First "
        "Choice\"},"
        "{\"const\":\"value2\",\"title\":\"Second Choice\"},{\"const\":\"value3\",\"title\":\"Third "
        "Choice\"}]}}}}";
    struct skr_reply reply;
    if (!skr_elicit_form(call, "choice", "Please choose", schema, &reply)) {
        return SKR_PENDING;
    }
    put_reply(call, "Elicitation completed: ", &reply);
    return 0;
}
