/* token_record.h -- tokens as a board keeps them in flash; boards/net/record.h has the format. */
#ifndef TOKEN_RECORD_H
#define TOKEN_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/* Adds a row to the record in a file, which is made when it is not there, and replaced as a whole. False, after a message,
 * when it is no record, is full, or has the name already. */
bool token_record_add(const char *path, const char *name, bool read_only, const uint8_t sha256[32]);

#endif
