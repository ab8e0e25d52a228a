/* token_record.h -- tokens as a board keeps them in flash; port/access/skr_access.h has the format. */
#ifndef TOKEN_RECORD_H
#define TOKEN_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/* Adds a row to the record in a file. A missing file is created; an existing one is replaced as a whole. False, after a
 * message, when the file is not a record, is full, or already has the name. */
bool token_record_add(const char *path, const char *name, bool read_only, const uint8_t sha256[32]);

#endif
