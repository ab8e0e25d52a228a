/* fault.c -- the table of errors. See fault.h.
 *
 * Messages are one sentence that ends in the value or names the limit (SK-W-14). A
 * build without prompts or HTTP has no rows for them: nothing there can name them. */
#include "fault.h"

#include "version.h"

#define PARSE_ERROR -32700
#define INVALID_REQUEST -32600
#define METHOD_NOT_FOUND -32601
#define INVALID_PARAMS -32602
#define INTERNAL_ERROR -32603
#define RESOURCE_NOT_FOUND -32002 /* initialize era only */
#define HEADER_MISMATCH -32020
#define MISSING_CAPABILITY -32021
#define UNSUPPORTED_VERSION -32022

#define MODERN SKR_STATUS_MODERN
#define ALWAYS SKR_STATUS_ALWAYS

#define URI "{\"uri\":\""
#define NAME "{\"name\":\""
#define ARGUMENT "{\"argument\":\""

static const struct skr_fault_row rows[] = {
    [SKR_NO_FAULT] = {INTERNAL_ERROR, 500, ALWAYS, "Internal error", NULL},

    [SKR_BAD_JSON] = {PARSE_ERROR, 400, ALWAYS, "Not valid JSON in UTF-8", NULL},
    [SKR_TOO_DEEP] = {INVALID_REQUEST, 400, ALWAYS, "Nested deeper than this server takes (SKR_JSON_DEPTH)", NULL},
    [SKR_TOO_MANY_VALUES] = {INVALID_REQUEST, 413, ALWAYS, "More values than this server takes (SKR_TOKENS)", NULL},
    [SKR_TOO_LONG] = {INVALID_REQUEST, 413, ALWAYS, "Message too large: more than SKR_REQUEST_MAX bytes", NULL},
    [SKR_NOT_AN_OBJECT] = {INVALID_REQUEST, 400, ALWAYS, "A message must be a JSON object", NULL},
    [SKR_BATCH_UNKNOWN] = {INVALID_REQUEST, 400, ALWAYS, "A batch is not part of this protocol version", NULL},
    [SKR_BATCH_EMPTY] = {INVALID_REQUEST, 400, ALWAYS, "A batch must hold at least one message", NULL},
    [SKR_BATCH_MEMBER] = {INVALID_REQUEST, 400, ALWAYS, "This request cannot be part of a batch", NULL},
    [SKR_BAD_JSONRPC] = {INVALID_REQUEST, 400, ALWAYS, "Not JSON-RPC: jsonrpc must be 2.0", NULL},
    [SKR_BAD_METHOD] = {INVALID_REQUEST, 400, ALWAYS, "Not a request: method must be a string", NULL},
    [SKR_BAD_ID] = {INVALID_REQUEST, 400, ALWAYS, "id must be a string or an integer", NULL},
    [SKR_BAD_PARAMS] = {INVALID_PARAMS, 200, MODERN, "params must be an object", NULL},

    [SKR_NO_HANDSHAKE] = {INVALID_PARAMS, 400, ALWAYS,
                          "No initialize came before, and params._meta lacks "
                          "io.modelcontextprotocol/protocolVersion; supported are " SKR_MODERN_VERSION
                          " and, after initialize, 2025-11-25 and older",
                          NULL},
    [SKR_META_STRING] = {INVALID_PARAMS, 400, ALWAYS, "params._meta must hold a string ", NULL},
    [SKR_META_OBJECT] = {INVALID_PARAMS, 400, ALWAYS, "params._meta must hold an object ", NULL},
    [SKR_VERSION_UNKNOWN] = {UNSUPPORTED_VERSION, 400, ALWAYS, "Unsupported protocol version: ",
                             "{\"supported\":" SKR_VERSIONS_JSON ",\"requested\":\""},
    [SKR_VERSION_NEEDS_HANDSHAKE] = {UNSUPPORTED_VERSION, 400, ALWAYS, "This version needs initialize: ",
                                     "{\"supported\":[\"" SKR_MODERN_VERSION "\"],\"requested\":\""},
    [SKR_NO_METHOD] = {METHOD_NOT_FOUND, 404, MODERN, "No such method: ", NULL},
    [SKR_BAD_LEVEL] = {INVALID_PARAMS, 200, MODERN, "Not a log level: ", NULL},

    [SKR_MISSING] = {INVALID_PARAMS, 200, MODERN, "Missing parameter: ", NULL},
    [SKR_NOT_A_STRING] = {INVALID_PARAMS, 200, MODERN, "Must be a string: ", NULL},
    [SKR_NOT_OBJECT] = {INVALID_PARAMS, 200, MODERN, "Must be an object: ", NULL},
    [SKR_BAD_CURSOR] = {INVALID_PARAMS, 200, MODERN, "Not a cursor of this list: ", NULL},
    [SKR_NO_RESOURCE] = {INVALID_PARAMS, 200, MODERN, "No resource at ", URI},
    [SKR_NO_RESOURCE_LEGACY] = {RESOURCE_NOT_FOUND, 200, MODERN, "No resource at ", URI},
    [SKR_IS_DIRECTORY] = {INVALID_PARAMS, 200, MODERN, "A directory; use resources/directory/read: ", URI},
    [SKR_IS_DIRECTORY_LEGACY] = {RESOURCE_NOT_FOUND, 200, MODERN, "A directory; use resources/directory/read: ", URI},
    [SKR_NO_DIRECTORY] = {INVALID_PARAMS, 200, MODERN, "No directory at ", URI},
    [SKR_NOT_DIRECTORY] = {INVALID_PARAMS, 200, MODERN, "Not a directory: ", URI},
    [SKR_NO_SKILL] = {INVALID_PARAMS, 200, MODERN, "No skill at ", URI},
    [SKR_NO_TOOL] = {INVALID_PARAMS, 200, MODERN, "No such tool: ", NAME},
    [SKR_READ_FAILED] = {INTERNAL_ERROR, 200, MODERN, "The device says: ", NULL},
    [SKR_NEEDS_SAMPLING] = {MISSING_CAPABILITY, 400, MODERN, "This needs a client that offers sampling",
                            "{\"requiredCapabilities\":{\"sampling\":{}}}"},
    [SKR_NEEDS_ELICITATION] = {MISSING_CAPABILITY, 400, MODERN, "This needs a client that offers elicitation",
                               "{\"requiredCapabilities\":{\"elicitation\":{}}}"},
    [SKR_NEEDS_ROOTS] = {MISSING_CAPABILITY, 400, MODERN, "This needs a client that offers roots",
                         "{\"requiredCapabilities\":{\"roots\":{}}}"},
#if SKR_PROMPTS
    [SKR_NO_PROMPT] = {INVALID_PARAMS, 200, MODERN, "No such prompt: ", NAME},
    [SKR_ARGUMENT_MISSING] = {INVALID_PARAMS, 200, MODERN, "Missing argument: ", ARGUMENT},
    [SKR_ARGUMENT_NOT_STRING] = {INVALID_PARAMS, 200, MODERN, "Argument must be a string: ", ARGUMENT},
    [SKR_TOO_MANY_ARGUMENTS] = {INTERNAL_ERROR, 200, MODERN, "More arguments than SKR_OUTPUT_MAX has room for", NULL},
#endif
#if SKR_COMPLETION
    [SKR_BAD_ARGUMENT_OBJECT] = {INVALID_PARAMS, 200, MODERN, "Must be an object with the strings name and value: ",
                                 NULL},
    [SKR_BAD_REFERENCE] = {INVALID_PARAMS, 200, MODERN,
                           "Must be a ref/resource with a uri or a ref/prompt with a name: ", NULL},
    [SKR_NO_TEMPLATE] = {INVALID_PARAMS, 200, MODERN, "No such resource template: ", NULL},
    [SKR_OTHER_VARIABLE] = {INVALID_PARAMS, 200, MODERN, "This template's variable is ", NULL},
    [SKR_NO_PROMPT_ARGUMENT] = {INVALID_PARAMS, 200, MODERN, "The prompt has no such argument: ", NULL},
#endif
#if SKR_HTTP
    [SKR_VERSION_HEADER_MISSING] = {HEADER_MISMATCH, 400, ALWAYS, "Missing header: MCP-Protocol-Version", NULL},
    [SKR_VERSION_HEADER_DIFFERS] = {HEADER_MISMATCH, 400, ALWAYS, "MCP-Protocol-Version differs from the body: ", NULL},
    [SKR_METHOD_HEADER_DIFFERS] = {HEADER_MISMATCH, 400, ALWAYS, "Mcp-Method does not match the body's method", NULL},
    [SKR_NAME_HEADER_DIFFERS] = {HEADER_MISMATCH, 400, ALWAYS, "Mcp-Name does not match the body's ", NULL},
    [SKR_SESSION_MISSING] = {INVALID_REQUEST, 400, ALWAYS,
                             "Mcp-Session-Id is missing: initialize first, or name the protocol version in _meta", NULL},
    [SKR_SESSION_UNKNOWN] = {INVALID_REQUEST, 404, ALWAYS, "No such session: initialize again", NULL},
    [SKR_NOT_ASKED] = {INVALID_REQUEST, 400, ALWAYS, "The server sent no request that this could answer", NULL},
    [SKR_STREAM_ONLY] = {INVALID_REQUEST, 406, ALWAYS, "This answer is a stream: accept text/event-stream", NULL},

    [SKR_HTTP_PATH] = {0, 404, ALWAYS, NULL, NULL},
    [SKR_HTTP_METHOD] = {0, 405, ALWAYS, NULL, NULL},
    [SKR_HTTP_BAD_REQUEST] = {INVALID_REQUEST, 400, ALWAYS, "Not an HTTP request", NULL},
    [SKR_HTTP_BAD_HEADER] = {INVALID_REQUEST, 400, ALWAYS, "Bad header line", NULL},
    [SKR_HTTP_BAD_LENGTH] = {INVALID_REQUEST, 400, ALWAYS, "Bad Content-Length", NULL},
    [SKR_HTTP_TWO_LENGTHS] = {INVALID_REQUEST, 400, ALWAYS, "Both Content-Length and Transfer-Encoding", NULL},
    [SKR_HTTP_BAD_CHUNK] = {INVALID_REQUEST, 400, ALWAYS, "Bad chunk", NULL},
    [SKR_HTTP_NO_HOST] = {INVALID_REQUEST, 400, ALWAYS, "Host is missing", NULL},
    [SKR_HTTP_TWO_HOSTS] = {INVALID_REQUEST, 400, ALWAYS, "Host is given twice", NULL},
    [SKR_HTTP_HOST] = {INVALID_REQUEST, 403, ALWAYS, "Host is not a name of this server", NULL},
    [SKR_HTTP_ORIGIN] = {INVALID_REQUEST, 403, ALWAYS, "Origin is not allowed", NULL},
    [SKR_HTTP_TYPE] = {INVALID_REQUEST, 415, ALWAYS, "Content-Type must be application/json", NULL},
    [SKR_HTTP_ACCEPT] = {INVALID_REQUEST, 406, ALWAYS, "Accept must allow application/json or text/event-stream", NULL},
    [SKR_HTTP_EXPECT] = {INVALID_REQUEST, 417, ALWAYS, "Only 100-continue can be expected", NULL},
    [SKR_HTTP_ENCODING] = {INVALID_REQUEST, 501, ALWAYS, "Only chunked is understood as Transfer-Encoding", NULL},
    [SKR_HTTP_VERSION] = {INVALID_REQUEST, 505, ALWAYS, "This server speaks HTTP/1.1", NULL},
    [SKR_HTTP_BODY_LARGE] = {INVALID_REQUEST, 413, ALWAYS, "The body exceeds SKR_REQUEST_MAX bytes", NULL},
    [SKR_HTTP_LINE_LONG] = {INVALID_REQUEST, 431, ALWAYS, "A header line exceeds SKR_REQUEST_MAX bytes", NULL},
    [SKR_HTTP_HEADERS_LONG] = {INVALID_REQUEST, 431, ALWAYS, "The headers exceed SKR_HTTP_HEADER_MAX bytes", NULL},
    [SKR_HTTP_SLOW] = {INVALID_REQUEST, 408, ALWAYS, "The request took too long to arrive", NULL},
#endif
};

const struct skr_fault_row *skr_fault_row(enum skr_fault fault)
{
    return &rows[fault];
}
