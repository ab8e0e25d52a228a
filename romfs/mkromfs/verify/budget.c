/* budget.c -- measuring what an image costs its readers. See budget.h. */
#include "verify/budget.h"

#include <string.h>

#include "base/buf.h"
#include "base/scan.h"
#include "base/screen.h"
#include "unescape.h"

/* What surrounds the parts that depend on the device, with the newline. The capabilities are those of a device with everything. */
#define ENVELOPE "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":}\n"
#define INITIALIZED                                                                                                    \
    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"resources\":{\"subscribe\":true},\"tools\":{},"           \
    "\"prompts\":{},\"completions\":{},\"logging\":{},\"extensions\":{\"io.modelcontextprotocol/skills\":"             \
    "{\"directoryRead\":true}},\"experimental\":{\"io.modelcontextprotocol/skills\":{\"directoryRead\":true}},"        \
    "\"skills\":{\"listChanged\":false,\"scripts\":true}},\"serverInfo\":}"
#define INSTRUCTIONS ",\"instructions\":"
#define TOOLS "{\"tools\":[]}"
#define SKILLS "{\"skills\":[]}"
#define CONTENTS "{\"contents\":[{\"uri\":\"\",\"mimeType\":\"\",\"text\":\"\"}]}"

#define LENGTH(text) (sizeof(text) - 1)

static uint64_t budget_tokens(uint64_t bytes)
{
    return (bytes * 10 + BUDGET_BYTES_PER_TEN_TOKENS / 2) / BUDGET_BYTES_PER_TEN_TOKENS;
}

/* The text that a JSON string in the image stands for; "" for none. */
static char *decoded_text(const struct romfs *fs, struct romfs_text json)
{
    struct buf text = {0};
    struct romfs_unescape u;
    const uint8_t *bytes;
    size_t n;

    if (json.len >= 2) {
        romfs_unescape_start(&u, fs->image + json.off + 1, json.len - 2);
        while ((n = romfs_unescape_next(&u, json.len, &bytes)) > 0) {
            buf_add(&text, bytes, n);
        }
    }
    return buf_str(&text);
}

static void measure_instructions(const struct romfs *fs, struct budget *out)
{
    const struct romfs_header *h = fs->header;

    out->instructions.tokens = budget_tokens(strlen(decoded_text(fs, h->instructions)));
    out->instructions.wire = LENGTH(ENVELOPE) + LENGTH(INITIALIZED) + h->server_info.len;
    if (h->instructions.len > 0) {
        out->instructions.wire += LENGTH(INSTRUCTIONS) + h->instructions.len;
    }
}

static void count_tool(struct budget *out, struct romfs_text json)
{
    out->tools.wire += json.len + (out->tool_count > 0);
    out->tools.tokens += json.len;
    out->tool_count++;
}

static void measure_tools(const struct romfs *fs, struct budget *out)
{
    const struct romfs_header *h = fs->header;

    out->tools.wire = LENGTH(ENVELOPE) + LENGTH(TOOLS);
    for (uint32_t i = 0; i < h->tools.count; i++) {
        if ((fs->tools[i].flags & ROMFS_SCOPED) == 0) {
            count_tool(out, fs->tools[i].json);
        }
    }
    for (size_t i = 0; i < 2 && (h->flags & ROMFS_NO_SKILL_TOOLS) == 0; i++) {
        if (h->skill_tools[i].len > 0) {
            count_tool(out, h->skill_tools[i]);
        }
    }
    if (romfs_find_panel(fs) != NULL) {
        count_tool(out, romfs_find_panel(fs)->tool);
    }
    out->tools.tokens = budget_tokens(out->tools.tokens);
}

static void measure_skills(const struct romfs *fs, struct budget *out)
{
    uint64_t bytes = 0;

    out->skills.wire = LENGTH(ENVELOPE) + LENGTH(SKILLS);
    for (uint32_t i = 0; i < fs->header->listed; i++) {
        out->skills.wire += fs->skills[i].entry.len + (i > 0);
        bytes += strlen(decoded_text(fs, fs->skills[i].name)) + strlen(decoded_text(fs, fs->skills[i].description));
    }
    out->skills.tokens = budget_tokens(bytes);
}

void budget_measure(const struct romfs *fs, struct budget *out)
{
    *out = (struct budget){.tool_count = 0};
    measure_instructions(fs, out);
    measure_tools(fs, out);
    measure_skills(fs, out);
}

struct cost budget_always(const struct budget *b)
{
    return (struct cost){b->instructions.tokens + b->tools.tokens + b->skills.tokens,
                         b->instructions.wire + b->tools.wire + b->skills.wire};
}

struct cost budget_file(const struct romfs *fs, const struct romfs_node *file)
{
    bool text = (file->flags & ROMFS_TEXT) != 0;
    uint64_t content = text ? file->json_size : (uint64_t)(file->size + 2) / 3 * 4;

    return (struct cost){text ? budget_tokens(file->size) : 0, LENGTH(ENVELOPE) + LENGTH(CONTENTS) +
                                                                   fs->header->base.len + file->path.len +
                                                                   file->mime.len + content};
}

/* ---- What hosts cut, and what the author has set as a limit ---- */

/* From public write-ups and issues about hosts, not measured by us. */
#define INSTRUCTIONS_MAX 2048u /* characters */
#define TOOL_NAME_MAX 128u     /* of mcp__SERVER__TOOL */
#define RESULT_TOKENS_MAX 25000u

