/* skr_config.h -- every limit and switch of skillrom, in one place.
 *
 * Choose a profile with -DSKR_PROFILE_TINY, _NET, _FULL or _HOST (the default), then override single switches, and
 * those sizes that are in an #ifndef below, in a header of your own: -DSKR_USER_CONFIG='"board_skr.h"'. It is read
 * first, so what it defines wins. All files of a program need the same profile and the same header, or they do not link
 * (skr_layout.h). Each limit says what happens to a peer that exceeds it.
 *
 *                  tiny  net  full  host
 *                  ----  ---  ----  ----  tiny: one UART, 3 KB of RAM. net: a microcontroller with a TCP stack, 24 KB
 *                                         in all. full: one with room for everything. host: a PC, large buffers
 *   SKR_HTTP         0    1    1     1    Streamable HTTP beside line framing
 *   SKR_AUTH         0    1    1     1    bearer tokens over HTTP, 1.5 KB; without them everybody may use it. Needs SKR_HTTP
 *   SKR_OAUTH        0    0    1     1    signed tokens of an authorization server beside those, 1.5 KB; port/oauth checks
 *                                         them. Needs SKR_AUTH
 *   SKR_WEB          0    1    1     1    a page for people at http://device/, 6 KB (wire/page.c). Needs SKR_HTTP
 *   SKR_EXTRAS       0    1    1     1    prompts, completion, logging/setLevel, resources/subscribe, JSON-RPC batches
 *                                         (so 2025-03-26, which demands them, is offered), skills as tools and prompts
 *   SKR_JOBS         0    1    6    16    pending tool calls (SKR_PENDING) at a time, over all
 *                                         connections; 0: no handler may
 *   SKR_INTERACTIVE  0    0    1     1    client requests (elicitation, sampling, roots), progress and log messages; over HTTP,
 *                                         responses that are closed and resumed later. Needs SKR_JOBS
 *   SKR_TASKS        0    0    1     1    tool calls that continue after the response. Needs SKR_INTERACTIVE
 *   SKR_CHANGES      0    0    1     1    swapping the image at run time, changing resources, notifying clients of both
 *   SKR_DIALECTS     0    0    1     1    dialects of skills older than the extension, and skills as .zip and .tar.gz
 *   SKR_DEFLATE      0    0    1     1    compressed files: miniz's tinfl, 5.4 KB and a window per connection. A bridge
 *                                         can have them sent compressed, and responses that it has kept are only
 *                                         confirmed (host/bridge)
 *   SKR_PANEL        0    1    1     1    the device's panel for hosts with MCP Apps, if its image has one: a ui:// file, and the
 *                                         tool show_panel, 0.6 KB
 *   SKR_UPDATE       0    0    0     1    methods that replace the image over the wire, 1 KB; port/update does the rest, and
 *                                         needs SKR_CHANGES
 *   SKR_GUARD        0    0    0     1    rules of tools, checked before each tool call: confirmation by a person, limits,
 *                                         conditions, plans, a lock, a record of tool calls. Needs SKR_JOBS, whose ticks
 *                                         are its clock; confirmation needs SKR_INTERACTIVE
 *   SKR_EVENTS       0    0    0     0    experimental: alarms as events (events/list and events/poll of SEP-3415, a draft that may
 *                                         change), for skr_device's `alarms`, 1.5 KB
 *
 * What a switch leaves out is not declared, and its methods get -32601. */
#ifndef SKR_CONFIG_H
#define SKR_CONFIG_H

#ifdef SKR_USER_CONFIG
#include SKR_USER_CONFIG
#endif

#if defined(SKR_PROFILE_TINY)
#define SKR_BY_PROFILE(tiny, net, full, host) tiny
#elif defined(SKR_PROFILE_NET)
#define SKR_BY_PROFILE(tiny, net, full, host) net
#elif defined(SKR_PROFILE_FULL)
#define SKR_BY_PROFILE(tiny, net, full, host) full
#else
#define SKR_BY_PROFILE(tiny, net, full, host) host
#endif

/* ---- Switches ---- */

