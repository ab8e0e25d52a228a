/* describe.c -- kinds and descriptions of files. See describe.h. */
#include "image/describe.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

#define ABOUT_MAX 256 /* bytes of a heading */

static bool is_below(const char *path, const char *directory)
{
    return strncmp(path, directory, strlen(directory)) == 0;
}

enum romfs_file_kind describe_kind(const struct source *file)
{
    if (file->is_script) {
        return ROMFS_SCRIPT;
    }
    bool reads = file->text && !is_below(file->path, "scripts/") && !is_below(file->path, "assets/");
    return reads ? ROMFS_REFERENCE : ROMFS_ASSET;
}

/* The text of `## A heading ##`; NULL when the line is not a heading. */
static char *heading_in(const char *line, size_t n)
{
    size_t i = 0;

    while (i < n && line[i] == '#') {
        i++;
    }
    if (i == 0 || i > 6 || i == n || (line[i] != ' ' && line[i] != '\t')) {
        return NULL;
    }
    while (n > i && strchr("# \t\r", line[n - 1])) {
        n--;
    }
    while (i < n && (line[i] == ' ' || line[i] == '\t')) {
        i++;
    }
    return n > i ? xstrndup(line + i, utf8_clip(line + i, n - i, ABOUT_MAX)) : NULL;
}

static bool starts_with(const char *line, size_t n, const char *text)
{
    return n >= strlen(text) && memcmp(line, text, strlen(text)) == 0;
}

/* The first heading that is neither in the frontmatter nor in a block of code. */
static char *first_heading(const char *text, size_t size)
{
    bool code = false;
    const char *end = text + size;
    bool in_frontmatter = starts_with(text, size, "---\n") || starts_with(text, size, "---\r\n");

    for (const char *line = text; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((newline ? newline : end) - line);
        if (in_frontmatter) {
            in_frontmatter = line == text || !starts_with(line, n, "---");
        } else if (starts_with(line, n, "```") || starts_with(line, n, "~~~")) {
            code = !code;
        } else if (!code) {
            char *heading = heading_in(line, n);
            if (heading) {
                return heading;
            }
        }
        line = newline ? newline + 1 : end;
    }
    return NULL;
}

char *describe_about(const struct source *file)
{
    char *heading = NULL;

    if (file->about) {
        return file->about;
    }
    if (file->text && strcmp(file->mime, "text/markdown") == 0) {
        heading = first_heading((const char *)file->bytes, file->size);
    }
    return heading ? heading : file->path;
}
