/* header.c -- the tools header as a whole. See header.h; header_types.c and header_tables.c
 * write its parts. No date and no path: the same tools give the same text.
 *
 * C++ reads it, too, from C++11 on. So tables initialise every member in order, and none by name. */
#include "header/header.h"

#include <string.h>

#include "header/header_parts.h"
#include "sha256.h"

static const char opening[] =
    "/* The tools and resources of this device, written by `skillrom pack --header`: change tools/<name>.json or\n"
    " * resources/<name>.json and pack again, not this file. Include it wherever a handler is. One C file first has\n"
    " *\n"
    " *     #define SKR_TOOLS_TABLE\n"
    " *\n"
    " * and gets the tables for struct skr_device: .tools = skr_tools, .tool_count = SKR_TOOL_COUNT,\n"
    " * .resources = skr_resources, .resource_count = SKR_RESOURCE_COUNT.\n"
    " *\n"
    " * A build whose profile lacks a switch that a tool, resource or prompt needs is refused below. SKR_TOOLS_PARTIAL,\n"
    " * defined before, leaves out what it lacks instead. */\n"
    "#ifndef SKR_GENERATED_TOOLS_H\n"
    "#define SKR_GENERATED_TOOLS_H\n"
    "\n"
    "#include \"skillrom.h\"\n"
    "\n"
    "#ifdef __cplusplus\n"
    "extern \"C\" {\n"
    "#endif\n"
    "\n";

static const char closing[] = "#ifdef __cplusplus\n"
                              "}\n"
                              "#endif\n"
                              "\n"
                              "#endif\n"
                              "\n";

/* One line of text, which must not end the comment. */
static void write_title(struct buf *out, const struct tool *tool)
{
    const struct node *title = yaml_member(tool->root, "title", NULL);

    buf_printf(out, "/* ---- %s", tool->name);
    if (title && yaml_is_string(title) && strchr(title->text, '*') == NULL && strchr(title->text, '\n') == NULL) {
        buf_printf(out, ": %s", title->text);
    }
    buf_puts(out, " ---- */\n\n");
}

static void write_tool(struct buf *out, const struct tool *tool)
{
    write_title(out, tool);
    if (tool->args->kind == SHAPE_RAW) {
        buf_printf(out, "struct %s_args {\n    struct skr_span json; /* all arguments, as sent */\n};\n\n",
                   tool->symbol);
    } else {
        header_types(out, tool->args);
    }
    if (tool->deadline_ms > 0) {
        buf_puts(out, "/* May return SKR_PENDING; args is NULL when it is called again for that. */\n");
    }
    buf_printf(out, "int %s(struct skr_call *call, const struct %s_args *args);\n\n", tool->symbol, tool->symbol);
}

/* Reads the arguments, which live on the stack, and calls the handler. */
static void write_run(struct buf *out, const struct tool *tool)
{
    const char *read = tool->args->kind == SHAPE_RAW ? "args.json = skr_args_json(call);" : NULL;

    buf_printf(out, "static int skr_tool_run_%s(struct skr_call *call)\n{\n    struct %s_args args;\n", tool->symbol,
               tool->symbol);
    if (tool->deadline_ms > 0) {
        buf_printf(out, "    if (!skr_args_are_there(call)) {\n        return %s(call, NULL);\n    }\n", tool->symbol);
    }
    if (read != NULL) {
        buf_printf(out, "    %s\n    return %s(call, &args);\n}\n\n", read, tool->symbol);
    } else {
        buf_printf(out, "    return skr_args_read(call, &skr_shape_%s_args, &args) ? %s(call, &args) : 0;\n}\n\n",
                   tool->symbol, tool->symbol);
    }
}