#ifndef SKR_HTTP
#define SKR_HTTP SKR_BY_PROFILE(0, 1, 1, 1)
#endif
#ifndef SKR_AUTH
#define SKR_AUTH SKR_HTTP
#endif
#ifndef SKR_OAUTH
#define SKR_OAUTH SKR_BY_PROFILE(0, 0, SKR_AUTH, SKR_AUTH)
#endif
#ifndef SKR_WEB
#define SKR_WEB SKR_BY_PROFILE(0, SKR_HTTP, SKR_HTTP, SKR_HTTP)
#endif
#ifndef SKR_EXTRAS
#define SKR_EXTRAS SKR_BY_PROFILE(0, 1, 1, 1)
#endif
#ifndef SKR_JOBS
#define SKR_JOBS SKR_BY_PROFILE(0, 1, 6, 16)
#endif
#ifndef SKR_INTERACTIVE
#define SKR_INTERACTIVE SKR_BY_PROFILE(0, 0, (SKR_JOBS > 0), (SKR_JOBS > 0))
#endif
#ifndef SKR_TASKS
#define SKR_TASKS SKR_BY_PROFILE(0, 0, SKR_INTERACTIVE, SKR_INTERACTIVE)
#endif
#ifndef SKR_CHANGES
#define SKR_CHANGES SKR_BY_PROFILE(0, 0, 1, 1)
#endif
#ifndef SKR_DIALECTS
#define SKR_DIALECTS SKR_BY_PROFILE(0, 0, 1, 1)
#endif
#ifndef SKR_DEFLATE
#define SKR_DEFLATE SKR_BY_PROFILE(0, 0, 1, 1)
#endif
#ifndef SKR_PANEL
#define SKR_PANEL SKR_BY_PROFILE(0, 1, 1, 1)
#endif
#ifndef SKR_UPDATE
#define SKR_UPDATE SKR_BY_PROFILE(0, 0, 0, 1)
#endif
#ifndef SKR_GUARD
#define SKR_GUARD SKR_BY_PROFILE(0, 0, 0, (SKR_JOBS > 0))
#endif
#ifndef SKR_EVENTS
#define SKR_EVENTS SKR_BY_PROFILE(0, 0, 0, 0)
#endif

/* Two that no profile decides: what a device may do is up to its maker, and assertions are for tests. */
#ifndef SKR_READ_ONLY /* 1: denies every tool whose description does not say readOnlyHint */
#define SKR_READ_ONLY 0
#endif
#ifndef SKR_ASSERTS /* 1: a violated invariant stops the program (text/assert.h): for tests */
#define SKR_ASSERTS 0
#endif

/* ---- Sizes that boards and programs choose ---- */

/* One request, with its line end or the HTTP headers that are kept. The largest request of the official conformance
 * suite has 750 bytes. Longer: -32600 "message too large" on a line, 413 over HTTP; the connection goes on. */
#ifndef SKR_REQUEST_MAX
#define SKR_REQUEST_MAX SKR_BY_PROFILE((SKR_OAUTH ? 1536 : 1024), (SKR_OAUTH ? 1536 : 1024), 2048, 65536)
#endif

/* JSON tokens of one request (jsmn's, 16 bytes each, once per server). A modern request
 * with client info has about 30. More: -32600 naming this limit. */
#ifndef SKR_TOKENS
#define SKR_TOKENS SKR_BY_PROFILE(64, 64, 128, 4096)
#endif

/* Bytes that a tool or firmware resource may write for one response. More: the client gets an isError that names this
 * limit. */
#ifndef SKR_OUTPUT_MAX
#define SKR_OUTPUT_MAX SKR_BY_PROFILE(384, 384, 512, 16384)
#endif

/* Likewise for a tool that may need time: its call has a buffer of its own, so that its connection can be
 * served meanwhile. */
#ifndef SKR_JOB_OUTPUT_MAX
#define SKR_JOB_OUTPUT_MAX SKR_BY_PROFILE(512, 512, 2048, 65536)
#endif

/* The parts of its request that such a tool call keeps for the response: the id and, for skills/execute, name and
 * script. Longer: -32600 naming this limit. */
#ifndef SKR_JOB_TEXT
#define SKR_JOB_TEXT SKR_BY_PROFILE(64, 64, 96, 1024)
#endif

/* Bytes that it keeps for its handler: SKR_JOB_STATE_OF. A larger type does not compile. */
#ifndef SKR_JOB_STATE
#define SKR_JOB_STATE SKR_BY_PROFILE(32, 32, 64, 128)
#endif

