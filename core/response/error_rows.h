/* error_rows.h -- every error, in one table; error.h makes its enum of it, error.c the rows.
 *
 * SKR_ERROR(name, code, status, data, message): the members of struct skr_rpc_error_row. A message is one sentence that
 * ends with the value or names the limit (SK-W-14).
 *
 * Each group belongs to a switch, and a build without it has no rows for its errors: nothing in it can name them. The
 * table ends after the last group of the build; absent groups before that leave gaps of 8 bytes a row, so the order
 * matters. */
/* clang-format off */
SKR_ERROR(SKR_NO_ERROR, INTERNAL_ERROR, HTTP_500, NO_DATA, "Internal error")
SKR_ERROR(SKR_BAD_JSON, PARSE_ERROR, HTTP_400, NO_DATA, "Not valid JSON in UTF-8")
SKR_ERROR(SKR_TOO_DEEP, INVALID_REQUEST, HTTP_400, NO_DATA, "Nested deeper than SKR_JSON_DEPTH")
SKR_ERROR(SKR_TOO_MANY_VALUES, INVALID_REQUEST, HTTP_413, NO_DATA, "More values than SKR_TOKENS")
SKR_ERROR(SKR_TOO_LONG, INVALID_REQUEST, HTTP_413, NO_DATA, "Message too large: more than SKR_REQUEST_MAX bytes")
SKR_ERROR(SKR_NOT_AN_OBJECT, INVALID_REQUEST, HTTP_400, NO_DATA, "A message must be a JSON object")
SKR_ERROR(SKR_BATCH_UNKNOWN, INVALID_REQUEST, HTTP_400, NO_DATA, "A batch is not part of this protocol version")
SKR_ERROR(SKR_BAD_JSONRPC, INVALID_REQUEST, HTTP_400, NO_DATA, "Not JSON-RPC: jsonrpc must be 2.0")
SKR_ERROR(SKR_BAD_METHOD, INVALID_REQUEST, HTTP_400, NO_DATA, "Not a request: method must be a string")
SKR_ERROR(SKR_BAD_ID, INVALID_REQUEST, HTTP_400, NO_DATA, "id must be a string or an integer")
SKR_ERROR(SKR_BAD_PARAMS, INVALID_PARAMS, OK_200, NO_DATA, "params must be an object")
SKR_ERROR(SKR_NO_HANDSHAKE, INVALID_PARAMS, HTTP_400, NO_DATA,
          "No initialize came before, and params._meta does not name a version such as " SKR_MODERN_VERSION " in ")
SKR_ERROR(SKR_META_STRING, INVALID_PARAMS, HTTP_400, NO_DATA, "params._meta must hold a string ")
SKR_ERROR(SKR_META_OBJECT, INVALID_PARAMS, HTTP_400, NO_DATA, "params._meta must hold an object ")
SKR_ERROR(SKR_VERSION_UNKNOWN, UNSUPPORTED_VERSION, HTTP_400, DATA_VERSIONS, "Unsupported protocol version: ")
SKR_ERROR(SKR_VERSION_NEEDS_HANDSHAKE, UNSUPPORTED_VERSION, HTTP_400, DATA_MODERN_VERSION,
          "This version needs initialize: ")
