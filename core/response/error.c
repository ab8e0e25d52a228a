/* error.c -- the table of errors. See error.h. */
#include "response/error.h"

#include "response/shape.h"
#include "response/version.h"

#define PARSE_ERROR -32700
#define INVALID_REQUEST -32600
#define METHOD_NOT_FOUND -32601
#define INVALID_PARAMS -32602
#define INTERNAL_ERROR -32603
#define RESOURCE_NOT_FOUND -32002  /* initialize era only */
#define SKILL_NOT_FOUND -32002     /* skills_page.c */
#define SCRIPT_FAILED -32003       /* skills_page.c */
#define REFERENCE_NOT_FOUND -32004 /* skills_page.c */
#define HEADER_MISMATCH -32020
#define MISSING_CAPABILITY -32021
#define UNSUPPORTED_VERSION -32022

#define SHARED_NAME "Several skills have this name; use one of their paths: "

/* Over HTTP the error is in the body and the status is 200 (ERR-04, ERR-05). Some errors of the modern era have another
 * status, as have messages that are not proper requests. */
enum skr_status {
    OK_200,
    MODERN_400, /* modern era only; 200 otherwise */
    MODERN_404,
    MODERN_503,
    HTTP_400,
    HTTP_401,
    HTTP_403,
    HTTP_404,
    HTTP_405,
    HTTP_406,
    HTTP_408,
    HTTP_413,
    HTTP_415,
    HTTP_417,
    HTTP_431,
    HTTP_500,
    HTTP_501,
    HTTP_503,
    HTTP_505,
};

enum skr_rpc_error_data {
    NO_DATA,
    DATA_URI,
    DATA_NAME,
    DATA_VERSIONS,
    DATA_MODERN_VERSION,
    DATA_CAPABILITY,
    DATA_ARGUMENT,
    DATA_REFERENCE,
    DATA_SCRIPT,
    DATA_SCRIPT_ARGUMENT,
    DATA_URL,
    DATA_TASKS,
};

static const struct skr_rpc_error_row rows[] = {
#define SKR_ERROR(name, ...) [name] = {__VA_ARGS__},
#include "response/error_rows.h"
#undef SKR_ERROR
};

const struct skr_rpc_error_row *skri_error_row(enum skr_rpc_error error)
{
    return &rows[error];
}

uint16_t skri_error_status(enum skr_rpc_error error, bool modern)
{
    static const uint16_t status[] = {
        [OK_200] = 200,   [MODERN_400] = 400, [MODERN_404] = 404, [MODERN_503] = 503, [HTTP_400] = 400,
        [HTTP_401] = 401, [HTTP_403] = 403,   [HTTP_404] = 404,   [HTTP_405] = 405,   [HTTP_406] = 406,
        [HTTP_408] = 408, [HTTP_413] = 413,   [HTTP_415] = 415,   [HTTP_417] = 417,   [HTTP_431] = 431,
        [HTTP_500] = 500, [HTTP_501] = 501,   [HTTP_503] = 503,   [HTTP_505] = 505,
    };
    uint8_t kind = rows[error].status;

    return kind < HTTP_400 && !modern ? 200 : status[kind];
}

#define IN_DIALECTS(shape) (SKR_DIALECTS ? (shape) : NULL)
#define IN_INTERACTIVE(shape) (SKR_INTERACTIVE ? (shape) : NULL)

const char *skri_error_data(enum skr_rpc_error error)
{
    static const char *const data[] = {
        [NO_DATA] = NULL,
        [DATA_URI] = "{\"uri\":\"" FIELD_SUBJECT "\"",
        [DATA_NAME] = "{\"name\":\"" FIELD_SUBJECT "\"",
        [DATA_VERSIONS] = "{\"supported\":" FIELD_VERSIONS ",\"requested\":\"" FIELD_SUBJECT "\"",
        [DATA_MODERN_VERSION] = "{\"supported\":[\"" SKR_MODERN_VERSION "\"],\"requested\":\"" FIELD_SUBJECT "\"",
        [DATA_CAPABILITY] = "{\"requiredCapabilities\":{\"" FIELD_SUBJECT "\":{}}",
#if SKR_EXTRAS || SKR_DIALECTS || SKR_INTERACTIVE
        [DATA_ARGUMENT] = "{\"argument\":\"" FIELD_SUBJECT "\"",
        [DATA_REFERENCE] = IN_DIALECTS("{\"reference\":\"" FIELD_SUBJECT "\",\"name\":\"" FIELD_SKILL_REQUESTED "\""),
        [DATA_SCRIPT] = IN_DIALECTS("{\"script\":\"" FIELD_SCRIPT_REQUESTED "\",\"name\":\"" FIELD_SKILL_REQUESTED
                                    "\",\"reason\":\"" FIELD_OUTCOME "\""),
        [DATA_SCRIPT_ARGUMENT] =
            IN_DIALECTS("{\"script\":\"" FIELD_SCRIPT_REQUESTED "\",\"argument\":\"" FIELD_OUTCOME "\""),
        [DATA_URL] = IN_INTERACTIVE("{\"requiredCapabilities\":{\"" FIELD_SUBJECT "\":{\"url\":{}}}"),
        [DATA_TASKS] =
            IN_INTERACTIVE("{\"requiredCapabilities\":{\"" FIELD_SUBJECT "\":{\"io.modelcontextprotocol/tasks\":{}}}"),
#endif
    };

    return data[rows[error].data];
}
