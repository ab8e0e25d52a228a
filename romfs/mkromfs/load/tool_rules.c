/* tool_rules.c -- the rules of a tool: confirmation, limits, conditions, excluded tools, plans, the lock. See
 * tool_rules.h.
 *
 *     "x-skillrom": {
 *       "confirm": "Dispense {volume_ul} ul from line {line}?", "withoutPerson": "refuse",
 *       "limits": [{"sum": "volume_ul", "max": 50000, "per": "1h"}, {"calls": 20, "per": "1d"}, {"every": "10s"}],
 *       "requires": ["lid_closed", {"condition": "primed", "otherwise": "the line is not primed", "skill": "prime-line"}],
 *       "excludes": ["flush"], "plan": true, "whileLocked": true
 *     } */
#include "load/tool_rules.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/names.h"
#include "base/utf8.h"
#include "decimal.h"
#include "load/members.h"
#include "schema/decimal.h"
#include "schema/schema.h"

#define CONFIRM_MAX 120      /* bytes: the core has SKR_CONFIRM_MAX for them and the values, 160 at least */
#define CONFIRM_STRING 64    /* a string that is shown must have this maxLength or less */
#define OTHERWISE_MAX 160    /* bytes of a refusal: SKR_OUTPUT_MAX may be 384 */
#define PERIOD_MAX_S 2592000 /* 30 days: seconds are counted in 32 bits over years */
#define RULES_MAX 32         /* of a kind, in one tool */

bool tool_rules_is_member(const struct node *key)
{
    static const char *const members[] = {"confirm",  "withoutPerson", "limits",     "requires",
                                          "excludes", "plan",          "whileLocked"};

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        if (yaml_text_is(key, members[i])) {
            return true;
        }
    }
    return false;
}

/* Messages about tools name no rule, except these. */
static struct check with_ids(const struct check *c)
{
    struct check ruled = *c;

    ruled.rule_ids = true;
    return ruled;
}

/* The argument of this name at the top of the arguments, or NULL. */
static const struct shape *argument_named(const struct tool *tool, const char *name, size_t n)
{
    for (size_t i = 0; tool->args->kind == SHAPE_OBJECT && i < tool->args->count; i++) {
        const struct shape *member = &tool->args->members[i];
        if (strlen(member->name) == n && memcmp(member->name, name, n) == 0) {
            return member;
        }
    }
    return NULL;
}

/* Does it change how text is shown, or is it not shown at all? A control, a mark of direction, or a space without
 * width. */
static bool is_hidden(uint32_t code)
{
    return utf8_is_control(code) || code == 0x61C || (code >= 0x200B && code <= 0x200F) ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F);
}

/* A string that C reads to its end: U+0000 would hide the rest. */
static bool is_name(const struct node *value)
{
    return yaml_is_string(value) && strlen(value->text) == value->len;
}

/* A text for a person or a model: true if it can be read. */
static bool check_words(const struct check *c, const char *id, const char *name, const struct node *value)
{
    const char *text = yaml_is_string(value) ? value->text : "";
    uint32_t code = ' ';
    size_t width = 1;

    if (text[strspn(text, " ")] == '\0') {
        check_report(c, LEVEL_E, value->at, id, "'%s' must be non-empty text", name);
        return false;
    }
    for (const char *p = text, *end = text + value->len; p < end && width > 0 && !is_hidden(code); p += width) {
        width = utf8_decode(p, (size_t)(end - p), &code);
    }
    if (is_hidden(code)) {
        check_report(c, LEVEL_E, value->at, id,
                     "'%s' has the character U+%04X, which hides or changes what is read; remove it", name,
                     (unsigned)code);
    }
    return !is_hidden(code);
}

/* ---- Confirmation ---- */

