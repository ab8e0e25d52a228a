/* posix_config.h -- every limit of the POSIX port, with its reason.
 *
 * Each may be set on the compiler's command line. What has an option on
 * skillromd's command line is only a default here; the sizes of arrays are not
 * options, because nothing is allocated at run time. The limits on connections are in
 * ../sockets/sockets_config.h, those on requests and responses in core/skr_config.h. */
#ifndef SKR_POSIX_CONFIG_H
#define SKR_POSIX_CONFIG_H

/* ---- How many ---- */

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

/* ---- How long, in milliseconds ---- */

/* How long a response from the previous image may hold up the next replacement (--reload). A peer that takes longer to
 * read it loses its connection. */
#ifndef POSIX_HOLD_MS
#define POSIX_HOLD_MS 120000
#endif

/* How long responses that are being sent may take to leave after SIGTERM or SIGINT. Service
 * managers kill after ten seconds or more. --drain. */
#ifndef POSIX_DRAIN_MS
#define POSIX_DRAIN_MS 5000
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

/* Simultaneous processes; two of them are the sandbox's own. */
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

#if POSIX_HOSTS < 1 || POSIX_REFUSALS < 1
#error "port/posix: at least one host name and refusal"
#endif

/* Public keys that sign updates: the current one and its successors. */
#ifndef SKR_POSIX_UPDATE_KEYS
#define SKR_POSIX_UPDATE_KEYS 4
#endif

#endif
