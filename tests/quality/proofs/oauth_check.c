/* function:  skr_oauth_check, check_header, check_claims, is_audience, name_bearer, key_of (oauth_check.c)
 * property:  whatever a token says: rows of what is remembered exist, and a token is let in only with a key of ours, its dates and its signature
 * bound:     3 6
 * unwind:    10
 * options:   --unwindset memcmp.0:34
 * flags:     -DSKR_PROFILE_FULL -Iport/oauth
 * contracts: token_split:split_contract decode_object:decode_contract skr_oauth_member:member_contract skr_oauth_text:text_contract skr_scan_is:is_contract skr_scan_inside:inside_contract skr_scan_item:item_contract skr_span_eq_nocase:nocase_contract read_date:date_contract rights_of:rights_contract romfs_sha256_start:start_contract romfs_sha256_add:add_contract romfs_sha256_finish:finish_contract skr_oauth_is_signature:signature_contract
 * break:     port/oauth/oauth_check.c: o->oldest = (o->oldest + 1) % SKR_OAUTH_REMEMBERED; -> o->oldest = o->oldest + 1;
 * break:     port/oauth/oauth_check.c: for (size_t i = 0; i < o->key_count; i++) { -> for (size_t i = 0; i <= o->key_count; i++) {
 * break:     port/oauth/oauth_check.c: return skr_oauth_is_signature(key, parts->signed_sha256, parts->signature) ? NULL -> return true ? NULL
 * break:     port/oauth/oauth_check.c: return *key == NULL ? "signed with a key that is not known here" : NULL; -> return NULL;
 */
#include "proof.h"

#include "skr_config.h"
#undef SKR_BEARER_NAME
#define SKR_BEARER_NAME 4
#define SKR_OAUTH_KID 4

#include "../../../port/oauth/oauth_check.c"

static struct skr_oauth oauth;
static char token[BOUND];
static bool is_signed;

static bool lies_in_token(struct skr_span s)
{
    return s.p >= token && s.n <= BOUND && (size_t)(s.p - token) <= BOUND - s.n;
}

static struct skr_span any_piece(void)
{
    size_t at = nondet_size(), n = nondet_size();

    ASSUME(at <= BOUND && n <= BOUND - at);
    return (struct skr_span){token + at, n};
}

/* token_parts.c, these four */
bool split_contract(char *text, size_t n, struct parts *parts)
{
    struct parts any;

    *parts = any;
    parts->header = any_piece();
    parts->claims = any_piece();
    return nondet_bool();
}

bool decode_contract(struct skr_span *part)
{
    PROVE(lies_in_token(*part));
    return nondet_bool();
}

bool date_contract(struct skr_span number, uint32_t *out)
{
    PROVE(number.n == 0 || lies_in_token(number));
    *out = nondet_u32();
    return nondet_bool();
}

uint8_t rights_contract(const struct skr_oauth *o, struct skr_span scope)
{
    return nondet_u8();
}

/* oauth_text.c */
bool member_contract(struct skr_span object, const char *name, struct skr_span *value)
{
    PROVE(lies_in_token(object));
    *value = nondet_bool() ? any_piece() : (struct skr_span){NULL, 0};
    return nondet_bool();
}

bool text_contract(struct skr_span value, char *out, size_t room)
{
    PROVE(__CPROVER_w_ok(out, room));
    size_t n = nondet_size();
    ASSUME(n < room);
    for (size_t i = 0; i < SKR_BEARER_NAME; i++) {
        out[i] = i < n ? 'n' : '\0';
    }
    return nondet_bool();
}

bool is_contract(struct skr_span value, const char *text)
{
    PROVE(value.p == NULL || lies_in_token(value));
    return nondet_bool();
}

struct skr_span inside_contract(struct skr_span value)
{
    return value;
}

bool item_contract(struct skr_span *rest, struct skr_span *item)
{
    PROVE(lies_in_token(*rest));
    if (rest->n == 0) {
        return false;
    }
    *item = (struct skr_span){rest->p, 1};
    rest->p++;
    rest->n--;
    return true;
}

bool nocase_contract(struct skr_span a, struct skr_span b)
{
    PROVE(a.p == NULL || lies_in_token(a));
    return nondet_bool();
}

void start_contract(struct romfs_sha256 *s)
{
}

/* digest.c */
void add_contract(struct romfs_sha256 *s, const void *bytes, size_t n)
{
    PROVE(n == 0 || __CPROVER_r_ok(bytes, n));
}

void finish_contract(struct romfs_sha256 *s, uint8_t digest[ROMFS_SHA256_SIZE])
{
    PROVE(__CPROVER_w_ok(digest, ROMFS_SHA256_SIZE));
}

bool signature_contract(const struct skr_oauth_key *key, const uint8_t sha256[32], const uint8_t signature[64])
{
    PROVE(key >= oauth.keys && key < oauth.keys + oauth.key_count);
    is_signed = nondet_bool();
    return is_signed;
}

static uint32_t any_clock(void *context)
{
    return nondet_u32();
}

int main(void)
{
    struct skr_bearer bearer;

    __CPROVER_havoc_object(&oauth);
    oauth.config.clock = any_clock;
    oauth.config.issuer = oauth.config.resource = "x";
    ASSUME(oauth.oldest < SKR_OAUTH_REMEMBERED && oauth.key_count <= SKR_OAUTH_KEYS);
    size_t row = oauth.oldest;
    const char *wrong = skr_oauth_check(&oauth, token, any_length(), &bearer);
    PROVE(oauth.oldest < SKR_OAUTH_REMEMBERED);
    PROVE(wrong != NULL || is_signed || oauth.oldest == row); /* a new one is remembered only after its signature */
    return 0;
}
