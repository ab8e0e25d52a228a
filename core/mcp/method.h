/* method.h -- the table of methods, and the handlers of MCP's own. */
#ifndef SKR_METHOD_H
#define SKR_METHOD_H

#include "response/feature.h"
#include "response/request.h"
#include "response/rights.h"

enum skr_era { SKR_LEGACY_ERA = 1, SKR_MODERN_ERA = 2, SKR_BOTH_ERAS = 3 };

/* Which member of params the Mcp-Name header repeats (HDR-03). */
enum skr_name_header {
    SKR_NO_NAME,
    SKR_NAME_IS_NAME = SKR_PARAM_NAME,
    SKR_NAME_IS_URI = SKR_PARAM_URI,
#if SKR_TASKS || SKR_HTTP
    SKR_NAME_IS_TASK = SKR_PARAM_TASK,
#endif
};

struct skr_method {
    struct skr_span name;
    unsigned eras : 2;        /* enum skr_era */
    unsigned right : 3;       /* what a token must allow: enum skr_rights or enum skr_needed_right */
    unsigned feature : 4;     /* enum skr_feature: without it the method does not exist */
    unsigned name_header : 4; /* enum skr_name_header */
    bool cached : 1;          /* modern results carry ttlMs and cacheScope */
    void (*handle)(struct skr_call *call);
};

/* The row of the method that the request names. NULL if there is none in its era, or the device lacks the feature. */
const struct skr_method *skri_method_find(const struct skr_call *call);

/* The row of the method with this name, whatever the era and the device; NULL if there is none. */
const struct skr_method *skri_method_named(struct skr_span name);

/* True when the feature is there, and so are the handlers that it needs. */
bool skri_offers(const struct romfs *fs, const struct skr_device *device, enum skr_feature feature);

void skri_initialize(struct skr_call *call);
void skri_ping(struct skr_call *call);
void skri_discover(struct skr_call *call);
void skri_set_level(struct skr_call *call);
void skri_listen(struct skr_call *call);
void skri_subscribe(struct skr_call *call);
void skri_unsubscribe(struct skr_call *call);
void skri_resources_list(struct skr_call *call);
void skri_templates_list(struct skr_call *call);
void skri_resources_read(struct skr_call *call);
void skri_directory_read(struct skr_call *call);
void skri_tools_list(struct skr_call *call);
void skri_tools_call(struct skr_call *call);
void skri_prompts_list(struct skr_call *call);
void skri_prompts_get(struct skr_call *call);
void skri_complete(struct skr_call *call);
void skri_events_list(struct skr_call *call);
void skri_events_poll(struct skr_call *call);
void skri_update_begin(struct skr_call *call);
void skri_update_blocks(struct skr_call *call);
void skri_update_commit(struct skr_call *call);
void skri_update_confirm(struct skr_call *call);
void skri_update_revert(struct skr_call *call);
void skri_update_status(struct skr_call *call);
void skri_update_write(struct skr_call *call);
void skri_tasks_get(struct skr_call *call);
void skri_tasks_update(struct skr_call *call);
void skri_tasks_cancel(struct skr_call *call);
void skri_tasks_result(struct skr_call *call);
void skri_tasks_list(struct skr_call *call);

#endif
