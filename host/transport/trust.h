/* trust.h -- which devices at https:// are accepted: a pinned certificate, or authorities from a file. */
#ifndef TRANSPORT_TRUST_H
#define TRANSPORT_TRUST_H

#include <stdbool.h>

#include "../../port/tls/tls_client.h"

/* --pin: "sha256:" and 64 hex digits, with or without colons as openssl prints them. False, after a message. */
bool transport_trust_pin(struct skr_tls_trust *trust, const char *text);

/* --ca-file: certificates of authorities in PEM. Once for a process. False, after a message. */
bool transport_trust_file(struct skr_tls_trust *trust, const char *path);

/* Sets the time. */
void transport_trust_now(struct skr_tls_trust *trust);

/* The reason why a handshake has failed, and the remedy; `print` is the fingerprint of the certificate, or NULL. The text is
 * valid until the next call. */
const char *transport_trust_why(const struct skr_tls_trust *trust, int error, const uint8_t *print);

#endif