/* The longest that such a tool call may take, whatever struct skr_tool says: a day. It holds one of SKR_JOBS slots for
 * as long. tools.h refuses a tool with a longer deadlineMs. At most 2,000,000,000: milliseconds are counted in 32
 * bits. */
#ifndef SKR_JOB_DEADLINE_MAX_MS
#define SKR_JOB_DEADLINE_MAX_MS 86400000
#endif

/* How long a tool call waits for the client's reply, instead of its deadline. Longer: its result is a timeout. */
#ifndef SKR_CLIENT_REQUEST_MS
#define SKR_CLIENT_REQUEST_MS 300000
#endif

/* The buffer for bytes that cannot be sent in place: escaped text, base64, numbers; and for small constant pieces, so
 * that one write carries them. */
#ifndef SKR_TX_SCRATCH
#define SKR_TX_SCRATCH                                                                                                 \
    (SKR_OAUTH ? SKR_BY_PROFILE(512, 512, 512, 16384) : SKR_BY_PROFILE((SKR_HTTP ? 256 : 64), 256, 256, 16384))
#endif

/* Constant bytes of at least this length are sent in place instead of through the scratch buffer. Small values save RAM
 * traffic, large ones save system calls, and give lwIP few and long pieces. */
#ifndef SKR_TX_DIRECT
#define SKR_TX_DIRECT SKR_BY_PROFILE(16, 128, 128, 1024)
#endif

/* Spans handed to the port at a time, for functions such as writev. */
#ifndef SKR_TX_SPANS
#define SKR_TX_SPANS SKR_BY_PROFILE(1 + SKR_HTTP, 2, 2, 8)
#endif

/* HTTP streams open at a time, unless the port sets another number: each holds a connection for as long as its client
 * likes. One more: 503. */
#ifndef SKR_STREAMS
#define SKR_STREAMS SKR_BY_PROFILE(1, 2, 4, 48)
#endif

/* Mcp-Param-* headers of one request, which repeat arguments of tools that ask for it. Further ones are ignored, and a
 * call that needs them is answered with -32020. 0 leaves the check out. */
#ifndef SKR_PARAMS
#define SKR_PARAMS (SKR_HTTP ? SKR_BY_PROFILE(0, 0, 4, 8) : 0)
#endif

/* Freshness promised for lists and files, in ms. The image cannot change while the device runs; an hour saves needless
 * requests, and lets clients notice a reflashed device the same day (CACHE-07). Where the image may be swapped nothing
 * is promised: clients that subscribe are notified, others poll. */
#ifndef SKR_TTL_MS
#define SKR_TTL_MS 3600000
#endif

/* ---- Sizes that nobody has had a reason to change ---- */

/* Nesting of a request, a byte of stack per level. Deeper: -32600. Client capabilities nest six deep. */
#define SKR_JSON_DEPTH SKR_BY_PROFILE(16, 32, 32, 64)

/* To find the object or array that a value is in, jsmn searches its tokens backwards, or has a link of 4 bytes in each.
 * Where there may be many tokens the search is slow: 6 ms for 12 KB of brackets. */
#define SKR_TOKEN_LINKS (SKR_TOKENS > 256)

/* The usual deadline of a tool that needs time, for struct skr_tool. */
#define SKR_JOB_DEADLINE_MS 10000

/* Client requests that one tool call has open at a time. One more: the call ends and its result says so. */
#define SKR_CLIENT_REQUESTS SKR_BY_PROFILE(1, 3, 3, 8)

/* How long a state that a client of 2026-07-28 keeps for a tool call is valid. Older ones are refused with -32602. */
#define SKR_STATE_MS 3600000

/* Progress and log messages of one tool call that wait to be sent, and over HTTP those that may have to be sent again.
 * What does not fit is dropped. */
#define SKR_JOB_MESSAGES SKR_BY_PROFILE(128, 384, 384, 4096)

/* How long the rest of a closed HTTP response, or the client request in it, is kept for its client to fetch. After that
 * it is gone, and a tool call that waits for a reply ends. */
#define SKR_RESUME_MS 30000

/* How much longer than its deadline a task is kept at most, and how often its client should poll. A task holds the slot
 * of a job (SKR_JOBS) as long as it is kept; when all are taken, one that has ended is dropped, first one whose end its
 * client has seen, then the oldest. */
#define SKR_TASK_KEEP_MS 60000
#define SKR_TASK_POLL_MS 500

