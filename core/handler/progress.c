/* progress.c -- see progress.h.
 *
 * Messages are stored one after the other in the job: a header of four bytes, then the text without the part that all
 * messages share. Those that have been sent stay until their room is needed, because over HTTP a client may have lost
 * them. */
#include "handler/progress.h"

#include <string.h>

#include "handler/job_state.h"
#include "response/level.h"
#include "text/encode.h"
#include "text/number.h"

#if SKR_INTERACTIVE

static uint16_t read_16(const char *p)
{
    return (uint16_t)((uint8_t)p[0] | (unsigned)(uint8_t)p[1] << 8);
}

static void write_16(char *p, uint16_t value)
{
    p[0] = (char)(value & 0xFF);
    p[1] = (char)(value >> 8);
}

static uint16_t message_size(const struct skr_job *job, uint16_t at)
{
    return (uint16_t)(SKR_MESSAGE_HEAD + read_16(job->messages.text + at));
}

/* ---- Sending ---- */

struct skr_span skri_progress_begin(struct skr_call *call, struct skr_job *job)
{
    const struct skr_json *json = &call->json;
    int token = skr_json_get(json, call->given[SKR_PARAM_META], "progressToken");

    job->messages.progress = -1;
    job->messages.log_level = SKR_LEVEL_NONE;
    if (job->messages.mute) { /* PRG-04 */
        return NOTHING;
    }
#if SKR_EXTRAS
    struct skr_span level;
    if (!call->modern) {
        job->messages.log_level = call->legacy->log_level;
    } else if (call->srv->device->logs && skr_json_string(json, call->meta[SKR_META_LEVEL], &level)) { /* LOG-03 */
        (void)skri_log_level(level, &job->messages.log_level);
    }
#endif
    return token >= 0 && skr_json_is_id(json, token) ? skr_json_raw(json, token) : NOTHING;
}

struct skr_span skri_progress_next(const struct skr_job *job)
{
    struct skr_span text = NOTHING;

    if (job->messages.sent < job->messages.used) {
        text.p = job->messages.text + job->messages.sent + SKR_MESSAGE_HEAD;
        text.n = read_16(job->messages.text + job->messages.sent);
    }
    return text;
}

void skri_progress_sent(struct skr_job *job)
{
    job->messages.sent = (uint16_t)(job->messages.sent + message_size(job, job->messages.sent));
}

void skri_progress_number(struct skr_job *job, uint16_t event)
{
    write_16(job->messages.text + job->messages.sent + 2, event);
}

void skri_progress_again(struct skr_job *job, uint16_t event)
{
    uint16_t at = 0;

    while (at < job->messages.sent && read_16(job->messages.text + at + 2) <= event) {
        at = (uint16_t)(at + message_size(job, at));
    }
    job->messages.sent = at;
}

/* ---- Writing ---- */

/* A message that is being written. */
struct draft {
    struct skr_job *job;
    size_t at; /* where the next byte goes */
    bool full;
};

static void draft_put_span(struct draft *d, struct skr_span s)
{
    d->full |= s.n > sizeof d->job->messages.text - d->at;
    if (!d->full) {
        memcpy(d->job->messages.text + d->at, s.p, s.n);
        d->at += s.n;
    }
}

static void draft_put_json(struct draft *d, const char *text)
{
    draft_put_span(d, skr_span_of(text));
}

static void draft_put_text(struct draft *d, const char *text)
{
    struct skr_encoding e = {.from = text,
                             .n = strlen(text),
                             .out = d->job->messages.text + d->at,
                             .room = sizeof d->job->messages.text - d->at};

    if (!d->full) {
        skr_encode_any(&e, true);
        d->full = e.used < e.n;
        d->at += e.made;
    }
}

static void draft_put_number(struct draft *d, int32_t value) /* progress and total are never negative */
{
    char digits[SKR_NUMBER_DIGITS], *stop = digits + sizeof digits;
    size_t n = skr_number_text((uint32_t)value, 10, stop);

    draft_put_span(d, (struct skr_span){stop - n, n});
}

static void draft_begin(struct draft *d, struct skr_job *job)
{
    size_t at = job->messages.used + (size_t)SKR_MESSAGE_HEAD;

    *d = (struct draft){.job = job, .at = at, .full = at > sizeof job->messages.text};
}

bool skri_progress_forget(struct skr_job *job)
{
    if (job->messages.sent == 0 || skri_job_is_leaving(job)) {
        return false;
    }
    uint16_t n = message_size(job, 0);
    memmove(job->messages.text, job->messages.text + n, (size_t)(job->messages.used - n));
    job->messages.used = (uint16_t)(job->messages.used - n);
    job->messages.sent = (uint16_t)(job->messages.sent - n);
    return true;
}

/* True when the message is stored, or dropped because there is no room. False when room was made: write it again. */
static bool draft_end(struct draft *d)
{
    struct skr_job *job = d->job;

    if (d->full) {
        return !skri_progress_forget(job);
    }
    write_16(job->messages.text + job->messages.used, (uint16_t)(d->at - job->messages.used - SKR_MESSAGE_HEAD));
    write_16(job->messages.text + job->messages.used + 2, UINT16_MAX); /* not sent yet */
    job->messages.used = (uint16_t)d->at;
    return true;
}

void skr_progress(struct skr_call *call, int32_t value, int32_t total, const char *message)
{
    struct skr_job *job = call->job;
    struct draft d;

    if (job == NULL || job->messages.token.n == 0 || value <= job->messages.progress || skri_job_is_stopping(job)) {
        return;
    }
    do {
        draft_begin(&d, job);
        draft_put_json(&d, "\"method\":\"notifications/progress\",\"params\":{\"progressToken\":");
        draft_put_span(&d, job->messages.token);
        draft_put_json(&d, ",\"progress\":");
        draft_put_number(&d, value);
        if (total > 0) {
            draft_put_json(&d, ",\"total\":");
            draft_put_number(&d, total);
        }
        if (message != NULL && job->out.version >= SKR_V_2025_03_26) {
            draft_put_json(&d, ",\"message\":\"");
            draft_put_text(&d, message);
            draft_put_json(&d, "\"");
        }
        draft_put_json(&d, "}");
    } while (!draft_end(&d));
    job->messages.progress = value;
}

#if SKR_EXTRAS
void skr_log(struct skr_call *call, enum skr_level level, const char *text)
{
    struct skr_job *job = call->job;
    struct draft d;

    if (job == NULL || (uint8_t)level < job->messages.log_level || skri_job_is_stopping(job)) {
        return;
    }
    do {
        draft_begin(&d, job);
        draft_put_json(&d, "\"method\":\"notifications/message\",\"params\":{\"level\":\"");
        draft_put_json(&d, skri_level_name((uint8_t)level));
        draft_put_json(&d, "\",\"logger\":\"");
        draft_put_text(&d, job->call.tool->name);
        draft_put_json(&d, "\",\"data\":\"");
        draft_put_text(&d, text);
        draft_put_json(&d, "\"}");
    } while (!draft_end(&d));
}
#endif

#endif
