/* layout_skills.c -- the table of skills and the tables whose runs it points to: files,
 * stretches of instructions, links. See layout.h.
 *
 * Entries come first and are contiguous, because lists send them as one run; other texts of a record are looked for
 * inside its entry before they are added. */
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "image/describe.h"
#include "image/entry.h"
#include "image/layout.h"
#include "image/text_facts.h"

/* Notes the path that starts at `off`, and every directory above it, so that the node table finds its paths inside the entries.
 * Those above `before`, the path that was noted last, are known. */
static void keep_paths(struct layout *l, uint32_t off, const struct tree_node *node, const char *before)
{
    size_t same = 0;

    while (node->path[same] != '\0' && node->path[same] == before[same]) {
        same++;
    }
    texts_keep_suffix(&l->texts, (struct romfs_text){off, (uint32_t)node->path_len});
    for (size_t n = node->path_len; n >= same && n > 0; n--) {
        if (node->path[n] == '/') {
            texts_keep_suffix(&l->texts, (struct romfs_text){off, (uint32_t)n});
        }
    }
}

static const struct tree_node *node_of(const struct layout *l, const struct skill *skill, const struct source *file)
{
    return tree_node_of(&l->tree, skill, file);
}

static struct romfs_text moved_text(struct romfs_text part, struct romfs_text entry)
{
    return (struct romfs_text){entry.off + part.off, part.len};
}

static void fill_entry(struct layout *l, const struct skill *skill, struct romfs_skill *out)
{
    struct buf entry = {0};
    struct entry_parts parts = {.path_at = xmalloc(skill->file_count * sizeof *parts.path_at)};

    entry_write(&entry, l->device, skill, &l->tree, &parts);
    out->entry = texts_append(&l->texts, entry.p, entry.n);
    out->frontmatter = moved_text(parts.frontmatter, out->entry);
    out->resources = moved_text(parts.resources, out->entry);
    out->lean = moved_text(parts.lean, out->entry);
    out->prompt = moved_text(parts.prompt, out->entry);
    const char *before = "";
    for (size_t i = 0; i < skill->file_count && !skill->dynamic; i++) {
        if (!skill->files[i].is_dir) {
            const struct tree_node *node = node_of(l, skill, &skill->files[i]);
            keep_paths(l, out->entry.off + (uint32_t)parts.path_at[i], node, before);
            before = node->path;
        }
    }
    free(entry.p);
    free(parts.path_at);
}

/* Members that its Resource has besides name and description (SK-W-09, SK-W-15). */
static struct romfs_text add_resource_members(struct layout *l, const struct skill *skill, struct romfs_text entry)
{
    const struct skill_extras *extras = &skill->extras;
    struct buf b = {0};

    if (extras->title != NULL) {
        buf_printf(&b, ",\"title\":%s", extras->title);
    }
    buf_printf(&b, ",\"annotations\":%s",
               extras->annotations != NULL ? extras->annotations : "{\"audience\":[\"assistant\"],\"priority\":1.0}");
    struct romfs_text members = layout_within(l, entry, buf_str(&b));
    free(b.p);
    return members;
}

static void fill_texts(struct layout *l, const struct skill *skill, struct romfs_skill *out)
{
    const struct skill_extras *extras = &skill->extras;
    struct romfs_text entry = out->entry;

    out->flags = (skill->dynamic ? ROMFS_DYNAMIC : 0u) | (skill->archived ? ROMFS_ARCHIVED : 0u) |
                 (skill->unarchivable ? ROMFS_NO_ARCHIVE : 0u);
    out->name = layout_within(l, entry, skill->name_json);
    out->description = layout_within(l, entry, skill->description_json);
    out->version = layout_within(l, entry, extras->version);
    out->tags = layout_within(l, entry, extras->tags);
    out->dependencies = layout_within(l, entry, extras->dependencies);
    out->metadata = layout_within(l, entry, extras->metadata);
    out->extra = add_resource_members(l, skill, entry);
}

/* ---- Files ---- */

/* The path inside the skill is the end of the node's path, unless that is escaped. */
static struct romfs_text add_path(struct layout *l, const struct tree_node *node, const struct source *file)
{
    char *quoted = json_quoted(file->path, strlen(file->path));
    size_t n = strlen(quoted) - 2;

    if (node->path_len < n || memcmp(node->path + node->path_len - n, quoted + 1, n) != 0) {
        return texts_add(&l->texts, quoted + 1, n);
    }
    free(quoted);
    struct romfs_text path = texts_add(&l->texts, node->path, node->path_len);
    return (struct romfs_text){path.off + path.len - (uint32_t)n, (uint32_t)n};
}

