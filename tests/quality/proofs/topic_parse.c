/* function:  mqtt_topic_parse
 * property:  any topic: its parts lie in it, one after the other, and each has been checked
 * bound:     26 32
 * unwind:    2 + BOUND
 * flags:     -Ihost/mqtt -DSKR_PROFILE_HOST
 * contracts: level_length:level_contract mqtt_topic_is_id:id_contract mqtt_topic_is_name:name_contract
 * sources:   core/text/span.c
 * break:     host/mqtt/topic.c: return good ? t : none; -> return t;
 * break:     host/mqtt/topic.c: *rest = skr_span_from(*rest, prefix.n); -> *rest = skr_span_from(*rest, prefix.n + 1);
 */
#include "proof.h"

#include "../../../host/mqtt/topic.c"

static size_t length;
static char *text;
static struct skr_span checked_id, checked_name;

static bool lies_in_topic(struct skr_span s)
{
    return s.p >= text && s.n <= length && (size_t)(s.p - text) <= length - s.n;
}

/* topic.c, these three */
size_t level_contract(struct skr_span s)
{
    PROVE(lies_in_topic(s));
    size_t n = nondet_size();
    ASSUME(n <= s.n);
    return n;
}

bool id_contract(struct skr_span id)
{
    PROVE(lies_in_topic(id));
    checked_id = id;
    return id.n > 0 && nondet_bool();
}

bool name_contract(struct skr_span name)
{
    PROVE(lies_in_topic(name));
    checked_name = name;
    return name.n > 0 && nondet_bool();
}

int main(void)
{
    static char bytes[BOUND + 1];

    __CPROVER_havoc_object(bytes);
    bytes[BOUND] = '\0';
    text = bytes;
    length = strlen(bytes);
    struct mqtt_topic t = mqtt_topic_parse(bytes);
    if (t.kind == MQTT_TOPIC_NONE) {
        PROVE(t.client.p == NULL && t.server.p == NULL && t.name.p == NULL);
    } else if (t.kind == MQTT_TOPIC_CLIENT_PRESENCE || t.kind == MQTT_TOPIC_CLIENT_CHANGES) {
        PROVE(t.client.p == checked_id.p && t.client.n > 0 && t.name.p == NULL);
    } else {
        PROVE(t.server.p == checked_id.p && t.server.n > 0 && t.name.p == checked_name.p);
        PROVE(t.name.p == t.server.p + t.server.n + 1 && (t.kind == MQTT_TOPIC_RPC) == (t.client.n > 0));
    }
    return 0;
}
