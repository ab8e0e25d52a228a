/* state.c -- see state.h. The file is written under a temporary name and then linked: it is complete or does not exist, and
 * servers that start together all get the key of the first. The name is random: process ids are the same in two containers. */
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console.h"
#include "folder.h"
#include "random.h"
#include "sha256.h"
#include "skr_text.h"

#define FILE_NAME "session.key"
#define KEY_BYTES 16
#define TEXT_BYTES (2 * KEY_BYTES + 1) /* and a newline */

static bool write_new(int folder)
{
    uint8_t key[KEY_BYTES], other[8];
    char text[TEXT_BYTES + 1], name[sizeof FILE_NAME + 1 + 2 * sizeof other] = FILE_NAME ".";

    if (!host_random(key, sizeof key) || !host_random(other, sizeof other)) {
        return false;
    }
    romfs_sha256_hex(key, sizeof key, text);
    text[TEXT_BYTES - 1] = '\n';
    romfs_sha256_hex(other, sizeof other, name + sizeof FILE_NAME);
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return false;
    }
    bool well = write(fd, text, TEXT_BYTES) == TEXT_BYTES && fsync(fd) == 0;
    well &= close(fd) == 0;
    well = well && (linkat(folder, name, folder, FILE_NAME, 0) == 0 || errno == EEXIST);
    int error = errno;
    (void)unlinkat(folder, name, 0);
    errno = error;
    return well;
}

/* Why the open file is not a key; NULL if it is one. */
static const char *read_key(int fd, uint8_t key[KEY_BYTES])
{
    struct stat status;
    char text[TEXT_BYTES + 1];

    if (fstat(fd, &status) != 0) {
        return strerror(errno);
    }
    if (!S_ISREG(status.st_mode) || status.st_uid != geteuid() || (status.st_mode & 077) != 0) {
        return "not a file that only this user may read (chmod 600)";
    }
    if (read(fd, text, sizeof text) != TEXT_BYTES || text[TEXT_BYTES - 1] != '\n' ||
        !skr_hex_read(text, KEY_BYTES, key)) {
        return "damaged; remove it to have a new one created, which ends all sessions";
    }
    return NULL;
}

static int open_key(int folder)
{
    return openat(folder, FILE_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

bool posix_state_key(const char *given, const uint8_t **key)
{
    static uint8_t bytes[KEY_BYTES];
    char path[1024];
    const char *why = "$HOME is not set";
    bool named = posix_folder_name(path, sizeof path, given, "XDG_STATE_HOME", ".local/state");
    int folder = named ? posix_folder_open(path, &why) : -1;

    *key = NULL;
    int fd = folder >= 0 ? open_key(folder) : -1;
    if (folder >= 0 && fd < 0 && errno == ENOENT) {
        why = write_new(folder) ? NULL : strerror(errno);
        fd = why == NULL ? open_key(folder) : -1;
    } else if (folder >= 0 && fd < 0) {
        host_log("%s/" FILE_NAME ": %s", path, strerror(errno));
        close(folder);
        return false;
    }
    if (folder >= 0) {
        close(folder);
    }
    if (fd < 0) {
        host_log("%s: %s%s", named ? path : "no folder for the session key", why,
                 given != NULL ? "" : "; sessions will end with this process; use --state DIR");
        return given == NULL;
    }
    why = read_key(fd, bytes);
    close(fd);
    if (why != NULL) {
        host_log("%s/" FILE_NAME ": %s", path, why);
        return false;
    }
    *key = bytes;
    return true;
}
