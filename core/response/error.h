/* error.h -- every error the server can answer, in one table (error.c).
 *
 * A handler names the fault and what it is about; the table has its code, HTTP status, sentence and data shape. */
#ifndef SKR_RPC_ERROR_H
#define SKR_RPC_ERROR_H

#include "skillrom.h"

enum skr_rpc_error {
    SKR_NO_FAULT,
    /* the message itself */
    SKR_BAD_JSON,
    SKR_TOO_DEEP,
    SKR_TOO_MANY_VALUES,
    SKR_TOO_LONG,
    SKR_NOT_AN_OBJECT,
    SKR_BATCH_UNKNOWN,
    SKR_BAD_JSONRPC,
    SKR_BAD_METHOD,
    SKR_BAD_ID,
    SKR_BAD_PARAMS,
    /* era and version */
    SKR_NO_HANDSHAKE,
    SKR_META_STRING,
    SKR_META_OBJECT,
    SKR_VERSION_UNKNOWN,
    SKR_VERSION_NEEDS_HANDSHAKE,
    SKR_NO_METHOD,
    /* parameters */
    SKR_MISSING,
    SKR_NOT_A_STRING,
    SKR_NOT_OBJECT,
    SKR_BAD_CURSOR,
    SKR_NO_RESOURCE,
    SKR_NO_RESOURCE_LEGACY,
    SKR_IS_DIRECTORY,
    SKR_IS_DIRECTORY_LEGACY,
    SKR_NO_DIRECTORY,
    SKR_NOT_DIRECTORY,
    SKR_NO_SKILL,
    SKR_NO_TOOL,
    SKR_READ_FAILED,
    SKR_NEEDS,
    /* From here on each group belongs to a switch; the table of a build without any of them ends above. */
    /* the older dialects of skills */
    SKR_NOT_NAMED, /* no skill has this name; the next one: several have it */
    SKR_NAME_SHARED,
    SKR_NOT_NAMED_PAGE, /* the same two in dialect F */
    SKR_NAME_SHARED_PAGE,
    SKR_OTHER_NAME,
    SKR_BAD_FILE_PATH,
    SKR_NO_REFERENCE,
    SKR_SCRIPT_NOT_RUN, /* the message is what it is about, as for the next */
    SKR_SCRIPT_ARGUMENT,
    /* the older dialects and prompts */
    SKR_ARGUMENT_MISSING,
    SKR_ARGUMENT_NOT_STRING,
    SKR_ARGUMENT_LONG,
    SKR_TOO_MANY_ARGUMENTS,
    /* prompts and completion */
    SKR_NO_PROMPT,
    SKR_PROMPT_FAILED,
    SKR_BAD_ARGUMENT_OBJECT,
    SKR_BAD_REFERENCE,
    SKR_NO_TEMPLATE,
    SKR_OTHER_VARIABLE,
    SKR_NO_PROMPT_ARGUMENT,
    /* batches, logging, listening, jobs */
    SKR_BATCH_EMPTY,
    SKR_BATCH_MEMBER,
    SKR_BAD_LEVEL,
    SKR_NOT_A_BOOLEAN,
    SKR_NOT_AN_ARRAY,
    SKR_NO_ROOM_TO_LISTEN,
    SKR_ID_IN_USE,
    SKR_JOB_TEXT_LONG,
    SKR_HANDLER_ERROR, /* skr_error: the code is the handler's */
    SKR_BAD_STATE,
    SKR_NEEDS_URL,
    SKR_NEEDS_TASKS,
    SKR_NO_TASK,
    SKR_TASK_OVER,
    SKR_TASK_AWAITED,
    SKR_NEVER_A_TASK,
    SKR_ONLY_A_TASK,
    SKR_BAD_TTL,
    SKR_UPDATE_REFUSED, /* the message is the reason */
    /* MCP over HTTP */
    SKR_VERSION_HEADER_MISSING,
    SKR_VERSION_HEADER_DIFFERS,
    SKR_METHOD_HEADER_DIFFERS,
    SKR_NAME_HEADER_DIFFERS,
    SKR_PARAM_HEADER_DIFFERS,
    SKR_SESSION_MISSING,
    SKR_SESSION_UNKNOWN,
    SKR_NOT_ASKED,
    SKR_STREAM_ONLY,
    /* HTTP itself */
    SKR_HTTP_PATH,
    SKR_HTTP_METHOD,
    SKR_HTTP_BAD_REQUEST,
    SKR_HTTP_BAD_HEADER,
    SKR_HTTP_BAD_LENGTH,
    SKR_HTTP_TWO_LENGTHS,
    SKR_HTTP_BAD_CHUNK,
    SKR_HTTP_NO_HOST,
    SKR_HTTP_TWO_HOSTS,
    SKR_HTTP_HOST,
    SKR_HTTP_ORIGIN,
    SKR_HTTP_TYPE,
    SKR_HTTP_ACCEPT,
    SKR_HTTP_EXPECT,
    SKR_HTTP_ENCODING,
    SKR_HTTP_VERSION,
    SKR_HTTP_BODY_LARGE,
    SKR_HTTP_LINE_LONG,
    SKR_HTTP_HEADERS_LONG,
    SKR_HTTP_SLOW,
    SKR_HTTP_STREAMS,
    SKR_HTTP_GZIP,
    /* tokens */
    SKR_NO_RIGHT, /* it does not allow to run this */
    SKR_HTTP_NO_TOKEN,
    SKR_HTTP_BAD_TOKEN,
    SKR_HTTP_NO_SCOPE, /* the token allows nothing here */
};

struct skr_rpc_error_row {
    int16_t code;        /* JSON-RPC error code */
    uint8_t status;      /* enum skr_status */
    uint8_t data;        /* enum skr_rpc_error_data */
    const char *message; /* JSON text; what the fault is about is appended. NULL: an HTTP status without body */
};

const struct skr_rpc_error_row *skri_error_row(enum skr_rpc_error fault);

/* The HTTP status of an answer with this fault. */
#if SKR_HTTP
uint16_t skri_error_status(enum skr_rpc_error fault, bool modern);
#else
static inline uint16_t skri_error_status(enum skr_rpc_error fault, bool modern)
{
    (void)fault;
    (void)modern;
    return 200;
}
#endif

/* The error's data as a shape (shape.h), without its last brace: the answer's body may add members. NULL: none. */
const char *skri_error_data(enum skr_rpc_error fault);

#endif
