#include "tools.h"

int tool_set_label(struct skr_call *call, const struct tool_set_label_args *args)
{
    const char *what = args->colour == TOOL_SET_LABEL_COLOUR_RED ? "red alert" : "label";

    skr_putf(call, "%s on line %d: %.*s", what, (int)args->line, SKR_SPAN_ARG(args->text));
    return 0;
}
