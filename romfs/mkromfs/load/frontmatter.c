/* frontmatter.c -- finds the fences and hands what is between them to the YAML parser.
 *
 * Existing readers disagree on odd fences, so only what all of them read alike is accepted. Positions are those of
 * the file: the YAML starts on line 2, and a dropped CR at a line's end moves no column. */
#include "load/frontmatter.h"

#include <string.h>

#include "base/buf.h"

#define YAML_SIZE_MAX 65536u /* SK-V-37 */

bool frontmatter_check_text(const struct check *c, const char *text, size_t size)
{
    size_t bad = utf8_bad_offset(text, size);
    const char *nul = memchr(text, '\0', bad);

    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        check_report(c, LEVEL_E, whole_file, "SK-V-20", "byte-order mark; save without BOM");
        return false;
    }
    if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0)) {
        check_report(c, LEVEL_E, whole_file, "SK-V-20", "this is UTF-16; save it as UTF-8");
        return false;
    }
    if (nul) {
        size_t at = (size_t)(nul - text);
        check_report(c, LEVEL_E, utf8_pos(text, at), "SK-V-20", "NUL at byte %zu; this is not a text file", at);
        return false;
    }
    if (bad < size) {
        check_report(c, LEVEL_E, utf8_pos(text, bad), "SK-V-20", "not UTF-8 at byte %zu; save the file as UTF-8", bad);
        return false;
    }
    return true;
}

/* One line of a text: its bytes without the line end, and where the next begins. */
struct line {
    const char *p;
    size_t n;
    size_t next;
    bool crlf, ended;
};

static struct line line_from(const char *text, size_t size, size_t offset)
{
    const char *newline = memchr(text + offset, '\n', size - offset);
    struct line line = {.p = text + offset, .ended = newline != NULL};

    line.n = newline ? (size_t)(newline - line.p) : size - offset;
    line.next = offset + line.n + line.ended;
    line.crlf = line.ended && line.n && line.p[line.n - 1] == '\r';
    line.n -= line.crlf;
    return line;
}

static bool line_is(const struct line *line, const char *text)
{
    return line->n == strlen(text) && memcmp(line->p, text, line->n) == 0;
}

/* SK-V-24. The first line decides; a line that ends differently makes them mixed. */
static void check_line_ends(const struct check *c, const char *text, size_t size)
{
    struct line line = {0};
    bool crlf = false;

    for (unsigned number = 1; line.next < size; number++) {
        line = line_from(text, size, line.next);
        if (number == 1) {
            crlf = line.crlf;
        } else if (line.ended && line.crlf != crlf) {
            check_report(c, LEVEL_E, (struct pos){number, 1}, "SK-V-24",
                         "mixed newlines: %s here, %s above; use LF throughout", line.crlf ? "CRLF" : "LF",
                         crlf ? "CRLF" : "LF");
            return;
        }
    }
    if (crlf) {
        check_report(c, LEVEL_W, whole_file, "SK-V-24", "CRLF newlines are served unchanged; LF is safer");
    }
}

/* A line that was clearly meant as a fence: nothing but '---' and blanks. */
static bool nearly_fence(const struct line *line)
{
    size_t from = 0, to = line->n;

    while (from < to && (line->p[from] == ' ' || line->p[from] == '\t')) {
        from++;
    }
    while (to > from && (line->p[to - 1] == ' ' || line->p[to - 1] == '\t')) {
        to--;
    }
    return to - from == 3 && memcmp(line->p + from, "---", 3) == 0;
}

static void report_unclosed(const struct check *c, unsigned near_fence)
{
    if (near_fence) {
        check_report(c, LEVEL_E, (struct pos){near_fence, 1}, "SK-V-22",
                     "frontmatter is never closed; remove the spaces around this '---'");
    } else {
        check_report(c, LEVEL_E, whole_file, "SK-V-22", "frontmatter is never closed; end it with a line '---'");
    }
}

/* SK-V-23: the reference reader cuts at the first three hyphens, wherever they are. */
static void check_inner_hyphens(const struct check *c, const struct line *line, unsigned number)
{
    const char *at = memmem(line->p, line->n, "---", 3);

    if (at) {
        check_report(c, LEVEL_L, (struct pos){number, utf8_pos(line->p, (size_t)(at - line->p)).col}, "SK-V-23",
                     "'---' inside the frontmatter, where some readers end it; indent or remove it");
    }
}

