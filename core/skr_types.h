/* skr_types.h -- the definitions of struct skr_server and struct skr_conn.
 *
 * Included by skillrom.h and visible only so that you can allocate them; sizeof is the memory budget. Only the core may
 * change the fields. */
#ifndef SKR_TYPES_H
#define SKR_TYPES_H

#include "archive.h"
#include "inflate.h"
#include "romfs.h"
#include "unescape.h"

/* Comments keep their column across #if. */
/* clang-format off */

/* One step of a response pushes at most this many pieces. */
#define SKR_PIECES 17

struct skr_response;

#define SKR_WHO 8 /* bytes of a token's hash by which sessions, tasks and states are bound to it */

/* A value or key of a JSON text, as jsmn represents it: only json.c looks inside. */
struct skr_token {
    int of_jsmn[SKR_TOKEN_LINKS ? 5 : 4];
};

/* A capability that the client lacks, and the error that says so. */
struct skr_lack {
    const char *name;
    uint8_t error; /* enum skr_rpc_error */
};

/* The output of a handler so far, and its outcome. */
struct skr_output {
    char *p;
    uint32_t n;
    uint32_t max;
    bool overflow;  /* it wrote more than max */
    bool failed;    /* the handler has reported a failure */
    bool binary;    /* bytes, not text */
    uint8_t reason; /* enum skr_reason: why it was not completed */
    uint8_t version; /* enum skr_version: what the client understands */
    bool structured; /* there is structured content */
    uint16_t named;  /* SKR_BAD_ARGUMENT: bytes at the front that are the argument's name */
    /* result.c: blocks after the text */
    void (*end)(struct skr_output *out, struct skr_response *a); /* prepares them to be sent; NULL: text only */
    uint32_t head;  /* bytes of text before the first */
    uint32_t block; /* where the last begins */
    uint32_t nest;  /* write.c: a bit for each open bracket, 1 for an object, below a leading 1 */
    bool unbalanced; /* a bracket was left open, or closed once too often */
    bool final;      /* a client request cannot be sent: the call ends here, whatever its handler returns */
    int32_t code;    /* skr_error: the output is the message of an error with this code; 0: it is a result */
    const struct skr_lack *lack; /* the capability whose lack is that error; NULL: the error is the handler's own */
};

/* A call of a tool: which one, and how it was requested. */
struct skr_tool_call {
    const struct skr_tool *tool;
#if SKR_EXTRAS
    bool prompt; /* it writes a prompt */
#endif
#if SKR_DIALECTS || SKR_JOBS
    struct skr_span name, file; /* a skill and its script, as skills/execute names them; else empty */
#endif
#if SKR_GUARD
    uint8_t phase;  /* enum guard_phase: how far its rules have been checked */
    bool plan;      /* nothing may move */
    uint32_t kept;  /* bytes of the arguments at the end of the job's buffer */
    uint8_t who[8], arguments[8]; /* for the record: as in struct skr_record_entry */
#endif
};

#if SKR_GUARD
/* State of a server for rules, in addition to the memory of the firmware (skr_guard.h). */
struct skr_guarding {
    const char *reason; /* why it is locked */
    uint8_t lock;       /* enum skr_lock */
    uint8_t next;       /* of `open`, to be replaced */
    uint32_t base_s;    /* the guard's time when the server started */
    uint64_t open[SKR_CONFIRMATIONS]; /* tags of the states of guarded tool calls that may come back, once each */
};
#endif

/* A request that a handler sends to the client: elicitation, sampling or roots (client_request.c). Its text is in the
 * job's buffer: "key":{"method":"..","params":{..}} */
struct skr_client_request {
    uint32_t at, n;
    uint32_t id;      /* initialize era: its JSON-RPC id; 0 until it is sent */
    uint16_t event;   /* its number among the events of a stream */
    uint8_t key;      /* length of the key */
    uint8_t kind;     /* enum skr_capability */
    bool sent;        /* it has been sent, or is about to be */
    bool wanted;      /* the handler's last call has made it */
    bool replied;     /* the reply is in this call */
};

