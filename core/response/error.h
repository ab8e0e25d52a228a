/* error.h -- every error that the server can send, in one table (error_rows.h).
 *
 * A handler names the error and its subject; the table has its code, HTTP status, sentence and data shape. */
#ifndef SKR_RPC_ERROR_H
#define SKR_RPC_ERROR_H

#include "skillrom.h"

/* All of them, also those that this build cannot send. */
enum skr_rpc_error {
#define SKR_EVERY_ERROR
#define SKR_ERROR(name, ...) name,
#include "response/error_rows.h"
#undef SKR_ERROR
#undef SKR_EVERY_ERROR
};

struct skr_rpc_error_row {
    int16_t code;        /* JSON-RPC error code */
    uint8_t status;      /* enum skr_status */
    uint8_t data;        /* enum skr_rpc_error_data */
    const char *message; /* JSON text, to which the subject is appended. NULL: an HTTP status without body */
};

const struct skr_rpc_error_row *skri_error_row(enum skr_rpc_error error);

/* The HTTP status of a response with this error. */
uint16_t skri_error_status(enum skr_rpc_error error, bool modern);

/* The error's data as a shape (shape.h), without its last brace: the response's body may add members. NULL: none. */
const char *skri_error_data(enum skr_rpc_error error);

#endif