/* The unit at the end of a name: "ul" of "volume_ul"; NULL for none. */
static const char *unit_of(const struct shape *argument)
{
    static const char *const units[] = {"ul", "ml",  "l",   "mg",  "g",    "kg", "um",  "mm",      "cm",  "m",   "us",
                                        "ms", "s",   "min", "h",   "c",    "k",  "v",   "mv",      "a",   "ma",  "w",
                                        "hz", "rpm", "pa",  "bar", "mbar", "n",  "pct", "percent", "deg", "ppm", "lux"};
    const char *last = strrchr(argument->name, '_');

    for (size_t i = 0; last != NULL && i < sizeof units / sizeof units[0]; i++) {
        if (strcasecmp(last + 1, units[i]) == 0) {
            return last + 1;
        }
    }
    return NULL;
}

static void check_shown(const struct check *c, const struct node *at, const struct shape *argument, const char *after)
{
    const char *unit = unit_of(argument);
    bool number = argument->kind == SHAPE_INT;
    bool shown = number || argument->kind == SHAPE_BOOL || argument->kind == SHAPE_ENUM ||
                 (argument->kind == SHAPE_STRING && argument->bounded && argument->max <= CONFIRM_STRING);

    if (!shown) {
        check_report(c, LEVEL_E, at->at, "SK-G-01",
                     "'confirm' cannot show '%s': only whole and decimal numbers, booleans, enums, and strings with a "
                     "maxLength of at most %d; leave it out",
                     argument->name, CONFIRM_STRING);
    }
    if (number && unit != NULL && !isalpha((unsigned char)after[*after == ' ']) && after[*after == ' '] != '%') {
        check_report(c, LEVEL_W, at->at, "SK-G-01", "'confirm' shows '%s' without its unit; write '{%s} %s'",
                     argument->name, argument->name, unit);
    }
}

static void read_confirm(const struct check *c, const struct node *value, struct tool *tool)
{
    if (!check_words(c, "SK-G-01", "confirm", value)) {
        return;
    }
    tool->rules.confirm = value->text;
    if (strlen(value->text) > CONFIRM_MAX) {
        check_report(c, LEVEL_E, value->at, "SK-G-01", "'confirm' has %zu bytes, at most %d fit; shorten it",
                     strlen(value->text), CONFIRM_MAX);
    }
    for (const char *p = strchr(value->text, '{'); p != NULL; p = strchr(p + 1, '{')) {
        const char *end = strchr(p, '}');
        size_t n = end != NULL ? (size_t)(end - p - 1) : 0;
        const struct shape *argument = end != NULL ? argument_named(tool, p + 1, n) : NULL;
        if (argument == NULL) {
            check_report(c, LEVEL_E, value->at, "SK-G-01",
                         "'confirm' names '%s', which is not an argument of this tool; correct the name",
                         end != NULL ? excerpt(p + 1, n) : excerpt_str(p));
        } else {
            check_shown(c, value, argument, end + 1);
        }
    }
}

/* "refuse" or "allow"; without it, tools that only read are allowed. */
static void read_without_person(const struct check *c, const struct node *value, struct tool *tool)
{
    bool allow = value != NULL && yaml_is_string(value) && yaml_text_is(value, "allow");

    tool->rules.without_person = value != NULL ? allow : tool->read_only;
    if (value != NULL && !allow && !(yaml_is_string(value) && yaml_text_is(value, "refuse"))) {
        check_report(c, LEVEL_E, value->at, "SK-G-01", "'withoutPerson' must be \"refuse\" or \"allow\"");
    } else if (value != NULL && tool->rules.confirm == NULL) {
        check_report(c, LEVEL_E, value->at, "SK-G-01", "'withoutPerson' needs a 'confirm'; add one, or remove it");
    }
}

/* ---- Limits ---- */