/* A request whose completion is logged (response/log.c). */
struct skr_logged {
    bool open;         /* there is one */
    uint32_t since_ms; /* when it arrived */
    uint32_t sent;     /* bytes, of the connection it is in */
    char method[SKR_LOG_TEXT], name[SKR_LOG_TEXT]; /* as the client wrote them, truncated */
};

/* The time that a job has taken. */
struct skr_job_time {
    uint32_t since_ms; /* the first tick */
    uint32_t took_ms;  /* from then to the last tick */
    bool ticked;       /* since_ms is set */
};

/* The open client requests of a job. Their texts are at the front of the job's buffer; the output follows them. */
struct skr_job_requests {
    uint8_t capabilities; /* enum skr_capability, as bits: those that the client declared */
    uint8_t count;
    uint32_t bytes;       /* of the buffer that they take */
    uint32_t change;      /* differs whenever they change */
    struct skr_client_request list[SKR_CLIENT_REQUESTS];
};

/* Progress and log messages of a job (progress.c). */
struct skr_job_messages {
    bool mute;             /* nothing may be sent before the response */
    uint8_t log_level;     /* the lowest that the client wants, or SKR_LEVEL_NONE */
    uint16_t used;         /* bytes of `text` */
    uint16_t sent;         /* bytes of `text` that have been sent */
    int32_t progress;      /* the last value reported; -1 before the first */
    struct skr_span token; /* the progress token, JSON text; empty without one */
    char text[SKR_JOB_MESSAGES];
};

/* The stream of events that a job's response is (resume.c). */
struct skr_job_stream {
    uint32_t number;   /* its number, as its events name it; 0: none */
    uint32_t retry_ms; /* skr_close_stream */
    uint32_t away_ms;  /* since when its client has been away, or its handler done (skri_job_is_away) */
    uint16_t event;    /* number of the last event sent */
    bool closing;      /* the stream is to be closed */
};

/* A job that has an id of its own (job_task.c). */
struct skr_job_task {
    uint8_t kind;          /* enum job_task */
    bool fetched;          /* the client has seen how it ended */
    char id[32];
    uint32_t created_s;    /* since 1970 */
    uint32_t updated_s;
    uint32_t created_ms;   /* the same on the clock of ticks, in ms */
    uint32_t ttl_ms;       /* how long it is kept from then on */
    const struct skr_conn *owner; /* the line connection it belongs to; NULL over HTTP */
    uint8_t who[SKR_WHO];  /* over HTTP, the owner of its token: skri_who_id */
};

/* The state that a handler keeps between its calls (skr_job_state). A client of 2026-07-28 carries all of `bytes` as
 * requestState: first a SipHash tag and a time, then the state. */
#define SKR_SEAL_BYTES (SKR_INTERACTIVE ? 16 : 0)
struct skr_handler_state {
    uint64_t binding; /* hash of the arguments and of who gave them */
    uint16_t size;    /* bytes of the state that the handler uses */
    union {
        char bytes[SKR_SEAL_BYTES + SKR_JOB_STATE];
        uint64_t align_number;
        void *align_pointer;
    } kept;
};

/* A tool call whose handler may need time (job.c). The slot is free while call.tool is NULL. */
struct skr_job {
    struct skr_tool_call call;
    struct skr_conn *conn; /* waits for the response; NULL when nobody does, or when its client is away */
    struct skr_span id;
    struct skr_output out;
    struct skr_job_time time;
    uint16_t session;      /* slot + 1 of the HTTP session that may cancel it; 0: none */
    uint8_t state;         /* enum job_state; only skri_job_move changes it */
    bool modern;
    bool recorded;         /* struct skr_device's `tool_called` has been called */
    uint32_t serial;       /* its number */
#if SKR_REQUEST_LOG
    struct skr_logged logged; /* its request, on a line */
#endif
#if SKR_INTERACTIVE
    struct skr_job_requests requests;
    struct skr_job_messages messages;
#endif
#if SKR_RESUME
    struct skr_job_stream stream;
#endif
#if SKR_TASKS
    struct skr_job_task task;
#endif
    char text[SKR_JOB_TEXT]; /* the bytes of id, progress token, name and script */
    struct skr_handler_state handler_state;
};