SKR_ERROR(SKR_NO_METHOD, METHOD_NOT_FOUND, MODERN_404, NO_DATA, "No such method: ")
SKR_ERROR(SKR_MISSING, INVALID_PARAMS, OK_200, NO_DATA, "Missing parameter: ")
SKR_ERROR(SKR_NOT_A_STRING, INVALID_PARAMS, OK_200, NO_DATA, "Must be a string: ")
SKR_ERROR(SKR_NOT_OBJECT, INVALID_PARAMS, OK_200, NO_DATA, "Must be an object: ")
SKR_ERROR(SKR_BAD_CURSOR, INVALID_PARAMS, OK_200, NO_DATA, "Not a cursor of this list: ")
SKR_ERROR(SKR_NO_RESOURCE, INVALID_PARAMS, OK_200, DATA_URI, "No resource at ")
SKR_ERROR(SKR_NO_RESOURCE_LEGACY, RESOURCE_NOT_FOUND, OK_200, DATA_URI, "No resource at ")
SKR_ERROR(SKR_IS_DIRECTORY, INVALID_PARAMS, OK_200, DATA_URI, "A directory; use resources/directory/read: ")
SKR_ERROR(SKR_IS_DIRECTORY_LEGACY, RESOURCE_NOT_FOUND, OK_200, DATA_URI, "A directory; use resources/directory/read: ")
SKR_ERROR(SKR_NO_DIRECTORY, INVALID_PARAMS, OK_200, DATA_URI, "No directory at ")
SKR_ERROR(SKR_NOT_DIRECTORY, INVALID_PARAMS, OK_200, DATA_URI, "Not a directory: ")
SKR_ERROR(SKR_NO_SKILL, INVALID_PARAMS, OK_200, DATA_URI, "No skill at ")
SKR_ERROR(SKR_NO_TOOL, INVALID_PARAMS, OK_200, DATA_NAME, "No such tool: ")
SKR_ERROR(SKR_READ_FAILED, INTERNAL_ERROR, OK_200, NO_DATA, "The device says: ")
SKR_ERROR(SKR_NEEDS, MISSING_CAPABILITY, MODERN_400, DATA_CAPABILITY, "This needs a client that offers ")
#if SKR_EXTRAS || SKR_DIALECTS || defined SKR_EVERY_ERROR
/* Arguments of prompts and skills */
SKR_ERROR(SKR_ARGUMENT_MISSING, INVALID_PARAMS, OK_200, DATA_ARGUMENT, "Missing argument: ")
SKR_ERROR(SKR_ARGUMENT_NOT_STRING, INVALID_PARAMS, OK_200, DATA_ARGUMENT, "Must be a string: ")
SKR_ERROR(SKR_ARGUMENT_LONG, INVALID_PARAMS, OK_200, DATA_ARGUMENT, "More than 1024 bytes: ")
SKR_ERROR(SKR_TOO_MANY_ARGUMENTS, INTERNAL_ERROR, OK_200, NO_DATA, "SKR_OUTPUT_MAX has no room for argument ")
#endif
#if SKR_DIALECTS || defined SKR_EVERY_ERROR
/* The older dialects of skills */
SKR_ERROR(SKR_NOT_NAMED, INVALID_PARAMS, OK_200, DATA_NAME, "No skill named ")
SKR_ERROR(SKR_NAME_SHARED, INVALID_PARAMS, OK_200, DATA_NAME, SHARED_NAME)
/* the same two of skills_page.c */
SKR_ERROR(SKR_NOT_NAMED_PAGE, SKILL_NOT_FOUND, OK_200, DATA_NAME, "No skill named ")
SKR_ERROR(SKR_NAME_SHARED_PAGE, SKILL_NOT_FOUND, OK_200, DATA_NAME, SHARED_NAME)
SKR_ERROR(SKR_OTHER_NAME, INVALID_PARAMS, OK_200, DATA_NAME, "The skill at this URI is not ")
SKR_ERROR(SKR_BAD_FILE_PATH, INVALID_PARAMS, OK_200, NO_DATA, "Not a path inside a skill: ")
SKR_ERROR(SKR_NO_REFERENCE, REFERENCE_NOT_FOUND, OK_200, DATA_REFERENCE, "No single file of this skill is ")
/* the subject is the whole message, as for the next */
SKR_ERROR(SKR_SCRIPT_NOT_RUN, SCRIPT_FAILED, OK_200, DATA_SCRIPT, "")
SKR_ERROR(SKR_SCRIPT_ARGUMENT, INVALID_PARAMS, OK_200, DATA_SCRIPT_ARGUMENT, "")
#endif
#if SKR_EXTRAS || defined SKR_EVERY_ERROR
/* Batches, log levels, prompts, completion */
SKR_ERROR(SKR_NO_PROMPT, INVALID_PARAMS, OK_200, DATA_NAME, "No such prompt: ")
SKR_ERROR(SKR_PROMPT_FAILED, INVALID_PARAMS, OK_200, NO_DATA, "The prompt was not written: ")
SKR_ERROR(SKR_BAD_ARGUMENT_OBJECT, INVALID_PARAMS, OK_200, NO_DATA,
          "Must be an object with the strings name and value: ")
