/* cache.c -- see cache.h. One file per response, named after its key: 32 bytes of digest, then the response. Files are
 * written under a temporary name and renamed, so that two bridges may share the folder; the modification time is that of the
 * last use. */
#include "cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../port/posix/folder.h"
#include "console.h"
#include "sha256.h"
#include "system.h"

#define NAME (2 * BRIDGE_CACHE_KEY + 1)

static int folder_fd = -1;
static uint64_t limit;

bool bridge_cache_open(const char *folder, uint32_t limit_mb)
{
    char path[1024];
    const char *why;

    if (!posix_folder_name(path, sizeof path, folder, "XDG_CACHE_HOME", ".cache")) {
        host_log("no folder for the cache: $HOME is not set; use --cache DIR or --no-cache");
        return false;
    }
    folder_fd = posix_folder_open(path, &why); /* a user who can write to it can forge responses of devices */
    if (folder_fd < 0) {
        host_log("%s: %s; working without a cache", path, why);
        return false;
    }
    limit = (uint64_t)limit_mb << 20;
    return true;
}

/* ---- One file ---- */

static bool read_all(int fd, void *to, size_t n)
{
    char *p = to;

    while (n > 0) {
        ssize_t k = read(fd, p, n);
        if (k <= 0) {
            return false;
        }
        p += k;
        n -= (size_t)k;
    }
    return true;
}

void bridge_cache_drop(const uint8_t key[BRIDGE_CACHE_KEY])
{
    char name[NAME];

    romfs_sha256_hex(key, BRIDGE_CACHE_KEY, name);
    (void)unlinkat(folder_fd, name, 0);
}

/* The digest also covers the key, so a renamed file is not mistaken for another one. */
static void digest_of(const uint8_t key[BRIDGE_CACHE_KEY], const char *bytes, size_t n,
                      uint8_t digest[ROMFS_SHA256_SIZE])
{
    struct romfs_sha256 sha;

    romfs_sha256_start(&sha);
    romfs_sha256_add(&sha, key, BRIDGE_CACHE_KEY);
    romfs_sha256_add(&sha, bytes, n);
    romfs_sha256_finish(&sha, digest);
}

size_t bridge_cache_get(const uint8_t key[BRIDGE_CACHE_KEY], char *to, size_t room)
{
    char name[NAME];
    uint8_t stored[ROMFS_SHA256_SIZE], digest[ROMFS_SHA256_SIZE];
    struct stat status;
    size_t n = 0;

    romfs_sha256_hex(key, BRIDGE_CACHE_KEY, name);
    int fd = folder_fd >= 0 ? openat(folder_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (fd < 0) {
        return 0;
    }
    bool sized = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > (off_t)ROMFS_SHA256_SIZE;
    if (sized && room == 0) {
        n = 1;
    } else if (sized && (uint64_t)status.st_size - ROMFS_SHA256_SIZE <= room) {
        n = (size_t)status.st_size - ROMFS_SHA256_SIZE;
        bool read_well = read_all(fd, stored, sizeof stored) && read_all(fd, to, n);
        digest_of(key, to, n, digest);
        if (!read_well || memcmp(stored, digest, sizeof digest) != 0) {
            bridge_cache_drop(key);
            n = 0;
        } else {
            (void)futimens(fd, NULL);
        }
    }
    close(fd);
    return n;
}

/* ---- The folder ---- */

/* A key, or a key and the process id of the bridge that is writing. Other files in the folder are left alone. */
static bool is_ours(const char *name)
{
    size_t n = strspn(name, "0123456789abcdef");

    return n == NAME - 1 && (name[n] == '\0' || name[n] == '.');
}

/* The total size of the folder, and its least recently used file; "" if it has none. */
struct survey {
    uint64_t sum;
    struct timespec least;
    char oldest[256];
};

static struct timespec used_at(const struct stat *status)
{
#ifdef __APPLE__
    return status->st_mtimespec;
#else
    return status->st_mtim;
#endif
}

static void survey_file(void *context, const char *name)
{
    struct survey *survey = context;
    struct stat status;

    if (!is_ours(name) || fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode)) {
        return;
    }
    struct timespec t = used_at(&status);
    survey->sum += (uint64_t)status.st_size;
    if (survey->oldest[0] == '\0' || t.tv_sec < survey->least.tv_sec ||
        (t.tv_sec == survey->least.tv_sec && t.tv_nsec < survey->least.tv_nsec)) {
        survey->least = t;
        (void)snprintf(survey->oldest, sizeof survey->oldest, "%s", name);
    }
}

static void make_room(uint64_t wanted)
{
    for (;;) {
        struct survey survey = {.sum = 0};
        host_folder_list(folder_fd, survey_file, &survey);
        if (survey.sum + wanted <= limit || survey.oldest[0] == '\0' || unlinkat(folder_fd, survey.oldest, 0) != 0) {
            return;
        }
    }
}

void bridge_cache_put(const uint8_t key[BRIDGE_CACHE_KEY], const char *bytes, size_t n)
{
    char name[NAME], beside[NAME + 16];
    uint8_t digest[ROMFS_SHA256_SIZE];

    if (folder_fd < 0 || n + ROMFS_SHA256_SIZE > limit / 4) { /* one response must not push out all the others */
        return;
    }
    make_room(n + ROMFS_SHA256_SIZE);
    romfs_sha256_hex(key, BRIDGE_CACHE_KEY, name);
    (void)snprintf(beside, sizeof beside, "%s.%ld", name, (long)getpid());
    int fd = openat(folder_fd, beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return;
    }
    digest_of(key, bytes, n, digest);
    bool written = host_write_all(fd, (const char *)digest, sizeof digest) && host_write_all(fd, bytes, n);
    written = close(fd) == 0 && written;
    if (!written || renameat(folder_fd, beside, folder_fd, name) != 0) {
        (void)unlinkat(folder_fd, beside, 0);
    }
}
