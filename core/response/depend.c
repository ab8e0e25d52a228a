/* depend.c -- the dependencies of a skill, without tools that have no handler. See depend.h. */
#include "response/depend.h"

const struct skr_tool *skri_tool_handler(const struct skr_device *d, struct skr_span name)
{
    return skri_find_handler(d->tools, d->tool_count, name);
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

/* The dependencies at p: {"tools":["a","b"],...}, where names have no escapes. Neighbours that are kept are one piece;
 * when a response has no room for more pieces, further tools are left out. */
static void push_tools(struct skr_response *a, const char *p, const char *end)
{
    static const char open[] = "{\"tools\":[";
    const char *at = p + sizeof open - 1, *kept = NULL; /* kept: the end of the last name that is kept */

    if ((size_t)(end - p) < sizeof open || memcmp(p, open, sizeof open - 1) != 0) {
        skri_push_bytes(a, SKR_RAW, p, (size_t)(end - p));
        return;
    }
    while (at < end && *at == '"') {
        const char *name = at + 1, *quote = memchr(name, '"', (size_t)(end - name));
        if (quote == NULL) {
            break;
        }
        bool adjacent = kept != NULL && kept + 1 == at, room = skri_pushed(a) + 5 <= SKR_PIECES;
        if ((adjacent || room) &&
            skri_tool_handler(a->device, (struct skr_span){name, (size_t)(quote - name)}) != NULL) {
            if (adjacent) {
                skri_push_more(a, (size_t)(quote + 1 - kept));
            } else {
                skri_push_text(a, kept == NULL ? open : ",");
                skri_push_bytes(a, SKR_RAW, at, (size_t)(quote + 1 - at));
            }
            kept = quote + 1;
        }
        at = quote + 1;
        at += at < end && *at == ',';
    }
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
