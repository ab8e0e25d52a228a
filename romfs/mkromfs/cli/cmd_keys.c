/* cmd_keys.c -- `skillrom keys`: keys that sign releases. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/screen.h"
#include "cli/commands.h"
#include "console.h"
#include "sign/key.h"

/* Makes a file that only its owner can read, and that is not there yet: a key must not be overwritten. */
static bool write_secret(const char *path, const struct buf *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    errno = fd >= 0 ? ENOSPC : errno; /* if only a part of it fits */
    bool well = fd >= 0 && write(fd, text->p, text->n) == (ssize_t)text->n;
    if (!well) {
        screen_error("cannot write %s: %s%s", path, strerror(errno),
                     errno == EEXIST ? "; choose another name: no key is overwritten" : "");
    }
    if (fd >= 0 && (close(fd) != 0 || !well)) {
        unlink(path);
        return false;
    }
    return well;
}

static void print_public(const struct key *key)
{
    struct buf text = {0};

    key_write_public(&text, key);
    fwrite(text.p, 1, text.n, stdout);
}

static int make_key(const char *path)
{
    struct buf text = {0};
    struct key key;

    if (!key_make(&key)) {
        return 1;
    }
    key_write_private(&text, &key);
    if (!write_secret(path, &text)) {
        return 1;
    }
    print_public(&key);
    host_notice("%s has the private key: keep it, and a copy, where nobody else can read it", path);
    return 0;
}

/* A row of an array `const uint8_t keys[][64]`. */
static void print_row(const struct key *key)
{
    printf("{");
    for (size_t i = 0; i < sizeof key->point; i++) {
        printf("%s0x%02x", i == 0 ? "" : i % 16 == 0 ? ",\n " : ", ", key->point[i]);
    }
    printf("},\n");
}

/* The file among the first `count` that has the same key, or NULL. They have been read before: few, so they are read again. */
static const char *same_key(char **paths, int count, const struct key *key)
{
    struct key other;

    for (int i = 0; i < count; i++) {
        if (key_read(paths[i], &other) && memcmp(other.point, key->point, sizeof key->point) == 0) {
            return paths[i];
        }
    }
    return NULL;
}

static int show_keys(char **paths, int count, bool c)
{
    struct key key;

    for (int i = 0; i < count; i++) {
        if (!key_read(paths[i], &key)) {
            return 1;
        }
        const char *same = c ? same_key(paths, i, &key) : NULL;
        if (same != NULL) { /* it could not be withdrawn: its second row would still be trusted */
            host_log("%s: the same key as %s; give that of its successor", paths[i], same);
            return 1;
        }
        if (c) {
            print_row(&key);
        } else {
            print_public(&key);
        }
    }
    return 0;
}

static int keys_main(int argc, char **argv)
{
    int count = host_command_read(&cmd_keys, NULL, argc, argv);

    if (count < 0) {
        return 2;
    }
    bool makes = strcmp(argv[1], "new") == 0, c = strcmp(argv[1], "c") == 0;
    if (!makes && !c && strcmp(argv[1], "public") != 0) {
        return host_usage_error("'%s': give new, public or c", argv[1]);
    }
    if (count < 2 || (makes && count > 2)) {
        return host_usage_error("%s: give %s", argv[1], makes ? "one file" : "one file or more");
    }
    if (makes) {
        return make_key(argv[2]);
    }
    return show_keys(argv + 2, count - 1, c);
}

const struct host_command cmd_keys = {
    .name = "keys",
    .run = keys_main,
    .group = "Image",
    .summary = "make and show the keys that sign releases",
    .usage = "new|public|c FILE.pem...",
    .about =
        "`new` makes a private key of P-256 in a new file, PEM as openssl reads it, and prints its public key. `public` prints the "
        "public key of each file. `c` prints them as rows of an array `const uint8_t keys[][64]`, for firmware: the first row is key 0.",
    .examples = {{"skillrom keys new lamp.pem", "make a key pair"},
                 {"skillrom keys c lamp.pem > keys.inc", "print its public key as C, for firmware"}},
    .operands = {"new, public or c", "FILE.pem"},
    .least = 1,
    .most = HOST_ANY_NUMBER,
};
