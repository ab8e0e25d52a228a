/* queries.c -- ranks descriptions for queries. See queries.h. */
#include "queries.h"

#include <string.h>

#include "base/buf.h"
#include "base/rom_file.h"
#include "base/screen.h"
#include "base/yaml.h"
#include "rank.h"

#define HITS_DEFAULT 75 /* per cent: words alone are crude */

/* The counts of one skill while the file is read. */
struct seeker {
    size_t total, hits;
    struct pos first; /* query */
};

struct session {
    const struct check *check;
    const struct device *device;
    const struct rank *rank;
    struct seeker *skills;
    size_t *taken_for; /* [wanted * count + found]: how often one was found instead of the other */
    struct queries_count *count;
};

static char *string_of(const char *json)
{
    struct diag silent = {.silent = true};
    const struct check quiet = {.diag = &silent};
    const struct node *node = yaml_parse(&quiet, json, strlen(json), 1, YAML_JSON);

    return node != NULL && node->text != NULL ? node->text : xstrdup("");
}

static const struct rank *rank_documents(const struct device *device)
{
    const char **texts = xmalloc(device->skill_count * sizeof *texts);

    for (size_t i = 0; i < device->skill_count; i++) {
        texts[i] = xasprintf("%s %s", device->skills[i].name, string_of(device->skills[i].description_json));
    }
    return rank_open(texts, device->skill_count);
}

/* The skill that a file names; the number of skills for none. */
static size_t skill_named(const struct device *device, const char *name)
{
    size_t found = device->skill_count;

    for (size_t i = 0; i < device->skill_count; i++) {
        if (strcmp(device->skills[i].path, name) == 0) {
            return i;
        }
        found = strcmp(device->skills[i].name, name) == 0 ? i : found;
    }
    return found;
}

static void query_judge(struct session *s, size_t wanted, const char *query, struct pos at)
{
    const struct skill *skills = s->device->skills;
    size_t count = s->device->skill_count, next;
    bool tied;
    size_t found = rank_find(s->rank, query, &next, &tied);

    s->count->total++;
    s->skills[wanted].first = s->skills[wanted].total++ == 0 ? at : s->skills[wanted].first;
    if (found == wanted && !tied) {
        s->count->hits++;
        s->skills[wanted].hits++;
        return;
    }
    if (found == count) {
        check_report(s->check, LEVEL_W, at, "SK-T-04", "no word of this is in a name or description");
        return;
    }
    size_t other = found == wanted ? next : found;
    s->taken_for[wanted * count + other]++;
    check_report(s->check, LEVEL_W, at, "SK-T-04", "finds '%s' %s '%s'", skills[other].path,
                 tied ? "as well as" : "instead of", skills[wanted].path);
}

static void take_line(struct session *s, char *line, unsigned number)
{
    size_t indent = strspn(line, " \t");
    char *name = line + indent;
    size_t n = strcspn(name, " \t");
    char *query = name + n + strspn(name + n, " \t");
    struct pos at = {number, (unsigned)indent + 1};

    if (*name == '\0' || *name == '#') {
        return;
    }
    if (*query == '\0') {
        check_report(s->check, LEVEL_E, at, "SK-T-04", "a line is a skill and a query: 'daily-check  is it ready?'");
        return;
    }
    name = xstrndup(name, n);
    size_t wanted = skill_named(s->device, name);
    if (wanted == s->device->skill_count) {
        check_report(s->check, LEVEL_E, at, "SK-T-04", "there is no skill '%s'; correct the name", excerpt_str(name));
        return;
    }
    at.col += (unsigned)(query - line - (long)indent);
    query_judge(s, wanted, query, at);
}

static void report_totals(const struct session *s)
{
    const struct device *device = s->device;
    uint64_t wanted = device->limits[LIMIT_HITS].max != 0 ? device->limits[LIMIT_HITS].max : HITS_DEFAULT;

    for (size_t i = 0; i < device->skill_count; i++) {
        if (s->skills[i].total > 0 && s->skills[i].hits == 0) {
            check_report(s->check, LEVEL_E, s->skills[i].first, "SK-T-04",
                         "no query finds '%s': its description lacks the words of its queries; add them",
                         device->skills[i].path);
        }
    }
    if (s->count->hits * 100 < wanted * s->count->total) {
        check_report(s->check, LEVEL_E, whole_file, "SK-T-04",
                     "%zu of %zu queries find their skill; the minimum is %llu%%", s->count->hits, s->count->total,
                     (unsigned long long)wanted);
    }
}

static void print_pairs(const struct session *s, FILE *out)
{
    const struct device *device = s->device;

    for (size_t i = 0; i < device->skill_count; i++) {
        for (size_t k = 0; k < device->skill_count; k++) {
            size_t n = s->taken_for[i * device->skill_count + k];
            if (n > 0) {
                fprintf(out, "confused: %s with %s, %zu time%s\n", device->skills[i].path, device->skills[k].path, n,
                        screen_plural(n));
            }
        }
    }
    for (size_t i = 0; i < device->skill_count; i++) {
        if (s->skills[i].total == 0 && device->skills[i].listed) {
            fprintf(out, "no query: %s\n", device->skills[i].path);
        }
    }
}

void queries_run(const struct check *c, const char *path, const struct device *device, FILE *out,
                 struct queries_count *count)
{
    size_t skills = device->skill_count;
    struct check at = check_at(c, path);
    struct session s = {&at,
                        device,
                        rank_documents(device),
                        xmalloc(skills * sizeof *s.skills),
                        xmalloc(skills * skills * sizeof *s.taken_for),
                        count};
    struct buf text = {0};
    unsigned number = 0;

    memset(s.skills, 0, skills * sizeof *s.skills);
    memset(s.taken_for, 0, skills * skills * sizeof *s.taken_for);
    if (!rom_file_read(path, &text)) {
        c->diag->errors++;
        return;
    }
    for (char *line = buf_str(&text), *end = line + text.n; line < end;) {
        size_t n = strcspn(line, "\n");
        line[n] = '\0';
        if (n > 0 && line[n - 1] == '\r') {
            line[n - 1] = '\0';
        }
        take_line(&s, line, ++number);
        line += n + 1;
    }
    report_totals(&s);
    print_pairs(&s, out);
}
