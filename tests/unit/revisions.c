/* revisions.c -- see revisions.h. */
#include "revisions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"

const struct revision first_revision = {"a", "b", '1', "echo", "greet"};

static struct source file(char *path, const char *content)
{
    struct source s = {.path = path, .disk_path = "", .mime = "text/markdown", .text = true};

    s.size = strlen(content);
    s.bytes = (uint8_t *)sample_exact_copy(content, s.size);
    return s;
}

static struct skill skill(char *name, char *quoted, struct source *files, size_t count)
{
    struct skill s = {.path = name,
                      .disk_path = "",
                      .name = name,
                      .name_json = quoted,
                      .listed = true,
                      .files = files,
                      .file_count = count,
                      .description_json = "\"For tests\"",
                      .body = strlen("---\nname: one\n---\n")};

    s.frontmatter = xasprintf("{\"name\":%s,\"description\":\"For tests\"}", quoted);
    return s;
}

struct buf revision_image(const struct revision *r)
{
    char text[REVISION_LONG + 1];

    memset(text, r->fill, REVISION_LONG);
    text[REVISION_LONG] = '\0';
    struct source one[4], two[1];
    size_t n = 0;
    one[n++] = file("SKILL.md", "---\nname: one\n---\nDo it.\n");
    if (r->a != NULL) {
        one[n++] = file("a.md", r->a);
    }
    one[n++] = file("b.md", r->b);
    one[n++] = file("long.txt", text);
    two[0] = file("SKILL.md", "---\nname: two\n---\nDo that.\n");
    struct skill skills[] = {skill("one", "\"one\"", one, n), skill("two", "\"two\"", two, 1)};
    struct tool tool = {.name = xstrdup(r->tool),
                        .json = xasprintf("{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}", r->tool)};
    struct prompt_part part = {"Say nothing.", -1};
    struct prompt prompt = {.parts = &part, .part_count = 1};
    if (r->name != NULL) {
        prompt.name = xstrdup(r->name);
        prompt.json = xasprintf("{\"name\":\"%s\"}", r->name);
    }
    struct device device = {.base = "skill://",
                            .server_info = "{\"name\":\"sample\",\"version\":\"1\"}",
                            .skills = skills,
                            .skill_count = 2,
                            .tools = &tool,
                            .tool_count = 1,
                            .prompts = &prompt,
                            .prompt_count = r->name != NULL};
    struct image_options options = {0};
    struct diag diag = {.out = stderr};
    struct buf image = {0};
    if (!image_build(&device, &options, &diag, &image)) {
        abort();
    }
    return image;
}

/* ---- Swapping ---- */

static char *kept[64];
static size_t kept_count;

static char *keep(const struct revision *revision, size_t *n)
{
    struct buf image = revision_image(revision);

    if (kept_count == sizeof kept / sizeof kept[0]) {
        abort();
    }
    *n = image.n;
    return kept[kept_count++] = sample_exact_copy(image.p, image.n);
}

void revision_forget(void)
{
    for (; kept_count > 1; kept_count--) {
        free(kept[0]);
        memmove(kept, kept + 1, (kept_count - 1) * sizeof kept[0]);
    }
}

void revision_swap(const struct revision *revision)
{
    size_t n;
    char *image = keep(revision, &n);

    if (skr_server_swap(&peer.server, image, n) != 0) {
        abort();
    }
}

void revision_start(enum skr_wire wire)
{
    size_t n;
    char *image = keep(&first_revision, &n);

    if (peer_serve(image, n) != 0) {
        abort();
    }
    skr_server_can_swap(&peer.server, true);
    peer_open(wire);
}
