/* record_file.h -- a record of tool calls in a file (record_chain.h). One write appends a whole line, and a lock holds
 * the file while its chain goes on, so that several programs may share a file. */
#ifndef HOST_RECORD_FILE_H
#define HOST_RECORD_FILE_H

#include <sys/types.h>

#include "record_chain.h"

#define HOST_RECORD_TAIL 96 /* bytes of a line for its number, its chain and its end */
#define HOST_RECORD_LINE                                                                                               \
    8192 /* of a fleet: names of 128 characters and a URI of 1,000, each six bytes in JSON at most */

struct host_record {
    int file, reader; /* the reader is -1 unless the file is a regular one that may be read */
    struct host_chain chain;
    off_t chain_end; /* where the file ended when `chain` was its last line's */
    bool broken;     /* the last line could not be written, or none has been written */
    bool torn;       /* only the beginning of the last line was written */
};

/* Opens it to append, and creates it. False, with errno, when that is impossible. */
bool host_record_open(struct host_record *r, const char *path);

/* Appends a line: the `n` bytes of a JSON object without its closing brace, then its number and its chain. There is
 * `room` for those. False, with errno, when it could not be written. */
bool host_record_write(struct host_record *r, char *line, size_t n, size_t room);

#endif