/* The bytes around each message on a wire. */
struct skr_framing {
    struct skr_span start;
    struct skr_span end;
};

/* Outgoing bytes, described but not yet made (response/response.c). */
struct skr_piece {
    const char *p;
    uint32_t n;
    uint8_t kind;
};

/* Base64: an incomplete group of three bytes; the rest is in the bytes that follow. */
struct skr_carry {
    uint8_t bytes[3];
    uint8_t n;
};

/* Part of a file's content: bytes [from, end). */
struct skr_stretch {
    uint32_t from, end;
};

/* The members around those of a result or an error (response/envelope.c), and what a transport needs to know. */
struct skr_envelope {
    bool modern;          /* of the 2026-07-28 era: resultType, _meta */
    uint8_t version;      /* enum skr_version: in the initialize era, the client's */
    uint8_t error;        /* enum skr_rpc_error: the response is this error, about `subject` */
    bool cached;          /* a modern result with ttlMs and cacheScope */
    bool live;            /* made for this request: not to be cached */
    bool stream;          /* several messages: over HTTP only as SSE */
    bool open;            /* a stream that stays open when this has been sent */
    bool on_line;         /* is sent on a line connection */
    bool changes;         /* the image may be swapped (SK-X-22) */
    bool titled;          /* serverInfo has the device's title */
    bool guarded;         /* only for holders of a token: no shared cache may keep it (CACHE-04) */
    uint8_t result;       /* enum skr_result: the resultType of a modern result */
    uint16_t status;      /* HTTP status */
    int32_t code;         /* SKR_HANDLER_ERROR: its code */
    struct skr_span id;   /* the request's id as it was written; empty: none */
};

/* The pieces of one step, and how far they have been made into bytes (response/response.c). */
struct skr_pieces {
    const struct romfs_node *file; /* SKR_FILE_* pieces are its content */
#if SKR_EXTRAS
    struct skr_stretch range;      /* the requested part of it */
#endif
    struct skr_piece queue[SKR_PIECES];
    uint8_t queued;
    uint8_t taken_pieces;
    uint32_t taken;          /* bytes of the front piece's source already used */
    uint32_t file_made;      /* bytes made of a file's text, to check against its json_size */
    struct skr_carry carry;  /* of a piece that becomes base64 */
#if SKR_DEFLATE
    struct romfs_inflate *inflate;
    uint8_t *window;
    const struct romfs_node *run_of; /* being inflated; NULL: none */
#endif
#if SKR_DIALECTS
    struct romfs_archive archive;    /* SKR_ARCHIVE pieces are its bytes */
#endif
#if SKR_DEFLATE || SKR_DIALECTS
    const uint8_t *run;      /* inflated bytes, or an archive's: those in [run_at, run_end) */
    uint32_t run_at, run_end;
#endif
};

/* The output of a handler, as a response shows it. */
struct skr_outcome {
    struct skr_span text;
    bool (*content)(struct skr_response *a); /* renders it as the members of a tool's result */
    bool failed;             /* the handler has reported a failure */
    bool binary;             /* bytes, not text */
    bool prompt;             /* it is a prompt's, not a tool's */
};

/* A list, or one page of it. */
struct skr_list_response {
    uint32_t total;    /* entries in all; first and end are those of this page */
    uint32_t salt;     /* binds a cursor to this list */
    const char *shape; /* skills/list: how an entry is written (shape.h) */
    const struct romfs_node *directory; /* resources/directory/read, resources/list with a URI */
    bool in_place;     /* skills/list: entries are sent as the image holds them */
    bool task_support; /* tools/list: says which tools may be tasks (2025-11-25) */
#if SKR_GUARD
    uint8_t lock;       /* tools/list: enum skr_lock, */
    const char *locked; /* and its reason, as they were when the request came */
    bool tool_meta;     /* tools/list: tools have `_meta` in this revision */
#endif
#if SKR_TASKS
    const char *facts; /* tasks/list: the facts of each task (task_response.c) */
    uint32_t shown;    /* tasks/list: their number */
#endif
};

