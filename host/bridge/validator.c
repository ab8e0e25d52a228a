/* validator.c -- see validator.h. README.md has the members. */
#include "validator.h"

#include <stdio.h>
#include <string.h>

#include "json_edit.h"
#include "random.h"
#include "sha256.h"
#include "text/siphash.h"
#include "text/span.h"

#define DIGITS (2 * sizeof((struct bridge_request *)NULL)->validator_key)
#define VALIDATOR "skillrom/mark"
#define STORED "skillrom/stored"

/* The name of a member of the request's _meta, with any first letter; NULL if there is none. */
static char *find_member(struct bridge_request *q, const char *name)
{
    struct skr_span params = skr_scan_get((struct skr_span){q->text, q->text_n}, "params");
    struct skr_span meta = skr_scan_get(params, "_meta"), key, value;
    size_t n = strlen(name);

    while (skr_scan_pair(&meta, &key, &value)) {
        if (key.n == n + 2 && memcmp(key.p + 2, name + 1, n - 1) == 0) {
            return q->text + (key.p + 1 - q->text);
        }
    }
    return NULL;
}

/* Switches a member off with another first letter, which no device has; so no text has to move. */
static void set_member(struct bridge_request *q, const char *name, bool on)
{
    char *member = find_member(q, name);

    if (member != NULL) {
        *member = on ? *name : '-';
    }
}

void bridge_validator_disown(struct bridge_request *q)
{
    char *member;

    while ((member = find_member(q, VALIDATOR)) != NULL || (member = find_member(q, STORED)) != NULL) {
        member[1] = '-';
    }
}

/* Puts a new key into the request. False if there is no room for it, or no random bytes. */
static bool put_key(struct bridge_request *q)
{
    char digits[DIGITS + 1];
    char *member = find_member(q, VALIDATOR);

    if (!host_random(q->validator_key, sizeof q->validator_key)) {
        return false;
    }
    romfs_sha256_hex(q->validator_key, sizeof q->validator_key, digits);
    if (member != NULL) {
        memcpy(member + sizeof VALIDATOR + 2, digits, DIGITS); /* after name, quote, colon and quote */
        return true;
    }
    char text[sizeof VALIDATOR + DIGITS + 8];
    size_t before = q->text_n;
    (void)snprintf(text, sizeof text, "\"" VALIDATOR "\":\"%s\"", digits);
    q->text_n = host_json_put_meta(q->text, q->text_n, sizeof q->text, text);
    return q->text_n > before;
}

void bridge_validator_ready(struct bridge_request *q)
{
    struct bridge_relay *r = q->relay;

    q->validating = transport_is_own(r->transport) && !q->validator_failed &&
                    bridge_catalogue_kept(&r->catalogue, &q->subject, NULL, 0) > 0 && put_key(q);
    if (!q->validating && q->subject.kind == BRIDGE_SUBJECT_FILE && find_member(q, STORED) == NULL) {
        q->text_n = host_json_put_meta(q->text, q->text_n, sizeof q->text, "\"" STORED "\":1");
    }
    set_member(q, VALIDATOR, q->validating);
    set_member(q, STORED, !q->validating); /* the validator must be that of the stored response */
    struct skr_span message = {q->text, q->text_n}, meta = skr_scan_get(skr_scan_get(message, "params"), "_meta");
    q->id = skr_scan_get(message, "id"); /* both may have moved in the text */
    q->token = q->token > 0 ? (size_t)(skr_scan_get(meta, "progressToken").p - q->text) : 0;
}

struct skr_span bridge_validator_in(const struct bridge_request *q, struct skr_span result)
{
    return q->validating ? skr_scan_inside(skr_scan_get(result, VALIDATOR)) : (struct skr_span){NULL, 0};
}

bool bridge_validator_fits(const struct bridge_request *q, struct skr_span validator, struct skr_span result)
{
    static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":", middle[] = ",\"result\":", tail[] = "}\n";
    char digits[17];
    struct skr_sip sip;

    skr_sip_start(&sip, q->validator_key);
    skr_sip_add(&sip, head, sizeof head - 1);
    skr_sip_add(&sip, q->wire_id, strlen(q->wire_id));
    skr_sip_add(&sip, middle, sizeof middle - 1);
    skr_sip_add(&sip, result.p, result.n);
    skr_sip_add(&sip, tail, sizeof tail - 1);
    (void)snprintf(digits, sizeof digits, "%016llx", (unsigned long long)skr_sip_end(&sip));
    return skr_span_is(validator, digits);
}
