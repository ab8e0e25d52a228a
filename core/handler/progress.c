/* progress.c -- see progress.h.
 *
 * Notes are stored one after the other in the job: a header of four bytes, then the text of the message without what
 * all messages share. Those that have been sent stay until their room is needed, because over HTTP a client may have
 * lost them. */
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

static uint16_t size_at(const struct skr_job *job, uint16_t at)
{
    return (uint16_t)(SKR_NOTE_HEAD + read_16(job->note_text + at));
}

/* ---- Sending ---- */

struct skr_span skri_progress_begin(struct skr_call *call, struct skr_job *job)
{
    const struct skr_json *json = &call->json;
    struct skr_span nothing = {NULL, 0};
    int token = skr_json_get(json, call->given[SKR_PARAM_META], "progressToken");
    job->progress = -1;
    job->log_level = SKR_LEVEL_NONE;
    if (job->mute) { /* PRG-04 */
        return nothing;
    }
#if SKR_EXTRAS
    struct skr_span level;
    if (!call->modern) {
        job->log_level = call->legacy->log_level;
    } else if (call->srv->device->logs && skr_json_string(json, call->meta[SKR_META_LEVEL], &level)) { /* LOG-03 */
        (void)skri_log_level(level, &job->log_level);
    }
#endif
    return token >= 0 && skr_json_is_id(json, token) ? skr_json_raw(json, token) : nothing;
}

struct skr_span skri_progress_next(const struct skr_job *job)
{
    struct skr_span text = {NULL, 0};
    if (job->noted < job->notes) {
        text.p = job->note_text + job->noted + SKR_NOTE_HEAD;
        text.n = read_16(job->note_text + job->noted);
    }
    return text;
}

void skri_progress_left(struct skr_job *job)
{
    job->noted = (uint16_t)(job->noted + size_at(job, job->noted));
}

void skri_progress_number(struct skr_job *job, uint16_t event)
{
    write_16(job->note_text + job->noted + 2, event);
}

void skri_progress_again(struct skr_job *job, uint16_t event)
{
    uint16_t at = 0;
    while (at < job->noted && read_16(job->note_text + at + 2) <= event) {
        at = (uint16_t)(at + size_at(job, at));
    }
    job->noted = at;
}

/* ---- Writing ---- */

/* A note that is being written. */
struct draft {
    struct skr_job *job;
    size_t at; /* where the next byte goes */
    bool full;
};

static void put_span(struct draft *d, struct skr_span s)
{
    d->full |= s.n > sizeof d->job->note_text - d->at;
    if (!d->full) {
        memcpy(d->job->note_text + d->at, s.p, s.n);
        d->at += s.n;
    }
}

static void put_json(struct draft *d, const char *text)
{
    put_span(d, skr_span_of(text));
}

static void put_text(struct draft *d, const char *text)
{
    struct skr_encoding e = {
        .from = text, .n = strlen(text), .out = d->job->note_text + d->at, .room = sizeof d->job->note_text - d->at};
    if (!d->full) {
        skr_encode_any(&e, true);
        d->full = e.used < e.n;
        d->at += e.made;
    }
}

static void put_number(struct draft *d, int32_t value) /* progress and total are never negative */
{
    char digits[SKR_NUMBER_DIGITS], *stop = digits + sizeof digits;
    size_t n = skr_number_text((uint32_t)value, 10, stop);
    put_span(d, (struct skr_span){stop - n, n});
}

static void begin_draft(struct draft *d, struct skr_job *job)
{
    size_t at = job->notes + (size_t)SKR_NOTE_HEAD;
    *d = (struct draft){.job = job, .at = at, .full = at > sizeof job->note_text};
}

bool skri_progress_forget(struct skr_job *job)
{
    if (job->noted == 0 || skri_job_is_leaving(job)) {
        return false;
    }
    uint16_t n = size_at(job, 0);
    memmove(job->note_text, job->note_text + n, (size_t)(job->notes - n));
    job->notes = (uint16_t)(job->notes - n);
    job->noted = (uint16_t)(job->noted - n);
    return true;
}

/* True when the note is stored, or dropped because there is no room; false: room was made, write it again. */
static bool end(struct draft *d)
{
    struct skr_job *job = d->job;
    if (d->full) {
        return !skri_progress_forget(job);
    }
    write_16(job->note_text + job->notes, (uint16_t)(d->at - job->notes - SKR_NOTE_HEAD));
    write_16(job->note_text + job->notes + 2, UINT16_MAX); /* not sent yet */
    job->notes = (uint16_t)d->at;
    return true;
}

void skr_progress(struct skr_call *call, int32_t value, int32_t total, const char *message)
{
    struct skr_job *job = call->job;
    struct draft d;
    if (job == NULL || job->token.n == 0 || value <= job->progress || skri_job_is_stopping(job)) {
        return;
    }
    do {
        begin_draft(&d, job);
        put_json(&d, "\"method\":\"notifications/progress\",\"params\":{\"progressToken\":");
        put_span(&d, job->token);
        put_json(&d, ",\"progress\":");
        put_number(&d, value);
        if (total > 0) {
            put_json(&d, ",\"total\":");
            put_number(&d, total);
        }
        if (message != NULL && job->out.version >= SKR_V_2025_03_26) {
            put_json(&d, ",\"message\":\"");
            put_text(&d, message);
            put_json(&d, "\"");
        }
        put_json(&d, "}");
    } while (!end(&d));
    job->progress = value;
}

#if SKR_EXTRAS
void skr_log(struct skr_call *call, enum skr_level level, const char *text)
{
    struct skr_job *job = call->job;
    struct draft d;
    if (job == NULL || (uint8_t)level < job->log_level || skri_job_is_stopping(job)) {
        return;
    }
    do {
        begin_draft(&d, job);
        put_json(&d, "\"method\":\"notifications/message\",\"params\":{\"level\":\"");
        put_json(&d, skri_level_name((uint8_t)level));
        put_json(&d, "\",\"logger\":\"");
        put_text(&d, job->run.tool->name);
        put_json(&d, "\",\"data\":\"");
        put_text(&d, text);
        put_json(&d, "\"}");
    } while (!end(&d));
}
#endif

#endif