/* The member of `as` that a response holds. */
enum skr_response_kind {
    SKR_AS_NOTHING,
    SKR_AS_list, /* named like the members */
    SKR_AS_server,
    SKR_AS_contents,
    SKR_AS_skill,
    SKR_AS_prompt,
    SKR_AS_script,
    SKR_AS_completion,
    SKR_AS_listen,
    SKR_AS_notification,
    SKR_AS_message,
    SKR_AS_job,
    SKR_AS_forwarded,
};

/* An outgoing message and how much of it has been sent. It can be rewound and made again, byte for byte: everything it
 * is made of stays unchanged until it has been sent. */
struct skr_response {
    const struct romfs *fs;
    const struct skr_device *device;
    const struct skr_framing *framing;

    bool (*render)(struct skr_response *a); /* pushes the next pieces; false when there are no more */
    bool (*body)(struct skr_response *a);   /* the same for the members of a result */
    uint8_t step;            /* of render */
    uint8_t body_step;       /* of body */
    bool any_item;           /* an item of the current array has been pushed (store/cursor.c) */
    uint8_t kind;            /* enum skr_response_kind: the member of `as` that is in use */
    bool damaged;            /* aborted: a stored file cannot be read to its end, or `is_current` returned false */
    bool ended;              /* all of it has been made */
    struct skr_envelope envelope;
    struct skr_span subject; /* a URI, a name or a search text of the request */
    /* Entries of a list, blocks of a result, values or client requests, rendered one by one. */
    uint32_t index; /* the next */
    uint32_t first; /* where it begins, also after a rewind */
    uint32_t end;   /* after the last, where that is not known otherwise */
    union {
        struct skr_list_response list;
        struct {
            const char *version; /* initialize: the one agreed on */
            bool forgets;        /* initialize: the server keeps no state of its client (SESS-07, CAP-03) */
            bool tasks;          /* initialize: tasks of 2025-11-25 */
        } server;
        struct {
            const struct skr_resource *resource; /* of the firmware; NULL: of the image */
            uint32_t archive_size;
            bool plain; /* `subject` is as it was written in the request, and needs no escapes */
        } contents;     /* resources/read */
        struct {
            const struct romfs_skill *record;
            const struct skr_view *view; /* how it is shown (skills/skill.h) */
            bool any_array;              /* an array of the view has been pushed */
        } skill;
        struct {
            const struct romfs_prompt *record;
        } prompt;
        struct {
            const struct skr_tool_call *call; /* the skill and the file that the request names */
            uint8_t shared; /* enum spelling (skills_page.c): several files have the name in this spelling */
        } script;
        struct {
            uint32_t total; /* values that match */
            uint32_t values_n;
            const char *values; /* one per line; NULL: names or paths of the image */
            const struct romfs_node *directory; /* names of the skills in it; NULL: all paths */
        } completion;
        struct {
            const char *uris; /* those that are subscribed, JSON texts separated by commas */
            uint32_t uris_n;
            uint8_t wants;    /* enum skr_list_bit: lists that it will be notified of */
            uint8_t from, to; /* enum listen_step: the messages to send, from `from` to before `to` */
        } listen;
        struct {
            uint32_t list; /* which list, or URI_UPDATED (notify.c) */
            const struct skr_subscription *subscription; /* URI_UPDATED: its URI */
        } notification;
        struct {
            const char *text; /* the members after "jsonrpc", or, in a client request, after its id */
            uint32_t text_n;  /* 0: there is no message, the stream only ends here */
            uint32_t id;      /* of a client request; 0: it is a notification */
        } message;            /* of a job, before its response */
        struct {
            const struct skr_job *job;
            const char *facts; /* of every task (task_response.c) */
            uint32_t change;   /* the job's `change` or `serial`; once it differs, this response is obsolete */
            uint8_t status;    /* enum task_status */
            /* Called before bytes are taken, if not NULL; false once their source was reused: the response is then
             * aborted. */
            bool (*is_current)(const struct skr_response *a);
        } job;
        struct {
            uint32_t request; /* the bridge: its slot among the requests that it forwards */
        } forwarded;
    } as;
    struct skr_outcome outcome;
    struct skr_pieces pieces;
};

