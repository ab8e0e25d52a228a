/* cmd_token.c -- `skillrom token`: a token for HTTP, of skillromd or of firmware. It is shown once; only its hash is kept,
 * from which it cannot be recovered, because it is random and long. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/buf.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "sha256.h"

#define RANDOM_BYTES 24 /* 192 bits, exactly 32 characters */
#define NAME_MAX_LENGTH 64

/* The prefix tells people, and programs that look for secrets in files, what it is. */
static bool make_token(char token[64])
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint8_t bytes[RANDOM_BYTES];
    char *out = token;

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) {
        return false;
    }
    out += sprintf(out, "skr_");
    for (size_t i = 0; i < sizeof bytes; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6) {
            *out++ = digits[group >> shift & 63];
        }
    }
    *out = '\0';
    return true;
}

/* Its row in a token file, or in an array of struct skr_grant. */
static char *row_of(const char *name, bool read_only, bool c, const char *token)
{
    uint8_t digest[SHA256_SIZE];
    char hex[2 * SHA256_SIZE + 1];
    struct buf row = {0};

    sha256_of(token, strlen(token), digest);
    if (!c) {
        sha256_hex(digest, sizeof digest, hex);
        return xasprintf("%s %s %s\n", name, read_only ? "read" : "operate", hex);
    }
    buf_printf(&row, "{\"%s\",\n {", name);
    for (size_t i = 0; i < sizeof digest; i++) {
        buf_printf(&row, "%s0x%02x", i == 0 ? "" : i % 16 == 0 ? ",\n  " : ", ", digest[i]);
    }
    buf_printf(&row, "},\n %s},\n", read_only ? "SKR_MAY_READ" : "SKR_MAY_OPERATE");
    return xstrdup(buf_str(&row));
}

/* Two tokens of one name could not be told apart when one of them is to be removed. */
static bool has_name(const char *path, const char *name, bool c)
{
    char *start = c ? xasprintf("{\"%s\",", name) : xasprintf("%s ", name);
    char line[512];
    FILE *f = fopen(path, "r");
    bool found = false;

    while (f != NULL && !found && fgets(line, sizeof line, f) != NULL) {
        found = strncmp(line, start, strlen(start)) == 0;
    }
    if (f != NULL) {
        fclose(f);
    }
    return found;
}

static bool append(const char *path, const char *row)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    size_t n = strlen(row);
    bool well = fd >= 0 && write(fd, row, n) == (ssize_t)n;

    if (fd >= 0 && close(fd) != 0) {
        well = false;
    }
    if (!well) {
        fprintf(stderr, "skillrom: %s: %s\n", path, strerror(errno));
    }
    return well;
}

static bool is_name(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t n = strlen(name);

    return n > 0 && n <= NAME_MAX_LENGTH && strspn(name, allowed) == n;
}

int cmd_token(int argc, char **argv)
{
    bool read_only = false, c = false;
    const char *path = NULL, *name = NULL;
    const struct arg table[] = {
        {"-o", ARG_VALUE, NULL, &path}, {"--read", ARG_FLAG, &read_only, NULL}, {"--c", ARG_FLAG, &c, NULL}};
    const struct args args = {"token", table, sizeof table / sizeof table[0], 1, 1, "NAME"};
    char token[64];

    if (args_parse(&args, argc, argv, &name) < 0) {
        return 2;
    }
    if (!is_name(name)) {
        return args_misuse("token", "name '%s': only letters, digits and . _ -, at most %d", name, NAME_MAX_LENGTH);
    }
    path = path != NULL ? path : c ? "tokens.inc" : "skillrom.tokens";
    if (has_name(path, name, c)) {
        fprintf(stderr, "skillrom: %s already has a token for %s; remove it first, or choose another name\n", path,
                name);
        return 1;
    }
    if (!make_token(token)) {
        fprintf(stderr, "skillrom: the system has no random bytes\n");
        return 1;
    }
    if (!append(path, row_of(name, read_only, c, token))) {
        return 1;
    }
    printf("%s\n", token);
    fprintf(stderr, "skillrom: %s may %s with this token, which is not shown again; its hash is in %s\n", name,
            read_only ? "read" : "operate", path);
    return 0;
}
