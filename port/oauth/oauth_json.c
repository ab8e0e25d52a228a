/* oauth_json.c -- reading what others have signed: a member that is there twice means one thing to us and perhaps another
 * to the server that signed it, so it is refused. */
#include "oauth_json.h"

#if SKR_OAUTH

#include "skr_text.h"

bool skr_oauth_member(struct skr_span object, const char *name, struct skr_span *value)
{
    struct skr_span key, each;
    unsigned times = 0;

    *value = (struct skr_span){NULL, 0};
    while (skr_scan_pair(&object, &key, &each)) {
        if (skr_scan_is(key, name)) {
            *value = each;
            times++;
        }
    }
    return times < 2;
}

bool skr_oauth_text(struct skr_span value, char *out, size_t room)
{
    struct skr_span inside = skr_scan_inside(value);
    size_t made = 0;
    unsigned used;

    if (inside.p == NULL) {
        return false;
    }
    for (const char *p = inside.p, *end = p + inside.n; p < end; p += used) {
        char bytes[4];
        unsigned n = skr_json_decode(p, end, bytes, &used);
        if (n >= room - made || (unsigned char)bytes[0] < ' ' || bytes[0] == 0x7F) {
            return false;
        }
        memcpy(out + made, bytes, n);
        made += n;
    }
    out[made] = '\0';
    return true;
}

#endif
