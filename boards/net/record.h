/* record.h -- the tokens of one device, in flash, apart from the program: written by a person, without a compiler.
 *
 *     "SKRT" | number of rows | CRC-32 of the rows | rows       numbers of 32 bits, little-endian
 *
 * A row has 64 bytes: the SHA-256 of a token, what it allows (enum skr_rights), and whose it is, in 31 bytes with a NUL.
 * `skillrom token NAME --flash-record FILE` writes such a file. */
#ifndef RECORD_H
#define RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "skillrom.h"

#define RECORD_ROWS 8 /* 40 bytes of RAM each; as many as `skillrom token --flash-record` writes */

/* Makes grants of the record at `flash`, which they point into. Returns how many; 0 when it is erased or damaged, or any row
 * is not sound: then nobody is let in. */
size_t record_read(const uint8_t *flash, struct skr_grant grants[RECORD_ROWS]);

#endif
