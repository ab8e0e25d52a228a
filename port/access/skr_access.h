/* skr_access.h -- who may use a device over HTTP, kept where its system keeps settings.
 *
 *     static struct skr_access access;
 *     static struct skr_http_config http = {.path = "/mcp"};
 *
 *     if (!skr_access_open(&access, &store, &http)) halt();
 *     skr_server_http(&server, &http);
 *
 * The store has two values: "session_key", made here when there is none, and "tokens", a token record that
 * `skillrom token NAME --flash-record FILE` writes and a person puts there:
 *
 *     "SKRT" | number of rows | CRC-32 of the rows | rows       numbers of 32 bits, little-endian
 *
 * A row has 64 bytes: the SHA-256 of a token, its rights (enum skr_rights), and its owner's name in 31 bytes with a
 * NUL. */
#ifndef SKR_ACCESS_H
#define SKR_ACCESS_H

#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SKR_ACCESS_ROWS 8 /* tokens: 40 bytes of RAM each; as many as `skillrom token --flash-record` writes */
#define SKR_ACCESS_MAGIC "SKRT"
#define SKR_ACCESS_HEAD 12 /* bytes before the rows */
#define SKR_ACCESS_ROW 64
#define SKR_ACCESS_RIGHTS 32 /* where they are in a row */
#define SKR_ACCESS_NAME 33
#define SKR_ACCESS_RECORD (SKR_ACCESS_HEAD + SKR_ACCESS_ROW * SKR_ACCESS_ROWS) /* bytes of a full record */

#if SKR_AUTH
/* Makes grants of the `n` bytes at `record`, which they point into. Returns their number; 0 when the record is erased
 * or damaged, or any row is invalid: then nobody is let in. */
size_t skr_access_record(const uint8_t *record, size_t n, struct skr_grant grants[SKR_ACCESS_ROWS]);
#endif

/* Where settings are. Each function gets `context`. */
struct skr_access_store {
    /* Copies the value called `name` and returns its size; 0 if there is none, or if it has more than `room` bytes. */
    size_t (*load)(void *context, const char *name, void *to, size_t room);
    /* Stores a value. False when it could not. */
    bool (*save)(void *context, const char *name, const void *from, size_t n);
    /* Writes unpredictable bytes. False when there are none. */
    bool (*random)(void *context, void *to, size_t n);
    void *context;
};

struct skr_http_config; /* skillrom.h declares its members where there is HTTP */

/* You provide it; it must stay where it is, because the server's configuration points into it. */
struct skr_access {
    uint8_t session_key[16];
    bool kept; /* session_key is stored: sessions survive a reset */
#if SKR_AUTH
    uint8_t record[SKR_ACCESS_RECORD];
    struct skr_grant grants[SKR_ACCESS_ROWS];
    size_t grant_count; /* 0: every request over HTTP is refused, unless http->anyone */
#endif
};

/* Fills seed, session_key and grants of `http`. False when there are no random bytes: do not serve then. A key that
 * cannot be stored works until the next reset. */
bool skr_access_open(struct skr_access *access, const struct skr_access_store *store, struct skr_http_config *http);

#ifdef __cplusplus
}
#endif

#endif
