/* record.c -- see record.h. */
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../transport/transport_config.h"
#include "console.h"
#include "json_edit.h"
#include "record_file.h"
#include "text/json_scan.h"
#include "unescape.h"

static bool report_chain(const char *what, const struct host_chain *chain, unsigned long line, const char *wrong)
{
    if (wrong != NULL) {
        host_log("%s: line %lu: %s; the record was altered, or its copy is incomplete", what, line, wrong);
    } else if (chain->entries == 0) {
        host_notice("%s: no entries", what);
    } else {
        host_notice("%s: %llu entries, and the chain holds from number %llu to %llu", what,
                    (unsigned long long)chain->entries, (unsigned long long)(chain->next - chain->entries),
                    (unsigned long long)(chain->next - 1));
    }
    return wrong == NULL;
}

/* ---- Of a device ---- */

/* Checks the lines in a JSON string, and counts them. The last one must have the count of entries, which shows whether some are
 * missing. Returns what is wrong, or NULL. */
static const char *check_text(struct host_chain *chain, struct skr_span string, unsigned long *lines)
{
    struct skr_span inside = skr_scan_inside(string);
    struct romfs_unescape text;
    char line[HOST_RECORD_LINE];
    const uint8_t *part;
    const char *wrong = NULL;
    size_t n = 0, got;

    romfs_unescape_start(&text, (const uint8_t *)inside.p, inside.n);
    while (wrong == NULL && (got = romfs_unescape_next(&text, sizeof line - n, &part)) > 0) {
        memcpy(line + n, part, got);
        n += got;
        if (line[n - 1] == '\n') { /* an escape, so it comes by itself */
            ++*lines;
            wrong = host_chain_check(chain, (struct skr_span){line, n - 1});
            n = 0;
        }
    }
    wrong = wrong == NULL && (n > 0 || !romfs_unescape_whole(&text)) ? "it is not a line of a record" : wrong;
    return wrong == NULL && !chain->ended ? "its last line is missing" : wrong;
}

/* Adds the remedy to the error of a device that has no record. */
static void explain_missing(const struct client *c)
{
    int code = host_json_int(skr_scan_get(skr_scan_get(c->response, "error"), "code"));

    if (code == -32602 || code == -32002) {
        host_log("only firmware with SKR_GUARD and a tool with rules keeps a record of tool calls");
    }
}

/* Reads the lines from number `from` on, as a JSON string. False after a message. */
static bool read_lines(struct client *c, uint64_t from, struct skr_span *text)
{
    char params[64];
    struct skr_span result, item = {NULL, 0};

    (void)snprintf(params, sizeof params, "{\"uri\":\"record://%llu\"}", (unsigned long long)from);
    if (!client_get(c, "resources/read", params, true, &result)) {
        explain_missing(c);
        return false;
    }
    struct skr_span contents = skr_scan_get(result, "contents");
    *text = contents.p != NULL && skr_scan_item(&contents, &item) ? skr_scan_get(item, "text") : item;
    bool is_string = text->n > 0 && *text->p == '"';
    if (!is_string) {
        host_log("the device has sent no record");
    }
    return is_string;
}

/* Prints the lines from chain->next on, and checks them. False after a message when there are none. */
static bool show_part(struct client *c, struct host_chain *chain, unsigned long *lines, const char **wrong)
{
    struct skr_span text;
    uint64_t from = chain->next;

    if (!read_lines(c, from, &text)) {
        return false;
    }
    *wrong = check_text(chain, text, lines);
    if (chain->next != from || from == 0 || *wrong != NULL) {
        client_print_string(STDOUT_FILENO, text);
    }
    return true;
}

/* What the first part proves to be wrong: the number of entries that it states and those that it has. */
static const char *check_first_part(const struct host_chain *chain)
{
    if (chain->counted > 0 && chain->entries == 0) {
        return "its entries are missing";
    }
    uint64_t first = chain->next - chain->entries;
    return chain->counted - first > TRANSPORT_RECORD_ENTRIES ? "it has more entries than any record" : NULL;
}

/* Ends at the entries that there were at the beginning: more may come all the time. */
int client_record_show(struct client *c)
{
    struct host_chain chain;
    unsigned long lines = 0;
    uint64_t before, end = 0;
    const char *wrong = NULL;

    host_chain_begin(&chain);
    do {
        before = chain.next;
        if (!show_part(c, &chain, &lines, &wrong)) {
            return 1;
        }
        if (wrong == NULL && before == 0) {
            end = chain.counted;
            wrong = check_first_part(&chain);
        }
    } while (wrong == NULL && chain.next != before && chain.next < end);
    wrong = wrong == NULL && chain.next < end ? host_chain_check_end(&chain) : wrong;
    return report_chain("record", &chain, lines, wrong) ? 0 : 1;
}

/* ---- In a file ---- */

int client_record_check(const char *path)
{
    char line[HOST_RECORD_LINE];
    FILE *file = fopen(path, "r");
    struct host_chain chain;
    unsigned long lines = 0, torn = 0;
    const char *wrong = NULL;

    if (file == NULL) {
        host_log("%s: %s", path, strerror(errno));
        return 1;
    }
    host_chain_begin(&chain);
    while (wrong == NULL && fgets(line, sizeof line, file) != NULL) {
        size_t n = strlen(line);
        lines++;
        if (n > 2 && memcmp(line + n - 2, "}\n", 2) == 0) {
            wrong = host_chain_check(&chain, (struct skr_span){line, n - 1});
        } else {
            torn++; /* as a fleet leaves it where its disk was full: an entry of which that is made is missing */
        }
    }
    wrong = wrong == NULL && torn > 0 && chain.entries == 0 ? "it is not a record" : wrong;
    wrong = wrong == NULL && ferror(file) ? strerror(errno) : wrong;
    (void)fclose(file);
    if (torn > 0 && wrong == NULL) {
        host_notice("%s: %lu lines were not written whole", path, torn);
    }
    return report_chain(path, &chain, lines, wrong != NULL ? wrong : host_chain_check_end(&chain)) ? 0 : 1;
}
