#include "tools.h"

int tool_set_label(struct skr_call *call, const struct tool_set_label_args *args)
{
    skr_put(call, args->colour == TOOL_SET_LABEL_COLOUR_RED ? "red alert on line " : "label on line ");
    skr_put_int(call, args->line);
    skr_put(call, ": ");
    skr_put_span(call, args->text);
    return 0;
}
