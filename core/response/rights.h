/* rights.h -- the rights of a token: decided here, for the core, the bridge and the fleet.
 *
 * The table of methods (mcp/method_rows.h) has a column for the right that a method needs. mcp/rpc.c refuses a request
 * before its handler is called, whatever its era, its transport and its backend. A method without a row is refused to
 * readers: the device of a bridge may have methods that the core does not. */
#ifndef SKR_RIGHTS_H
#define SKR_RIGHTS_H

#include "response/request.h"

/* The right that a method needs: one of enum skr_rights, or one that depends on the parameters. */
enum skr_needed_right {
    SKR_BY_TOOL = SKR_MAY_OPERATE + 1, /* readers may call tools with readOnlyHint; the backend checks the tool */
    SKR_BY_DEVICE,  /* likewise, but only the device knows the tool of a script, or whose task it is: a backend that
                      forwards requests refuses it to readers */
    SKR_BY_UPDATER, /* SKR_MAY_UPDATE, whatever else the token allows */
};

/* True when the current request of this connection has a token that only allows reading (AUTH-04). */
static inline bool skri_only_reads(const struct skr_conn *c)
{
#if SKR_AUTH
    return c->wire == SKR_HTTP_1 && c->http.who != NULL &&
           (c->http.who->rights & (SKR_MAY_READ | SKR_MAY_OPERATE)) < SKR_MAY_OPERATE;
#else
    (void)c;
    return false;
#endif
}

/* True when it has a token that does not allow updates. */
static inline bool skri_never_updates(const struct skr_conn *c)
{
#if SKR_AUTH
    return c->wire == SKR_HTTP_1 && c->http.who != NULL && (c->http.who->rights & SKR_MAY_UPDATE) == 0;
#else
    (void)c;
    return false;
#endif
}

/* True when that token does not allow a method that needs this right. Where it depends on a tool, the handler
 * decides. */
static inline bool skri_is_forbidden(const struct skr_conn *c, unsigned right)
{
    return right == SKR_BY_UPDATER ? skri_never_updates(c) : right == SKR_MAY_OPERATE && skri_only_reads(c);
}

#endif
