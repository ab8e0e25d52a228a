/* oauth_config.h -- every limit of port/oauth, with its reason.
 *
 * Each may be set on the compiler's command line, to the same value for everything that is linked together. */
#ifndef SKR_OAUTH_CONFIG_H
#define SKR_OAUTH_CONFIG_H

#include "skr_config.h"

/* Keys of the authorization server that sign with ES256. Most have one or two: the current one, and the next or the last
 * while they change. More: the key set is refused. */
#ifndef SKR_OAUTH_KEYS
#define SKR_OAUTH_KEYS SKR_BY_PROFILE(2, 2, 2, 8)
#endif

/* The name of a key ("kid"), with its NUL: usually a hash of the key, 43 digits. A key with a longer one is refused. */
#ifndef SKR_OAUTH_KID
#define SKR_OAUTH_KID 64
#endif

/* Tokens that are remembered until they expire, because checking a signature takes a Cortex-M3 half a second. The next
 * one replaces the oldest, whose next request is checked again. A row has 116 bytes on a device. */
#ifndef SKR_OAUTH_REMEMBERED
#define SKR_OAUTH_REMEMBERED SKR_BY_PROFILE(2, 2, 4, 64)
#endif

/* A token: those of real servers have 600 to 900 bytes, and somewhat more with many groups or roles in them. A longer one
 * is refused; a device's buffer for a header line, SKR_REQUEST_MAX, may be the lower limit. */
#ifndef SKR_OAUTH_TOKEN_MAX
#define SKR_OAUTH_TOKEN_MAX 4096
#endif

/* How much the clocks of device and server may differ, in seconds. */
#ifndef SKR_OAUTH_LEEWAY_S
#define SKR_OAUTH_LEEWAY_S 60
#endif

/* A URL and the name of a scope, each with its NUL: the core has room for a response's head with both. */
#define SKR_OAUTH_URL 128
#define SKR_OAUTH_SCOPE 33

/* The document about this resource, which has both URLs and scopes. */
#define SKR_OAUTH_METADATA (2 * SKR_OAUTH_URL + 3 * SKR_OAUTH_SCOPE + 128)

#if SKR_OAUTH_KEYS < 1 || SKR_OAUTH_REMEMBERED < 1
#error "port/oauth: at least one key, and one token that is remembered"
#endif

#endif