/* Tasks of one client, a session or a line connection; clients of 2026-07-28 over HTTP cannot be distinguished and
 * count as one. One more replaces one that has ended; if none has, the tool is busy. So one client leaves slots to
 * others, a quarter where there are several. */
#define SKR_CLIENT_TASKS (SKR_JOBS - SKR_JOBS / 4)

/* Items on one page of a list, unless the port sets another number. A response is streamed, so a page costs no RAM;
 * this only keeps single responses short. */
#define SKR_PAGE SKR_BY_PROFILE(20, 50, 50, 100)

/* Input quoted in an error message, in bytes (SK-W-14). */
#define SKR_QUOTE_MAX 256

/* Largest deflate window an image may ask for; a power of two, at least 256. A larger one is refused at start. */
#define SKR_WINDOW_MAX SKR_BY_PROFILE(4096, 4096, 4096, 32768)

/* Alarms that struct skr_alarms keeps, and the bytes of each one's code and text, NUL included (skr_alarm.h). The
 * oldest gives way; longer texts are cut. Alarms take no memory in firmware that has none. */
#ifndef SKR_ALARMS
#define SKR_ALARMS SKR_BY_PROFILE(4, 4, 8, 64)
#endif
#define SKR_ALARM_CODE 12
#define SKR_ALARM_TEXT SKR_BY_PROFILE(52, 52, 76, 140)

/* HTTP sessions of the initialize era that have a slot: 16 bytes each, and with SKR_CHANGES 16 more and 20 for each of
 * SKR_SUBSCRIPTIONS. There may be any number of sessions, because their ids say what a request needs. A session that
 * has lost its slot to another gets one again when it is next named; what it had subscribed to, its log level and its
 * jobs are gone. So the first to give way are those that have none of these, and among them the one idle longest. */
#define SKR_SESSIONS SKR_BY_PROFILE(1, 4, 4, 256)

/* Calls of subscriptions/listen that are active at a time on one line connection; over HTTP each has a connection of
 * its own. One more: -32603. Counted in a byte. */
#define SKR_LISTENS SKR_BY_PROFILE(1, 2, 2, 8)

/* URIs that one line connection, one session or one HTTP stream subscribes to (20 bytes each). One more: -32603, over
 * HTTP 503 in the 2026-07-28 era. */
#define SKR_SUBSCRIPTIONS SKR_BY_PROFILE(1, 4, 4, 32)

/* The id of a subscriptions/listen, which is kept while it is active. Longer: -32603. Counted in a byte. */
#define SKR_LISTEN_ID_MAX SKR_BY_PROFILE(24, 48, 48, 128)

/* All header lines of one HTTP request. More: 431. */
#define SKR_HTTP_HEADER_MAX SKR_BY_PROFILE(1024, 4096, 4096, 16384)

/* How much of a request's head a connection remembers, to recognise it in the next request (wire/http_same.c). The
 * lines that clients repeat have 200 to 500 bytes. 0 leaves it out: it saves time, not memory. */
#define SKR_HTTP_SAME (SKR_HTTP ? SKR_BY_PROFILE(0, 0, 0, 1024) : 0)

/* The name of the user with a signed token, with its NUL; one for each connection. Authorization servers name people by
 * numbers, addresses, or 36 to 45 digits. A token with a longer one is refused. */
#define SKR_BEARER_NAME SKR_BY_PROFILE(64, 64, 64, 256)

/* The struct of a tool's arguments where a rule reads them (SKR_GUARD), in bytes of stack. tools.h refuses a larger
 * one. */
#define SKR_RULE_ARGUMENTS SKR_BY_PROFILE(64, 64, 128, 4096)

/* The text of a confirmation with its values, in bytes of stack. Longer: the tool call is refused. */
#define SKR_CONFIRM_MAX SKR_BY_PROFILE(160, 160, 192, 1024)

/* Confirmations of clients of 2026-07-28 that are open at a time, 8 bytes each: each counts once. One more: the
 * reply to the oldest is refused with -32602. */
#define SKR_CONFIRMATIONS SKR_BY_PROFILE(2, 4, 4, 64)

/* Entries of the record of tool calls, 36 bytes each. One more replaces the oldest. */
#define SKR_RECORD SKR_BY_PROFILE(8, 16, 16, 1024)

/* ---- What follows from these ---- */