/* Protocol revisions, oldest first. */
enum skr_version {
    SKR_V_NONE, /* no handshake yet */
    SKR_V_2024_11_05,
    SKR_V_2025_03_26,
    SKR_V_2025_06_18,
    SKR_V_2025_11_25,
    SKR_V_2026_07_28,
};

#define SKR_LEVEL_WARNING 3 /* rank among the eight log levels */
#define SKR_LEVEL_NONE 8    /* above them all */

#define SKR_LIST_KINDS 4 /* lists that change: enum skr_list_bit in notify.h */

/* A URI that a client has subscribed to. Kept as numbers, because the image that has its text may be swapped. */
struct skr_subscription {
    uint32_t uri[2];   /* hash of the URI; both 0: this slot is free */
    uint32_t state[2]; /* first bytes of its digest when it was last looked at */
    uint8_t owner;     /* index of the feed it belongs to, or SKR_OWNER_LEGACY */
    bool due;          /* it has changed, and its client has not been notified yet */
};

/* The changes that a client of the initialize era has to be notified of; and the URIs of a connection's feeds. */
struct skr_subscriptions {
    uint32_t seen; /* the server's `swaps` when this was last brought up to date */
    uint8_t wants; /* enum skr_list_bit: lists whose changes it was promised */
    uint8_t due;   /* of these, the ones that have changed since the last notification */
    bool pending;  /* something here or in a feed may be due */
    struct skr_subscription list[SKR_SUBSCRIPTIONS];
};

/* An active subscriptions/listen. */
struct skr_listen {
    uint8_t id_length; /* 0: this slot is free */
    uint8_t wants;     /* enum skr_list_bit: lists whose changes the client requested */
    uint8_t due;
    char id[SKR_LISTEN_ID_MAX]; /* JSON text: every notification carries it */
};

/* The outcome of `initialize`: per line connection, or per HTTP session. */
struct skr_legacy {
    uint8_t version;   /* enum skr_version */
    uint8_t log_level; /* index of the lowest level the client wants */
#if SKR_INTERACTIVE
    uint8_t capabilities; /* enum skr_capability, as bits: those that the client declared */
#endif
#if SKR_CHANGES
    struct skr_subscriptions subscriptions;
#endif
};

/* Mcp-Param-<name>: <value> */
struct skr_http_param {
    struct skr_span name, value;
};

/* The headers of a request that MCP has rules for. One not sent has p == NULL; a repeated one never matches
 * (HDR-08). */
struct skr_headers {
    struct skr_span protocol;   /* MCP-Protocol-Version */
    struct skr_span mcp_method; /* Mcp-Method */
    struct skr_span mcp_name;   /* Mcp-Name, not yet decoded */
    struct skr_span session;    /* Mcp-Session-Id */
    bool protocol_twice, method_twice, name_twice;
    bool modern;                /* MCP-Protocol-Version names the modern era */
    bool only_json;             /* Accept leaves out text/event-stream */
    uint16_t session_slot;      /* slot + 1 of the session with this id; 0: there is none */
#if SKR_PARAMS
    uint8_t param_count;
    struct skr_http_param params[SKR_PARAMS];
#endif
};

/* The state of a session that is not in its id (mcp/session.c). */
struct skr_session {
    uint32_t id[2];     /* without its tag. 0: a free slot. Version SKR_V_NONE: it was ended */
    uint32_t last_used; /* the server's request count at that time */
#if SKR_CHANGES
    uint32_t stream;    /* number of the GET stream that carries its notifications; 0: none */
#endif
    struct skr_legacy legacy;
};

