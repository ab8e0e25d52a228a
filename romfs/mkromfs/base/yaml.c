/* yaml.c -- builds the tree of yaml.h from libfyaml's events.
 *
 * Events rather than libfyaml's own documents: a document resolves or refuses things before their position is known.
 * The first syntax error ends the parse; everything else is reported and skipped. */
#include "base/yaml.h"

#include <libfyaml.h>
#include <string.h>

#include "base/buf.h"
#include "base/scalar.h"
#include "base/yaml_words.h"

#define FRONTMATTER_DEPTH_MAX 8 /* SK-V-37 */
#define JSON_DEPTH_MAX 32
#define INDICATORS_SOUGHT 32 /* values that begin like an anchor, an alias or a tag */
#define KEY_MAX 1024         /* YAML's own limit for a key on one line */

struct builder {
    const struct check *check;
    const char *text;
    size_t size;
    unsigned first_line;
    enum yaml_mode mode;
    struct fy_parser *parser;
    struct pos last;      /* end of the latest event: where an absent value is put */
    const char *unseen;   /* first line whose indentation has not been checked yet */
    unsigned unseen_line; /* its number, from 0 as libfyaml counts */
    bool indicators;      /* &, * or ! is used as YAML means it: then all of them are, and none is looked for again */
    unsigned indicators_sought;
    bool failed; /* reported, no tree */
};

static const char *mode_name(const struct builder *b)
{
    return b->mode == YAML_JSON ? "JSON" : "YAML";
}

static struct pos pos_of_mark(const struct builder *b, const struct fy_mark *mark)
{
    if (!mark) {
        return b->last;
    }
    return (struct pos){(unsigned)mark->line + b->first_line, (unsigned)mark->column + 1};
}

static void report_yaml(struct builder *b, struct pos at, const char *rule, const char *what)
{
    if (!b->failed) {
        check_report(b->check, LEVEL_E, at, rule, "%s", what);
    }
    b->failed = true;
}

static void not_portable(struct builder *b, struct pos at, const char *feature)
{
    check_report(b->check, LEVEL_E, at, "SK-V-32", "YAML feature '%s' is not portable; write the value out", feature);
}

static bool has_tab_indent(const char *line, size_t len)
{
    size_t i = 0;

    while (i < len && line[i] == ' ') {
        i++;
    }
    return i < len && line[i] == '\t';
}

/* Checks the indentation of the lines before line `until`; skips them if they are the inside of
 * a block scalar, where a tab is content. */
static void check_tabs(struct builder *b, unsigned until, bool skip)
{
    const char *end = b->text + b->size;

    while (b->unseen < end && b->unseen_line < until) {
        const char *newline = memchr(b->unseen, '\n', (size_t)(end - b->unseen));
        const char *line_end = newline ? newline : end;
        if (!skip && has_tab_indent(b->unseen, (size_t)(line_end - b->unseen))) {
            struct pos at = {b->unseen_line + b->first_line, (unsigned)strspn(b->unseen, " ") + 1};
            check_report(b->check, LEVEL_E, at, "SK-V-33", "tab in the indentation; use spaces");
        }
        b->unseen = newline ? newline + 1 : end;
        b->unseen_line++;
    }
}

static void report_malformed(struct builder *b, const struct fy_diag_error *error)
{
    unsigned line = error && error->line > 0 ? (unsigned)error->line : 1;
    struct pos at = {line, error && error->column > 0 ? (unsigned)error->column : 1};
    const char *theirs = error ? error->msg : "unreadable", *ours = NULL;
    size_t len = 0;
    const char *source = yaml_line(b->text, b->size, line, &len);

    if (b->mode == YAML_JSON) {
        theirs = yaml_words_json(theirs, at.col <= len ? source + at.col - 1 : "");
    } else if (has_tab_indent(source, len)) {
        check_tabs(b, line, false);
        b->failed = true;
    } else {
        ours = yaml_words(b->text, b->size, theirs, &at);
    }
    at.line += b->first_line - 1;
    report_yaml(b, at, "SK-V-36", ours ? ours : xasprintf("malformed %s: %s", mode_name(b), theirs));
}

static struct node *new_node(enum node_kind kind, struct pos at)
{
    struct node *node = xmalloc(sizeof *node);