bool frontmatter_split(const struct check *c, const char *text, size_t size, struct fenced *out)
{
    struct line line = line_from(text, size, 0);
    struct buf yaml = {0};
    unsigned number = 1, near_fence = 0;

    check_line_ends(c, text, size);
    if (!line_is(&line, "---")) {
        check_report(c, LEVEL_E, whole_file, "SK-V-21",
                     line_is(&line, "+++") ? "frontmatter in TOML; write it as YAML, `name: ...`, between lines '---'"
                                           : "must begin with a line '---', then name and description");
        return false;
    }
    while (line.next < size) {
        line = line_from(text, size, line.next);
        number++;
        if (line_is(&line, "---")) {
            buf_str(&yaml);
            *out = (struct fenced){(char *)yaml.p, yaml.n, line.next, number};
            return true;
        }
        near_fence = near_fence ? near_fence : nearly_fence(&line) ? number : 0;
        buf_add(&yaml, line.p, line.n);
        buf_puts(&yaml, "\n");
    }
    report_unclosed(c, near_fence);
    return false;
}

/* Characters YAML forbids and libfyaml lets pass. */
static bool check_characters(const struct check *c, const struct fenced *f)
{
    for (size_t i = 0; i < f->yaml_size;) {
        uint32_t code;
        size_t width = utf8_decode(f->yaml + i, f->yaml_size - i, &code);
        bool control = utf8_is_control(code) && code != '\t' && code != '\n' && code != 0x85;
        if (control || code == 0xFFFE || code == 0xFFFF || code == 0xFEFF) {
            struct pos at = utf8_pos(f->yaml, i);
            at.line++;
            check_report(c, LEVEL_E, at, code == '\r' ? "SK-V-24" : "SK-V-36",
                         code == '\r' ? "CR without LF in the frontmatter; use LF"
                                      : "character U+%04X is not allowed here",
                         (unsigned)code);
            return false;
        }
        i += width;
    }
    return true;
}

/* Markers that only mean something at the start of a line (SK-V-32). */
static bool check_markers(const struct check *c, const struct fenced *f)
{
    unsigned number = 1;
    bool good = true;
    struct line line = {0};

    while (line.next < f->yaml_size) {
        line = line_from(f->yaml, f->yaml_size, line.next);
        number++;
        bool marker = line.n >= 3 && (line.n == 3 || line.p[3] == ' ' || line.p[3] == '\t');
        const char *feature = line.n && line.p[0] == '%'                ? "%directive"
                              : marker && memcmp(line.p, "...", 3) == 0 ? "..."
                              : marker && memcmp(line.p, "---", 3) == 0 ? "--- with text"
                                                                        : NULL;
        if (feature) {
            check_report(c, LEVEL_E, (struct pos){number, 1}, "SK-V-32",
                         "YAML feature '%s' is not portable; write the value out", feature);
            good = false;
        }
        check_inner_hyphens(c, &line, number);
    }
    return good;
}

struct node *frontmatter_parse(const struct check *c, const struct fenced *f)
{
    if (f->yaml_size > YAML_SIZE_MAX) {
        check_report(c, LEVEL_E, whole_file, "SK-V-37",
                     "frontmatter has %zu bytes, at most %u are allowed; move detail below it", f->yaml_size,
                     YAML_SIZE_MAX);
        return NULL;
    }
    if (!check_markers(c, f) || !check_characters(c, f)) {
        return NULL;
    }
    unsigned before = c->diag->errors;
    struct node *root = yaml_parse(c, f->yaml, f->yaml_size, 2, YAML_FRONTMATTER);
    if (!root) {
        if (c->diag->errors == before) {
            check_report(c, LEVEL_E, whole_file, "SK-V-30", "frontmatter is empty; it must be a mapping of fields");
        }
        return NULL;
    }
    if (root->kind != NODE_MAPPING || root->flow) {
        check_report(c, LEVEL_E, root->at, "SK-V-30", "frontmatter must be a mapping of fields%s",
                     root->kind == NODE_MAPPING ? ", in block style" : "");
        return NULL;
    }
    return root;
}