/* "90s", "15m", "1h", "1d": seconds; 0 after a message. */
static uint32_t read_period(const struct check *c, const struct node *key, const struct node *value)
{
    static const char units[] = "smhd";
    static const uint32_t seconds[] = {1, 60, 3600, 86400};
    bool digits = yaml_is_string(value) && value->len > 1;
    const char *unit = digits ? strchr(units, value->text[value->len - 1]) : NULL;
    uint64_t number = 0;

    if (unit == NULL || *unit == '\0' ||
        !host_decimal(value->text, value->len - 1, PERIOD_MAX_S / seconds[unit - units], &number) || number < 1) {
        check_report(c, LEVEL_E, value->at, "SK-G-02",
                     "'%s' must be a time such as \"90s\", \"15m\", \"1h\" or \"1d\", 30 days at most", key->text);
        return 0;
    }
    return (uint32_t)number * seconds[unit - units];
}

/* A positive number, times 10^decimals; 0 after a message. */
static uint32_t read_max(const struct check *c, const struct node *key, const struct node *value, unsigned decimals)
{
    struct decimal number;
    bool good = schema_is_number(value) && decimal_parse(value->text, &number) && decimal_is_whole(number, decimals);
    int64_t scaled = good ? decimal_scaled(number, decimals, false) : 0;

    if (scaled < 1 || scaled > 2000000000) {
        check_report(c, LEVEL_E, value->at, "SK-G-02",
                     "'%s' must be a number above 0, and at most 2000000000 steps of %s", key->text,
                     decimals > 0 ? "its argument" : "1");
        return 0;
    }
    return (uint32_t)scaled;
}

static const struct shape *read_sum(const struct check *c, const struct node *value, const struct tool *tool)
{
    const struct shape *argument = yaml_is_string(value) ? argument_named(tool, value->text, value->len) : NULL;

    if (argument == NULL || argument->kind != SHAPE_INT || !argument->bounded || argument->min < 0) {
        check_report(c, LEVEL_E, value->at, "SK-G-02",
                     "'sum' must name an argument of this tool that is a number with a minimum of 0 or more");
        return NULL;
    }
    if (shape_is_optional(argument)) {
        check_report(c, LEVEL_E, value->at, "SK-G-02",
                     "a call without '%s' would count as 0; make it required, or give it a default", argument->name);
        return NULL;
    }
    return argument;
}

static void read_limit(const struct check *c, const struct node *node, struct tool *tool)
{
    struct tool_limit limit = {.argument = NULL};
    const struct node *sum = NULL, *max = NULL, *calls = NULL, *per = NULL, *every = NULL;

    for (size_t i = 0; node->kind == NODE_MAPPING && i + 1 < node->count; i += 2) {
        const struct node *key = node->items[i], **to = yaml_text_is(key, "sum")     ? &sum
                                                        : yaml_text_is(key, "max")   ? &max
                                                        : yaml_text_is(key, "calls") ? &calls
                                                        : yaml_text_is(key, "per")   ? &per
                                                        : yaml_text_is(key, "every") ? &every
                                                                                     : NULL;
        if (to == NULL) {
            member_unknown(c, key, "a limit", "sum, max, calls, per, every");
            return;
        }
        *to = node->items[i + 1];
    }
    bool whole = every != NULL
                     ? sum == NULL && max == NULL && calls == NULL && per == NULL
                     : per != NULL && (sum != NULL ? max != NULL && calls == NULL : calls != NULL && max == NULL);
    if (!whole) {
        check_report(c, LEVEL_E, node->at, "SK-G-02",
                     "a limit is {\"every\": TIME}, {\"calls\": N, \"per\": TIME} or {\"sum\": ARGUMENT, \"max\": N, "
                     "\"per\": TIME}");
        return;
    }
    const struct node key_every = {.text = "every"}, key_per = {.text = "per"}, key_max = {.text = "max"},
                      key_calls = {.text = "calls"};
    limit.period_s = every != NULL ? read_period(c, &key_every, every) : read_period(c, &key_per, per);
    if (sum != NULL) {
        limit.argument = read_sum(c, sum, tool);
        limit.max = limit.argument != NULL ? read_max(c, &key_max, max, limit.argument->decimals) : 0;
        if (limit.max > 0 && limit.argument->min > (int64_t)limit.max) {
            check_report(c, LEVEL_E, max->at, "SK-G-02",
                         "'max' is below the minimum of '%s': no call is allowed; raise it", limit.argument->name);
        }
    } else if (calls != NULL) {
        limit.max = read_max(c, &key_calls, calls, 0);
    }
    tool->rules.limits[tool->rules.limit_count++] = limit;
}