/* Omitted in profile tiny for lack of room: handling text a machine word at a time and a page of skills as one piece,
 * 200 bytes for speed; hiding from older clients members that their version lacks, which they would ignore, 500 bytes;
 * and checking, when the server starts, everything that lists send of the firmware's resources, not only that it is
 * JSON, 220 bytes (store/sound.c). */
#define SKR_FAST SKR_BY_PROFILE(0, 1, 1, 1)
#define SKR_OLDER SKR_BY_PROFILE(0, 1, 1, 1)
#define SKR_SOUND SKR_BY_PROFILE(0, 1, 1, 1)

#define SKR_SCRIPT_FILES                                                                                               \
    SKR_BY_PROFILE(0, 0, 0, SKR_DIALECTS)               /* running a script file: skr_device's `script`, for a PC */
#define SKR_REQUEST_LOG SKR_BY_PROFILE(0, 0, 0, 1)      /* skr_server_log_to, for a PC */
#define SKR_DOCUMENTS SKR_BY_PROFILE(0, 0, 0, SKR_HTTP) /* documents of a backend (response/backend.h), for a PC */
#define SKR_LOG_TEXT 128                                /* bytes of a method's name, and of its subject, in that log */
#define SKR_RESUME (SKR_HTTP && SKR_INTERACTIVE)        /* responses that are closed and resumed later */
#define SKR_SEAL (SKR_HTTP || SKR_INTERACTIVE || SKR_DEFLATE) /* session ids and sealed tokens that nobody can forge */

/* ---- Limits that must agree ---- */

#if (SKR_INTERACTIVE && SKR_JOBS < 1) || (SKR_TASKS && !SKR_INTERACTIVE)
#error "SKR_INTERACTIVE needs SKR_JOBS; SKR_TASKS needs SKR_INTERACTIVE, because a task may send client requests"
#endif
#if SKR_ALARMS < 1
#error "SKR_ALARMS must be at least 1"
#endif
#if SKR_GUARD && SKR_JOBS < 1
#error "SKR_GUARD needs SKR_JOBS: their ticks are the clock of limits"
#endif
#if SKR_JOBS < 0 || SKR_JOBS > 255
#error "SKR_JOBS: from 0 to 255"
#endif
#if SKR_REQUEST_MAX < 512 || SKR_REQUEST_MAX > 99999999
#error "SKR_REQUEST_MAX: a modern request with client info needs 512 bytes; text/number.c counts exponents so far"
#endif
#if SKR_TOKENS < 32 || SKR_TOKENS > 0x7FFF
#error "SKR_TOKENS: a modern request with client info already has about 30; counted in 15 bits"
#endif
#if SKR_JOB_OUTPUT_MAX < 64
#error "SKR_JOB_OUTPUT_MAX: the sentence that says why a tool call was stopped must fit"
#endif
#if SKR_JOBS && SKR_OUTPUT_MAX < SKR_JOB_STATE + 8
#error "SKR_OUTPUT_MAX: a state must fit, SKR_JOB_STATE and 8 bytes (lend_state in handler/job.c)"
#endif
#if SKR_JOB_DEADLINE_MAX_MS < 1 || SKR_JOB_DEADLINE_MAX_MS > 2000000000
#error "SKR_JOB_DEADLINE_MAX_MS: from 1 to 2000000000"
#endif
#if SKR_TX_SCRATCH < (SKR_OAUTH ? 512 : SKR_HTTP ? 256 : 32)
#error                                                                                                                 \
    "SKR_TX_SCRATCH: an escaped character or a number must fit whole, or the head of an HTTP response: 256, with SKR_OAUTH 512"
#endif
#if SKR_AUTH && !SKR_HTTP
#error "SKR_AUTH: tokens come over HTTP, SKR_HTTP"
#endif
#if SKR_OAUTH && (!SKR_AUTH || SKR_REQUEST_MAX < 1536)
#error "SKR_OAUTH: needs SKR_AUTH, and SKR_REQUEST_MAX of 1536: signed tokens have 600 to 900 bytes"
#endif
#if SKR_WEB && !SKR_HTTP
#error "SKR_WEB: a page comes over HTTP, SKR_HTTP"
#endif
#if SKR_HTTP && SKR_TX_SPANS < 2
#error "SKR_TX_SPANS: over HTTP a 100 Continue and the head of a response may wait together"
#endif

#endif