static struct check at_device(const struct check *c, const struct device *device)
{
    return check_at(c, device->json_path != NULL ? device->json_path : c->path);
}

static void check_instructions(const struct check *c, const struct romfs *fs, const struct device *device)
{
    const char *text = decoded_text(fs, fs->header->instructions);
    size_t length = utf8_units(text, strlen(text));
    struct check at = at_device(c, device);

    if (length > INSTRUCTIONS_MAX) {
        check_report(&at, LEVEL_W, device->instructions_at, "SK-H-01",
                     "the instructions have %zu characters; hosts cut them after %u: shorten them", length,
                     INSTRUCTIONS_MAX);
    }
}

static void check_tools(const struct check *c, const struct device *device)
{
    for (size_t i = 0; i < device->tool_count; i++) {
        const struct tool *tool = &device->tools[i];
        struct check at = check_at(c, tool->disk_path);
        size_t length = strlen("mcp____") + strlen(device->name) + strlen(tool->name);
        if (length > TOOL_NAME_MAX) {
            check_report(
                &at, LEVEL_W, whole_file, "SK-H-02",
                "hosts leave out tools whose full name has more than %u characters; mcp__%s__%s has %zu; shorten one of them",
                TOOL_NAME_MAX, excerpt_str(device->name), excerpt_str(tool->name), length);
        }
        if (budget_tokens(tool->output_max) > RESULT_TOKENS_MAX) {
            check_report(&at, LEVEL_W, whole_file, "SK-H-03",
                         "outputMax allows about %llu tokens; hosts cut results after about %u: lower it",
                         (unsigned long long)budget_tokens(tool->output_max), RESULT_TOKENS_MAX);
        }
    }
}

/* Files are also read as results of read_skill. */
static void check_files(const struct check *c, const struct device *device)
{
    for (size_t i = 0; i < device->skill_count; i++) {
        for (size_t k = 0; k < device->skills[i].file_count; k++) {
            const struct source *file = &device->skills[i].files[k];
            struct check at = check_at(c, file->disk_path);
            if (file->text && budget_tokens(file->size) > RESULT_TOKENS_MAX) {
                check_report(&at, LEVEL_W, whole_file, "SK-H-03",
                             "about %llu tokens; hosts cut what is read after about %u: split the file",
                             (unsigned long long)budget_tokens(file->size), RESULT_TOKENS_MAX);
            }
        }
    }
}

/* Words with which descriptions say when a skill is used. */
static bool has_cue(const char *text)
{
    static const char *const cues[] = {"use ",   "used ",   "when",   "if ",  "before ",
                                       "after ", "during ", "while ", "once "};

    for (size_t i = 0; i < sizeof cues / sizeof cues[0]; i++) {
        if (strcasestr(text, cues[i]) != NULL) {
            return true;
        }
    }
    return false;
}

void budget_advise(const struct check *c, const struct romfs *fs, const struct device *device)
{
    for (size_t i = 0; i < device->skill_count && i < fs->header->skills.count; i++) {
        struct check at = check_at(c, path_join(device->skills[i].disk_path, "SKILL.md"));
        if (!has_cue(decoded_text(fs, fs->skills[i].description))) {
            check_report(&at, LEVEL_W, whole_file, "SK-H-05",
                         "the description says what, but not when; add a sentence that begins with 'Use when'");
        }
    }
}

/* The most expensive file: a SKILL.md, or any other text. */
static uint64_t largest_response(const struct romfs *fs, bool manifest)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < fs->header->nodes.count; i++) {
        const struct romfs_node *node = &fs->nodes[i];
        if ((node->flags & ROMFS_DIR) == 0 && (node->skill != ROMFS_NONE) == manifest) {
            uint64_t tokens = budget_file(fs, node).tokens;
            most = tokens > most ? tokens : most;
        }
    }
    return most;
}

static void check_limits(const struct check *c, const struct romfs *fs, const struct device *device, enum level level)
{
    struct budget b;
    struct check at = at_device(c, device);

    budget_measure(fs, &b);
    const uint64_t is[LIMITS] = {
        [LIMIT_ALWAYS] = budget_always(&b).tokens,
        [LIMIT_ACTIVATION] = largest_response(fs, true),
        [LIMIT_FILE] = largest_response(fs, false),
        [LIMIT_LISTS] = budget_always(&b).wire,
        [LIMIT_IMAGE] = fs->header->size,
        [LIMIT_PANEL] = romfs_find_panel(fs) != NULL ? romfs_find_panel(fs)->file.size : 0,
    };
    for (size_t i = 0; i < LIMITS; i++) {
        if (device->limits[i].max != 0 && is[i] > device->limits[i].max) {
            check_report(&at, level, device->limits[i].at, "SK-H-04",
                         "over budget: %s is %llu, at most %llu; shorten it, or raise the budget in device.json",
                         limit_names[i], (unsigned long long)is[i], (unsigned long long)device->limits[i].max);
        }
    }
}

void budget_check(const struct check *c, const struct romfs *fs, const struct device *device, bool lenient)
{
    check_instructions(c, fs, device);
    check_tools(c, device);
    check_files(c, device);
    check_limits(c, fs, device, lenient ? LEVEL_W : LEVEL_E);
}
