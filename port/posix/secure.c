/* secure.c -- see secure.h. */
#include "secure.h"

#include "console.h"
#include "random.h"

#if SKR_TLS

#include "credentials.h"
#include "posix_config.h"

static struct skr_tls_identity identity;

/* Once the system is up it always has random bytes. */
static bool random_bytes(uint8_t *bytes, size_t n)
{
    return host_random(bytes, n);
}

const struct skr_sockets_tls posix_secure = {&identity, random_bytes};

bool posix_secure_load(const struct posix_options *options)
{
    return identity.chain_count > 0 || posix_credentials_read(&identity, options->cert, options->key);
}

#else

bool posix_secure_load(const struct posix_options *options)
{
    (void)options;
    host_log("--https: this program was built without TLS; see port/tls/README.md to build it with TLS");
    return false;
}

#endif