SKR_ERROR(SKR_BAD_REFERENCE, INVALID_PARAMS, OK_200, NO_DATA,
          "Must be a ref/resource with a uri or a ref/prompt with a name: ")
SKR_ERROR(SKR_NO_TEMPLATE, INVALID_PARAMS, OK_200, NO_DATA, "No such resource template: ")
SKR_ERROR(SKR_OTHER_VARIABLE, INVALID_PARAMS, OK_200, NO_DATA, "This template's variable is ")
SKR_ERROR(SKR_NO_PROMPT_ARGUMENT, INVALID_PARAMS, OK_200, NO_DATA, "The prompt has no such argument: ")
SKR_ERROR(SKR_BATCH_EMPTY, INVALID_REQUEST, HTTP_400, NO_DATA, "A batch must hold at least one message")
SKR_ERROR(SKR_BATCH_MEMBER, INVALID_REQUEST, HTTP_400, NO_DATA, "This request cannot be part of a batch")
SKR_ERROR(SKR_BAD_LEVEL, INVALID_PARAMS, OK_200, NO_DATA, "Not a log level: ")
#endif
#if SKR_JOBS || defined SKR_EVERY_ERROR
/* Handlers that need time */
SKR_ERROR(SKR_JOB_TEXT_LONG, INVALID_REQUEST, OK_200, NO_DATA,
          "id, name and script have more bytes than SKR_JOB_TEXT in all")
/* skr_error: code and message are the handler's */
SKR_ERROR(SKR_HANDLER_ERROR, INTERNAL_ERROR, OK_200, NO_DATA, "")
#endif
#if SKR_CHANGES || SKR_JOBS || defined SKR_EVERY_ERROR
SKR_ERROR(SKR_ID_IN_USE, INVALID_REQUEST, OK_200, NO_DATA, "A request with this id is not answered yet")
#endif
#if SKR_HTTP || defined SKR_EVERY_ERROR
/* MCP over HTTP, and HTTP itself */
SKR_ERROR(SKR_VERSION_HEADER_MISSING, HEADER_MISMATCH, HTTP_400, NO_DATA, "Missing header: MCP-Protocol-Version")
SKR_ERROR(SKR_VERSION_HEADER_DIFFERS, HEADER_MISMATCH, HTTP_400, NO_DATA,
          "MCP-Protocol-Version differs from the body: ")
SKR_ERROR(SKR_METHOD_HEADER_DIFFERS, HEADER_MISMATCH, HTTP_400, NO_DATA, "Mcp-Method does not match the body's method")
SKR_ERROR(SKR_NAME_HEADER_DIFFERS, HEADER_MISMATCH, HTTP_400, NO_DATA, "Mcp-Name does not match the body's ")
SKR_ERROR(SKR_SESSION_MISSING, INVALID_REQUEST, HTTP_400, NO_DATA,
          "Mcp-Session-Id is missing: initialize first, or name the protocol version in _meta")