    *node = (struct node){.kind = kind, .at = at};
    return node;
}

static void add_item(struct node *parent, struct node *item)
{
    if ((parent->count & (parent->count - 1)) == 0) { /* full at every power of two */
        parent->items = xrealloc(parent->items, (parent->count ? 2 * parent->count : 1) * sizeof(struct node *));
    }
    parent->items[parent->count++] = item;
}

/* Marks of block scalars point past the header line; go back to its '|' or '>'. */
static struct pos block_header_pos(struct builder *b, struct pos at)
{
    size_t len;

    if (at.line <= b->first_line) {
        return at;
    }
    const char *line = yaml_line(b->text, b->size, at.line - b->first_line, &len);
    for (size_t i = 0; i + 1 < len; i++) {
        if (line[i] == ' ' && line[i + 1] == '#') {
            len = i;
        }
    }
    while (len && line[len - 1] != '|' && line[len - 1] != '>') {
        len--;
    }
    if (len) {
        at = (struct pos){at.line - 1, utf8_pos(line, len - 1).col};
    }
    return at;
}

/* Marks of anchors and aliases point past their '&' or '*'. */
static struct pos pos_of_indicator(const struct builder *b, const struct fy_mark *mark)
{
    struct pos at = pos_of_mark(b, mark);

    at.col -= mark && at.col > 1;
    return at;
}

/* An indicator that YAML gives a meaning is not portable; one that only begins a text makes the text unreadable. */
static void check_indicator(struct builder *b, struct pos at, const struct fy_mark *mark, char sign,
                            const char *feature)
{
    size_t place = mark ? mark->input_pos : b->size;

    place -= place > 0 && place < b->size && b->text[place] != sign; /* some positions are past the sign */
    bool there = place < b->size && b->text[place] == sign;
    if (!b->indicators && b->indicators_sought < INDICATORS_SOUGHT) { /* each search goes through the whole text */
        b->indicators_sought++;
        b->indicators = !there || yaml_indicator_is_meant(b->text, b->size, b->text + place);
    }
    if (!b->indicators) {
        report_yaml(b, at, "SK-V-36", xasprintf("quote this value: it begins with '%c'", sign));
    } else {
        not_portable(b, at, feature);
    }
}

static void check_properties(struct builder *b, struct fy_token *anchor, struct fy_token *tag)
{
    const struct fy_mark *at_anchor = anchor ? fy_token_start_mark(anchor) : NULL;
    const struct fy_mark *at_tag = tag ? fy_token_start_mark(tag) : NULL;

    if (anchor) {
        check_indicator(b, pos_of_indicator(b, at_anchor), at_anchor, '&', "&anchor");
    }
    if (tag) {
        check_indicator(b, pos_of_mark(b, at_tag), at_tag, '!', "!tag");
    }
}

static struct node *scalar_node(struct builder *b, struct fy_event *event)
{
    struct fy_token *value = event->scalar.value;
    enum fy_scalar_style style = value ? fy_token_scalar_style(value) : FYSS_PLAIN;
    struct node *node = new_node(NODE_SCALAR, pos_of_mark(b, fy_event_start_mark(event)));
    size_t len = 0;
    const char *text = value ? fy_token_get_text(value, &len) : "";

    node->text = xstrndup(text ? text : "", len);
    node->len = len;
    node->plain = style == FYSS_PLAIN;
    if (style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) {
        node->at.col--; /* the mark is after the quote */
    } else if (style == FYSS_LITERAL || style == FYSS_FOLDED) {
        node->at = block_header_pos(b, node->at);
    }
    check_properties(b, event->scalar.anchor, event->scalar.tag);
    return node;
}

static struct node *read_node(struct builder *b, struct fy_event *event, unsigned depth);

