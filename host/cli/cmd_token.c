/* cmd_token.c -- `skillrom token`: a token for HTTP, of skillromd or of firmware. It is shown once; only its hash is kept,
 * from which it cannot be recovered, because it is random and long. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/screen.h"
#include "cli/commands.h"
#include "console.h"
#include "random.h"
#include "sha256.h"
#include "text/encode.h"
#include "token_record.h"

#define RANDOM_BYTES 24 /* 192 bits, exactly 32 characters */
#define TOKEN_ROOM 64
#define NAME_MAX_LENGTH 64

/* The prefix identifies a token, also for programs that search files for secrets. */
static bool make_token(char token[TOKEN_ROOM])
{
    static const char prefix[] = "skr_";
    uint8_t bytes[RANDOM_BYTES];
    struct skr_carry carry = {.n = 0};
    struct skr_encoding e = {.from = (const char *)bytes,
                             .n = sizeof bytes,
                             .out = token + sizeof prefix - 1,
                             .room = TOKEN_ROOM - sizeof prefix,
                             .url = true};

    if (!host_random(bytes, sizeof bytes)) {
        return false;
    }
    memcpy(token, prefix, sizeof prefix - 1);
    skr_encode_base64(&e, &carry, true);
    e.out[e.made] = '\0';
    return true;
}

struct call {
    bool read_only, update;
    const char *file, *c_file, *record, *devices;
};

/* Its row in a token file, or in an array of struct skr_grant. */
static char *row_of(const char *name, const struct call *call, const char *token)
{
    bool read_only = call->read_only, c = call->c_file != NULL;
    uint8_t digest[ROMFS_SHA256_SIZE];
    char hex[2 * ROMFS_SHA256_SIZE + 1];
    struct buf row = {0};

    romfs_sha256_of(token, strlen(token), digest);
    if (!c) {
        romfs_sha256_hex(digest, sizeof digest, hex);
        return xasprintf("%s %s%s %s%s%s\n", name, read_only ? "read" : "operate", call->update ? "+update" : "", hex,
                         call->devices != NULL ? " " : "", call->devices != NULL ? call->devices : "");
    }
    buf_printf(&row, "{\"%s\",\n {", name);
    for (size_t i = 0; i < sizeof digest; i++) {
        buf_printf(&row, "%s0x%02x", i == 0 ? "" : i % 16 == 0 ? ",\n  " : ", ", digest[i]);
    }
    buf_printf(&row, "},\n %s%s},\n", read_only ? "SKR_MAY_READ" : "SKR_MAY_OPERATE",
               call->update ? " | SKR_MAY_UPDATE" : "");
    return xstrdup(buf_str(&row));
}

/* Of two tokens with one name a user could not choose the one to remove. */
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

/* Makes the file as long as it was; one that was not there is gone. */
static void take_back(const char *path, off_t old)
{
    if (truncate(path, old) == 0 && old == 0) {
        unlink(path);
    }
}

/* True when the last line of a file of n bytes has no newline: an editor may have left it so. */
static bool ends_within_a_line(int fd, off_t n)
{
    char last;

    return n > 0 && pread(fd, &last, 1, n - 1) == 1 && last != '\n';
}

/* Adds the row as a whole, or nothing after a message. *old becomes the length before. */
static bool table_append(const char *path, const char *row, off_t *old)
{
    int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);

    if (fd >= 0) {
        *old = lseek(fd, 0, SEEK_END);
        row = ends_within_a_line(fd, *old) ? xasprintf("\n%s", row) : row;
        errno = ENOSPC; /* if only a part of it fits */
    }
    size_t n = strlen(row);
    bool well = fd >= 0 && write(fd, row, n) == (ssize_t)n;
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && well) {
        well = false;
        why = errno;
    }
    if (!well) {
        screen_error("%s: %s", path, strerror(why));
    }
    if (fd >= 0 && !well) {
        take_back(path, *old);
    }
    return well;
}

static bool is_name(const char *name)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t n = strlen(name);

    return n > 0 && n <= NAME_MAX_LENGTH && strspn(name, allowed) == n;
}

