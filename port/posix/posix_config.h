/* posix_config.h -- every limit of the POSIX port, with its reason.
 *
 * Each may be set on the compiler's command line. What has an option on
 * skillromd's command line is only a default here; the sizes of arrays are not
 * options, because nothing is allocated at run time. The limits on requests and
 * responses are the core's: core/skr_config.h. */
#ifndef SKR_POSIX_CONFIG_H
#define SKR_POSIX_CONFIG_H

/* ---- How many ---- */

/* Connections served at once. One holds a struct skr_conn, in memory the system
 * commits only when a connection first uses it; 64 serve far more agents than
 * one device has. What happens to the next client: README.md, "More clients
 * than slots". --slots uses fewer. */
#ifndef POSIX_SLOTS
#define POSIX_SLOTS 64
#endif

/* Links that have had their last response and wait for their peer to close. Each holds a descriptor and 24 bytes. When
 * all are in use, the oldest is closed at once: most likely its peer has read everything. */
#ifndef POSIX_LINGERS
#define POSIX_LINGERS 64
#endif

/* --http, --https and --tcp together: a few addresses of one machine, in both families. */
#ifndef POSIX_LISTENERS
#define POSIX_LISTENERS 8
#endif

/* --host: the names one machine goes by. */
#ifndef POSIX_HOSTS
#define POSIX_HOSTS 16
#endif

/* --token-file: tokens that are served, and bytes of a line for each, comments included. Few people and programs use a
 * device, and each request is compared with every token. */
#ifndef POSIX_TOKENS
#define POSIX_TOKENS 64
#endif
#ifndef POSIX_TOKEN_LINE
#define POSIX_TOKEN_LINE 256
#endif

/* --oauth-keys: bytes of the file. A key for ES256 has 300; others, which are left out, may have 2,000, with certificates. */
#ifndef POSIX_KEYS
#define POSIX_KEYS 65536
#endif

/* Peers whose first refused request (a wrong Host, Origin or token) is reported on stderr: more than a person would read,
 * and few enough that nobody can fill the log or memory. */
#ifndef POSIX_REFUSALS
#define POSIX_REFUSALS 32
#endif

/* --serial: the path of a port, with its NUL. Names in /dev are short; links to them may not be. */
#ifndef POSIX_PATH
#define POSIX_PATH 256
#endif

/* --cert and --key: bytes of both as DER. A key has 150, a certificate less than a kilobyte, and there are few. */
#ifndef POSIX_CREDENTIALS
#define POSIX_CREDENTIALS 16384
#endif

/* Clients the system holds for us between two turns of the loop. */
#ifndef POSIX_BACKLOG
#define POSIX_BACKLOG 512
#endif

/* ---- How long, in milliseconds ---- */

/* A request must arrive, and some byte of a response must leave, within this
 * time: far more than a bad network needs. --timeout. */
#ifndef POSIX_TIMEOUT_MS
#define POSIX_TIMEOUT_MS 30000
#endif

/* A kept-alive HTTP connection without a request. A little more than the minute
 * many clients keep one, so that usually they close first. --idle. */
#ifndef POSIX_IDLE_MS
#define POSIX_IDLE_MS 75000
#endif

/* When all slots are in use and a newcomer needs one: how long a connection that makes no progress keeps its slot.
 * Its request may still be on the way, or its network may have lost a packet. If this were longer, as many slow peers
 * as there are slots could keep everybody out for that long. --grace. */
#ifndef POSIX_GRACE_MS
#define POSIX_GRACE_MS 1000
#endif

/* Bytes of a request or a response that must move in that time for the connection to keep its slot: half of what the
 * slowest modem manages. */
#ifndef POSIX_PACE
#define POSIX_PACE 512
#endif

/* How often a comment is sent on a silent HTTP stream to keep it alive (SUB-07): often enough for proxies, which drop
 * a silent connection after a minute. */
#ifndef POSIX_COMMENT_MS
#define POSIX_COMMENT_MS 15000
#endif

/* How long a response from the previous image may hold up the next replacement (--reload). A peer that takes longer to
 * read it loses its connection. */
#ifndef POSIX_HOLD_MS
#define POSIX_HOLD_MS 120000
#endif

