/* sample.c -- see sample.h. */
#include "sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "skr_args.h"

/* ---- Contents ---- */

struct skr_span sample_all_text(void)
{
    static char text[160];
    size_t n = 0;

    for (int c = 1; c < 0x80; c++) {
        text[n++] = (char)c;
    }
    memcpy(text + n, "\xC2\x80\xDF\xBF\xE2\x82\xAC\xEF\xBF\xBD\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF", 18);
    struct skr_span s = {text, n + 18};
    return s;
}

struct skr_span sample_bytes(void)
{
    static char bytes[256];

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (char)i;
    }
    struct skr_span s = {bytes, sizeof bytes};
    return s;
}

struct skr_span sample_long_text(void)
{
    static char text[5000];
    static const char words[] = "Turn the valve to the left, \"slowly\".\nWait until the lamp is green.\n";

    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = words[(i + i / 700) % (sizeof words - 1)];
    }
    struct skr_span s = {text, sizeof text};
    return s;
}

char *sample_exact_copy(const void *bytes, size_t n)
{
    char *copy = malloc(n);

    if (n > 0) {
        memcpy(copy, bytes, n);
    }
    return copy;
}

/* ---- The image ---- */

static struct source file(char *path, struct skr_span content, const char *mime, bool text)
{
    struct source s = {.path = path, .disk_path = "", .mime = mime, .text = text, .size = content.n};

    s.bytes = malloc(content.n > 0 ? content.n : 1);
    memcpy(s.bytes, content.p, content.n);
    return s;
}

static struct skr_span chars(const char *text)
{
    struct skr_span s = {text, strlen(text)};

    return s;
}

static struct source directory(char *path)
{
    struct source s = {.path = path, .disk_path = "", .is_dir = true};

    return s;
}

static void fill_alpha(struct source files[8])
{
    files[0] = file("SKILL.md", chars("---\nname: alpha\n---\nDo \"it\".\n"), "text/markdown", true);
    files[1] = directory("data");
    files[2] = file("data/all.txt", sample_all_text(), "text/plain", true);
    files[3] = file("data/bytes.bin", sample_bytes(), "application/octet-stream", false);
    files[4] = file("empty.txt", chars(""), "text/plain", true);
    files[5] = file("long.txt", sample_long_text(), "text/plain", true);
    files[6] = file("my notes.md", chars("# Notes\n"), "text/markdown", true);
    files[7] = file("zeros.bin", (struct skr_span){(const char[4000]){0}, 4000}, "application/octet-stream", false);
}

static struct skill skill(char *path, char *name_json, bool listed, struct source *files, size_t count)
{
    struct skill s = {.path = path,
                      .disk_path = "",
                      .name_json = name_json,
                      .listed = listed,
                      .files = files,
                      .file_count = count,
                      .description_json = "\"What it is for\""};
    char *frontmatter = malloc(128);

    snprintf(frontmatter, 128, "{\"name\":%s,\"description\":%s}", name_json, s.description_json);
    s.frontmatter = frontmatter;
    return s;
}

/* Not listed, and it has what the older dialects show: a script with a tool, arguments
 * in its text, links, an alias, and more to say about itself. */
static void fill_hidden(struct source files[3], struct skill *s)
{
    static struct argument args[] = {{.name = "who", .required = true}, {.name = "tone", .value = "very \"kind\""}};
    static size_t tool[] = {4}, prompt[] = {1}, subskill[] = {1};

    files[0] = file("SKILL.md", chars("---\nname: hidden\n---\nGreet {{who}}, be {{tone}}{{who}} {{x}}\n\n"),
                    "text/markdown", true);
    files[1] = directory("scripts");
    files[2] = file("scripts/run.sh", chars("echo hi\n"), "text/x-shellscript", true);
    files[2].is_script = true;
    files[2].tool = tool[0];
    files[2].about = "Says \"hi\"";
    files[2].title = "Run";
    files[2].alias = "runner";
    files[2].required = true;
    s->body = strlen("---\nname: hidden\n---\n");
    s->archived = true;
    s->args = args;
    s->arg_count = 2;
    s->tools = (struct links){tool, 1};
    s->prompts = (struct links){prompt, 1};
    s->subskills = (struct links){subskill, 1};
    s->extras = (struct skill_extras){
        .title = "\"Hidden\"",
        .version = "\"1.2\"",
        .tags = "[\"out\",\"of-sight\"]",
        .arguments = "[{\"name\":\"who\",\"required\":true},{\"name\":\"tone\"}]",
        .dependencies = "{\"tools\":[\"echo\"]}",
        .annotations = "{\"audience\":[\"user\"],\"priority\":0.5}",
        .metadata = "{\"version\":\"1.2\"}",
    };
}

