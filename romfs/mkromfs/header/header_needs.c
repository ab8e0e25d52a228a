/* header_needs.c -- what the device needs of its build: an #error for each tool, prompt and resource that the profile would
 * leave out while the skills still tell a client to use it. See header.h. */
#include "header/header_parts.h"

#define MORE_PROFILES "profile full or host, or "

/* `file` needs a switch of skr_config.h. */
static void put_need(struct buf *out, const char *file, const char *what, const char *name, const char *profiles)
{
    buf_printf(out,
               "#if !%s\n#error \"%s has %s: it needs %s, which this profile lacks; choose %s%s 1 in "
               "SKR_USER_CONFIG\"\n#endif\n",
               name, file, what, name, profiles, name);
}

static void need_of_tool(struct buf *out, const struct tool *tool)
{
    char *file = xasprintf("tools/%s.json", tool->name);

    if (tool->rules.any) {
        put_need(out, file, "rules", "SKR_GUARD", "profile host, or ");
    }
    if (tool->rules.confirm != NULL) {
        put_need(out, file, "a confirm", "SKR_INTERACTIVE", MORE_PROFILES);
    }
    if (tool->deadline_ms == 0) {
        return;
    }
    put_need(out, file, "a deadlineMs", "SKR_JOBS", "profile net, full or host, or ");
    if (tool->task == TASK_REQUIRED) {
        put_need(out, file, "task required", "SKR_TASKS", MORE_PROFILES);
    }
}

/* Whatever is left out, a deadline that the core would shorten is a mistake. */
static void limit_of_tool(struct buf *out, const struct tool *tool)
{
    buf_printf(out,
               "#if SKR_JOBS && SKR_JOB_DEADLINE_MAX_MS < %u\n"
               "#error \"tools/%s.json has deadlineMs %u, more than SKR_JOB_DEADLINE_MAX_MS; raise that in "
               "SKR_USER_CONFIG\"\n#endif\n",
               tool->deadline_ms, tool->name, tool->deadline_ms);
}

void header_needs(struct buf *out, const struct device *device)
{
    buf_puts(out, "#ifndef SKR_TOOLS_PARTIAL\n");
    for (size_t i = 0; i < device->tool_count; i++) {
        need_of_tool(out, &device->tools[i]);
    }
    if (device->prompt_count > 0) {
        put_need(out, xasprintf("prompts/%s.md", device->prompts[0].name), "a prompt", "SKR_EXTRAS",
                 "profile net, full or host, or ");
    }
    for (size_t i = 0; i < device->resource_count; i++) {
        if (device->resources[i].subscribe) {
            put_need(out, xasprintf("resources/%s.json", device->resources[i].name), "subscribe", "SKR_CHANGES",
                     MORE_PROFILES);
        }
    }
    buf_puts(out, "#endif\n");
    for (size_t i = 0; i < device->tool_count; i++) {
        if (device->tools[i].deadline_ms > 0) {
            limit_of_tool(out, &device->tools[i]);
        }
    }
    buf_puts(out, "\n");
}