/* How long the peer of an ended link may take to read its last response and close. */
#ifndef POSIX_LINGER_MS
#define POSIX_LINGER_MS 2000
#endif

/* How long responses that are being sent may take to leave after SIGTERM or SIGINT. Service
 * managers kill after ten seconds or more. --drain. */
#ifndef POSIX_DRAIN_MS
#define POSIX_DRAIN_MS 5000
#endif

/* Seconds of silence before the system probes whether the peer of a raw TCP line is still there. Nothing else would
 * ever end such a link. */
#ifndef POSIX_KEEPALIVE_S
#define POSIX_KEEPALIVE_S 60
#endif

/* How often a handler that has asked for time is called again. The clock itself moves
 * in steps of 4 ms on most machines. */
#ifndef POSIX_WORK_MS
#define POSIX_WORK_MS 5
#endif

/* ---- How much in one turn of the loop ---- */

/* Bytes sent to one connection before the others get their turn. Reading needs
 * no budget: a turn reads once, at most one request buffer. */
#ifndef POSIX_TX_BUDGET
#define POSIX_TX_BUDGET 262144
#endif

/* Writes to one connection in one turn: a client that pipelines a hundred tiny
 * requests must not keep the others waiting for a hundred system calls. */
#ifndef POSIX_TX_WRITES
#define POSIX_TX_WRITES 32
#endif

/* Clients accepted from one listener before those already connected get their turn. */
#ifndef POSIX_ACCEPTS
#define POSIX_ACCEPTS 64
#endif

/* Bytes read and discarded from one ended link. A peer that sends more is no longer waiting for a response. */
#ifndef POSIX_DISCARD_MAX
#define POSIX_DISCARD_MAX 1048576
#endif

/* ---- What a script gets under --exec-scripts (exec.c) ---- */

/* How long a run may take, in ms. --exec-timeout. */
#ifndef POSIX_EXEC_MS
#define POSIX_EXEC_MS SKR_JOB_DEADLINE_MS
#endif

/* Seconds of processor time for each of its processes: half of what a run may take, so that a script that spins can
 * be told from one that waits. */
#ifndef POSIX_EXEC_CPU_S
#define POSIX_EXEC_CPU_S 5
#endif

/* Megabytes of memory for each of its processes. */
#ifndef POSIX_EXEC_MEMORY_MB
#define POSIX_EXEC_MEMORY_MB 256
#endif

/* Megabytes of memory for all of its processes together, including kernel memory and /tmp, where the server can make
 * a control group (cgroup.c): enough for two processes that use all of theirs. */
#ifndef POSIX_EXEC_TOTAL_MB
#define POSIX_EXEC_TOTAL_MB 512
#endif

/* Processes at once; two of them are the sandbox's own. */
#ifndef POSIX_EXEC_PROCESSES
#define POSIX_EXEC_PROCESSES 32
#endif

/* Megabytes of files in its /tmp, which is memory and gone when it ends. */
#ifndef POSIX_EXEC_SCRATCH_MB
#define POSIX_EXEC_SCRATCH_MB 16
#endif

/* Files it may have open. */
#ifndef POSIX_EXEC_FILES
#define POSIX_EXEC_FILES 64
#endif

/* Words on its command line (argument argv): more than a person types. */
#ifndef POSIX_EXEC_WORDS
#define POSIX_EXEC_WORDS 256
#endif

/* Bytes of its stderr that are read in one turn of the loop, and discarded except for the first ones: what a fast
 * script writes between two turns, and no more, so that others get their turn. */
#ifndef POSIX_EXEC_TURN
#define POSIX_EXEC_TURN 1048576
#endif

/* How much its niceness exceeds the server's: a busy script must not slow down the server's clients. */
#ifndef POSIX_EXEC_NICE
#define POSIX_EXEC_NICE 10
#endif

/* ---- Limits that must agree ---- */

#if POSIX_SLOTS < 1 || POSIX_LINGERS < 1 || POSIX_LISTENERS < 1 || POSIX_HOSTS < 1 || POSIX_REFUSALS < 1
#error "port/posix: at least one slot, linger, listener, host name and refusal"
#endif

/* Public keys that sign updates: the current one and its successors. */
#ifndef SKR_POSIX_UPDATE_KEYS
#define SKR_POSIX_UPDATE_KEYS 4
#endif

#endif
