/* record.c -- see record.h. */
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "console.h"
#include "json_edit.h"
#include "record_file.h"
#include "text/json_scan.h"
#include "unescape.h"

static bool report_chain(const char *what, const struct host_chain *chain, unsigned long line, const char *wrong)
{
    if (wrong != NULL) {
        host_log("%s: line %lu: %s; the record was altered, or its copy is incomplete", what, line, wrong);
    } else {
        host_notice("%s: %llu entries, and the chain holds", what, (unsigned long long)chain->entries);
    }
    return wrong == NULL;
}

/* ---- Of a device ---- */

/* Checks the lines in a JSON string, and counts them. Returns what is wrong, or NULL. */
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
    return wrong == NULL && (n > 0 || !romfs_unescape_whole(&text)) ? "it is not a line of a record" : wrong;
}

/* Adds the remedy to the error of a device that has no record. */
static void explain_missing(const struct client *c)
{
    int code = host_json_int(skr_scan_get(skr_scan_get(c->response, "error"), "code"));

    if (code == -32602 || code == -32002) {
        host_log("only firmware with SKR_GUARD and a tool with rules keeps a record of tool calls");
    }
}

int client_record_show(struct client *c)
{
    char params[64];
    struct host_chain chain;
    uint64_t before;
    unsigned long lines = 0;
    const char *wrong = NULL;

    host_chain_begin(&chain);
    do {
        struct skr_span result, item = {NULL, 0};
        before = chain.next;
        (void)snprintf(params, sizeof params, "{\"uri\":\"record://%llu\"}", (unsigned long long)chain.next);
        if (!client_get(c, "resources/read", params, true, &result)) {
            explain_missing(c);
            return 1;
        }
        struct skr_span contents = skr_scan_get(result, "contents");
        struct skr_span text =
            contents.p != NULL && skr_scan_item(&contents, &item) ? skr_scan_get(item, "text") : item;
        if (text.p == NULL) {
            host_log("the device has sent no record");
            return 1;
        }
        wrong = check_text(&chain, text, &lines);
        if (chain.next != before || chain.next == 0 || wrong != NULL) {
            client_print_string(STDOUT_FILENO, text);
        }
    } while (wrong == NULL && chain.next != before);
    return report_chain("record", &chain, lines, wrong != NULL ? wrong : host_chain_check_end(&chain)) ? 0 : 1;
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
