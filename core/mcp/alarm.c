/* alarm.c -- see skr_alarm.h. */
#include "mcp/alarm.h"

#include <string.h>

#include "handler/handler.h"
#include "text/span.h"

/* Bytes of one alarm besides its texts, as JSON: the names of its members and two numbers of ten digits. */
#define FRAME 64

/* ---- The ring ---- */

static uint32_t sum_of(const struct skr_alarms *alarms)
{
    return ~romfs_crc32(0, alarms, offsetof(struct skr_alarms, sum));
}

bool skr_alarms_begin(struct skr_alarms *alarms, uint32_t *version)
{
    bool kept = alarms->sum == sum_of(alarms);

    if (!kept) {
        memset(alarms, 0, sizeof *alarms);
        alarms->sum = sum_of(alarms);
    }
    alarms->version = version;
    return kept && alarms->last > 0;
}

/* Cuts what is too long, between characters; control characters become spaces. `to` ends with a NUL. */
static void copy_text(char *to, size_t room, const char *text)
{
    struct skr_span kept = skr_span_clip(skr_span_of(text != NULL ? text : ""), room - 1);

    for (size_t i = 0; i < kept.n; i++) {
        to[i] = (unsigned char)text[i] < ' ' ? ' ' : text[i];
    }
    memset(to + kept.n, 0, room - kept.n);
}

void skr_alarm(struct skr_server *s, struct skr_alarms *alarms, const char *code, const char *text)
{
    struct skr_alarm *alarm = &alarms->ring[++alarms->last % SKR_ALARMS];
    bool has_clock = s != NULL && s->device->clock != NULL;

    alarm->number = alarms->last;
    alarm->at_s = has_clock ? s->device->clock(s->device->context) : 0;
    copy_text(alarm->code, sizeof alarm->code, code);
    copy_text(alarm->text, sizeof alarm->text, text);
    alarms->sum = sum_of(alarms);
    if (alarms->version != NULL) {
        ++*alarms->version;
    }
#if SKR_CHANGES
    if (s != NULL) {
        skr_server_notify(s, SKR_CHANGES_CONTENT);
    }
#endif
}

/* ---- The resource ---- */

/* The length as JSON, at most: a byte that is not UTF-8 becomes three. */
static size_t size_of(const char *text)
{
    size_t n = 0;

    for (; *text != '\0'; text++) {
        n += *text == '"' || *text == '\\' ? 2 : (unsigned char)*text >= 0x80 ? 3 : 1;
    }
    return n;
}

size_t skri_alarm_size(const struct skr_alarm *alarm)
{
    return size_of(alarm->code) + size_of(alarm->text);
}

/* The number of the oldest alarm that fits `room` together with all newer ones. */
static uint32_t first_that_fits(const struct skr_alarms *alarms, size_t room)
{
    uint32_t first = alarms->last + 1;

    while (first > 1 && alarms->last - first + 1 < SKR_ALARMS) {
        const struct skr_alarm *alarm = &alarms->ring[(first - 1) % SKR_ALARMS];
        size_t size = FRAME + skri_alarm_size(alarm);
        if (size > room) {
            break;
        }
        room -= size;
        first--;
    }
    return first;
}

int skr_put_alarms(struct skr_call *call, const struct skr_alarms *alarms)
{
    uint32_t room = call->out.max - call->out.n;

    skr_write_array(call, NULL);
    for (uint32_t n = first_that_fits(alarms, room > 3 ? room - 3 : 0); n <= alarms->last; n++) {
        const struct skr_alarm *alarm = &alarms->ring[n % SKR_ALARMS];
        skr_write_object(call, NULL);
        skr_write_int(call, "number", alarm->number);
        skr_write_string(call, "code", alarm->code);
        skr_write_string(call, "text", alarm->text);
        if (alarm->at_s > 0) {
            skr_write_int(call, "at", alarm->at_s);
        }
        skr_write_end(call);
    }
    skr_write_end(call);
    return 0;
}
