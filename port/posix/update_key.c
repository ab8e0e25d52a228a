/* update_key.c -- see update_key.h. */
#include "update_key.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "console.h"
#include "text/encode.h"

#define FILE_MAX 4096 /* text around the key included */

#define BEGIN "-----BEGIN PUBLIC KEY-----"
#define END "-----END PUBLIC KEY-----"

/* The bytes before x and y: SubjectPublicKeyInfo of P-256, and that the point is not compressed. */
static const uint8_t head[] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06,
                               0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04};

/* The base64 text between the lines, without newlines, in place. */
static struct skr_span body_of(char *text)
{
    char *from = strstr(text, BEGIN), *end = from != NULL ? strstr(from, END) : NULL;
    size_t n = 0;

    if (end == NULL) {
        return (struct skr_span){NULL, 0};
    }
    from += sizeof BEGIN - 1;
    for (char *p = from; p < end; p++) {
        if (*p != '\n' && *p != '\r') {
            from[n++] = *p;
        }
    }
    return (struct skr_span){from, n};
}

bool posix_update_key_read(const char *path, uint8_t key[64])
{
    char text[FILE_MAX], der[sizeof head + 64];
    size_t length;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;

    if (n < 0) {
        host_log("%s: %s", path, strerror(errno));
    }
    if (fd >= 0) {
        close(fd);
    }
    if (n < 0) {
        return false;
    }
    text[n] = '\0';
    struct skr_span body = body_of(text);
    if (body.p == NULL || !skr_decode_base64(body, false, der, sizeof der, &length) || length != sizeof der ||
        memcmp(der, head, sizeof head) != 0) {
        host_log("%s: not a public key of P-256 in PEM; `skillrom keys public KEY.pem` prints one", path);
        return false;
    }
    memcpy(key, der + sizeof head, 64);
    return true;
}
