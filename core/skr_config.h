/* skr_config.h -- every limit and switch of skillrom, in one place.
 *
 * Choose a profile with -DSKR_PROFILE_TINY, -DSKR_PROFILE_SMALL or
 * -DSKR_PROFILE_HOST (the default), then override single knobs in a header of
 * your own: -DSKR_USER_CONFIG='"board_skr.h"'. That header is read first, so
 * what it defines wins. All files of a program need the same of both, or they do not
 * link (skr_layout.h). Each limit says what happens to a peer who meets it. */
#ifndef SKR_CONFIG_H
#define SKR_CONFIG_H

#ifdef SKR_USER_CONFIG
#include SKR_USER_CONFIG
#endif

/* What the three profiles are for:
 *   tiny   one UART, 3 KB of RAM: skills, resources and tools over lines
 *   small  a microcontroller with a TCP stack: HTTP, prompts, completion
 *   host   a PC: everything, large buffers */
#if !defined(SKR_PROFILE_TINY) && !defined(SKR_PROFILE_SMALL) && !defined(SKR_PROFILE_HOST)
#define SKR_PROFILE_HOST
#endif

#if defined(SKR_PROFILE_TINY)
#define SKR_BY_PROFILE(tiny, small, host) tiny
#elif defined(SKR_PROFILE_SMALL)
#define SKR_BY_PROFILE(tiny, small, host) small
#else
#define SKR_BY_PROFILE(tiny, small, host) host
#endif

/* ---- Switches: 0 leaves the code out, and the method answers -32601 ---- */

#ifndef SKR_HTTP /* Streamable HTTP beside line framing */
#define SKR_HTTP SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_AUTH /* bearer tokens and their rights, over HTTP */
#define SKR_AUTH SKR_HTTP
#endif
#ifndef SKR_DEFLATE /* compressed files; needs miniz's tinfl and 8.4 KB + window per connection */
#define SKR_DEFLATE SKR_BY_PROFILE(0, 0, 1)
#endif
#ifndef SKR_STORED /* compressed files as they lie in the image, for a bridge that asks (port/bridge); needs no window */
#define SKR_STORED SKR_DEFLATE
#endif
#ifndef SKR_MARK /* an answer's mark instead of it, for a bridge that has kept it (port/bridge) */
#define SKR_MARK SKR_BY_PROFILE(0, 0, 1)
#endif
#ifndef SKR_PROMPTS /* prompts/list, prompts/get */
#define SKR_PROMPTS SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_COMPLETION /* completion/complete */
#define SKR_COMPLETION SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_LOGGING /* logging/setLevel, for clients of the initialize era */
#define SKR_LOGGING SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_SUBSCRIBE /* resources/subscribe, for clients of the initialize era */
#define SKR_SUBSCRIBE SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_BATCH /* JSON-RPC batches; 2025-03-26 demands them and is not offered without */
#define SKR_BATCH SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_SWAP /* another image at run time, and telling clients of it (swap.c): 5 KB of code */
#define SKR_SWAP SKR_BY_PROFILE(0, 0, 1)
#endif
#ifndef SKR_DIRECTORY_READ /* resources/directory/read, and directoryRead in the extension's settings */
#define SKR_DIRECTORY_READ 1
#endif
#ifndef SKR_DIALECT_B /* skill://index.json, and capabilities.experimental */
#define SKR_DIALECT_B SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_ARCHIVES /* reading a skill as skill://<path>.zip or .tar.gz; without, no such resource */
#define SKR_ARCHIVES SKR_DIALECT_B
#endif
#ifndef SKR_DIALECT_C /* resources/list of one skill */
#define SKR_DIALECT_C SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_DIALECT_D /* skills/get by name, with arguments */
#define SKR_DIALECT_D SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_DIALECT_E /* skills/activate */
#define SKR_DIALECT_E SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_DIALECT_F /* skills/read, skills/read_reference, skills/execute */
#define SKR_DIALECT_F SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_SCRIPT_FILES /* running a skill's script as it is: struct skr_device's `script`, for a PC */
#define SKR_SCRIPT_FILES SKR_BY_PROFILE(0, 0, SKR_DIALECT_F)
#endif
#ifndef SKR_SKILL_TOOLS /* tools list_skills and read_skill, for hosts that know nothing of skills */
#define SKR_SKILL_TOOLS SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_SKILL_PROMPTS /* each skill as a prompt; without SKR_PROMPTS there are none */
#define SKR_SKILL_PROMPTS SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_JOBS /* runs at once of handlers that need time (SKR_PENDING), over all connections; 0: none may */
#define SKR_JOBS SKR_BY_PROFILE(0, 2, 16)
#endif
#ifndef SKR_ASK /* handlers that ask the client: elicitation, sampling, roots. Needs SKR_JOBS */
#define SKR_ASK SKR_BY_PROFILE(0, (SKR_JOBS > 0), (SKR_JOBS > 0))
#endif
#ifndef SKR_NOTES /* handlers that tell progress and log. Needs SKR_JOBS */
#define SKR_NOTES SKR_BY_PROFILE(0, (SKR_JOBS > 0), (SKR_JOBS > 0))
#endif
#ifndef SKR_RESUME /* HTTP answers that are closed and picked up again. Needs SKR_HTTP, SKR_ASK or SKR_NOTES */
#define SKR_RESUME SKR_BY_PROFILE(0, (SKR_HTTP && (SKR_ASK || SKR_NOTES)), (SKR_HTTP && (SKR_ASK || SKR_NOTES)))
#endif
#ifndef SKR_TASKS /* runs that go on when their request has been answered. Needs SKR_ASK */
#define SKR_TASKS SKR_BY_PROFILE(0, 0, SKR_ASK)
#endif
#ifndef SKR_READ_ONLY /* 1: denies every tool whose description does not say readOnlyHint */
#define SKR_READ_ONLY 0
#endif
#ifndef SKR_ASSERTS /* 1: what must be so is checked, and stops the program if it is not (text/assert.h): for tests */
#define SKR_ASSERTS 0
#endif
#ifndef SKR_OLDER /* not showing older clients members that their version lacks; they would ignore them. 500 bytes */
#define SKR_OLDER SKR_BY_PROFILE(0, 1, 1)
#endif
#ifndef SKR_RESULT_INFO /* the device's name in the _meta of every 2026-07-28 result */
#define SKR_RESULT_INFO 1
#endif

