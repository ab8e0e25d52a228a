/* cache.c -- see cache.h. One file per answer, named by its key: 32 bytes of digest, then the answer. Files are
 * written under a temporary name and renamed, so that two bridges may share the folder; the modification time says
 * when one was last used. */
#include "cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../posix/say.h"
#include "sha256.h"

#define NAME (2 * SKR_CACHE_KEY + 1)

static int folder_fd = -1;
static uint64_t limit;

/* Creates every folder of a path that does not exist. */
static bool make_folders(char *path)
{
    for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) {
            return false;
        }
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static int write_default(char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache != NULL && *cache == '/') {
        return snprintf(path, size, "%s/skillrom", cache);
    }
    return home != NULL && *home == '/' ? snprintf(path, size, "%s/.cache/skillrom", home) : -1;
}

/* Whoever can write to it can forge answers of devices. */
static bool is_ours_alone(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool skr_cache_open(const char *folder, uint32_t limit_mb)
{
    char path[1024];
    int n = folder != NULL ? snprintf(path, sizeof path, "%s", folder) : write_default(path, sizeof path);
    if (n <= 0 || (size_t)n >= sizeof path) {
        skr_say("no folder for the cache: $HOME is not set; use --cache DIR or --no-cache");
        return false;
    }
    while (n > 1 && path[n - 1] == '/') { /* with a slash at the end a link would be followed */
        path[--n] = '\0';
    }
    if (make_folders(path)) {
        folder_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    }
    if (folder_fd < 0) {
        skr_say("%s: %s; working without a cache", path,
                errno == ENOTDIR ? "not a folder, or only a link to one" : strerror(errno));
        return false;
    }
    if (!is_ours_alone(folder_fd)) {
        skr_say("%s: belongs to another user, or others may write to it; working without a cache", path);
        close(folder_fd);
        folder_fd = -1;
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

void skr_cache_drop(const uint8_t key[SKR_CACHE_KEY])
{
    char name[NAME];
    sha256_hex(key, SKR_CACHE_KEY, name);
    (void)unlinkat(folder_fd, name, 0);
}

/* The digest covers the key, too, so a renamed file is not mistaken for another one. */
static void seal(const uint8_t key[SKR_CACHE_KEY], const char *bytes, size_t n, uint8_t digest[SHA256_SIZE])
{
    struct sha256 sha;
    sha256_start(&sha);
    sha256_add(&sha, key, SKR_CACHE_KEY);
    sha256_add(&sha, bytes, n);
    sha256_finish(&sha, digest);
}

size_t skr_cache_get(const uint8_t key[SKR_CACHE_KEY], char *to, size_t room)
{
    char name[NAME];
    uint8_t stored[SHA256_SIZE], digest[SHA256_SIZE];
    struct stat status;
    size_t n = 0;
    sha256_hex(key, SKR_CACHE_KEY, name);
    int fd = folder_fd >= 0 ? openat(folder_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
    if (fd < 0) {
        return 0;
    }
    bool sized = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > SHA256_SIZE;
    if (sized && room == 0) {
        n = 1;
    } else if (sized && (uint64_t)status.st_size - SHA256_SIZE <= room) {
        n = (size_t)status.st_size - SHA256_SIZE;
        bool read_well = read_all(fd, stored, sizeof stored) && read_all(fd, to, n);
        seal(key, to, n, digest);
        if (!read_well || memcmp(stored, digest, sizeof digest) != 0) {
            skr_cache_drop(key);
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

/* Adds up the sizes of all files and finds the least recently used one. */
static uint64_t look_around(char oldest[256])
{
    static union {
        char bytes[32768];
        struct dirent64 align;
    } entries;
    struct stat status;
    struct timespec least = {0, 0};
    uint64_t sum = 0;
    ssize_t n;
    *oldest = '\0';
    (void)lseek(folder_fd, 0, SEEK_SET);
    while ((n = getdents64(folder_fd, (void *)&entries, sizeof entries)) > 0) {
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *entry = (const void *)(entries.bytes + at);
            at += entry->d_reclen;
            if (!is_ours(entry->d_name) || fstatat(folder_fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
                !S_ISREG(status.st_mode)) {
                continue;
            }
            sum += (uint64_t)status.st_size;
            const struct timespec *t = &status.st_mtim;
            if (*oldest == '\0' || t->tv_sec < least.tv_sec ||
                (t->tv_sec == least.tv_sec && t->tv_nsec < least.tv_nsec)) {
                least = *t;
                (void)snprintf(oldest, 256, "%s", entry->d_name);
            }
        }
    }
    return sum;
}

static void make_room(uint64_t wanted)
{
    char oldest[256];
    while (look_around(oldest) + wanted > limit && *oldest != '\0') {
        if (unlinkat(folder_fd, oldest, 0) != 0) {
            return;
        }
    }
}

void skr_cache_put(const uint8_t key[SKR_CACHE_KEY], const char *bytes, size_t n)
{
    char name[NAME], beside[NAME + 16];
    uint8_t digest[SHA256_SIZE];
    if (folder_fd < 0 || n + SHA256_SIZE > limit / 4) { /* one answer must not push out all the others */
        return;
    }
    make_room(n + SHA256_SIZE);
    sha256_hex(key, SKR_CACHE_KEY, name);
    (void)snprintf(beside, sizeof beside, "%s.%ld", name, (long)getpid());
    int fd = openat(folder_fd, beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return;
    }
    seal(key, bytes, n, digest);
    bool written = skr_say_raw(fd, (const char *)digest, sizeof digest) && skr_say_raw(fd, bytes, n);
    written = close(fd) == 0 && written;
    if (!written || renameat(folder_fd, beside, folder_fd, name) != 0) {
        (void)unlinkat(folder_fd, beside, 0);
    }
}
