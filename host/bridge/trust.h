/* trust.h -- which devices at https:// are accepted: a pinned certificate, or authorities from a file. */
#ifndef SKR_TRUST_H
#define SKR_TRUST_H

#include <stdbool.h>

#include "../../port/tls/tls_client.h"

/* --pin: "sha256:" and 64 hex digits, with or without colons as openssl prints them. False, after a message. */
bool bridge_trust_pin(struct skr_tls_trust *trust, const char *text);

/* --ca-file: certificates of authorities in PEM. Once for a process. False, after a message. */
bool bridge_trust_file(struct skr_tls_trust *trust, const char *path);

/* Sets the time. */
void bridge_trust_now(struct skr_tls_trust *trust);

/* Why a handshake has failed, and what to do; `print` is the fingerprint of the certificate, or NULL. The text is valid
 * until the next call. */
const char *bridge_trust_why(const struct skr_tls_trust *trust, int error, const uint8_t *print);

#endif
