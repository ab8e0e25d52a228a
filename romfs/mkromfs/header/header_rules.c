/* header_rules.c -- the rules of tools in the header: prototypes of conditions, a table for each tool, and the memory
 * of limits and of the record. See header.h. */
#include <string.h>

#include "header/header_parts.h"

bool header_has_rules(const struct device *device)
{
    for (size_t i = 0; i < device->tool_count; i++) {
        if (device->tools[i].rules.any) {
            return true;
        }
    }
    return false;
}

/* ---- Prototypes ---- */

/* True when a tool before this one, or an earlier row, has the same condition. */
static bool is_repeated(const struct device *device, size_t tool, size_t row)
{
    const char *name = device->tools[tool].rules.requires[row].name;

    for (size_t i = 0; i <= tool; i++) {
        const struct tool_rules *rules = &device->tools[i].rules;
        for (size_t k = 0; k < (i == tool ? row : rules->require_count); k++) {
            if (strcmp(rules->requires[k].name, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

void header_conditions(struct buf *out, const struct device *device)
{
    bool any = false;

    for (size_t i = 0; i < device->tool_count; i++) {
        for (size_t k = 0; k < device->tools[i].rules.require_count; k++) {
            if (!is_repeated(device, i, k)) {
                buf_puts(out,
                         any ? ""
                             : "/* ---- Conditions, checked before each tool call: true when it holds ---- */\n\n");
                buf_printf(out, "bool condition_%s(void *context);\n", device->tools[i].rules.requires[k].name);
                any = true;
            }
        }
    }
    buf_puts(out, any ? "\n" : "");
}

/* ---- Tables ---- */

void header_guard(struct buf *out, const struct device *device)
{
    size_t budgets = 0;
    uint32_t id;

    if (!header_has_rules(device)) {
        return;
    }
    for (size_t i = 0; i < device->tool_count; i++) {
        budgets += device->tools[i].rules.limit_count;
    }
    memcpy(&id, device->interface_id, sizeof id);
    buf_printf(
        out,
        "#if SKR_GUARD\n"
        "/* What limits and the record remember. Define SKR_KEPT_PLACE as an attribute to place it in memory that a\n"
        " * reset does not clear. */\n"
        "#ifndef SKR_KEPT_PLACE\n#define SKR_KEPT_PLACE\n#endif\n"
        "static struct {\n    struct skr_kept kept;\n    struct skr_budget budgets[%zu];\n} skr_kept_memory "
        "SKR_KEPT_PLACE;\n"
        "static const struct skr_guard skr_guard_memory = {&skr_kept_memory.kept, skr_kept_memory.budgets, %zu, "
        "0x%08Xu};\n#endif\n\n",
        budgets > 0 ? budgets : 1, budgets, id);
}

/* what, max, period_s, offset, size, decimals, budget */
static void write_limits(struct buf *out, const struct tool *tool, size_t first)
{
    buf_printf(out, "static const struct skr_limit skr_limits_%s[] = {\n", tool->symbol);
    for (size_t i = 0; i < tool->rules.limit_count; i++) {
        const struct tool_limit *limit = &tool->rules.limits[i];
        const struct shape *argument = limit->argument;
        if (argument == NULL) {
            buf_printf(out, "    {\"tool calls\", %u, %u, 0, 0, 0, %zu},\n", limit->max, limit->period_s, first + i);
            continue;
        }
        buf_puts(out, "    {");
        header_literal(out, argument->name, strlen(argument->name));
        buf_printf(out, ", %u, %u, offsetof(struct %s_args, %s), sizeof(%s), %u, %zu},\n", limit->max, limit->period_s,
                   tool->symbol, argument->field, header_type(argument), argument->decimals, first + i);
    }
    buf_puts(out, "};\n");
}

static void write_requires(struct buf *out, const struct tool *tool)
{
    buf_printf(out, "static const struct skr_condition skr_requires_%s[] = {\n", tool->symbol);
    for (size_t i = 0; i < tool->rules.require_count; i++) {
        buf_printf(out, "    {condition_%s, ", tool->rules.requires[i].name);
        header_literal(out, tool->rules.requires[i].otherwise, strlen(tool->rules.requires[i].otherwise));
        buf_puts(out, "},\n");
    }
    buf_puts(out, "};\n");
}

static void write_excludes(struct buf *out, const struct tool *tool)
{
    buf_printf(out, "static const char *const skr_excludes_%s[] = {", tool->symbol);
    for (size_t i = 0; i < tool->rules.exclude_count; i++) {
        buf_printf(out, "\"%s\", ", tool->rules.excludes[i]);
    }
    buf_puts(out, "NULL};\n");
}

/* "skr_limits_tool_dose", or "NULL" when there are none. */
static char *name_if(bool any, const char *what, const struct tool *tool)
{
    return any ? xasprintf("skr_%s_%s", what, tool->symbol) : xstrdup("NULL");
}

/* guard, shape, confirm, conditions, limits, excludes, require_count, limit_count, flags */
static void write_rules(struct buf *out, const struct tool *tool)
{
    const struct tool_rules *rules = &tool->rules;
    bool values = tool->args->kind != SHAPE_RAW && (rules->confirm != NULL || rules->limit_count > 0 || rules->plan);

    if (values) {
        buf_printf(
            out,
            "typedef char skr_args_exceed_SKR_RULE_ARGUMENTS_%s[sizeof(struct %s_args) <= SKR_RULE_ARGUMENTS ? 1 : -1];\n",
            tool->symbol, tool->symbol);
    }
    buf_printf(out, "static const struct skr_rules skr_rules_%s = {&skr_guard_memory, ", tool->symbol);
    buf_puts(out, values ? xasprintf("&skr_shape_%s_args, ", tool->symbol) : "NULL, ");
    if (rules->confirm != NULL) {
        header_literal(out, rules->confirm, strlen(rules->confirm));
    } else {
        buf_puts(out, "NULL");
    }
    buf_printf(out, ", %s, %s, %s, %zu, %zu, 0%s%s%s};\n", name_if(rules->require_count > 0, "requires", tool),
               name_if(rules->limit_count > 0, "limits", tool), name_if(rules->exclude_count > 0, "excludes", tool),
               rules->require_count, rules->limit_count, rules->plan ? " | SKR_RULE_PLAN" : "",
               rules->while_locked ? " | SKR_RULE_WHILE_LOCKED" : "",
               rules->confirm != NULL && rules->without_person ? " | SKR_RULE_WITHOUT_PERSON" : "");
}

size_t header_rules(struct buf *out, const struct tool *tool, size_t first_budget)
{
    const struct tool_rules *rules = &tool->rules;

    if (!rules->any) {
        return first_budget;
    }
    if (rules->limit_count > 0) {
        write_limits(out, tool, first_budget);
    }
    if (rules->require_count > 0) {
        write_requires(out, tool);
    }
    if (rules->exclude_count > 0) {
        write_excludes(out, tool);
    }
    write_rules(out, tool);
    buf_puts(out, "\n");
    return first_budget + rules->limit_count;
}
