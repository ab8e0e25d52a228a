/* job_slots.h -- the fleet's state of a client's request while it is a job of the core: the buffer of its result, and the devices
 * that it calls. The slot of a job has the job's number, so it is free when the job is. */
#ifndef SKR_FLEET_JOB_SLOTS_H
#define SKR_FLEET_JOB_SLOTS_H

#include "builds.h"
#include "json_text.h"
#include "rights.h"
#include "sha256.h"

/* How the text of a slot becomes the response. */
enum fleet_slot_kind {
    FLEET_SLOT_HANDLER, /* by the core, from the output of a handler */
    FLEET_SLOT_RESULT,  /* the text is the members of the result */
};

/* A device of a call: the owner of its requests. */
struct fleet_target {
    struct fleet_slot *slot;
    uint32_t device;   /* FLEET_NO_DEVICE: it has ended */
    uint32_t begun_ms; /* since the slot's since_ms */
};

struct fleet_slot {
    uint8_t kind; /* enum fleet_slot_kind */
    bool modern;  /* the client uses 2026-07-28 */
    struct fleet_json text;
    struct fleet_client client;
    uint64_t since_ms;
    struct skr_server *srv;
    struct skr_job *job;

    /* tool_call.c */
    bool single;                 /* one device, whose result is the response */
    bool reads;                  /* reads a resource; `tool` is its URI */
    uint32_t count, begun, done; /* targets */
    uint32_t pending, parallel;  /* of those that were begun; at most */
    uint32_t left_out;           /* results for which there was no room */
    uint32_t wait_ms;
    uint8_t arguments[ROMFS_SHA256_SIZE];
    struct skr_span tool; /* in params */
    size_t params_n;
    uint32_t latest; /* the device that ended last; FLEET_NO_DEVICE: none */
    const char *latest_outcome;

    /* interim.c */
    bool offered;            /* the device has the client's capabilities: it may request input */
    bool awaits_client;      /* the text is a result that requires input, and the client has been asked */
    bool input_required;     /* the text is such a result, and the response */
    size_t arguments_n;      /* of params_n, before the client's responses */
    size_t capabilities_n;   /* 0: the client has none that matter here */
    char capabilities[1024]; /* an object; a longer one counts as none */
    char params[FLEET_MESSAGE];
    struct fleet_target targets[FLEET_GROUP];

    /* skill_files.c: a file or a directory of a build */
    bool responded;
    const char *failure;       /* why there is no result */
    struct fleet_build *build; /* with a pin while the job runs */
    bool directory;
    bool has_digest;
    uint8_t digest[ROMFS_SHA256_SIZE];
    struct skr_span media; /* its media type in the build's list, JSON; NULL: none */
    unsigned tries;
    struct skr_span uri; /* as the client writes it, in params */
};

/* How long a device may take to respond to a call: --response-timeout. */
extern uint32_t fleet_response_ms;

/* Maps the slots. False, after a message, when the system has no room. */
bool fleet_slots_open(void);

/* The slot of a job. In the job's first call it is begun, which makes it empty. */
struct fleet_slot *fleet_slot_of(const struct skr_call *call);
struct fleet_slot *fleet_slot_begin(struct skr_call *call);

/* The slot of a tool call that has ended; NULL: it was not a job, or its slot has no result. */
const struct fleet_slot *fleet_slot_with_result(const struct skr_server *server, const struct skr_tool_call *tool_call);

/* Makes the text the structured content of a tool's result. */
int fleet_slot_structured(struct skr_call *call, struct fleet_slot *s);

#endif
