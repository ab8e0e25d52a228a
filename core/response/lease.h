/* lease.h -- exclusive use of conn->output.
 *
 * A connection has one buffer beside the text of its request, and several users of it. Each takes a lease,
 * which lasts until its user ends it or the response to the request has been sent. Test builds trap a lease of two. */
#ifndef SKR_LEASE_H
#define SKR_LEASE_H

#include "skillrom.h"
#include "text/assert.h"

enum skr_tenant {
    SKR_NO_TENANT,
    SKR_LONG_LINE_ID,    /* the id of a line that is too long (wire/line.c) */
    SKR_HEADER_VALUE,    /* a decoded header, while it is compared (mcp/headers.c) */
    SKR_URI_PATH,        /* the canonical spelling of a path, while it is looked up (store/store.c) */
    SKR_ARGUMENT_VALUES, /* the values of placeholders (skills/values.c) */
    SKR_TASK_FACTS,      /* the facts of every task (handler/task_response.c) */
    SKR_HANDLER_OUTPUT,  /* the output of a handler without a job (handler/handler.c) */
    SKR_DOCUMENT_TEXT,   /* a document of the backend (wire/http_get.c) */
    SKR_VALIDATOR,       /* the hash of a response, instead of that response (mcp/validator.c) */
};

/* conn->output, for this tenant. */
static inline char *skri_lease(struct skr_conn *c, enum skr_tenant tenant)
{
#if SKR_ASSERTS
    SKR_ASSERT(c->tenant == SKR_NO_TENANT || c->tenant == tenant);
    c->tenant = (uint8_t)tenant;
#else
    (void)tenant;
#endif
    return c->output;
}

/* Ends the lease of this tenant, if it has one. */
static inline void skri_lease_end(struct skr_conn *c, enum skr_tenant tenant)
{
#if SKR_ASSERTS
    c->tenant = c->tenant == tenant ? SKR_NO_TENANT : c->tenant;
#else
    (void)c;
    (void)tenant;
#endif
}

/* Ends every lease: the response has been sent, or a new request begins. */
static inline void skri_lease_clear(struct skr_conn *c)
{
#if SKR_ASSERTS
    c->tenant = SKR_NO_TENANT;
#else
    (void)c;
#endif
}

#endif
