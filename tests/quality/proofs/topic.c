/* function:  level, mqtt_topic_is_id, _is_name, take_id (topic.c)
 * property:  any topic from a broker: only its bytes are read; an id is one level of it, and never the word of another topic
 * bound:     3 8
 * unwind:    2 + BOUND
 * options:   --unwindset memcmp.0:12,strlen.0:12
 * flags:     -Ihost/mqtt -DSKR_PROFILE_HOST
 * contracts: skr_utf8_char:char_contract
 * sources:   core/text/span.c
 * break:     host/mqtt/topic.c: while (at < s.n && s.p[at] != '/') { -> while (s.p[at] != '/') {
 * break:     host/mqtt/topic.c: if (n == rest->n || !mqtt_topic_is_id(*id)) { -> if (!mqtt_topic_is_id(*id)) {
 * break:     host/mqtt/topic.c: if (n == 0 || n == name.n) { -> if (n == 0) {
 */
#include "proof.h"

#include "../../../host/mqtt/topic.c"

/* utf8.c */
size_t char_contract(const char *text, size_t n)
{
    PROVE(n > 0 && __CPROVER_r_ok(text, n));
    size_t length = nondet_u8();
    ASSUME(length <= 4 && length <= n);
    ASSUME(length == 0 || (length == 1) == ((unsigned char)text[0] < 0x80));
    return length;
}

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    struct skr_span rest = {text, n}, id;
    switch (nondet_u8()) {
    case 0: (void)mqtt_topic_is_name(rest); break;
    case 1: PROVE(!mqtt_topic_is_id(rest) || (n > 0 && n <= MQTT_ID)); break;
    default:
        if (take_id(&rest, &id)) {
            PROVE(id.p == text && id.n > 0 && id.n < n && rest.p == text + id.n + 1 && rest.n == n - id.n - 1);
        }
        break;
    }
    return 0;
}
