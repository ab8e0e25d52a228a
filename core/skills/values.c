/* values.c -- arguments from a request, for the text of prompts and instructions.
 *
 * Tokens are gone by the time the response is sent. So the values are stored side by side in the connection's output
 * buffer, each as a span of the request, which stays. */
#include "skills/values.h"

#include "handler/tool_call.h"

/* Reads one argument. Returns its error, if any. */
static enum skr_rpc_error read_value(const struct skr_call *call, const struct romfs_arg *arg, size_t max,
                                     struct skr_span *value)
{
    int token = skr_json_get_bytes(&call->json, call->arguments, romfs_at(call->fs, arg->name), arg->name.len);

    value->p = NULL;
    value->n = 0;
    if (token < 0) {
        return arg->required != 0 ? SKR_ARGUMENT_MISSING : SKR_NO_ERROR;
    }
    if (!skr_json_string(&call->json, token, value)) {
        return SKR_ARGUMENT_NOT_STRING;
    }
    return value->n > max ? SKR_ARGUMENT_LONG : SKR_NO_ERROR;
}

bool skri_values_collect(struct skr_call *call, uint32_t first, uint32_t count, size_t max)
{
    const struct romfs_arg *arg = &call->fs->args[first], *end = arg + count;
    char *out = skri_lease(call->conn, SKR_ARGUMENT_VALUES);
    struct skr_span value;

    call->response->outcome.text.p = out;
    if (!skri_tool_call_arguments(call)) {
        return false;
    }
    for (; arg < end; arg++, out += sizeof value) {
        bool room = sizeof value <= (size_t)(call->conn->output + sizeof call->conn->output - out);
        enum skr_rpc_error error = room ? read_value(call, arg, max, &value) : SKR_TOO_MANY_ARGUMENTS;
        if (error != SKR_NO_ERROR) {
            skri_rpc_error(call, error, skr_span_rom(call->fs, arg->name));
            return false;
        }
        memcpy(out, &value, sizeof value);
    }
    return true;
}

void skri_push_value(struct skr_response *a, uint32_t first, uint32_t arg)
{
    const struct romfs_arg *declared = &a->fs->args[first + arg];
    struct skr_span value;

    if (a->outcome.text.p == NULL) {
        skri_push_text(a, "{{");
        skri_push_rom(a, declared->name);
        skri_push_text(a, "}}");
        return;
    }
    memcpy(&value, a->outcome.text.p + arg * sizeof value, sizeof value);
    if (value.p == NULL) {
        skri_push_rom(a, declared->value);
    } else {
        skri_push(a, SKR_ESCAPED, value);
    }
}
