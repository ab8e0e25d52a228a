/* issuer.h -- an authorization server: its key, and tokens that it signs with ES256. */
#ifndef TESTS_UNIT_ISSUER_H
#define TESTS_UNIT_ISSUER_H

/* A JSON Web Key with these members before its point. */
const char *issuer_key(const char *members);

/* A set of one or two of them; the second may be "". */
const char *issuer_set(const char *first, const char *second);

/* A token of these two parts, signed by the server whatever they say. */
char *issuer_token(const char *header, const char *claims);

#endif
