/* function:  part_cut, token_split, decode_object, read_date, rights_of (oauth_check.c)
 * property:  any token: only its bytes are read and overwritten, its parts lie in it, and dates and scopes are read inside their text
 * bound:     6 8
 * unwind:    3 + BOUND
 * flags:     -DSKR_PROFILE_FULL -Iport/oauth
 * contracts: romfs_sha256_start:start_contract romfs_sha256_add:add_contract romfs_sha256_finish:finish_contract skr_decode_base64:base64_contract skr_json_check_part:check_contract skr_number_scaled:scaled_contract skr_scan_inside:inside_contract
 * sources:   core/text/span.c
 * break:     port/oauth/oauth_check.c: *n -= part->n + 1; -> *n -= part->n;
 * break:     port/oauth/oauth_check.c: blank != NULL ? word.n + 1 : word.n); -> word.n + 1);
 * break:     port/oauth/oauth_check.c: if (number.n == 0 || (*number.p -> if ((*number.p
 */
#include "proof.h"

#include "../../../port/oauth/oauth_check.c"

void start_contract(struct romfs_sha256 *s)
{
}

void add_contract(struct romfs_sha256 *s, const void *bytes, size_t n)
{
    PROVE(__CPROVER_r_ok(bytes, n));
}

void finish_contract(struct romfs_sha256 *s, uint8_t digest[ROMFS_SHA256_SIZE])
{
    PROVE(__CPROVER_w_ok(digest, ROMFS_SHA256_SIZE));
}

/* base64.c */
bool base64_contract(struct skr_span in, bool url, char *out, size_t room, size_t *length)
{
    PROVE(__CPROVER_r_ok(in.p, in.n) && __CPROVER_w_ok(out, room));
    size_t n = nondet_size();
    ASSUME(n <= room && n <= in.n * 3 / 4);
    *length = n;
    return nondet_bool();
}

/* json_check.c */
int check_contract(const char *text, size_t n, size_t *good, bool *escapes)
{
    PROVE(__CPROVER_r_ok(text, n));
    return nondet_int();
}

/* number.c, of what is a number */
int64_t scaled_contract(struct skr_span number, unsigned decimals, bool *rest)
{
    PROVE(number.n > 0 && __CPROVER_r_ok(number.p, number.n));
    return (int64_t)nondet_u64();
}

struct skr_span inside_contract(struct skr_span value)
{
    return value;
}

static bool lies_in(struct skr_span part, const char *text, size_t n)
{
    return part.p >= text && part.n <= n && (size_t)(part.p - text) <= n - part.n;
}

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    struct parts parts;
    struct skr_oauth o = {.config = {.read = "r", .operate = "op"}};
    uint32_t date;
    switch (nondet_u8()) {
    case 0:
        if (token_split(text, n, &parts)) {
            PROVE(lies_in(parts.header, text, n) && lies_in(parts.claims, text, n));
            PROVE(parts.claims.p == parts.header.p + parts.header.n + 1);
            if (decode_object(&parts.header) && decode_object(&parts.claims)) {
                PROVE(lies_in(parts.header, text, n) && lies_in(parts.claims, text, n) && parts.header.n > 0);
            }
        }
        break;
    case 1: (void)read_date((struct skr_span){text, n}, &date); break;
    default: PROVE(rights_of(&o, (struct skr_span){text, n}) <= SKR_MAY_OPERATE); break;
    }
    return 0;
}