#define TOOL(tool_name)                                                                                                \
    {                                                                                                                  \
        .name = tool_name, .json = "{\"name\":\"" tool_name "\",\"inputSchema\":{\"type\":\"object\"}}"                \
    }

static struct tool tools_of_image[] = {
    TOOL("echo"),
    TOOL("fail"),
    TOOL("flood"),
    TOOL("garble"),
    {.name = "hidden.run", .json = "{\"name\":\"hidden.run\",\"inputSchema\":{\"type\":\"object\"}}", .scoped = true},
    TOOL("need"),
    TOOL("numbers"),
    TOOL("orphan"),
};

static struct argument greet_args[] = {{.name = "who", .required = true}, {.name = "tone"}};
static struct prompt_part greet_parts[] = {{"Greet ", -1}, {NULL, 0}, {", \"please\": ", -1}, {NULL, 1}, {".", -1}};
static struct prompt_part plain_parts[] = {{"Say nothing.", -1}};
static struct prompt prompts[] = {
    {.name = "greet",
     .json = "{\"name\":\"greet\",\"description\":\"Says "
             "hello\",\"arguments\":[{\"name\":\"who\",\"required\":true},"
             "{\"name\":\"tone\"}]}",
     .description_json = "\"Says hello\"",
     .args = greet_args,
     .arg_count = 2,
     .parts = greet_parts,
     .part_count = 5},
    {.name = "plain", .json = "{\"name\":\"plain\",\"arguments\":[]}", .parts = plain_parts, .part_count = 1},
};

static struct buf build(const struct image_options *options)
{
    struct source alpha[8], beta[1], hidden[3];

    fill_alpha(alpha);
    beta[0] = file("SKILL.md", chars("---\nname: beta\n---\n"), "text/markdown", true);
    struct skill skills[] = {
        skill("alpha", "\"alpha\"", true, alpha, 8),
        skill("group/beta", "\"beta\"", true, beta, 1),
        skill("hidden", "\"hidden\"", false, hidden, 3),
    };
    fill_hidden(hidden, &skills[2]);
    skills[0].body = strlen("---\nname: alpha\n---\n");
    skills[1].body = strlen("---\nname: beta\n---\n");
    struct device device = {.base = "skill://",
                            .server_info = "{\"name\":\"sample\",\"version\":\"1\"}",
                            .instructions_json = "\"Read alpha first.\"",
                            .skills = skills,
                            .skill_count = 3,
                            .tools = tools_of_image,
                            .tool_count = sizeof tools_of_image / sizeof tools_of_image[0],
                            .prompts = prompts,
                            .prompt_count = 2};
    struct diag diag = {.out = stderr};
    struct buf image = {0};
    if (!image_build(&device, options, &diag, &image)) {
        abort();
    }
    return image;
}

struct buf sample_image(size_t window)
{
    return build(&(struct image_options){.window = window});
}

struct buf sample_image_raw_text(void)
{
    return build(&(struct image_options){.raw_text = true});
}

/* ---- Tools ---- */

/* Arguments of the tools below; headers for real devices are generated. */
struct sample_args {
    bool has_number, has_text;
    int32_t number;
    struct skr_span text;
};

static const int64_t up_to_a_million[2] = {0, 1000000};
static const struct skr_arg members[] = {
    {.kind = &skr_arg_int,
     .name = "n",
     .offset = offsetof(struct sample_args, number),
     .flags = SKR_ARG_HAS,
     .has = offsetof(struct sample_args, has_number),
     .size = sizeof(int32_t),
     .range = up_to_a_million},
    {.kind = &skr_arg_string,
     .name = "string",
     .offset = offsetof(struct sample_args, text),
     .flags = SKR_ARG_HAS,
     .has = offsetof(struct sample_args, has_text)},
};
static const struct skr_object shape = {.members = members, .count = 2, .size = sizeof(struct sample_args)};

/* Puts the string it got. */
static int run_echo(struct skr_call *call)
{
    struct sample_args args;

    if (skr_args_read(call, &shape, &args)) {
        skr_put_span(call, args.has_text ? args.text : (struct skr_span){"absent", 6});
    }
    return 0;
}

static int run_fail(struct skr_call *call)
{
    skr_put(call, "this must not be seen");
    skr_fail(call, "valve is ");
    skr_put(call, "locked");
    return 0;
}

/* As many bytes as argument "n" says, in pieces of seven. */
static int run_flood(struct skr_call *call)
{
    struct sample_args args;

    if (!skr_args_read(call, &shape, &args)) {
        return 0;
    }
    int32_t n = args.number;
    for (; n >= 7; n -= 7) {
        skr_put(call, "1234567");
    }
    for (; n > 0; n--) {
        skr_put(call, "x");
    }
    return 0;
}

