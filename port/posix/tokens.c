/* tokens.c -- see tokens.h. */
#include "tokens.h"

#include <string.h>

#include "console.h"
#include "skr_text.h"
#include "trusted.h"

/* ---- The file ---- */

/* One is in use while the file is read again into the other. */
static struct table {
    char text[POSIX_TOKENS * POSIX_TOKEN_LINE + 1]; /* names are kept there */
    struct skr_grant rows[POSIX_TOKENS];
    const char *devices[POSIX_TOKENS];
} tables[2];
static struct table *used = &tables[0];
static bool has_devices;

void posix_tokens_expect_devices(void)
{
    has_devices = true;
}

const char *posix_tokens_devices(const struct skr_grant *row)
{
    const struct table *t = row >= tables[1].rows && row < tables[1].rows + POSIX_TOKENS ? &tables[1] : &tables[0];

    return t->devices[row - t->rows];
}

/* The next word of a line, ended with a NUL; "" when there is none. */
static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t\r");
    char *end = word + strcspn(word, " \t\r");

    *at = *end != '\0' ? end + 1 : end;
    *end = '\0';
    return word;
}

/* 0 if it is none. */
static uint8_t rights_of(const char *word)
{
    static const struct {
        const char *word;
        uint8_t rights;
    } names[] = {{"read", SKR_MAY_READ},
                 {"operate", SKR_MAY_OPERATE},
                 {"read+update", SKR_MAY_READ | SKR_MAY_UPDATE},
                 {"operate+update", SKR_MAY_OPERATE | SKR_MAY_UPDATE}};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(word, names[i].word) == 0) {
            return names[i].rights;
        }
    }
    return 0;
}

/* The error in the line; NULL if it is valid. */
static const char *read_line(char *line, struct skr_grant *row, const char **devices)
{
    const char *name = next_word(&line), *rights = next_word(&line), *hash = next_word(&line);

    row->name = name;
    row->rights = rights_of(rights);
    if (row->rights == 0) {
        return "the name must be followed by read or operate, or one of them with +update";
    }
    if (strlen(hash) != 2 * sizeof row->sha256 || !skr_hex_read(hash, sizeof row->sha256, row->sha256)) {
        return "the rights must be followed by the SHA-256 of the token, 64 hex digits";
    }
    const char *patterns = next_word(&line);
    *devices = *patterns != '\0' ? patterns : NULL;
    if (*patterns != '\0' && !has_devices) {
        return "patterns of devices are for `skillrom fleet`; this is one device";
    }
    return *next_word(&line) != '\0' ? "too many words" : NULL;
}

static bool read_rows(struct table *t, const char *path, size_t *count)
{
    unsigned number = 0;

    for (char *line = t->text, *next; *line != '\0'; line = next) {
        size_t n = strcspn(line, "\n");
        next = line + n + (line[n] == '\n');
        line[n] = '\0';
        number++;
        line += strspn(line, " \t\r");
        if (*line == '\0' || *line == '#') {
            continue;
        }
        if (*count == POSIX_TOKENS) {
            host_log("%s:%u: at most %d tokens are possible; remove one", path, number, POSIX_TOKENS);
            return false;
        }
        const char *wrong = read_line(line, &t->rows[*count], &t->devices[*count]);
        if (wrong != NULL) {
            host_log("%s:%u: %s; `skillrom token NAME -o %s` writes such lines", path, number, wrong, path);
            return false;
        }
        ++*count;
    }
    return true;
}

bool posix_tokens_load(const char *path, const struct skr_grant **grants, size_t *count)
{
    struct table *t = used == &tables[0] ? &tables[1] : &tables[0];

    *grants = t->rows;
    *count = 0;
    if (!posix_trusted_read(path, "a token", t->text, sizeof t->text) || !read_rows(t, path, count)) {
        return false;
    }
    if (*count == 0) { /* every request would be refused */
        host_log("%s: contains no token; `skillrom token NAME -o %s` makes one", path, path);
    }
    used = *count > 0 ? t : used;
    return *count > 0;
}

/* ---- Addresses ---- */

bool posix_tokens_suffice(const struct posix_options *options, bool tokens)
{
    for (size_t i = 0; i < options->listen_count; i++) {
        const struct posix_listen *listen = &options->listen[i];
        bool http = listen->wire == SKR_HTTP_1;
        bool guarded = http && posix_options_guard(options);
        if (!options->anyone && !skr_sockets_is_loopback(&listen->address) && !guarded) {
            char host[POSIX_ADDRESS_TEXT];
            posix_address_host(&listen->address, host);
            host_log("other machines can reach %s:%u and could do everything there: %suse --allow-anyone", host,
                     (unsigned)listen->address.port,
                     !tokens ? ""
                     : http  ? "use --token-file FILE, made by `skillrom token`, or "
                             : "lines have no tokens; use HTTP with --token-file, or ");
            return false;
        }
    }
    return true;
}
