/* posix_config.h -- every limit of the POSIX port, with its reason.
 *
 * Each may be set on the compiler's command line. What has an option on
 * skillromd's command line is only a default here; the sizes of arrays are not
 * options, because nothing is allocated at run time. The limits on requests and
 * answers are the core's: core/skr_config.h. */
#ifndef SKR_POSIX_CONFIG_H
#define SKR_POSIX_CONFIG_H

/* ---- How many ---- */

/* Connections served at once. One holds a struct skr_conn, in memory the system
 * commits only when a connection first uses it; 64 serve far more agents than
 * one device has. What happens to the next client: README.md, "More clients
 * than slots". --slots uses fewer. */
#ifndef SKR_POSIX_SLOTS
#define SKR_POSIX_SLOTS 64
#endif

/* Links that have been answered for the last time and wait for their peer to
 * close. They hold a descriptor and 24 bytes. When all are in use, the oldest is
 * closed at once, whose peer most likely has read everything. */
#ifndef SKR_POSIX_LINGERS
#define SKR_POSIX_LINGERS 64
#endif

/* --http, --https and --tcp together: a few addresses of one machine, in both families. */
#ifndef SKR_POSIX_LISTENERS
#define SKR_POSIX_LISTENERS 8
#endif

/* --host: the names one machine goes by. */
#ifndef SKR_POSIX_HOSTS
#define SKR_POSIX_HOSTS 16
#endif

/* Peers whose first refused request is told on stderr (a wrong Host or Origin): more
 * than a person would look at, and few enough that nobody fills a log or a memory. */
#ifndef SKR_POSIX_REFUSALS
#define SKR_POSIX_REFUSALS 32
#endif

/* --serial: the name of a port, with its end. Names below /dev are short; links to them
 * may not be. */
#ifndef SKR_POSIX_PATH
#define SKR_POSIX_PATH 256
#endif

/* --cert and --key: bytes of both as DER. A key has 150, a certificate under a kilobyte, and there are few. */
#ifndef SKR_POSIX_CREDENTIALS
#define SKR_POSIX_CREDENTIALS 16384
#endif

/* Clients the system holds for us between two turns of the loop. */
#ifndef SKR_POSIX_BACKLOG
#define SKR_POSIX_BACKLOG 512
#endif

/* ---- How long, in milliseconds ---- */

/* A request must arrive, and some byte of an answer must leave, within this
 * time: far more than a bad network needs. --timeout-ms. */
#ifndef SKR_POSIX_TIMEOUT_MS
#define SKR_POSIX_TIMEOUT_MS 30000
#endif

/* A kept-alive HTTP connection without a request. A little more than the minute
 * many clients keep one, so that usually they close first. --idle-ms. */
#ifndef SKR_POSIX_IDLE_MS
#define SKR_POSIX_IDLE_MS 75000
#endif

/* How long a connection is left in peace while it does not get on and a newcomer wants
 * its slot, for all are in use: its request may still be on the way, its network may
 * have lost a packet. Longer, and as many slow peers as there are slots keep everybody
 * out for that long. --grace-ms. */
#ifndef SKR_POSIX_GRACE_MS
#define SKR_POSIX_GRACE_MS 1000
#endif

/* Bytes that a request under way, or an answer, must move in that time to be left in
 * peace: half of what the slowest modem does. */
#ifndef SKR_POSIX_PACE
#define SKR_POSIX_PACE 512
#endif

/* How often an open HTTP stream gives a sign of life (SUB-07): often enough for proxies,
 * which give up a silent connection after a minute. */
#ifndef SKR_POSIX_COMMENT_MS
#define SKR_POSIX_COMMENT_MS 15000
#endif

/* How long an answer from the image before may hold up the next replacement (--reload).
 * A peer that reads slower than that loses its connection. */
#ifndef SKR_POSIX_HOLD_MS
#define SKR_POSIX_HOLD_MS 120000
#endif

/* How long the peer of an ended link may take to read its last answer and close. */
#ifndef SKR_POSIX_LINGER_MS
#define SKR_POSIX_LINGER_MS 2000
#endif

/* How long answers under way may take to leave after SIGTERM or SIGINT. Service
 * managers kill after ten seconds or more. --drain-ms. */
