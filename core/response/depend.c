/* depend.c -- the dependencies of a skill, without tools that have no handler. See depend.h. */
#include "response/depend.h"

#include "text/span.h"

const struct skr_tool *skri_tool_handler(const struct skr_device *d, struct skr_span name)
{
    for (size_t i = 0; i < d->tool_count; i++) {
        if (skr_span_is(name, d->tools[i].name)) {
            return &d->tools[i];
        }
    }
    return NULL;
}

bool skri_depend_all(const struct romfs *fs, const struct skr_device *d)
{
    const struct romfs_tool *tool = fs->tools, *end = tool + fs->header->tools.count;
    while (tool < end && ((tool->flags & ROMFS_SCOPED) != 0 ||
                          skri_tool_handler(d, (struct skr_span){romfs_at(fs, tool->name), tool->name.len}) != NULL)) {
        tool++;
    }
    return tool == end;
}

/* Pushes names that are kept and stand side by side, with what precedes them. */
static void push_names(struct skr_response *a, const char *before, const char *from, const char *end)
{
    if (from != NULL) {
        skri_push_text(a, before);
        skri_push_bytes(a, SKR_RAW, from, (size_t)(end - from));
    }
}

/* The dependencies at p: {"tools":["a","b"],...}, where names have no escapes. Neighbours that are kept are one piece; when
 * a response has no room for more pieces, further tools are left out. */
static void push_tools(struct skr_response *a, const char *p, const char *end)
{
    static const char open[] = "{\"tools\":[";
    const char *at = p + sizeof open - 1, *before = open;
    const char *from = NULL, *kept = NULL; /* names that are kept and not pushed yet; the end of the last one */
    if ((size_t)(end - p) < sizeof open || memcmp(p, open, sizeof open - 1) != 0) {
        skri_push_bytes(a, SKR_RAW, p, (size_t)(end - p));
        return;
    }
    while (at < end && *at == '"') {
        const char *name = at + 1, *quote = memchr(name, '"', (size_t)(end - name));
        if (quote == NULL) {
            break;
        }
        bool adjacent = kept != NULL && kept + 1 == at, room = skri_pushed(a) + (from != NULL ? 7 : 5) <= SKR_PIECES;
        if ((adjacent || room) &&
            skri_tool_handler(a->device, (struct skr_span){name, (size_t)(quote - name)}) != NULL) {
            if (!adjacent) {
                push_names(a, before, from, kept);
                before = from == NULL ? open : ",";
                from = at;
            }
            kept = quote + 1;
        }
        at = quote + 1;
        at += at < end && *at == ',';
    }
    push_names(a, before, from, kept);
    if (kept == NULL) { /* the member goes with its array and the comma after it */
        skri_push_text(a, "{");
        at += at < end && *at == ']';
        at += at < end && *at == ',';
    }
    skri_push_bytes(a, SKR_RAW, at, (size_t)(end - at));
}

void skri_push_depend(struct skr_response *a, const struct romfs_skill *skill, const char *p, size_t n)
{
    const char *at = romfs_at(a->fs, skill->dependencies);
    size_t len = skill->dependencies.len;
    if (len == 0 || at < p || (size_t)(at - p) > n || n - (size_t)(at - p) < len) {
        skri_push_bytes(a, SKR_RAW, p, n);
        return;
    }
    skri_push_bytes(a, SKR_RAW, p, (size_t)(at - p));
    push_tools(a, at, at + len);
    skri_push_bytes(a, SKR_RAW, at + len, n - (size_t)(at - p) - len);
}