#ifndef SKR_FAST /* text a machine word at a time, a page of skills as one piece: 200 bytes of code for speed */
#define SKR_FAST SKR_BY_PROFILE(0, 1, 1)
#endif

/* ---- Sizes ---- */

/* One request, with its line end or HTTP headers worth keeping. The largest
 * request of the official conformance suite has 750 bytes. Longer: -32600
 * "message too large" on a line, 413 over HTTP; the connection goes on. */
#ifndef SKR_REQUEST_MAX
#define SKR_REQUEST_MAX SKR_BY_PROFILE(1024, 2048, 65536)
#endif

/* JSON tokens of one request (jsmn's, 16 bytes each, once per server). A modern request
 * with client info has about 30. More: -32600 naming this limit. */
#ifndef SKR_TOKENS
#define SKR_TOKENS SKR_BY_PROFILE(64, 96, 4096)
#endif

/* To find the bracket that a value stands in, jsmn searches its tokens backwards, or has a link of 4
 * bytes in each. Where there are many, 12 KB of brackets would be searched for 6 ms. */
#define SKR_TOKEN_LINKS (SKR_TOKENS > 256)

/* Nesting of a request, a byte of stack per level. Deeper: -32600. */
#ifndef SKR_JSON_DEPTH
#define SKR_JSON_DEPTH SKR_BY_PROFILE(16, 32, 64)
#endif

/* What a tool or firmware resource may write for one answer. More: the client
 * gets an isError result that names this limit. */
#ifndef SKR_OUTPUT_MAX
#define SKR_OUTPUT_MAX SKR_BY_PROFILE(384, 512, 16384)
#endif

/* The same for a handler that may ask for time: such a run has a buffer of its own,
 * so that its connection can be served meanwhile. */
#ifndef SKR_JOB_OUTPUT_MAX
#define SKR_JOB_OUTPUT_MAX SKR_BY_PROFILE(1024, 4096, 65536)
#endif

/* What such a run keeps of its request because the answer repeats it: the id and, for
 * skills/execute, name and script. Longer: -32600 naming this limit. */
#ifndef SKR_JOB_TEXT
#define SKR_JOB_TEXT SKR_BY_PROFILE(64, 128, 1024)
#endif

/* What it keeps for its handler: skr_job_state. */
#ifndef SKR_JOB_STATE
#define SKR_JOB_STATE SKR_BY_PROFILE(32, 64, 128)
#endif

/* How long most such runs may take, for struct skr_tool, and the most that counts. */
#ifndef SKR_JOB_DEADLINE_MS
#define SKR_JOB_DEADLINE_MS 10000
#endif
#ifndef SKR_JOB_DEADLINE_MAX_MS
#define SKR_JOB_DEADLINE_MAX_MS 60000
#endif

/* Questions that one run has open at once. One more: the run ends and its result says so. */
#ifndef SKR_ASKS
#define SKR_ASKS SKR_BY_PROFILE(1, 3, 8)
#endif

/* How long a run waits for the client to answer, instead of its deadline. Then its
 * result is that nobody answered. */
#ifndef SKR_ASK_MS
#define SKR_ASK_MS 300000
#endif

/* How long a state that a client of 2026-07-28 keeps for a run is good for. Older ones
 * are refused with -32602. */
