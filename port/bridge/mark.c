/* mark.c -- see mark.h. README.md, "Marks", has the members. */
#include "mark.h"

#include <stdio.h>
#include <string.h>

#include "text/seal.h"
#include "scan.h"
#include "sha256.h"
#include "random.h"

#define DIGITS (2 * sizeof((struct skr_request *)NULL)->mark_key)
#define MARK "skillrom/mark"
#define STORED "skillrom/stored"

/* The name of a member of the request's _meta, whatever its first letter is at present; NULL: there is none. */
static char *find(struct skr_request *q, const char *name)
{
    struct skr_span params = skri_scan_get((struct skr_span){q->text, q->text_n}, "params");
    struct skr_span meta = skri_scan_get(params, "_meta"), key, value;
    size_t n = strlen(name);
    while (skri_scan_pair(&meta, &key, &value)) {
        if (key.n == n + 2 && memcmp(key.p + 2, name + 1, n - 1) == 0) {
            return q->text + (key.p + 1 - q->text);
        }
    }
    return NULL;
}

/* Switches a member off by changing its first letter: nobody knows the name then, and no text has to move. */
static void set(struct skr_request *q, const char *name, bool on)
{
    char *member = find(q, name);
    if (member != NULL) {
        *member = on ? *name : '-';
    }
}

void skr_mark_disown(struct skr_request *q)
{
    char *member;
    while ((member = find(q, MARK)) != NULL || (member = find(q, STORED)) != NULL) {
        member[1] = '-';
    }
}

/* Puts a new key where the device looks for it. False when there is no room in the request, or no key. */
static bool put_key(struct skr_request *q)
{
    char digits[DIGITS + 1];
    char *member = find(q, MARK);
    if (!skr_random(q->mark_key, sizeof q->mark_key)) {
        return false;
    }
    sha256_hex(q->mark_key, sizeof q->mark_key, digits);
    if (member != NULL) {
        memcpy(member + sizeof MARK + 2, digits, DIGITS); /* after name, quote, colon and quote */
        return true;
    }
    char text[sizeof MARK + DIGITS + 8];
    size_t before = q->text_n;
    (void)snprintf(text, sizeof text, "\"" MARK "\":\"%s\"", digits);
    q->text_n = skr_scan_put_meta(q->text, q->text_n, sizeof q->text, text);
    return q->text_n > before;
}

void skr_mark_ready(struct skr_request *q)
{
    struct skr_relay *r = q->relay;
    q->marked =
        skr_way_is_own(r->way) && !q->mark_failed && skr_know_kept(&r->know, &q->subject, NULL, 0) > 0 && put_key(q);
    if (!q->marked && q->subject.kind == SKR_SUBJECT_FILE && find(q, STORED) == NULL) {
        q->text_n = skr_scan_put_meta(q->text, q->text_n, sizeof q->text, "\"" STORED "\":1");
    }
    set(q, MARK, q->marked);
    set(q, STORED, !q->marked); /* the mark must be that of the stored answer */
    struct skr_span message = {q->text, q->text_n}, meta = skri_scan_get(skri_scan_get(message, "params"), "_meta");
    q->id = skri_scan_get(message, "id"); /* they may have moved in the text */
    q->token = q->token > 0 ? (size_t)(skri_scan_get(meta, "progressToken").p - q->text) : 0;
}

struct skr_span skr_mark_in(const struct skr_request *q, struct skr_span result)
{
    return q->marked ? skri_scan_inside(skri_scan_get(result, MARK)) : (struct skr_span){NULL, 0};
}

bool skr_mark_fits(const struct skr_request *q, struct skr_span mark, struct skr_span result)
{
    static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":", middle[] = ",\"result\":", tail[] = "}\n";
    char digits[17];
    struct skr_sip sip;
    skri_sip_start(&sip, q->mark_key);
    skri_sip_add(&sip, head, sizeof head - 1);
    skri_sip_add(&sip, q->wire_id, strlen(q->wire_id));
    skri_sip_add(&sip, middle, sizeof middle - 1);
    skri_sip_add(&sip, result.p, result.n);
    skri_sip_add(&sip, tail, sizeof tail - 1);
    (void)snprintf(digits, sizeof digits, "%016llx", (unsigned long long)skri_sip_end(&sip));
    return mark.n == sizeof digits - 1 && memcmp(mark.p, digits, mark.n) == 0;
}
