/* scalar.c -- typing of unquoted YAML values.
 *
 * Hosts read frontmatter with YAML 1.2, YAML 1.1 and parsers that know only strings, and must all arrive at what
 * the image says. So there are two tables: what some parser might take for a non-string, and what YAML 1.2 takes
 * for one. */
#include "base/scalar.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/screen.h"

#define INTEGER_MAX 9007199254740991.0 /* 2^53 - 1: the last one every JSON reader holds */

struct pattern {
    const char *source;
    enum scalar_type type;
    regex_t compiled;
    bool ready;
};

#define DATE "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"

/* SK-V-35: the non-strings of any YAML version. */
static struct pattern any_version[] = {
    {.source = "^(|~|null|Null|NULL)$"},
    {.source = "^(true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO)$"},
    {.source = "^(on|On|ON|off|Off|OFF|y|Y|n|N)$"},
    {.source = "^[-+]?[0-9][0-9_]*$"},
    {.source = "^(0o[0-7]+|0x[0-9a-fA-F_]+|0b[01_]+)$"},
    {.source = "^[-+]?[0-9]+(:[0-5]?[0-9])+$"},
    {.source = "^[-+]?(\\.[0-9]+|[0-9][0-9_]*(\\.[0-9_]*)?)([eE][-+]?[0-9]+)?$"},
    {.source = "^([-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN))$"},
    {.source = "^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\\.[0-9_]*$"},
    {.source = "^" DATE "(([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\\.[0-9]*)?"
               "([ \t]*(Z|[-+][0-9]{1,2}(:?[0-9]{2})?))?)?$"},
    {.source = "^=$"},
};

/* The core schema of YAML 1.2. */
static struct pattern core[] = {
    {.source = "^(|~|null|Null|NULL)$", .type = SCALAR_NULL},
    {.source = "^(true|True|TRUE|false|False|FALSE)$", .type = SCALAR_BOOL},
    {.source = "^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$", .type = SCALAR_INT},
    {.source = "^[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?$", .type = SCALAR_FLOAT},
    {.source = "^([-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN))$", .type = SCALAR_FLOAT},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool pattern_matches(struct pattern *p, const char *text)
{
    if (!p->ready) {
        if (regcomp(&p->compiled, p->source, REG_EXTENDED | REG_NOSUB)) {
            screen_error("cannot compile the pattern %s", p->source);
            exit(1);
        }
        p->ready = true;
    }
    return regexec(&p->compiled, text, 0, NULL, 0) == 0;
}

enum scalar_type scalar_core_type(const char *text)
{
    for (size_t i = 0; i < COUNT(core); i++) {
        if (pattern_matches(&core[i], text)) {
            return core[i].type;
        }
    }
    return SCALAR_STRING;
}

bool scalar_always_string(const char *text)
{
    for (size_t i = 0; i < COUNT(any_version); i++) {
        if (pattern_matches(&any_version[i], text)) {
            return false;
        }
    }
    return true;
}

static double integer_value(const char *text)
{
    double value = 0;
    int base = 10;
    bool negative = *text == '-';

    text += *text == '-' || *text == '+';
    if (text[0] == '0' && (text[1] == 'o' || text[1] == 'x')) {
        base = text[1] == 'o' ? 8 : 16;
        text += 2;
    }
    for (; *text; text++) {
        int digit = *text <= '9' ? *text - '0' : (*text | 0x20) - 'a' + 10;
        value = value * base + digit;
        if (value > INTEGER_MAX) {
            break; /* larger ones only grow; no need for exact digits */
        }
    }
    return negative ? -value : value;
}

/* The shortest digits that read back as the same number, laid out as ECMAScript
 * does: what the hosts' own JSON writers print. */
static void add_double(struct buf *b, double value)
{
    char digits[40];
    int precision = 0;

    if (value == 0) {
        buf_puts(b, "0"); /* also for -0, as JSON.stringify writes it */
        return;
    }
    do {
        snprintf(digits, sizeof digits, "%.*e", precision, value);
    } while (strtod(digits, NULL) != value && ++precision < 17);

    char *e = strchr(digits, 'e');
    int exponent = atoi(e + 1);
    *e = '\0';
    if (value < 0) {
        buf_puts(b, "-");
    }
    const char *first = digits + (value < 0);
    const char *rest = first[1] ? first + 2 : ""; /* digits after the point */
    int count = 1 + (int)strlen(rest);

    if (exponent >= 21 || exponent < -6) {
        buf_printf(b, "%c%s%se%+d", *first, *rest ? "." : "", rest, exponent);
    } else if (exponent < 0) {
        buf_printf(b, "0.%.*s%c%s", -exponent - 1, "000000", *first, rest);
    } else if (count <= exponent + 1) {
        buf_printf(b, "%c%s%.*s", *first, rest, exponent + 1 - count, "00000000000000000000");
    } else {
        buf_printf(b, "%c%.*s.%s", *first, exponent, rest, rest + exponent);
    }
}

const char *scalar_core_json(struct buf *b, const char *text)
{
    enum scalar_type type = scalar_core_type(text);

    if (type == SCALAR_NULL) {
        buf_puts(b, "null");
    } else if (type == SCALAR_BOOL) {
        buf_puts(b, (*text | 0x20) == 't' ? "true" : "false");
    } else {
        double value = type == SCALAR_INT ? integer_value(text) : strtod(text, NULL);
        if (type == SCALAR_INT && fabs(value) > INTEGER_MAX) {
            return "is beyond 2^53-1; quote it";
        }
        if (strpbrk(text, "iInN") || isinf(value)) {
            return "has no JSON form; quote it";
        }
        add_double(b, value);
    }
    return NULL;
}