#ifndef SKR_STATE_MS
#define SKR_STATE_MS 3600000
#endif

/* Progress and log messages of one run that wait for the wire, and over HTTP those that
 * may have to be sent again. What does not fit is dropped. */
#ifndef SKR_JOB_NOTES
#define SKR_JOB_NOTES SKR_BY_PROFILE(128, 384, 4096)
#endif

/* How long what a closed HTTP answer still has to say waits to be picked up. Then it is
 * gone. */
#ifndef SKR_RESUME_MS
#define SKR_RESUME_MS 30000
#endif

/* How much longer than its deadline a task is kept at most, and how often its client should
 * look. A task takes the place of a run (SKR_JOBS) as long as it is kept; when all are taken,
 * one that has ended makes room, first one whose end its client has seen, then the oldest. */
#ifndef SKR_TASK_KEEP_MS
#define SKR_TASK_KEEP_MS 60000
#endif
#ifndef SKR_TASK_POLL_MS
#define SKR_TASK_POLL_MS 500
#endif

/* Tasks of one client, a session or a line connection; clients of 2026-07-28 over HTTP cannot be
 * told apart and count as one. One more takes the place of one that has ended, or the tool
 * is busy. So one client leaves places to others, a quarter where there are several. */
#ifndef SKR_CLIENT_TASKS
#define SKR_CLIENT_TASKS (SKR_JOBS - SKR_JOBS / 4)
#endif

/* Where bytes are gathered that do not lie ready: escaped, base64, numbers, and
 * small constant pieces, so that one write carries them. */
#ifndef SKR_TX_SCRATCH
#define SKR_TX_SCRATCH SKR_BY_PROFILE(64, 256, 16384)
#endif

/* Constant bytes of at least this length are sent from where they lie instead
 * of through the scratch buffer. Small values spare RAM traffic, large ones
 * spare system calls. */
#ifndef SKR_TX_DIRECT
#define SKR_TX_DIRECT SKR_BY_PROFILE(16, 64, 1024)
#endif

/* Spans handed to the port at once, for writev and its kin. */
#ifndef SKR_TX_SPANS
#define SKR_TX_SPANS SKR_BY_PROFILE(1 + SKR_HTTP, 4, 8)
#endif

/* Items on one page of a list, unless the port sets another number. An answer
 * is streamed, so a page costs no RAM; this only keeps single answers short. */
#ifndef SKR_PAGE
#define SKR_PAGE SKR_BY_PROFILE(20, 50, 100)
#endif

/* Input quoted in an error message, in bytes (SK-W-14). */
#ifndef SKR_QUOTE_MAX
#define SKR_QUOTE_MAX 256
#endif

/* Freshness promised for lists and files, in ms. The image cannot change while
 * the device runs; an hour keeps clients from asking for nothing, and lets them
 * notice a reflashed device the same day (CACHE-07). Where the image may be swapped
 * nothing is promised: who listens is told, who does not asks again. */
#ifndef SKR_TTL_MS
#define SKR_TTL_MS 3600000
#endif

/* Largest deflate window an image may ask for; a power of two. An image with a
 * larger one is refused at start. */
#ifndef SKR_WINDOW_MAX
#define SKR_WINDOW_MAX SKR_BY_PROFILE(0, 4096, 32768)
#endif

/* HTTP sessions of the initialize era that have a place: 32 bytes each, and with SKR_SWAP 16 more and 20
 * for each of SKR_SUBSCRIPTIONS. There may be any number of sessions, for their ids say what a request
 * needs. One that has lost its place to another gets one again when it is next named; what it had
 * subscribed to, its log level and its runs are gone. So the first to give way are those that
 * have none of these, and among them the one idle longest. */
#ifndef SKR_SESSIONS
#define SKR_SESSIONS SKR_BY_PROFILE(1, 4, 256)
#endif

/* Calls of subscriptions/listen that go on at once, on one line connection; over HTTP
 * each has a connection to itself. One more: -32603. */
#ifndef SKR_LISTENS
#define SKR_LISTENS SKR_BY_PROFILE(1, 2, 8)
#endif

/* URIs that one line connection, one session or one HTTP stream watches (20 bytes
 * each). One more: -32603, over HTTP 503 in the 2026-07-28 era. */
#ifndef SKR_SUBSCRIPTIONS
#define SKR_SUBSCRIPTIONS SKR_BY_PROFILE(1, 4, 32)
#endif

/* The id of a subscriptions/listen, which is kept for as long as it goes on. Longer:
 * -32603. */
#ifndef SKR_LISTEN_ID_MAX
#define SKR_LISTEN_ID_MAX SKR_BY_PROFILE(24, 48, 128)
#endif

/* HTTP streams open at once, unless the port sets another number: each holds a
 * connection for as long as its client likes. One more: 503. */