static void fill_file(struct layout *l, const struct skill *skill, const struct source *file, struct romfs_file *out)
{
    const struct tree_node *node = node_of(l, skill, file);

    out->node = (uint32_t)(node - l->tree.nodes);
    out->kind = describe_kind(file);
    out->flags = (file->required ? ROMFS_REQUIRED : 0u) | (file->about != NULL ? ROMFS_ABOUT : 0u);
    out->tool = out->kind == ROMFS_SCRIPT ? (uint32_t)file->tool : ROMFS_NONE;
    out->path = add_path(l, node, file);
    out->about = layout_quoted(l, describe_about(file));
    out->title = layout_quoted(l, file->title);
    out->alias = layout_text(l, file->alias);
}

static uint32_t fill_files(struct layout *l, const struct skill *skill, uint32_t first)
{
    for (size_t i = 1; i < skill->file_count; i++) { /* after its own SKILL.md */
        if (!skill->files[i].is_dir) {
            fill_file(l, skill, &skill->files[i], &l->files[first++]);
        }
    }
    return first;
}

/* ---- Instructions and links ---- */

/* How many bytes n bytes of content have once they are escaped. */
static uint32_t escaped_size(const uint8_t *bytes, size_t n)
{
    struct text_facts facts = {0};

    text_facts_add(&facts, bytes, n);
    return (uint32_t)facts.json_size;
}

static void fill_body(const struct skill *skill, const struct instructions *instructions, struct romfs_body_part *out)
{
    for (size_t i = 0; i < instructions->count; i++) {
        const struct stretch *stretch = &instructions->list[i];
        out[i].off = (uint32_t)stretch->off;
        out[i].len = (uint32_t)stretch->len;
        out[i].json_size = escaped_size(skill->files[0].bytes + stretch->off, stretch->len);
        out[i].arg = stretch->arg < 0 ? ROMFS_NONE : (uint32_t)stretch->arg;
    }
}

void layout_escaped_body(struct layout *l, uint32_t index)
{
    const struct romfs_skill *skill = &l->skills[index];
    const uint8_t *bytes = l->device->skills[index].files[0].bytes;
    uint32_t seen = 0, escaped = 0; /* bytes of the file, and what they become */

    if ((l->nodes[skill->node].flags & ROMFS_ESCAPED) == 0) {
        return;
    }
    for (uint32_t i = 0; i < skill->body_count; i++) { /* in ascending order */
        struct romfs_body_part *part = &l->bodies[skill->first_body + i];
        escaped += escaped_size(bytes + seen, part->off - seen);
        seen = part->off;
        part->off = escaped;
        part->len = part->json_size;
    }
}

static uint32_t fill_links(struct layout *l, const struct links *links, uint32_t first)
{
    for (size_t i = 0; i < links->count; i++) {
        l->links[first++] = (uint32_t)links->index[i];
    }
    return first;
}

static void fill_runs(struct layout *l)
{
    uint32_t files = 0, bodies = 0, links = 0;

    for (size_t i = 0; i < l->device->skill_count; i++) {
        const struct skill *skill = &l->device->skills[i];
        struct romfs_skill *out = &l->skills[i];
        out->first_file = files;
        files = fill_files(l, skill, files);
        out->file_count = files - out->first_file;
        out->first_body = bodies;
        out->body_count = (uint32_t)l->instructions[i].count;
        fill_body(skill, &l->instructions[i], &l->bodies[bodies]);
        bodies += out->body_count;
        out->first_arg = layout_args(l, skill->args, skill->arg_count, out->lean);
        out->arg_count = (uint32_t)skill->arg_count;
        out->first_link = links;
        out->tool_links = (uint32_t)skill->tools.count;
        out->prompt_links = (uint32_t)skill->prompts.count;
        out->skill_links = (uint32_t)skill->subskills.count;
        links = fill_links(l, &skill->tools, links);
        links = fill_links(l, &skill->prompts, links);
        links = fill_links(l, &skill->subskills, links);
    }
}

void layout_skills(struct layout *l)
{
    const struct device *device = l->device;

    /* The listed entries must be contiguous: nothing else may be added to the text area between them. */
    for (size_t i = 0; i < device->skill_count; i++) {
        if (i > 0 && device->skills[i].listed) {
            texts_append(&l->texts, ",", 1);
        }
        fill_entry(l, &device->skills[i], &l->skills[i]);
        l->header.listed += device->skills[i].listed;
    }
    for (size_t i = 0; i < device->skill_count; i++) {
        fill_texts(l, &device->skills[i], &l->skills[i]);
    }
    for (size_t i = 0; i < l->tree.count; i++) {
        const struct tree_node *node = &l->tree.nodes[i];
        if (node->skill == ROMFS_NONE) {
            continue;
        }
        if (node->file != NULL) {
            l->skills[node->skill].node = (uint32_t)i;
        } else {
            l->skills[node->skill].path = texts_add(&l->texts, node->path, node->path_len);
        }
    }
    fill_runs(l);
}