/* An HTTP request as far as it has been read (http.c). Header values that are kept are at the front of the buffer. */
struct skr_http {
    uint8_t state;        /* enum http_state */
    uint8_t method;       /* enum http_method */
    uint16_t flags;       /* enum http_flags */
    uint8_t refuse;       /* enum skr_rpc_error that the headers have already caused */
    bool odd_line;        /* a line has a NUL or a bare CR, and is the last that is read */
    bool head_waits;      /* the head of the response is among the spans to be sent, and nothing of its body yet */
    uint16_t session_new; /* slot + 1 of the session that this response announces */
    uint32_t header_bytes;
    uint32_t keep;        /* end of the kept header values in the buffer */
    uint32_t left;        /* bytes of the body, or of this chunk, still to come */
    uint32_t body;        /* bytes of the body gathered from chunks, after `keep` */
#if SKR_AUTH
    const struct skr_grant *who; /* whose token it came with; NULL: none was needed, or is known */
    uint8_t shown;        /* enum token_shown: what "Authorization" says */
#endif
#if SKR_OAUTH
    const char *reason;   /* why the authority refuses its token */
#endif
    uint8_t document;     /* enum http_document: requested with GET instead of MCP */
    uint32_t last_stream; /* Last-Event-ID; 0: none */
    uint16_t last_event;
    struct skr_headers headers; /* last, and params last in it: they need no clearing */
};

#if SKR_HTTP_SAME
/* How the last request began, up to the first line that was about its message alone (wire/http_same.c). */
struct skr_same {
    uint32_t size;         /* of these lines; 0: not known */
    uint32_t copied;       /* how much of the request is in `bytes` while `size` is not known */
    struct skr_http said;  /* what they said */
    char bytes[SKR_HTTP_SAME]; /* the lines, and after them the values that are kept of them */
};
#endif

/* The clock of ticks. */
struct skr_clock {
    bool ticking;      /* a tick has come */
    uint32_t first_ms; /* the port's clock at that time */
    uint32_t now_ms;   /* from then to the last tick */
    uint32_t up_s;     /* the same without wrapping around: seconds, */
    uint32_t up_ms;    /* and the rest in ms */
};

/* Numbers given out so far. */
struct skr_counters {
    uint32_t jobs;     /* jobs, and changes in them */
    uint32_t requests; /* client requests: each has a new id */
    uint32_t streams;  /* of jobs */
    uint32_t tasks;
};

/* Changes that clients are notified of (notify.c). */
struct skr_change_log {
    bool can_swap;     /* skr_server_can_swap */
    uint32_t count;    /* of everything that may give idle connections a message: skr_server_notification_count */
    uint32_t swaps;    /* swaps, and changes that the firmware reports */
    uint32_t lists[SKR_LIST_KINDS]; /* `swaps` when this list last changed */
};

/* HTTP streams that stay open. */
struct skr_stream_count {
    uint16_t max;  /* skr_server_set_streams */
    uint16_t open;
    uint32_t ever; /* opened so far: each has its number */
};

/* The values that session ids are made of and checked against (mcp/session.c). */
struct skr_session_count {
    uint32_t requests;
    uint32_t boot;    /* 24 bits that distinguish the sessions of this start from those of others */
    uint32_t made;    /* since the start: each has its number */
    uint32_t floor;   /* sessions with a lower number have ended, unless they are in the table */
    bool others_over; /* and so have those of other starts */
};

struct skr_server {
    const struct romfs *fs;              /* the image new requests are served from, one of `images` */
    struct romfs images[SKR_CHANGES ? 2 : 1]; /* the other: responses that are being sent may still need it */
    const struct skr_device *device;
    const struct skr_backend *backend; /* of that device, or of a program that stands in for one (response/backend.h) */
    uint32_t page; /* items on a page: skr_server_set_page */
#if SKR_REQUEST_LOG
    const struct skr_request_log *log; /* skr_server_log_to; NULL: none */
#endif
#if SKR_UPDATE
    const struct skr_updater *updater; /* skr_server_set_updater; NULL if there is none */
#endif
#if SKR_CHANGES
    struct skr_change_log changes;
    struct skr_stream_count streams;
#endif
    struct skr_token tokens[SKR_TOKENS]; /* of the request being handled */
#if SKR_SEAL
    uint8_t seed[16];    /* skr_server_seed */
#endif
#if SKR_JOBS
    struct skr_clock clock;
    struct skr_counters counters;
    struct skr_job *jobs_end; /* after those of `jobs` that were ever used */
#endif
#if SKR_GUARD
    struct skr_guarding guard;
#endif
#if SKR_HTTP
    struct skr_http_config http;
    struct skr_session_count session;
    struct skr_session sessions[SKR_SESSIONS];
#endif
#if SKR_JOBS
    struct skr_job jobs[SKR_JOBS];
    char job_output[SKR_JOBS][SKR_JOB_OUTPUT_MAX];
#endif
};

