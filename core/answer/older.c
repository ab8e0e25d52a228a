/* older.c -- see older.h. A text that is no good JSON comes out as some other such, and is never read beyond its end. */
#include "answer/older.h"

#include "text/span.h"

#if SKR_OLDER

/* Members, with the quote behind their name, and the version that brought them. */
static const struct {
    char key[14];
    uint8_t since; /* enum skr_version */
} members[] = {
    {"annotations\"", SKR_V_2025_03_26}, /* of a tool: others have always had them */
    {"title\"", SKR_V_2025_06_18},        {"outputSchema\"", SKR_V_2025_06_18}, {"_meta\"", SKR_V_2025_06_18},
    {"lastModified\"", SKR_V_2025_06_18}, {"icons\"", SKR_V_2025_11_25},
};

/* Is the key that begins here one that the version does not know? */
static bool is_newer(const char *key, const char *end, bool tool, uint8_t version)
{
    for (size_t i = !tool; i < sizeof members / sizeof members[0]; i++) {
        struct skr_span rest = {key + 1, (size_t)(end - key - 1)};
        if (members[i].since > version && skri_span_starts(rest, skri_span_of(members[i].key))) {
            return true;
        }
    }
    return false;
}

/* The comma or bracket behind the value or member that begins here, or the end. */
static const char *behind(const char *p, const char *end)
{
    unsigned depth = 0;
    for (bool quoted = false; p < end; p++) {
        quoted ^= *p == '"';
        if (quoted) {
            p += *p == '\\';
        } else if (*p == '{' || *p == '[') {
            depth++;
        } else if (*p == '}' || *p == ']' || *p == ',') {
            if (depth == 0) {
                return p;
            }
            depth -= *p != ',';
        }
    }
    return end;
}

/* The value of the member that begins here, if it has members of its own; else what is behind it. */
static const char *inside(const char *p, const char *next)
{
    const char *quote = memchr(p + 1, '"', (size_t)(next - p - 1));
    return quote != NULL && next - quote > 2 && (quote[2] == '{' || quote[2] == '[') ? quote + 2 : next;
}

/* Inside a tool's members are schemas, whose names are their author's; inside others all names are the protocol's, and
 * looked at: the arguments of a prompt may have titles.
 * Where a member is left out, the comma before it goes with it; where none before it is kept, the comma behind. The
 * last pieces are for what follows: should a prompt have so many titled arguments, the titles of the rest are sent. */
void skri_push_described(struct skr_answer *a, bool tool, const char *json, size_t n)
{
    const char *end = json + n, *p = json, *comma = json;
    bool older = a->version != SKR_V_NONE && a->version<SKR_V_2025_11_25, kept = n> 0 && *p == ',';
    while (older && p < end) {
        if (*p != '"') { /* between members */
            kept = *p == '}' || (kept && *p != '{');
            comma = *p == ',' ? p : comma;
            p++;
            continue;
        }
        const char *next = behind(p, end);
        if (is_newer(p, end, tool, a->version) && a->queued < SKR_PIECES - 2) {
            skri_push_bytes(a, SKR_RAW, json, (size_t)((kept ? comma : p) - json));
            json = next + (!kept && next < end && *next == ',');
        } else {
            kept = true;
            next = tool ? next : inside(p, next);
        }
        p = next;
    }
    skri_push_bytes(a, SKR_RAW, json, (size_t)(end - json));
}

#endif