/* A list with at most RULES_MAX items. */
static bool check_list(const struct check *c, const char *name, const struct node *value)
{
    bool good = value->kind == NODE_SEQUENCE && value->count > 0 && value->count <= RULES_MAX;

    if (!good) {
        check_report(c, LEVEL_E, value->at, NULL, "'%s' must be a list of 1 to %d items", name, RULES_MAX);
    }
    return good;
}

static void read_limits(const struct check *c, const struct node *value, struct tool *tool)
{
    if (!check_list(c, "limits", value)) {
        return;
    }
    tool->rules.limits = xmalloc(value->count * sizeof *tool->rules.limits);
    for (size_t i = 0; i < value->count; i++) {
        read_limit(c, value->items[i], tool);
    }
}

/* ---- Conditions ---- */

static void read_condition(const struct check *c, const struct node *node, struct tool *tool)
{
    bool object = node->kind == NODE_MAPPING;
    const struct node *name = object ? yaml_member(node, "condition", NULL) : node;
    const struct node *otherwise = object ? yaml_member(node, "otherwise", NULL) : NULL;
    const struct node *skill = object ? yaml_member(node, "skill", NULL) : NULL;

    for (size_t i = 0; object && i + 1 < node->count; i += 2) {
        const struct node *key = node->items[i];
        if (!yaml_text_is(key, "condition") && !yaml_text_is(key, "otherwise") && !yaml_text_is(key, "skill")) {
            member_unknown(c, key, "a condition", "condition, otherwise, skill");
        }
    }
    bool good = name != NULL && is_name(name) && strcmp(schema_identifier(name->text), name->text) == 0;
    if (!good || (otherwise && !yaml_is_string(otherwise)) || (skill && !is_name(skill))) {
        check_report(c, LEVEL_E, node->at, "SK-G-03",
                     "an item of 'requires' is the name of a condition, a C identifier such as \"primed\", or "
                     "{\"condition\": NAME, \"otherwise\": TEXT, \"skill\": NAME}");
        return;
    }
    if (otherwise && !check_words(c, "SK-G-03", "otherwise", otherwise)) {
        return;
    }
    const char *text = otherwise ? otherwise->text : name->text;
    if (strlen(text) > OTHERWISE_MAX) {
        check_report(c, LEVEL_E, (otherwise ? otherwise : name)->at, "SK-G-03",
                     "the text of a refusal, 'otherwise' or the condition's name, has %zu bytes, at most %d fit; "
                     "shorten it",
                     strlen(text), OTHERWISE_MAX);
    }
    tool->rules.requires[tool->rules.require_count++] = (struct tool_condition){
        .name = name->text,
        .otherwise = xasprintf("%s%s%s", text, skill ? "; see skill " : "", skill ? skill->text : ""),
        .skill = skill ? skill->text : NULL,
        .node = skill};
}

static void read_requires(const struct check *c, const struct node *value, struct tool *tool)
{
    if (!check_list(c, "requires", value)) {
        return;
    }
    tool->rules.requires = xmalloc(value->count * sizeof *tool->rules.requires);
    for (size_t i = 0; i < value->count; i++) {
        read_condition(c, value->items[i], tool);
    }
}

