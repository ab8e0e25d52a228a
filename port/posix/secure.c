/* secure.c -- see secure.h. */
#include "secure.h"

#include "console.h"
#include "random.h"

#if SKR_TLS

#include "credentials.h"
#include "posix_config.h"

/* Separate from the connections: the system commits this memory only where TLS is used. */
static struct skr_tls all[POSIX_SLOTS];
static struct skr_tls_identity identity;

bool posix_secure_load(const struct posix_options *options)
{
    return identity.chain_count > 0 || posix_credentials_read(&identity, options->cert, options->key);
}

/* Without random bytes there is no secret, and the connection ends before its handshake. Once the system is up it
 * always provides them. */
void posix_secure_open(struct skr_carrier *carrier, size_t slot)
{
    uint8_t seed[SKR_TLS_SEED];
    bool random = host_random(seed, sizeof seed);

    carrier->tls = &all[slot];
    skr_tls_open(carrier->tls, &identity, carrier->conn, seed);
    if (!random) {
        skr_tls_timed_out(carrier->tls);
    }
}

#else

bool posix_secure_load(const struct posix_options *options)
{
    (void)options;
    host_log("--https: this program was built without TLS; see port/tls/README.md to build it with TLS");
    return false;
}

void posix_secure_open(struct skr_carrier *carrier, size_t slot)
{
    (void)carrier;
    (void)slot;
}

#endif