static void write_entry(struct buf *out, const struct tool *tool)
{
    static const char *const tasks[] = {
        [TASK_NEVER] = "SKR_TASK_NEVER", [TASK_OPTIONAL] = "SKR_TASK_OPTIONAL", [TASK_REQUIRED] = "SKR_TASK_REQUIRED"};

    buf_printf(out, "    {\"%s\", skr_tool_run_%s, %u, %u, %s, %s, %s, %s, 0x%08Xu SKR_RULES(%s)},\n", tool->name,
               tool->symbol, tool->deadline_ms, tool->output_max, header_bool(tool->parallel), tasks[tool->task],
               header_bool(tool->read_only), header_bool(tool->structured), tool->interface_id,
               tool->rules.any ? xasprintf("&skr_rules_%s", tool->symbol) : "NULL");
}

/* A tool that needs time is left out in builds without jobs (SKR_JOBS), and one with rules in builds that do not check them
 * (SKR_GUARD), where SKR_TOOLS_PARTIAL allows it. */
static void begin_switched(struct buf *out, const struct tool *tool)
{
    buf_puts(out, tool->rules.any ? "#if SKR_GUARD\n" : tool->deadline_ms > 0 ? "#if SKR_JOBS\n" : "");
}

static void end_switched(struct buf *out, const struct tool *tool)
{
    buf_puts(out, tool->rules.any || tool->deadline_ms > 0 ? "#endif\n" : "");
}

static void write_reader(struct buf *out, const struct tool *tool)
{
    if (tool->args->kind != SHAPE_RAW) {
        header_tables(out, tool->args);
        buf_puts(out, "\n");
    }
    write_run(out, tool);
}

/* Writes the digest of the interface, as in the image that is packed with this header. */
static void write_interface(struct buf *out, const struct device *device)
{
    char hex[2 * ROMFS_INTERFACE_SIZE + 1];

    romfs_sha256_hex(device->interface_id, ROMFS_INTERFACE_SIZE, hex);
    buf_printf(out,
               "/* Identifies all tools and resources, as the image of this device does. */\n"
               "#define SKR_INTERFACE \"%s\"\n\n",
               hex);
}

void header_write(struct buf *out, const struct device *device)
{
    size_t budget = 0;

    buf_puts(out, opening);
    buf_printf(out, "#if SKR_ARGS_DEPTH < %d || SKR_ARGS_MEMBERS < %d\n", SHAPE_DEPTH, SHAPE_MEMBERS);
    buf_puts(out, "#error \"skillrom and the core have different versions\"\n#endif\n\n");
    header_needs(out, device);
    write_interface(out, device);
    for (size_t i = 0; i < device->tool_count; i++) {
        write_tool(out, &device->tools[i]);
    }
    header_resources(out, device);
    header_conditions(out, device);
    buf_puts(out, closing);
    buf_puts(out, "#ifdef SKR_TOOLS_TABLE\n#undef SKR_TOOLS_TABLE\n\n");
    header_guard(out, device);
    for (size_t i = 0; i < device->tool_count; i++) {
        begin_switched(out, &device->tools[i]);
        write_reader(out, &device->tools[i]);
        budget = header_rules(out, &device->tools[i], budget);
        end_switched(out, &device->tools[i]);
    }
    buf_puts(out,
             "/* name, run, deadline_ms, output_max, parallel, task, read_only, structured, interface_id, rules */\n"
             "static const struct skr_tool skr_tools[] = {\n");
    for (size_t i = 0; i < device->tool_count; i++) {
        begin_switched(out, &device->tools[i]);
        write_entry(out, &device->tools[i]);
        end_switched(out, &device->tools[i]);
    }
    buf_puts(out, "    {\"\", NULL, 0, 0, false, SKR_TASK_NEVER, false, false, 0 SKR_RULES(NULL)}, "
                  "/* C has no empty arrays; it does not count */\n};\n"
                  "#define SKR_TOOL_COUNT (sizeof skr_tools / sizeof skr_tools[0] - 1)\n\n");
    header_resource_table(out, device);
    buf_puts(out, "#endif\n");
}