SKR_ERROR(SKR_SESSION_UNKNOWN, INVALID_REQUEST, HTTP_404, NO_DATA, "No such session: initialize again")
SKR_ERROR(SKR_NOT_ASKED, INVALID_REQUEST, HTTP_400, NO_DATA, "The server sent no request that this could answer")
SKR_ERROR(SKR_STREAM_ONLY, INVALID_REQUEST, HTTP_406, NO_DATA, "This answer is a stream: accept text/event-stream")
SKR_ERROR(SKR_HTTP_PATH, 0, HTTP_404, NO_DATA, NULL)
SKR_ERROR(SKR_HTTP_METHOD, 0, HTTP_405, NO_DATA, NULL)
SKR_ERROR(SKR_HTTP_BAD_REQUEST, INVALID_REQUEST, HTTP_400, NO_DATA, "Not an HTTP request")
SKR_ERROR(SKR_HTTP_BAD_HEADER, INVALID_REQUEST, HTTP_400, NO_DATA, "Bad header line")
SKR_ERROR(SKR_HTTP_BAD_LENGTH, INVALID_REQUEST, HTTP_400, NO_DATA, "Bad Content-Length")
SKR_ERROR(SKR_HTTP_TWO_LENGTHS, INVALID_REQUEST, HTTP_400, NO_DATA, "Both Content-Length and Transfer-Encoding")
SKR_ERROR(SKR_HTTP_BAD_CHUNK, INVALID_REQUEST, HTTP_400, NO_DATA, "Bad chunk")
SKR_ERROR(SKR_HTTP_NO_HOST, INVALID_REQUEST, HTTP_400, NO_DATA, "Host is missing")
SKR_ERROR(SKR_HTTP_TWO_HOSTS, INVALID_REQUEST, HTTP_400, NO_DATA, "Host is given twice")
SKR_ERROR(SKR_HTTP_HOST, INVALID_REQUEST, HTTP_403, NO_DATA,
          "Host is not a name of this server: give it with --host, or in skr_http_config.hosts")
SKR_ERROR(SKR_HTTP_ORIGIN, INVALID_REQUEST, HTTP_403, NO_DATA,
          "Origin is not allowed: give its host with --host, or in skr_http_config.hosts")
SKR_ERROR(SKR_HTTP_TYPE, INVALID_REQUEST, HTTP_415, NO_DATA, "Content-Type must be application/json")
SKR_ERROR(SKR_HTTP_ACCEPT, INVALID_REQUEST, HTTP_406, NO_DATA,
          "Accept must allow application/json or text/event-stream")
SKR_ERROR(SKR_HTTP_EXPECT, INVALID_REQUEST, HTTP_417, NO_DATA, "Only 100-continue can be expected")
SKR_ERROR(SKR_HTTP_ENCODING, INVALID_REQUEST, HTTP_501, NO_DATA, "Only chunked is understood as Transfer-Encoding")
SKR_ERROR(SKR_HTTP_VERSION, INVALID_REQUEST, HTTP_505, NO_DATA, "This server speaks HTTP/1.1")
SKR_ERROR(SKR_HTTP_BODY_LARGE, INVALID_REQUEST, HTTP_413, NO_DATA, "The body exceeds SKR_REQUEST_MAX bytes")
SKR_ERROR(SKR_HTTP_LINE_LONG, INVALID_REQUEST, HTTP_431, NO_DATA, "A header line exceeds SKR_REQUEST_MAX bytes")
SKR_ERROR(SKR_HTTP_HEADERS_LONG, INVALID_REQUEST, HTTP_431, NO_DATA, "The headers exceed SKR_HTTP_HEADER_MAX bytes")
SKR_ERROR(SKR_HTTP_SLOW, INVALID_REQUEST, HTTP_408, NO_DATA, "The request took too long to arrive")
SKR_ERROR(SKR_HTTP_STREAMS, 0, HTTP_503, NO_DATA, NULL)
#endif
#if SKR_AUTH || defined SKR_EVERY_ERROR
/* Tokens */
/* the token does not allow this method */
SKR_ERROR(SKR_NO_RIGHT, INVALID_REQUEST, HTTP_403, NO_DATA, "This token may not run ")
SKR_ERROR(SKR_HTTP_NO_TOKEN, INVALID_REQUEST, HTTP_401, NO_DATA, "Send a token")
SKR_ERROR(SKR_HTTP_BAD_TOKEN, INVALID_REQUEST, HTTP_401, NO_DATA, "No such token")
#endif
#if (SKR_AUTH && SKR_UPDATE) || defined SKR_EVERY_ERROR
/* the same for updates: clients learn that they need another scope */
SKR_ERROR(SKR_NO_RIGHT_TO_UPDATE, INVALID_REQUEST, HTTP_403, NO_DATA, "This token may not run ")
#endif
#if SKR_WEB || defined SKR_EVERY_ERROR
SKR_ERROR(SKR_HTTP_GZIP, INVALID_REQUEST, HTTP_406, NO_DATA,
          "This page is sent compressed: accept gzip, as browsers and curl --compressed do")
