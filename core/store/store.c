/* store.c -- from a URI to what it names. */
#include "store/store.h"

#include "response/feature.h"
#include "text/hex.h"

static bool is_unreserved(char c)
{
    char lower = (char)(c | 0x20);

    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || memchr("-._~", c, 4) != NULL;
}

static char upper_digit(char c)
{
    return c >= 'a' ? (char)(c - ('a' - 'A')) : c;
}

/* The canonical spelling, which the image's table has: escapes of unreserved characters decoded, the hex of all others
 * in upper case. False when it does not fit `out` or an escape is malformed. */
static bool path_canonical(struct skr_span path, char *out, size_t room, size_t *length)
{
    char *end = out + room, *to = out;

    for (size_t i = 0; i < path.n; i++) {
        if (end - to < 3) {
            return false;
        }
        *to++ = path.p[i];
        if (path.p[i] != '%') {
            continue;
        }
        int byte = path.n - i > 2 ? skr_hex_byte(path.p + i + 1) : -1;
        if (byte < 0) {
            return false;
        }
        char c = (char)byte;
        if (is_unreserved(c)) {
            to[-1] = c;
        } else {
            *to++ = upper_digit(path.p[i + 1]);
            *to++ = upper_digit(path.p[i + 2]);
        }
        i += 2;
    }
    *length = (size_t)(to - out);
    return true;
}

/* True when the URI begins with the base. The scheme and the authority match in any case. */
static bool is_below(struct skr_span base, struct skr_span uri)
{
    if (uri.n < base.n) {
        return false;
    }
    if (SKR_FAST && memcmp(uri.p, base.p, base.n) == 0) {
        return true; /* as most do */
    }
    unsigned slashes = 0;
    for (size_t i = 0; i < base.n; i++) {
        slashes += base.p[i] == '/';
        if (uri.p[i] != base.p[i] && (slashes > 2 || skr_lower(uri.p[i]) != skr_lower(base.p[i]))) {
            return false;
        }
    }
    return true;
}

/* The path after the base of the URI, in canonical spelling. */
static bool path_below(struct skr_call *call, struct skr_span base, struct skr_span uri, struct skr_span *path)
{
    if (!is_below(base, uri)) {
        return false;
    }
    uri = *path = skr_span_from(uri, base.n);
    if (uri.n > 0 && memchr(uri.p, '%', uri.n) != NULL) {
        char *room = skri_lease(call->conn, SKR_URI_PATH);
        path->p = room;
        return path_canonical(uri, room, sizeof call->conn->output, &path->n);
    }
    return true;
}

static bool find_node(const struct romfs *fs, struct skr_span path, struct skr_found *found)
{
    found->node = romfs_find(fs, path.p, path.n);
    found->directory = found->node != NULL && (found->node->flags & ROMFS_DIR) != 0;
    return found->node != NULL;
}

/* A served skill's path followed by .zip or .tar.gz (SK-X-10), unless its content is made at run time or does not fit
 * an archive. */
static bool find_archive(const struct romfs *fs, struct skr_span path, struct skr_found *found)
{
    found->tar = skr_span_ends(path, SPAN(".tar.gz"));
    if (!found->tar && !skr_span_ends(path, SPAN(".zip"))) {
        return false;
    }
    const struct romfs_node *dir = romfs_find(fs, path.p, path.n - (found->tar ? 7 : 4));
    if (dir == NULL || (dir->flags & ROMFS_DIR) == 0 || dir->skill == ROMFS_NONE ||
        (fs->skills[dir->skill].flags & (ROMFS_DYNAMIC | ROMFS_NO_ARCHIVE)) != 0) {
        return false;
    }
    found->archive = &fs->skills[dir->skill];
    return true;
}

static bool find_path(const struct romfs *fs, struct skr_span path, struct skr_found *found)
{
    return find_node(fs, path, found) || (SKR_DIALECTS && find_archive(fs, path, found));
}

/* The first segment is the authority of a skill:// URI, which clients may spell in other case (RFC 3986, 6.2.2.1). The
 * exact spelling comes first; lint refuses two files that only case tells apart (SK-V-10). */