/* Bytes that have been received, in `in`. */
struct skr_rx {
    uint32_t fill;     /* bytes in `in` */
    uint32_t start;    /* where the message being read or handled begins */
    uint32_t scanned;  /* no newline before this */
    uint32_t used;     /* end of the message being handled */
    uint32_t saved_id; /* LINE_DISCARD: bytes of the id, which is in `output` */
};

/* Bytes that are ready to be sent. */
struct skr_tx {
    struct skr_span spans[SKR_TX_SPANS];
    uint8_t count;
    uint8_t first;         /* of `spans` that has not been sent */
    uint32_t scratch_used; /* bytes of `scratch` */
};

/* A JSON-RPC batch (wire/batch.c). */
struct skr_batch {
    uint32_t at;   /* the bracket or comma before the next element */
    uint8_t state; /* enum batch_state */
};

/* The HTTP stream that a connection is, and other notifications (subscription/notify.c). */
struct skr_stream {
    bool ending;      /* feeds are to be ended */
    bool comment;     /* a keep-alive comment is to be sent */
    bool open;        /* an HTTP stream is open, and this connection does nothing else */
    uint16_t session; /* slot + 1 of the session whose notifications it carries; 0: those of its feed */
    uint32_t number;
};

/* The jobs of a connection. */
struct skr_conn_jobs {
    const struct skr_transport *transport; /* how a job's messages are sent here (handler/transport.h) */
    struct skr_job *awaited; /* nothing else is handled before the response of this job */
    struct skr_job *sending; /* `response` is of this job: its response, or a message before that (skri_job_sent) */
};

/* The session of the previous request, where that of the next is looked for first. */
struct skr_last_session {
    uint16_t slot;    /* + 1 */
    bool genuine;     /* the id is ours, and no token has come since */
    char text[32];    /* as it is written, */
    uint32_t id[2];   /* and the session it names */
};

struct skr_conn {
    struct skr_server *srv;
    uint8_t wire;      /* enum skr_wire; SKR_LINE also for SKR_LINE_TCP */
    bool strict;       /* SKR_LINE_TCP: a line that is not JSON ends the connection */
    uint8_t line;      /* enum line_state */
    bool responding;   /* `response` has not been sent yet */
    bool apart;        /* `response` does not belong to a request in the buffer */
    bool finished;     /* close when everything has been sent */
    uint8_t tenant;    /* enum skr_tenant: who has `output`; only with SKR_ASSERTS */
    struct skr_legacy legacy;
    struct skr_rx rx;
#if SKR_REQUEST_LOG
    struct skr_logged logged; /* the request being handled */
#endif
#if SKR_EXTRAS
    struct skr_batch batch;
#endif
#if SKR_CHANGES
    struct skr_stream stream;
    struct skr_listen feeds[SKR_LISTENS];
#endif
#if SKR_JOBS
    struct skr_conn_jobs job;
#endif
#if SKR_DIALECTS
    struct skr_tool_call tool_call; /* skills/execute: the subject of `response` */
#endif
    struct skr_response response;
    struct skr_tx tx;
#if SKR_HTTP
    struct skr_last_session last_session;
    struct skr_http http;
#if SKR_HTTP_SAME
    struct skr_same same;
#endif
#endif
#if SKR_OAUTH
    struct skr_bearer bearer; /* http.who, if the authority knows it */
#endif
    char in[SKR_REQUEST_MAX];
    char output[SKR_OUTPUT_MAX]; /* room for one tenant at a time (response/lease.h) */
    char scratch[SKR_TX_SCRATCH];
#if SKR_DEFLATE
    struct romfs_inflate inflate;
    uint8_t window[SKR_WINDOW_MAX];
#endif
};

#endif
