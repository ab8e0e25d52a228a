/* telling.c -- tools that say something before their result: progress, log messages, and
 * one that sends its client away until the result is there. */
#include "device.h"
#include "tools.h"

int tool_test_tool_with_progress(struct skr_call *call, const struct tool_test_tool_with_progress_args *args)
{
    (void)args;
    int32_t *done = SKR_JOB_STATE_OF(call, int32_t);
    if (*done <= 100) {
        skr_progress(call, *done, 100, *done == 100 ? "almost there" : NULL);
        *done += 50;
        return SKR_PENDING;
    }
    skr_put(call, "Tool with progress executed successfully");
    return 0;
}

int tool_test_tool_with_logging(struct skr_call *call, const struct tool_test_tool_with_logging_args *args)
{
    (void)args;
    static const char *const messages[] = {"Tool execution started", "Tool processing data",
                                           "Tool execution completed"};
    unsigned *step = SKR_JOB_STATE_OF(call, unsigned);
    skr_log(call, SKR_LOG_INFO, messages[*step]);
    if (++*step < sizeof messages / sizeof messages[0]) {
        return SKR_PENDING;
    }
    skr_put(call, "Tool with logging executed successfully");
    return 0;
}

/* All simultaneously, so that everything waits for the wire. */
int tool_test_logging_tool(struct skr_call *call, const struct tool_test_logging_tool_args *args)
{
    (void)args;
    skr_log(call, SKR_LOG_DEBUG, "a \"detail\"");
    skr_log(call, SKR_LOG_WARNING, "a warning");
    skr_put(call, "logged what the client wants to hear");
    return 0;
}

int tool_test_reconnection(struct skr_call *call, const struct tool_test_reconnection_args *args)
{
    (void)args;
    bool *closed = SKR_JOB_STATE_OF(call, bool);
    if (!*closed) {
        *closed = true;
#if SKR_RESUME /* a serial line has no streams that end */
        (void)skr_close_stream(call, 500);
#endif
        return SKR_PENDING;
    }
    if (skr_job_ms(call) < 100 && !skr_cancelled(call)) {
        return SKR_PENDING;
    }
    skr_put(call, "Reconnection test completed successfully");
    return 0;
}

int tool_test_hold(struct skr_call *call, const struct tool_test_hold_args *args)
{
    static int cancelled;
    struct skr_reply reply;
    int *moment = skr_job_state(call, sizeof *moment);

    if (args != NULL) {
        *moment = (int)args->moment;
    }
    if (*moment == TOOL_TEST_HOLD_MOMENT_FREE) {
        skr_putf(call, "free, cancelled %d times", cancelled);
        return 0;
    }
    if (skr_cancelled(call)) {
        cancelled += skr_job_ms(call) < 60000; /* not by its deadline */
        return 0;
    }
    if (*moment == TOOL_TEST_HOLD_MOMENT_ELICITATION &&
        skr_elicit_form(call, "go_on", "Go on?",
                        "{\"type\":\"object\",\"properties\":{\"word\":{\"type\":\"string\"}}}", &reply)) {
        return skr_fail(call, "the question was answered");
    }
    return SKR_PENDING;
}
