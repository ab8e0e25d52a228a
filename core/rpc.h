/* rpc.h -- one request: its envelope, its era, and how its handler answers. */
#ifndef SKR_RPC_H
#define SKR_RPC_H

#include "answer.h"
#include "json.h"
#include "span.h"

/* A request while it is being handled. Tokens, and with them every token index,
 * are gone when the handler returns; spans of the request text stay valid until
 * the answer has left. */
struct skr_call {
    struct skr_server *srv;
    const struct romfs *fs;    /* the image this request is answered from, to its end */
    struct skr_conn *conn;
    struct skr_answer *answer;
    struct skr_legacy *legacy; /* what initialize agreed on, to read or change */
    struct skr_json json;
    int id;                    /* tokens; -1: absent */
    int method;
    int params;
    int meta;
    int version;               /* in _meta: the one it names, and what the client offers */
    int offers;
    int arguments;             /* of a tool call */
    bool modern;               /* 2026-07-28: served from its own content alone */
    bool later;                /* no answer yet: a job will have it (job.c) */
    bool refused;              /* the answer is an error whatever the handler does */
    struct skr_output out;     /* what a handler writes */
    const struct skr_tool *tool; /* being run */
    struct skr_job *job;       /* of the run; NULL: it has none */
#if SKR_ASK
    int replies;               /* 2026-07-28: the object of replies by their keys */
    int reply;                 /* initialize era: the result that came */
    bool ended;                /* the run is over, whatever its handler returns */
#if SKR_TASKS
    bool task;                 /* 2025-11-25: the client wants a task */
    uint32_t ttl_ms;           /* and how long it is to be kept, at most */
#endif
#endif
};

/* What came of a message. */
enum skr_rpc_outcome {
    SKR_RPC_ANSWER,       /* conn->answer holds the answer */
    SKR_RPC_NOTIFICATION, /* taken, nothing to answer */
    SKR_RPC_LATER,        /* taken, to be answered when a job is done */
    SKR_RPC_RESPONSE,     /* a response to something that was not asked: dropped */
    SKR_RPC_BATCH,        /* not handled: an array that batch.c takes apart */
};

/* Handles one message, text[0..n) in conn's buffer, which it may decode in place. */
enum skr_rpc_outcome skr_rpc_handle(struct skr_conn *conn, char *text, size_t n);

/* Readies conn->answer for a message that is neither result nor error yet. */
void skr_rpc_begin(struct skr_conn *conn);

/* Readies conn->answer as an error to a message that cannot be parsed as a request;
 * `id` is empty when it is not known. */
void skr_rpc_refuse(struct skr_conn *conn, struct skr_span id, enum skr_fault fault);

/* ---- For handlers ---- */

/* Answers with a result whose members `body` renders. */
void skr_rpc_result(struct skr_call *call, bool (*body)(struct skr_answer *a));

/* Answers with an error about `subject`. */
void skr_rpc_error_about(struct skr_call *call, enum skr_fault fault, const char *p, size_t n);
static inline void skr_rpc_error(struct skr_call *call, enum skr_fault fault, struct skr_span subject)
{
    skr_rpc_error_about(call, fault, subject.p, subject.n);
}

/* A member of params. With `required` a missing one is an error; in any case one of
 * the wrong type is. False when the error has been answered. Absent: *out is empty
 * and out->p is NULL. */
bool skr_rpc_string(struct skr_call *call, const char *key, bool required, struct skr_span *out);

/* What the server can do with this image and device; each is declared and answered
 * alike (DISC-04). */
enum skr_feature {
    SKR_ALWAYS,
    SKR_RESOURCES,
    SKR_SKILLS,
    SKR_TOOLS,
    SKR_HAS_PROMPTS,
    SKR_COMPLETIONS,
    SKR_SCRIPTS, /* scripts of skills that can be run (SK-F-01) */
    SKR_HAS_TASKS,
};
bool skr_has(const struct romfs *fs, const struct skr_device *device, enum skr_feature feature);

/* Whether skills are offered as tools and prompts, too: device.json can switch that off. */
static inline bool skr_has_skill_tools(const struct romfs *fs)
{
    return SKR_SKILL_TOOLS && fs->header->skills.count > 0 && (fs->header->flags & ROMFS_NO_SKILL_TOOLS) == 0;
}
static inline bool skr_has_skill_prompts(const struct romfs *fs)
{
    return SKR_PROMPTS && SKR_SKILL_PROMPTS && fs->header->listed > 0 &&
           (fs->header->flags & ROMFS_NO_SKILL_PROMPTS) == 0;
}

/* ---- The method table (method.c) ---- */

enum skr_era { SKR_LEGACY_ERA = 1, SKR_MODERN_ERA = 2, SKR_BOTH_ERAS = 3 };

/* Which member of params the Mcp-Name header repeats (HDR-03). */
enum skr_name_header { SKR_NO_NAME, SKR_NAME_IS_NAME, SKR_NAME_IS_URI, SKR_NAME_IS_TASK };

struct skr_method {
    struct skr_span name;
    uint8_t eras;        /* enum skr_era */
    uint8_t feature;     /* enum skr_feature: without it the method does not exist */
    uint8_t name_header; /* enum skr_name_header */
    bool cached;         /* modern results carry ttlMs and cacheScope */
    void (*handle)(struct skr_call *call);
};

/* The row of the method the request names, or NULL. */
const struct skr_method *skr_method_find(const struct skr_call *call);

void skr_initialize(struct skr_call *call);
void skr_ping(struct skr_call *call);
void skr_discover(struct skr_call *call);
void skr_set_level(struct skr_call *call);
void skr_listen(struct skr_call *call);
void skr_subscribe(struct skr_call *call);
void skr_unsubscribe(struct skr_call *call);
void skr_resources_list(struct skr_call *call);
void skr_templates_list(struct skr_call *call);
void skr_resources_read(struct skr_call *call);
void skr_directory_read(struct skr_call *call);
void skr_skills_list(struct skr_call *call);
void skr_skills_get(struct skr_call *call);
void skr_skills_activate(struct skr_call *call);
void skr_skills_read(struct skr_call *call);
void skr_read_reference(struct skr_call *call);
void skr_skills_execute(struct skr_call *call);
void skr_tools_list(struct skr_call *call);
void skr_tools_call(struct skr_call *call);
void skr_prompts_list(struct skr_call *call);
void skr_prompts_get(struct skr_call *call);
void skr_complete(struct skr_call *call);
void skr_tasks_get(struct skr_call *call);
void skr_tasks_update(struct skr_call *call);
void skr_tasks_cancel(struct skr_call *call);
void skr_tasks_result(struct skr_call *call);
void skr_tasks_list(struct skr_call *call);

/* True when `level` is one of the eight log levels; *index gets its rank. */
bool skr_log_level(struct skr_span level, uint8_t *index);
const char *skr_level_name(uint8_t index);

#endif