/* clang-format off */
static const struct host_option rows[] = {
    HOST_FLAG("--read-only", struct call, read_only,
        "allow only reading skills, resources and prompts, and running tools with readOnlyHint; otherwise everything is allowed"),
    HOST_FLAG("--update", struct call, update, "also allow `skillrom update`, which nothing else includes"),
    HOST_TEXT("--devices", "PATTERNS", struct call, devices,
        "of a fleet: only devices whose names match one of these, separated by commas, as in 'pump-*,valve-?' (all)"),
    HOST_TEXT("-o, --output", "FILE", struct call, file, "the file to add it to (skillrom.tokens)"),
    HOST_TEXT("--emit-c", "FILE", struct call, c_file, "add it to this file of C instead, a row of struct skr_grant for firmware"),
    HOST_TEXT("--flash-record", "FILE", struct call, record,
        "add it to a record for a board's flash instead, at most 8 tokens (boards/net/README.md)"),
};
/* clang-format on */

/* Into a record, which cannot be shortened again. */
static int run_record(const struct call *call, const char *name)
{
    char token[TOKEN_ROOM];
    uint8_t digest[ROMFS_SHA256_SIZE];

    if (call->c_file != NULL || call->file != NULL || call->update) {
        return host_usage_error(
            "--flash-record writes a file of its own, without the right to update; leave out --emit-c, --output and --update");
    }
    if (!make_token(token)) {
        screen_error("the system has no random bytes");
        return 1;
    }
    romfs_sha256_of(token, strlen(token), digest);
    if (!token_record_add(call->record, name, call->read_only, digest)) {
        return 1;
    }
    printf("%s\n", token);
    if (fflush(stdout) != 0) {
        screen_error("the token of %s was never shown in %s; begin a new record", name, call->record);
        return 1;
    }
    host_notice("%s may %s with this token, which is not shown again; its hash is in %s", name,
                call->read_only ? "read" : "operate", call->record);
    return 0;
}

static int token_main(int argc, char **argv)
{
    struct call call = {.file = NULL};
    char token[TOKEN_ROOM];
    off_t old = 0;

    if (host_command_read(&cmd_token, &call, argc, argv) < 0) {
        return 2;
    }
    const char *name = argv[1];
    if (!is_name(name)) {
        return host_usage_error("name '%s': only letters, digits and . _ -, at most %d", name, NAME_MAX_LENGTH);
    }
    if (call.devices != NULL && (call.c_file != NULL || call.record != NULL ||
                                 strpbrk(call.devices, " \t\r\n") != NULL || *call.devices == '\0')) {
        return host_usage_error("--devices '%s': patterns without spaces, separated by commas, for a token file",
                                call.devices);
    }
    if (call.record != NULL) {
        return run_record(&call, name);
    }
    if (call.file != NULL && call.c_file != NULL) {
        return host_usage_error("--output and --emit-c name two files for one token; leave out one of them");
    }
    const char *path = call.file != NULL ? call.file : call.c_file != NULL ? call.c_file : "skillrom.tokens";
    if (has_name(path, name, call.c_file != NULL)) {
        screen_error("%s already has a token for %s; remove it first, or choose another name", path, name);
        return 1;
    }
    if (!make_token(token)) {
        screen_error("the system has no random bytes");
        return 1;
    }
    if (!table_append(path, row_of(name, &call, token), &old)) {
        return 1;
    }
    printf("%s\n", token);
    if (fflush(stdout) != 0) { /* it was not shown, so it must not be valid */
        take_back(path, old);
        return 1;
    }
    host_notice("%s may %s%s with this token, which is not shown again; its hash is in %s", name,
                call.read_only ? "read" : "operate", call.update ? " and update" : "", path);
    return 0;
}

const struct host_command cmd_token = {
    .name = "token",
    .run = token_main,
    .group = "Device",
    .summary = "grant a user access to a device over HTTP",
    .usage = "NAME [options]",
    .about =
        "Prints a new token, only once, and adds a line with NAME, what the token allows and its SHA-256 to a file, for "
        "skillromd --token-file. To revoke the token, delete the line and restart the server.",
    HOST_ROWS(rows),
    .examples = {{"skillrom token alice > alice.token", "let alice use a device"},
                 {"skillrom token display --read-only > display.token", "let a display read it"}},
    .operands = {"NAME"},
    .least = 1,
    .most = 1,
};