static bool find_folded(struct skr_call *call, struct skr_span path, struct skr_found *found)
{
    const struct romfs *fs = call->fs;
    const struct romfs_node *child = &fs->nodes[fs->nodes->data], *end = child + fs->nodes->stored;
    char *out = call->conn->output;

    if (path.n > sizeof call->conn->output) {
        return false;
    }
    path.p = memmove(out, path.p, path.n);
    for (; child < end; child++) {
        size_t n = child->path.len;
        const char *name = romfs_at(fs, child->path);
        if (n <= path.n && skr_same_nocase(name, out, n)) {
            memcpy(out, name, n); /* where the segment goes on, nothing is found below */
            if (find_path(fs, path, found)) {
                return true;
            }
        }
    }
    return false;
}

/* No skill has its name, so it is looked for last. */
static bool find_index(struct skr_call *call, struct skr_span uri, struct skr_found *found)
{
    struct skr_span path;

    found->index =
        skri_has_index(call->fs) && path_below(call, SPAN("skill://"), uri, &path) && skr_span_is(path, SKR_INDEX);
    return found->index;
}

/* The panel has the one URI that its tool names. */
static bool find_panel(const struct romfs *fs, struct skr_span uri, struct skr_found *found)
{
    const struct romfs_panel *panel = skri_panel(fs);
    bool there = panel != NULL && skr_span_eq(uri, skr_span_rom(fs, panel->file.path));

    found->node = there ? &panel->file : NULL;
    return there;
}

/* In the image, however the URI is spelled. */
static bool find_in_image(struct skr_call *call, struct skr_span uri, struct skr_found *found)
{
    const struct romfs *fs = call->fs;
    struct skr_span path;
    bool below = path_below(call, skr_span_rom(fs, fs->header->base), uri, &path);

    return (below && (find_path(fs, path, found) || find_folded(call, path, found))) ||
           (SKR_DIALECTS && find_index(call, uri, found)) || (SKR_PANEL && find_panel(fs, uri, found));
}

/* The variable is one segment, not empty. */
static bool template_matches(const char *pattern, struct skr_span uri, struct skr_span *var)
{
    const char *open = strchr(pattern, '{'), *close = strchr(open, '}');

    if (close == NULL) {
        return false;
    }
    struct skr_span before = {pattern, (size_t)(open - pattern)}, after = skr_span_of(close + 1);
    if (uri.n <= before.n + after.n || !skr_span_starts(uri, before) || !skr_span_ends(uri, after)) {
        return false;
    }
    var->p = uri.p + before.n;
    var->n = uri.n - before.n - after.n;
    return memchr(var->p, '/', var->n) == NULL;
}

static bool find_resource(const struct skr_device *device, struct skr_span uri, struct skr_found *found)
{
    for (size_t i = 0; i < device->resource_count; i++) {
        const struct skr_resource *r = &device->resources[i];
        if (skri_store_is_template(r) ? template_matches(r->uri, uri, &found->var) : skr_span_is(uri, r->uri)) {
            found->resource = r;
            return true;
        }
    }
    return false;
}

bool skri_store_find(struct skr_call *call, struct skr_span uri, struct skr_found *found)
{
    memset(found, 0, sizeof *found);
    bool there = find_in_image(call, uri, found);
    skri_lease_end(call->conn, SKR_URI_PATH);
    return there || find_resource(call->srv->device, uri, found);
}

bool skri_store_find_directory(struct skr_call *call, struct skr_span uri, struct skr_found *found)
{
    bool there = skri_store_find(call, uri, found);

    if (!there && uri.n > 0 && uri.p[uri.n - 1] == '/') { /* drafts had a trailing slash (SK-A-14) */
        uri.n--;
        there = skri_store_find(call, uri, found);
    }
    return there;
}

void skri_store_unknown(struct skr_call *call, struct skr_span uri)
{
    skri_rpc_error(call, call->modern ? SKR_NO_RESOURCE : SKR_NO_RESOURCE_LEGACY, uri);
}
