/* skr_alarm.h -- alarms: what a device reports without being asked.
 *
 * The firmware keeps the last alarms in a struct of its own and shows them as a resource, by convention named `alarms`
 * (resources/alarms.json, with "x-skillrom": {"subscribe": true}). One call adds an alarm and notifies who has
 * subscribed to that resource; the page and the panel show it, and `skillrom bridge --channel` passes it into a
 * conversation.
 *
 *     static struct skr_alarms alarms __attribute__((section(".noinit")));
 *     uint32_t resource_alarms_version;
 *
 *     int resource_alarms(struct skr_call *call, struct skr_span none)
 *     {
 *         (void)none;
 *         return skr_put_alarms(call, &alarms);
 *     }
 *
 *     skr_alarms_begin(&alarms, &resource_alarms_version);                  after skr_server_init
 *     skr_alarm(&server, &alarms, "E21", "line 4: back pressure");          whenever something happens
 *
 * With SKR_EVENTS, which is experimental, `alarms` of struct skr_device lets clients poll for them as events of
 * SEP-3415, a draft.
 *
 * Like every function of the core these are called from one thread, not from an interrupt: set a flag there. */
#ifndef SKR_ALARM_H
#define SKR_ALARM_H

#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

struct skr_alarm {
    uint32_t number; /* 1, 2, 3 ... also across resets that keep the struct */
    uint32_t at_s;   /* seconds since 1970 by the clock of struct skr_device; 0: it has none */
    char code[SKR_ALARM_CODE];
    char text[SKR_ALARM_TEXT];
};

/* The last SKR_ALARMS alarms. In memory that a reset does not clear they survive it. Only alarm.c may change the
 * fields. */
struct skr_alarms {
    struct skr_alarm ring[SKR_ALARMS]; /* number n is at n % SKR_ALARMS */
    uint32_t last;                     /* number of the newest; 0: none yet */
    uint32_t sum;                      /* distinguishes alarms from what is in RAM at power-on */
    uint32_t *version;                 /* of the resource */
};

/* Once, before the other functions: keeps the alarms that a reset has left, or clears the struct. `version` is the
 * resource's counter of changes; NULL if nobody can subscribe to it. Returns true if alarms were kept. */
bool skr_alarms_begin(struct skr_alarms *alarms, uint32_t *version);

/* Adds an alarm, in place of the oldest when SKR_ALARMS are kept, and notifies subscribers (SKR_CHANGES). `code` is for
 * programs and `text` for people; both are copied, cut if they are too long, and empty if they are NULL. Without a
 * server, when `s` is NULL, nobody is notified and the alarm has no time. */
void skr_alarm(struct skr_server *s, struct skr_alarms *alarms, const char *code, const char *text);

/* For the handler of the resource: puts the alarms as a JSON array, the newest last,
 * [{"number":17,"code":"E21","text":"line 4: back pressure","at":1763495000}]. Where they do not all fit what is left of
 * the output, the oldest are left out. Returns 0. */
int skr_put_alarms(struct skr_call *call, const struct skr_alarms *alarms);

#ifdef __cplusplus
}
#endif

#endif
