/* skr_guard.h -- the rules of tools, in the tables that `skillrom pack --header` writes (SKR_GUARD).
 *
 * A tool's JSON states its rules ("x-skillrom": {"confirm": .., "limits": .., "requires": .., "excludes": .., "plan":
 * .., "whileLocked": ..}); the core checks them in one function before it calls the handler (handler/guard.c). The
 * tables are part of the firmware: no image that is replaced over the wire can change them. skr_kept is memory that the
 * board may keep over resets. */
#ifndef SKR_GUARD_H
#define SKR_GUARD_H

#include "skr_args.h"

#if SKR_GUARD

#ifdef __cplusplus
extern "C" {
#endif

#define SKR_BUDGET_SLICES 4 /* of a period: what is used leaves the budget a slice at a time */
#define SKR_DIGEST 8        /* bytes of a SHA-256 that an entry of the record keeps */

/* The used part of a limit. Its period moves in slices: the last SKR_BUDGET_SLICES, and the one that has begun, never
 * hold more than the limit, so no stretch of time as long as the period ever does. */
struct skr_budget {
    uint32_t since_s; /* when the slice of used[0] began; without a maximum, when the last tool call was */
    uint32_t used[SKR_BUDGET_SLICES + 1];
};

/* A row of "limits". */
struct skr_limit {
    const char *what; /* for refusals: "tool calls", or the argument's name and unit */
    uint32_t max;     /* in a period, times 10^decimals; 0 makes the period the least time between tool calls */
    uint32_t period_s;
    uint16_t offset; /* of the argument in its struct, */
    uint8_t size;    /* and its bytes, 4 or 8; 0: tool calls are counted */
    uint8_t decimals;
    uint16_t budget; /* index in those of struct skr_guard */
};

/* A row of "requires". */
struct skr_condition {
    bool (*holds)(void *context); /* condition_<name> of the firmware; context is that of struct skr_device */
    const char *otherwise;        /* the refusal: what is missing, and the skill that helps */
};

/* One finished or refused tool call. */
struct skr_record_entry {
    uint32_t time_s;               /* since 1970, or since the memory was cleared on a device without a clock */
    uint32_t ms;                   /* how long it took */
    uint8_t who[SKR_DIGEST];       /* first bytes of the token's SHA-256; zeros without a token */
    uint8_t arguments[SKR_DIGEST]; /* first bytes of the SHA-256 of the arguments, as sent */
    uint8_t chain[SKR_DIGEST];     /* first bytes of the SHA-256 of the previous entry's chain and this entry's line */
    uint16_t tool;                 /* index of its row in struct skr_device; above those: not in the table */
    uint8_t how;                   /* enum skr_reason, or enum call_end (handler/tool_call.h) */
};

/* Memory of limits and of the record of tool calls. Place it where a reset does not clear it (SKR_KEPT_PLACE); what is
 * in it counts only if its checksum holds and the firmware has the same tools. */
struct skr_kept {
    uint8_t check[SKR_DIGEST];  /* first bytes of a SHA-256 of what follows, and of the budgets */
    uint8_t before[SKR_DIGEST]; /* chain of the entry before the oldest that is kept */
    uint32_t id;                /* of the tools */
    uint32_t clock_s;           /* the guard's time when this was last changed: it goes on from there after a reset */
    uint32_t count;             /* entries ever recorded */
    struct skr_record_entry entries[SKR_RECORD];
};

/* Where the firmware keeps it. */
struct skr_guard {
    struct skr_kept *kept;
    struct skr_budget *budgets;
    uint16_t budget_count;
    uint32_t id; /* of the tools that they belong to */
};

enum skr_rule_flag {
    SKR_RULE_PLAN = 1,           /* "plan": its handler can plan (skr_planning) */
    SKR_RULE_WHILE_LOCKED = 2,   /* "whileLocked" */
    SKR_RULE_WITHOUT_PERSON = 4, /* "withoutPerson": "allow" */
};

/* The rules of one tool. */
struct skr_rules {
    const struct skr_guard *guard;
    const struct skr_object *shape; /* its arguments, where a rule reads them; NULL: none does */
    const char *confirm;            /* text for a person, with {argument}; NULL: no confirmation */
    const struct skr_condition *conditions;
    const struct skr_limit *limits;
    const char *const *excludes; /* names of tools, then NULL; or NULL */
    uint8_t require_count;
    uint8_t limit_count;
    uint8_t flags; /* enum skr_rule_flag */
};

/* A member at the end of a row of struct skr_tool. */
#define SKR_RULES(rules) , rules

/* Reads the record of tool calls as a resource, for the row that the header makes: "record://{from}" are the lines from
 * that number on, as many as fit. */
int skr_read_record(struct skr_call *call, struct skr_span from);

#ifdef __cplusplus
}
#endif

#else
#define SKR_RULES(rules)
#endif

#endif