static void check_key(struct builder *b, const struct node *key)
{
    if (key->kind != NODE_SCALAR) {
        report_yaml(b, key->at, "SK-V-32",
                    "YAML feature 'collection as key' is not portable; quote the value if {{ is text");
        return;
    }
    if (key->plain && key->len == 0) {
        report_yaml(b, key->at, "SK-V-36", "quote this value, or write a key before it: it begins with ':'");
    } else if (key->plain && yaml_text_is(key, "<<")) {
        not_portable(b, key->at, "merge key <<");
    } else if (b->mode == YAML_FRONTMATTER && key->plain && scalar_core_type(key->text) != SCALAR_STRING) {
        check_report(b->check, LEVEL_E, key->at, "SK-V-32", "key '%s' is not text in YAML; write \"%s\"",
                     excerpt_str(key->text), excerpt_str(key->text));
    } else if (b->mode == YAML_FRONTMATTER && key->plain && !scalar_always_string(key->text)) {
        check_report(b->check, LEVEL_L, key->at, "SK-V-32", "parsers disagree on the key '%s'; write \"%s\"",
                     excerpt_str(key->text), excerpt_str(key->text));
    }
    if (key->len > KEY_MAX) {
        report_yaml(b, key->at, "SK-V-36", "a key is longer than 1024 bytes; shorten it");
    }
}

/* SK-V-31. True for a key that the mapping already has. */
static bool is_given(struct builder *b, const struct node *mapping, const struct node *key)
{
    size_t other = b->failed ? mapping->count : yaml_find_key(mapping, key->text, key->len);

    if (other < mapping->count) {
        check_report(b->check, LEVEL_E, key->at, "SK-V-31", "key '%s' given twice, first on line %u; remove one",
                     excerpt(key->text, key->len), mapping->items[other]->at.line);
    }
    return other < mapping->count;
}

static struct fy_event *next_event(struct builder *b)
{
    struct fy_event *event = b->failed ? NULL : fy_parser_parse(b->parser);
    const struct fy_mark *start = event ? fy_event_start_mark(event) : NULL;
    const struct fy_mark *end = event ? fy_event_end_mark(event) : NULL;

    if (!start || !end) {
        return event;
    }
    b->last = pos_of_mark(b, end);
    if (b->mode == YAML_FRONTMATTER) {
        enum fy_node_style style = fy_event_get_node_style(event);
        bool block = style == FYNS_LITERAL || style == FYNS_FOLDED;
        check_tabs(b, (unsigned)start->line, false);
        check_tabs(b, (unsigned)end->line + !block, block);
    }
    return event;
}

/* Reads items up to the event that ends them. Code that reads a mapping may rely on each key being there once: a
 * repeated key is dropped with its value. */
static void read_items(struct builder *b, struct node *parent, enum fy_event_type end, unsigned depth)
{
    bool given = false; /* the latest key, earlier in this mapping */

    for (;;) {
        struct fy_event *event = next_event(b);
        if (!event) {
            if (!fy_parser_get_stream_error(b->parser)) {
                report_yaml(b, b->last, "SK-V-36", xasprintf("malformed %s: it ends too early", mode_name(b)));
            }
            return;
        }
        bool done = event->type == end;
        bool is_key = parent->kind == NODE_MAPPING && parent->count % 2 == 0;
        struct node *item = done ? NULL : read_node(b, event, depth + 1);
        fy_parser_event_free(b->parser, event);
        if (!item) {
            return;
        }
        if (is_key) {
            check_key(b, item);
            given = is_given(b, parent, item);
        }
        add_item(parent, item);
        if (given && !is_key) {
            yaml_free(parent->items[--parent->count]);
            yaml_free(parent->items[--parent->count]);
            given = false;
        } else if (parent->kind == NODE_MAPPING && !is_key) {
            yaml_keep_keys(parent);
        }
    }
}

static struct node *collection_node(struct builder *b, struct fy_event *event, unsigned depth)
{
    bool mapping = event->type == FYET_MAPPING_START;
    unsigned most = b->mode == YAML_JSON ? JSON_DEPTH_MAX : FRONTMATTER_DEPTH_MAX;
    struct node *node = new_node(mapping ? NODE_MAPPING : NODE_SEQUENCE, pos_of_mark(b, fy_event_start_mark(event)));

    node->flow = fy_event_get_node_style(event) == FYNS_FLOW;
    if (depth > most) {
        report_yaml(b, node->at, "SK-V-37", xasprintf("nested deeper than %u levels; use fewer", most));
        return NULL;
    }
    if (mapping) {
        check_properties(b, event->mapping_start.anchor, event->mapping_start.tag);
    } else {
        check_properties(b, event->sequence_start.anchor, event->sequence_start.tag);
    }
    read_items(b, node, mapping ? FYET_MAPPING_END : FYET_SEQUENCE_END, depth);
    return node;
}

