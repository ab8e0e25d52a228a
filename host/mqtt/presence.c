/* presence.c -- the presence of a published device, and other publishers with its id. See publisher.h. */
#include <stdio.h>
#include <string.h>

#include "console.h"
#include "publisher.h"
#include "text/json_scan.h"

void mqtt_presence_publish(struct mqtt_publisher *p)
{
    char text[MQTT_PRESENCE];
    size_t n = p->present && p->described ? mqtt_describe_write(p, text) : 0;
    enum mqtt_result result = mqtt_publish(&p->mqtt, p->presence_topic, text, n, true);

    p->presence_due = result == MQTT_FULL;
    if (result == MQTT_TOO_LARGE && !p->quiet) {
        host_log(
            "%s: the announcement of the device is larger than the broker allows, %u bytes; raise its limit, or clients will not find it",
            p->broker->shown, (unsigned)p->mqtt.packet_max);
    }
}

void mqtt_presence_dispute(struct mqtt_publisher *p, const char *rival)
{
    p->disputed_ms = p->now_ms;
    for (unsigned i = 0; i < p->rival_count; i++) {
        if (strcmp(p->rivals[i], rival) == 0) {
            return;
        }
    }
    if (p->rival_count == MQTT_RIVALS) {
        memmove(p->rivals[0], p->rivals[1], sizeof p->rivals - sizeof p->rivals[0]);
        p->rival_count--;
    }
    strcpy(p->rivals[p->rival_count++], rival);
    p->presence_due = true;
    if (!p->quiet && p->rival_count == 1) { /* once: a malicious client could invent many */
        host_log("another publisher has the id %s at %s; give each device its own id", p->id, p->broker->shown);
    }
}

void mqtt_presence_settle(struct mqtt_publisher *p)
{
    p->presence_due |= p->rival_count > 0;
    p->rival_count = 0;
}

void mqtt_presence_receive(struct mqtt_publisher *p, const struct mqtt_message *m)
{
    struct skr_span meta = skr_scan_get(skr_scan_get((struct skr_span){m->payload, m->n}, "params"), "meta");
    struct skr_span instance = skr_scan_inside(skr_scan_get(skr_scan_get(meta, "skillrom"), "instance"));
    char rival[sizeof p->rivals[0]];

    if (m->n == 0) { /* the other publisher has gone, and has cleared our presence also */
        mqtt_presence_settle(p);
        p->presence_due = p->present;
        return;
    }
    bool valid = instance.n == sizeof rival - 1 && strspn(instance.p, "0123456789abcdef") >= instance.n;
    (void)snprintf(rival, sizeof rival, "%.*s", valid ? (int)instance.n : 1, valid ? instance.p : "?");
    if (strcmp(rival, p->instance) != 0) {
        mqtt_presence_dispute(p, rival);
    }
}