#ifndef SKR_POSIX_DRAIN_MS
#define SKR_POSIX_DRAIN_MS 5000
#endif

/* Seconds without a sign of life before the system asks whether the peer of a
 * raw TCP line is still there. Nothing else would ever end such a link. */
#ifndef SKR_POSIX_KEEPALIVE_S
#define SKR_POSIX_KEEPALIVE_S 60
#endif

/* How often a handler that has asked for time is called again. The clock itself moves
 * in steps of 4 ms on most machines. */
#ifndef SKR_POSIX_WORK_MS
#define SKR_POSIX_WORK_MS 5
#endif

/* ---- How much in one turn of the loop ---- */

/* Bytes sent to one connection before the others get their turn. Reading needs
 * no budget: a turn reads once, at most one request buffer. */
#ifndef SKR_POSIX_TX_BUDGET
#define SKR_POSIX_TX_BUDGET 262144
#endif

/* Writes to one connection in one turn: a client that pipelines a hundred tiny
 * requests must not keep the others waiting for a hundred system calls. */
#ifndef SKR_POSIX_TX_WRITES
#define SKR_POSIX_TX_WRITES 32
#endif

/* Clients accepted from one listener before those already here get their turn. */
#ifndef SKR_POSIX_ACCEPTS
#define SKR_POSIX_ACCEPTS 64
#endif

/* Bytes read and thrown away from one ended link. Who sends more is not waiting
 * for an answer any more. */
#ifndef SKR_POSIX_DISCARD_MAX
#define SKR_POSIX_DISCARD_MAX 1048576
#endif

/* ---- What a script gets under --exec-scripts (exec.c) ---- */

/* How long a run may take, in ms. --exec-timeout-ms. */
#ifndef SKR_POSIX_EXEC_MS
#define SKR_POSIX_EXEC_MS SKR_JOB_DEADLINE_MS
#endif

/* Seconds of processor time for each of its processes: half of what a run may take, so
 * that a script that only spins is told apart from one that waits. */
#ifndef SKR_POSIX_EXEC_CPU_S
#define SKR_POSIX_EXEC_CPU_S 5
#endif

/* Megabytes of memory for each of its processes. */
#ifndef SKR_POSIX_EXEC_MEMORY_MB
#define SKR_POSIX_EXEC_MEMORY_MB 256
#endif

/* Megabytes of memory for all of its processes together, kernel's and /tmp included, where the server may
 * make a control group (cgroup.c): room for two that use all of theirs. */
#ifndef SKR_POSIX_EXEC_TOTAL_MB
#define SKR_POSIX_EXEC_TOTAL_MB 512
#endif

/* Processes at once; two of them are the sandbox's own. */
#ifndef SKR_POSIX_EXEC_PROCESSES
#define SKR_POSIX_EXEC_PROCESSES 32
#endif

/* Megabytes of files in its /tmp, which is memory and gone when it ends. */
#ifndef SKR_POSIX_EXEC_SCRATCH_MB
#define SKR_POSIX_EXEC_SCRATCH_MB 16
#endif

/* Files it may have open. */
#ifndef SKR_POSIX_EXEC_FILES
#define SKR_POSIX_EXEC_FILES 64
#endif

/* Words on its command line (argument argv): more than a person types. */
#ifndef SKR_POSIX_EXEC_WORDS
#define SKR_POSIX_EXEC_WORDS 256
#endif

/* Bytes of its stderr that are read, and thrown away but for the first, in one turn of the loop: what a fast
 * script writes between two turns, and no more, so that others get theirs. */
#ifndef SKR_POSIX_EXEC_TURN
#define SKR_POSIX_EXEC_TURN 1048576
#endif

/* How much nicer than the server it is: a script that is busy must not slow down those that talk to the server. */
#ifndef SKR_POSIX_EXEC_NICE
#define SKR_POSIX_EXEC_NICE 10
#endif

/* ---- Limits that must agree ---- */

#if SKR_POSIX_SLOTS < 1 || SKR_POSIX_LINGERS < 1 || SKR_POSIX_LISTENERS < 1 || SKR_POSIX_HOSTS < 1 ||                  \
    SKR_POSIX_REFUSALS < 1
#error "port/posix: at least one slot, linger, listener, host name and refusal"
#endif

#endif