void tool_rules_check_skills(const struct check *c, const struct device *device)
{
    for (size_t i = 0; i < device->tool_count; i++) {
        const struct tool *tool = &device->tools[i];
        for (size_t k = 0; k < tool->rules.require_count; k++) {
            const struct tool_condition *condition = &tool->rules.requires[k];
            bool found = condition->skill == NULL;
            for (size_t n = 0; !found && n < device->skill_count; n++) {
                found = strcmp(device->skills[n].path, condition->skill) == 0;
            }
            if (!found) {
                struct check at = check_at(c, tool->disk_path);
                check_report(&at, LEVEL_E, condition->node->at, "SK-G-03",
                             "there is no skill '%s'; correct the path, or add the skill",
                             excerpt_str(condition->skill));
            }
        }
    }
}

/* ---- Tools that exclude each other ---- */

static void exclude_tool(struct tool *tool, const char *name)
{
    struct tool_rules *rules = &tool->rules;

    for (size_t i = 0; i < rules->exclude_count; i++) {
        if (strcmp(rules->excludes[i], name) == 0) {
            return;
        }
    }
    rules->any = true;
    rules->excludes = xrealloc(rules->excludes, (rules->exclude_count + 1) * sizeof *rules->excludes);
    rules->excludes[rules->exclude_count++] = name;
}

static void read_excludes(const struct check *c, const struct node *value, struct tool *tool)
{
    if (!check_list(c, "excludes", value)) {
        return;
    }
    for (size_t i = 0; i < value->count; i++) {
        if (!is_name(value->items[i])) {
            check_report(c, LEVEL_E, value->items[i]->at, "SK-G-04", "'excludes' must be a list of names of tools");
        } else {
            exclude_tool(tool, value->items[i]->text);
        }
    }
}

void tool_rules_pair(const struct check *c, struct device *device)
{
    struct check ruled = with_ids(c);

    for (size_t i = 0; i < device->tool_count; i++) {
        const struct tool *tool = &device->tools[i];
        for (size_t k = 0; k < tool->rules.exclude_count; k++) {
            struct tool *other = NULL;
            for (size_t n = 0; n < device->tool_count; n++) {
                other = strcmp(device->tools[n].name, tool->rules.excludes[k]) == 0 ? &device->tools[n] : other;
            }
            if (other == NULL) {
                struct check at = check_at(&ruled, tool->disk_path);
                check_report(&at, LEVEL_E, tool->root->at, "SK-G-04",
                             "'excludes' names '%s', which is not a tool of this device; correct the name",
                             excerpt_str(tool->rules.excludes[k]));
            } else {
                exclude_tool(other, tool->name);
            }
        }
    }
}

/* ---- All of them ---- */

static bool read_flag(const struct check *c, const struct node *own, const char *name)
{
    const struct node *key, *value = yaml_member(own, name, &key);

    return value != NULL && member_bool(c, key, value);
}

static void read_rules(const struct check *c, const struct node *own, struct tool *tool)
{
    const struct node *confirm = yaml_member(own, "confirm", NULL), *limits = yaml_member(own, "limits", NULL);
    const struct node *requires = yaml_member(own, "requires", NULL), *excludes = yaml_member(own, "excludes", NULL);
    const struct node *without = yaml_member(own, "withoutPerson", NULL);

    tool->rules.plan = read_flag(c, own, "plan");
    tool->rules.while_locked = read_flag(c, own, "whileLocked");
    if (confirm) {
        read_confirm(c, confirm, tool);
        tool->deadline_ms = tool->deadline_ms > 0 ? tool->deadline_ms : TOOL_CONFIRM_DEADLINE_MS;
    }
    read_without_person(c, without, tool);
    if (limits) {
        read_limits(c, limits, tool);
    }
    if (requires) {
        read_requires(c, requires, tool);
    }
    if (excludes) {
        read_excludes(c, excludes, tool);
    }
    tool->rules.any |= tool->rules.plan || tool->rules.while_locked || confirm || limits || requires || excludes;
}

void tool_rules_read(const struct check *c, const struct node *own, struct tool *tool)
{
    struct check ruled = with_ids(c);

    read_rules(&ruled, own, tool);
}