#endif
#if SKR_OAUTH || defined SKR_EVERY_ERROR
/* the token allows nothing here */
SKR_ERROR(SKR_HTTP_NO_SCOPE, INVALID_REQUEST, HTTP_403, NO_DATA, "This token has no scope of this device")
#endif
#if SKR_PARAMS || defined SKR_EVERY_ERROR
SKR_ERROR(SKR_PARAM_HEADER_DIFFERS, HEADER_MISMATCH, HTTP_400, NO_DATA,
          "Mcp-Param headers do not match the arguments of ")
#endif
#if SKR_CHANGES || defined SKR_EVERY_ERROR
/* Subscriptions */
SKR_ERROR(SKR_NOT_A_BOOLEAN, INVALID_PARAMS, OK_200, NO_DATA, "Must be true or false: ")
SKR_ERROR(SKR_NO_ROOM_TO_LISTEN, INTERNAL_ERROR, MODERN_503, NO_DATA,
          "No room to listen for more (SKR_STREAMS, SKR_LISTENS, SKR_SUBSCRIPTIONS, SKR_LISTEN_ID_MAX)")
#endif
#if SKR_CHANGES || SKR_TASKS || defined SKR_EVERY_ERROR
SKR_ERROR(SKR_NOT_AN_ARRAY, INVALID_PARAMS, OK_200, NO_DATA, "Must be an array: ")
#endif
#if SKR_INTERACTIVE || defined SKR_EVERY_ERROR
/* Client requests */
SKR_ERROR(SKR_BAD_STATE, INVALID_PARAMS, OK_200, NO_DATA,
          "requestState is not one of ours for this call, or too old: begin again without it")
SKR_ERROR(SKR_NEEDS_URL, MISSING_CAPABILITY, MODERN_400, DATA_URL, "This needs a client that offers url in ")
SKR_ERROR(SKR_NEEDS_TASKS, MISSING_CAPABILITY, MODERN_400, DATA_TASKS,
          "This needs a client that offers io.modelcontextprotocol/tasks in ")
#endif
#if SKR_TASKS || defined SKR_EVERY_ERROR
/* Tasks */
SKR_ERROR(SKR_NO_TASK, INVALID_PARAMS, OK_200, NO_DATA, "No such task, or it is no longer kept: ")
SKR_ERROR(SKR_TASK_OVER, INVALID_PARAMS, OK_200, NO_DATA, "This task has ended or was cancelled: ")
SKR_ERROR(SKR_TASK_AWAITED, INTERNAL_ERROR, OK_200, NO_DATA, "Another request waits for this task already")
SKR_ERROR(SKR_NEVER_A_TASK, METHOD_NOT_FOUND, OK_200, NO_DATA, "This tool cannot be run as a task: ")
SKR_ERROR(SKR_ONLY_A_TASK, METHOD_NOT_FOUND, OK_200, NO_DATA, "This tool must be run as a task: ")
SKR_ERROR(SKR_BAD_TTL, INVALID_PARAMS, OK_200, NO_DATA, "Must be a number of milliseconds, 0 or more: ")
#endif
#if SKR_UPDATE || defined SKR_EVERY_ERROR
/* Updates: the subject is the reason */
SKR_ERROR(SKR_UPDATE_REFUSED, INVALID_PARAMS, OK_200, NO_DATA, "Update refused: ")
#endif
#if SKR_EVENTS || defined SKR_EVERY_ERROR
/* Events */
SKR_ERROR(SKR_NO_EVENT, INVALID_PARAMS, OK_200, DATA_NAME, "No such event: ")
SKR_ERROR(SKR_BAD_COUNT, INVALID_PARAMS, OK_200, NO_DATA, "Must be a whole number, 1 or more: ")
#endif
/* clang-format on */