static int run_garble(struct skr_call *call)
{
    skr_put(call, "a\xFFz \xC3\xA9 \xC0\x80 \xED\xA0\x80 \xF4\x90\x80\x80 cut \xE2\x82");
    return 0;
}

static int run_need(struct skr_call *call)
{
    if (!skr_need(call, SKR_CAP_SAMPLING)) {
        return 0;
    }
    skr_put(call, "granted");
    return 0;
}

static int run_numbers(struct skr_call *call)
{
    static const struct {
        int32_t value;
        unsigned decimals;
    } list[] = {{0, 0},         {0, 2},         {-305, 2},      {5, 3},          {-5, 1},          {INT32_MAX, 0},
                {INT32_MIN, 0}, {INT32_MIN, 9}, {INT32_MIN, 3}, {INT32_MAX, 10}, {1, 4000000000u}, {100, 2}};

    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        skr_put(call, i > 0 ? " " : "");
        skr_put_fixed(call, list[i].value, list[i].decimals);
    }
    return 0;
}

static const struct skr_tool tools[] = {
    {.name = "echo", .run = run_echo},       {.name = "fail", .run = run_fail}, {.name = "flood", .run = run_flood},
    {.name = "garble", .run = run_garble},   {.name = "need", .run = run_need}, {.name = "ghost", .run = run_echo},
    {.name = "numbers", .run = run_numbers},
};

/* ---- Resources ---- */

static int read_fixed(struct skr_call *call, struct skr_span var)
{
    (void)var;
    skr_put(call, "level \"7\"\n");
    return 0;
}

static bool is_item(struct skr_span var, const char *name)
{
    return var.n == strlen(name) && memcmp(var.p, name, var.n) == 0;
}

/* Every way to begin a block, which resources have none of. */
static void begin_block(struct skr_call *call, struct skr_span var)
{
    if (is_item(var, "text")) {
        skr_begin_text(call);
    } else if (is_item(var, "image")) {
        skr_begin_image(call, "image/png");
    } else if (is_item(var, "audio")) {
        skr_begin_audio(call, "audio/wav");
    } else if (is_item(var, "resource")) {
        skr_begin_resource(call, "test://other", "text/plain");
    } else if (is_item(var, "structured")) {
        skr_begin_structured(call);
    } else if (is_item(var, "link")) {
        skr_put_link(call, "test://other", "other", NULL);
    } else if (is_item(var, "file")) {
        (void)skr_put_file(call, "skill://alpha/SKILL.md");
    }
}

static int read_item(struct skr_call *call, struct skr_span var)
{
    if (is_item(var, "none")) {
        return SKR_NOT_FOUND;
    }
    begin_block(call, var);
    skr_put(call, "item ");
    skr_put_span(call, var);
    return 0;
}

static int read_bytes(struct skr_call *call, struct skr_span var)
{
    (void)var;
    skr_put_span(call, sample_bytes());
    skr_set_binary(call);
    return 0;
}

static int read_flood(struct skr_call *call, struct skr_span var)
{
    (void)var;
    for (size_t i = 0; i <= SKR_OUTPUT_MAX; i++) {
        skr_put(call, "x");
    }
    return 0;
}

static int read_garbled(struct skr_call *call, struct skr_span var)
{
    (void)var;
    return run_garble(call);
}

static int read_needy(struct skr_call *call, struct skr_span var)
{
    (void)var;
    return run_need(call);
}

static int read_sad(struct skr_call *call, struct skr_span var)
{
    (void)var;
    return skr_fail(call, "sensor \"3\" is \xFF unplugged");
}

#define RESOURCE(uri) "{\"uri\":\"" uri "\",\"name\":\"x\"}"

static const struct skr_resource resources[] = {
    {.uri = "test://fixed", .json = RESOURCE("test://fixed"), .mime = "text/plain", .read = read_fixed},
    {.uri = "test://item/{n}",
     .json = "{\"uriTemplate\":\"test://item/{n}\",\"name\":\"item\"}",
     .mime = "text/plain",
     .read = read_item},
    {.uri = "test://bytes", .json = RESOURCE("test://bytes"), .mime = "application/octet-stream", .read = read_bytes},
    {.uri = "test://flood", .json = RESOURCE("test://flood"), .mime = "text/plain", .read = read_flood},
    {.uri = "test://garbled", .json = RESOURCE("test://garbled"), .mime = "text/plain", .read = read_garbled},
    {.uri = "test://needy", .json = RESOURCE("test://needy"), .mime = "text/plain", .read = read_needy},
    {.uri = "test://sad", .json = RESOURCE("test://sad"), .mime = "text/plain", .read = read_sad},
};

const struct skr_device sample_device = {
    .tools = tools,
    .tool_count = sizeof tools / sizeof tools[0],
    .resources = resources,
    .resource_count = sizeof resources / sizeof resources[0],
};