/* A stand-in for what the alias repeats, which has been reported as an error. */
static struct node *alias_node(struct builder *b, const struct fy_mark *mark)
{
    struct node *node = new_node(NODE_SCALAR, pos_of_indicator(b, mark));

    node->text = xstrdup("");
    check_indicator(b, node->at, mark, '*', "*alias");
    return node;
}

static struct node *read_node(struct builder *b, struct fy_event *event, unsigned depth)
{
    switch (event->type) {
    case FYET_SCALAR: return scalar_node(b, event);
    case FYET_MAPPING_START:
    case FYET_SEQUENCE_START: return collection_node(b, event, depth);
    case FYET_ALIAS: return alias_node(b, fy_event_start_mark(event));
    default: report_yaml(b, b->last, "SK-V-36", xasprintf("malformed %s", mode_name(b))); return NULL;
    }
}

static struct node *read_document(struct builder *b)
{
    struct node *root = NULL;
    struct fy_event *event;

    while ((event = next_event(b)) != NULL) {
        if (event->type == FYET_SCALAR || event->type == FYET_ALIAS || event->type == FYET_MAPPING_START ||
            event->type == FYET_SEQUENCE_START) {
            if (root) {
                report_yaml(b, pos_of_mark(b, fy_event_start_mark(event)), "SK-V-32",
                            "more than one YAML document; remove the line between them");
            } else {
                root = read_node(b, event, 1);
            }
        }
        fy_parser_event_free(b->parser, event);
    }
    return root;
}

/* Events do not distinguish `? key` from `key`; tokens do. */
static void check_explicit_keys(struct builder *b, const struct fy_parse_cfg *config)
{
    struct fy_parser *scanner = fy_parser_create(config);
    struct fy_token *token;

    if (!scanner || fy_parser_set_string(scanner, b->text, b->size)) {
        return;
    }
    while ((token = fy_scan(scanner)) != NULL) {
        const struct fy_mark *mark = fy_token_start_mark(token);
        if (fy_token_get_type(token) == FYTT_KEY && mark && mark->input_pos < b->size &&
            b->text[mark->input_pos] == '?') {
            not_portable(b, pos_of_mark(b, mark), "? key");
        }
        fy_scan_token_free(scanner, token);
    }
    fy_parser_destroy(scanner);
}

/* An error object that collects instead of printing. */
static struct fy_diag *silent_diag(void)
{
    struct fy_diag_cfg config;

    fy_diag_cfg_default(&config);
    config.fp = NULL;
    config.colorize = false;
    struct fy_diag *diag = fy_diag_create(&config);
    if (diag) {
        fy_diag_set_collect_errors(diag, true);
    }
    return diag;
}

struct node *yaml_parse(const struct check *c, const char *text, size_t size, unsigned first_line, enum yaml_mode mode)
{
    struct builder b = {.check = c,
                        .text = text,
                        .size = size,
                        .first_line = first_line,
                        .mode = mode,
                        .last = {first_line, 1},
                        .unseen = text};
    enum fy_parse_cfg_flags flags = mode == YAML_JSON ? FYPCF_JSON_FORCE : FYPCF_JSON_NONE;
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_DEFAULT_VERSION_1_2 | flags,
                                  .diag = silent_diag()};

    b.parser = fy_parser_create(&config);
    if (!b.parser || fy_parser_set_string(b.parser, text, size)) {
        report_yaml(&b, (struct pos){first_line, 1}, NULL, "libfyaml cannot start");
        return NULL;
    }
    struct node *root = read_document(&b);
    if (!b.failed && fy_parser_get_stream_error(b.parser)) {
        void *iterator = NULL;
        report_malformed(&b, fy_diag_errors_iterate(config.diag, &iterator));
    }
    fy_parser_destroy(b.parser);
    if (!b.failed && mode == YAML_FRONTMATTER) {
        check_explicit_keys(&b, &config);
    }
    fy_diag_destroy(config.diag);
    return b.failed ? NULL : root;
}
