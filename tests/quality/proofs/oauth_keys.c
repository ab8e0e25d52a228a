/* function:  skr_oauth_keys, add_key, coordinate (oauth_keys.c)
 * property:  any key set: never more keys than there is room for, each with a name that ends; a coordinate is 32 bytes
 * bound:     2 3
 * slow:      15 s even so
 * unwind:    2 + BOUND
 * options:   --unwindset strlen.0:46
 * flags:     -DSKR_PROFILE_NET -DSKR_OAUTH=1 -DSKR_OAUTH_KEYS=1 -DSKR_OAUTH_REMEMBERED=1 -DSKR_OAUTH_KID=2 -Iport/oauth
 * contracts: skr_oauth_member:member_contract skr_oauth_text:text_contract skr_decode_base64:base64_contract skr_json_check_part:check_contract skr_scan_get:get_contract skr_scan_is:is_contract skr_scan_item:item_contract skr_oauth_is_point:point_contract
 * break:     port/oauth/oauth_keys.c: if (o->key_count == SKR_OAUTH_KEYS) { -> if (o->key_count > SKR_OAUTH_KEYS) {
 * break:     port/oauth/oauth_keys.c: if (keys.p == NULL || *keys.p != '[') { -> if (*keys.p != '[') {
 * break:     port/oauth/oauth_keys.c: while (n > 0 && *jwks != '{' -> while (*jwks != '{'
 */
#include "proof.h"

#include "oauth_config.h"
#undef SKR_OAUTH_URL
#define SKR_OAUTH_URL 1 /* room that is not used here */
#undef SKR_OAUTH_METADATA
#define SKR_OAUTH_METADATA 1

#include "../../../port/oauth/oauth_keys.c"

/* oauth_text.c */
bool member_contract(struct skr_span object, const char *name, struct skr_span *value)
{
    *value = nondet_bool() ? object : (struct skr_span){NULL, 0};
    return nondet_bool();
}

/* At most room - 1 bytes and a NUL. */
bool text_contract(struct skr_span value, char *out, size_t room)
{
    PROVE(__CPROVER_w_ok(out, room));
    size_t n = nondet_size();
    ASSUME(n < room);
    out[0] = 'k'; /* two names may differ */
    out[n] = '\0';
    return nondet_bool();
}

/* base64.c */
bool base64_contract(struct skr_span in, bool url, char *out, size_t room, size_t *length)
{
    PROVE(__CPROVER_r_ok(in.p, in.n) && __CPROVER_w_ok(out, room));
    *length = nondet_size();
    ASSUME(*length <= room);
    return nondet_bool();
}

int check_contract(const char *text, size_t n, size_t *good, bool *escapes)
{
    PROVE(__CPROVER_r_ok(text, n));
    return nondet_int();
}

/* json_scan.c: what is found is in the text, and has at least a byte. */
struct skr_span get_contract(struct skr_span object, const char *key)
{
    size_t at = nondet_size(), n = nondet_size();

    if (at < object.n) {
        ASSUME(n >= 1 && n <= object.n - at);
        return (struct skr_span){object.p + at, n};
    }
    return (struct skr_span){NULL, 0};
}

bool is_contract(struct skr_span value, const char *text)
{
    return nondet_bool();
}

bool item_contract(struct skr_span *rest, struct skr_span *item)
{
    if (rest->n == 0) {
        return false;
    }
    *item = *rest;
    rest->p++;
    rest->n--;
    return true;
}

bool point_contract(const struct skr_oauth_key *key)
{
    PROVE(__CPROVER_r_ok(key, sizeof *key));
    return nondet_bool();
}

static struct skr_oauth oauth;

int main(void)
{
    size_t n = any_length(), i = nondet_size();

    ANY_BYTES(text, n);
    (void)skr_oauth_keys(&oauth, text, n);
    PROVE(oauth.key_count <= SKR_OAUTH_KEYS);
    if (i < oauth.key_count) {
        PROVE(strlen(oauth.keys[i].kid) < sizeof oauth.keys[i].kid);
    }
    return 0;
}
