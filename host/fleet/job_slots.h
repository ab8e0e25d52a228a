/* slots.h -- what belongs to a client's request while it is a job of the core: a buffer for its result, and the devices that it
 * is about. The slot of a job has the job's number, so it is free when the job is. */
#ifndef SKR_FLEET_SLOTS_H
#define SKR_FLEET_SLOTS_H

#include "builds.h"
#include "requests.h"
#include "rights.h"
#include "sha256.h"
#include "json_text.h"

/* How the text of a slot becomes the answer. */
enum fleet_slot_kind {
    FLEET_SLOT_HANDLED, /* by the core, from what a handler has put */
    FLEET_SLOT_RESULT,  /* the text is the members of the result */
};

struct fleet_slot {
    uint8_t kind; /* enum fleet_slot_kind */
    bool modern;  /* the client is of 2026-07-28 */
    struct fleet_json text;
    struct fleet_client whom;
    uint64_t since_ms;
    struct skr_server *srv;
    struct skr_job *job;

    /* call_tool */
    bool one;                    /* the result is the device's own */
    bool reads;                  /* a resource; `tool` is its URI */
    uint32_t count, begun, done; /* devices */
    uint32_t under_way, at_once;
    uint32_t left_out; /* results for which there was no room */
    uint32_t wait_ms;
    uint8_t arguments[ROMFS_SHA256_SIZE];
    struct skr_span tool; /* in params */
    size_t params_n;
    uint32_t latest; /* which device was the last to be through, and how; FLEET_NO_DEVICE: none */
    const char *latest_how;

    /* dialogue.c */
    bool offered;       /* the device has been told what the agent can be asked */
    bool asks;          /* the agent has been asked, and the text is the question */
    bool asked;         /* the text is a question, and the answer */
    size_t arguments_n; /* of params_n, before replies */
    size_t offers_n;    /* 0: the agent cannot be asked */
    char offers[1024];  /* an object; one that is longer counts as nothing */
    char params[FLEET_MESSAGE];
    uint32_t devices[FLEET_GROUP];
    uint32_t begun_ms[FLEET_GROUP]; /* since since_ms */

    /* skills.c: a file or a directory of a build */
    bool answered;
    const char *wrong;         /* why there is no answer */
    struct fleet_build *build; /* with a pin while the job runs */
    bool directory;
    bool has_digest;
    uint8_t digest[ROMFS_SHA256_SIZE];
    struct skr_span media; /* its media type in the build's list, JSON; NULL: none */
    unsigned tries;
    struct skr_span uri; /* as the client writes it, in params */
};

extern struct fleet_slot *fleet_slots_of_jobs;

/* How long a device may take to answer a call: --answer-ms. */
extern uint32_t fleet_slots_response_ms;

/* Maps them. False, after a message, when the system has no room. */
bool fleet_slots_open(void);

/* The slot of a job; in its first call it is made empty. */
struct fleet_slot *fleet_slot_of(const struct skr_call *call);
struct fleet_slot *fleet_slot_begin(struct skr_call *call);

/* The text is the structured content of a tool's result. */
int fleet_slot_structured(struct skr_call *call, struct fleet_slot *s);

#endif