#ifndef SKR_STREAMS
#define SKR_STREAMS SKR_BY_PROFILE(1, 2, 48)
#endif

/* Mcp-Param-* headers of one request, which repeat arguments of tools that ask for it. One
 * more is not seen, and a call that needs it is answered with -32020. 0 leaves the check out. */
#ifndef SKR_PARAMS
#define SKR_PARAMS (SKR_HTTP ? SKR_BY_PROFILE(0, 4, 8) : 0)
#endif

/* All header lines of one HTTP request. More: 431. */
#ifndef SKR_HTTP_HEADER_MAX
#define SKR_HTTP_HEADER_MAX SKR_BY_PROFILE(1024, 4096, 16384)
#endif

/* ---- What follows from these ---- */

/* What skr_server_init checks of the firmware's resources: all that a list sends of them, or, in 220 bytes less, only
 * that it is JSON, which a list must be to the last quote (store/sound.c). */
#define SKR_SOUND SKR_BY_PROFILE(0, 1, 1)

#define SKR_TALK (SKR_ASK || SKR_NOTES)                         /* a run may say something before its answer */
#define SKR_SEAL (SKR_HTTP || SKR_ASK || SKR_TASKS || SKR_MARK) /* something is kept from being forged or guessed */

/* ---- Limits that must agree ---- */

#if (SKR_ASK || SKR_NOTES || SKR_TASKS) && SKR_JOBS < 1
#error "SKR_ASK, SKR_NOTES, SKR_TASKS: need places for runs, SKR_JOBS"
#endif
#if SKR_TASKS && !SKR_ASK
#error "SKR_TASKS: a task may ask, so it needs SKR_ASK"
#endif
#if SKR_RESUME && !(SKR_HTTP && SKR_TALK)
#error "SKR_RESUME: needs SKR_HTTP, and SKR_ASK or SKR_NOTES"
#endif
#if SKR_TASKS && (SKR_CLIENT_TASKS < 1 || SKR_CLIENT_TASKS > SKR_JOBS)
#error "SKR_CLIENT_TASKS: from 1 to SKR_JOBS"
#endif
#if SKR_ASKS < 1 || SKR_ASKS > 64
#error "SKR_ASKS: from 1 to 64"
#endif

#if SKR_REQUEST_MAX < 512
#error "SKR_REQUEST_MAX: a modern request with client info needs 512 bytes"
#endif
#if SKR_REQUEST_MAX > 0x7FFFFFFF
#error "SKR_REQUEST_MAX: tokens count in int"
#endif
#if SKR_TOKENS < 32
#error "SKR_TOKENS: a modern request with client info already has about 30"
#endif
#if SKR_TOKENS > 0x7FFF
#error "SKR_TOKENS: counted in 15 bits"
#endif
#if SKR_JSON_DEPTH < 6 || SKR_JSON_DEPTH > 255
#error "SKR_JSON_DEPTH: client capabilities nest six deep; levels are counted in a byte"
#endif
#if SKR_JOBS < 0 || SKR_JOBS > 255
#error "SKR_JOBS: from 0 to 255"
#endif
#if SKR_JOB_OUTPUT_MAX < 64
#error "SKR_JOB_OUTPUT_MAX: the sentence that says why a run was stopped must fit"
#endif
#if SKR_TX_SCRATCH < 32
#error "SKR_TX_SCRATCH: an escaped character or a number must fit whole"
#endif
#if SKR_AUTH && !SKR_HTTP
#error "SKR_AUTH: tokens come over HTTP, SKR_HTTP"
#endif
#if SKR_HTTP && SKR_SESSIONS < 1
#error "SKR_SESSIONS: at least 1; skr_http_config.sessionless leaves sessions out"
#endif
#if SKR_HTTP && SKR_TX_SPANS < 2
#error "SKR_TX_SPANS: over HTTP a 100 Continue and the head of an answer may wait together"
#endif
#if SKR_HTTP && SKR_TX_SCRATCH < 256
#error "SKR_TX_SCRATCH: the head of an HTTP answer must fit whole, 256 bytes"
#endif
#if SKR_DEFLATE && (SKR_WINDOW_MAX < 256 || (SKR_WINDOW_MAX & (SKR_WINDOW_MAX - 1)))
#error "SKR_WINDOW_MAX: a power of two from 256 on"
#endif
#if SKR_SWAP && (SKR_LISTENS < 1 || SKR_LISTENS > 254 || SKR_SUBSCRIPTIONS < 1 || SKR_LISTEN_ID_MAX > 255)
#error "SKR_LISTENS, SKR_SUBSCRIPTIONS, SKR_LISTEN_ID_MAX: at least one, and counted in a byte"
#endif
#if SKR_PAGE < 1
#error "SKR_PAGE: a page holds at least one item"
#endif

#endif
