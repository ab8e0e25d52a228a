/* notes.c -- see notes.h.
 *
 * Notes lie one behind the other in the job: four bytes of head, then the text of the
 * message without what all messages share. Those that have been sent stay until their room
 * is needed, because over HTTP a client may have lost them. */
#include "run/notes.h"

#include <string.h>

#include "answer/level.h"
#include "text/encode.h"
#include "text/number.h"
#include "run/job_state.h"

#if SKR_TALK

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

struct skr_span skri_notes_begin(struct skr_call *call, struct skr_job *job)
{
    const struct skr_json *json = &call->json;
    struct skr_span nothing = {NULL, 0};
    int token = skri_json_get(json, call->meta, "progressToken");
    job->progress = -1;
    job->log_level = SKR_LEVEL_NONE;
    if (job->mute) { /* PRG-04 */
        return nothing;
    }
#if SKR_EXTRAS
    struct skr_span level;
    int wanted = skri_json_get(json, call->meta, "io.modelcontextprotocol/logLevel");
    if (!call->modern) {
        job->log_level = call->legacy->log_level;
    } else if (call->srv->device->logs && skri_json_string(json, wanted, &level)) { /* LOG-03 */
        (void)skri_log_level(level, &job->log_level);
    }
#endif
    return token >= 0 && skri_json_is_id(json, token) ? skri_json_raw(json, token) : nothing;
}

struct skr_span skri_notes_next(const struct skr_job *job)
{
    struct skr_span text = {NULL, 0};
    if (job->noted < job->notes) {
        text.p = job->note_text + job->noted + SKR_NOTE_HEAD;
        text.n = read_16(job->note_text + job->noted);
    }
    return text;
}

void skri_notes_left(struct skr_job *job)
{
    job->noted = (uint16_t)(job->noted + size_at(job, job->noted));
}

void skri_notes_number(struct skr_job *job, uint16_t event)
{
    write_16(job->note_text + job->noted + 2, event);
}

void skri_notes_again(struct skr_job *job, uint16_t event)
{
    uint16_t at = 0;
    while (at < job->noted && read_16(job->note_text + at + 2) <= event) {
        at = (uint16_t)(at + size_at(job, at));
    }
    job->noted = at;
}

/* ---- Writing ---- */

/* A note on its way into the job. */
struct draft {
    struct skr_job *job;
    size_t at; /* where the next byte goes */
    bool full;
};

static void put_span(struct draft *d, struct skr_span s)
{
    d->full |= s.n > sizeof d->job->note_text - d->at;
    if (!d->full && s.n > 0) {
        memcpy(d->job->note_text + d->at, s.p, s.n);
        d->at += s.n;
    }
}

static void put(struct draft *d, const char *text)
{
    put_span(d, skri_span_of(text));
}

static void put_text(struct draft *d, const char *text)
{
    struct skr_encoding e = {
        .from = text, .n = strlen(text), .out = d->job->note_text + d->at, .room = sizeof d->job->note_text - d->at};
    if (!d->full) {
        skri_encode_any(&e, true);
        d->full = e.used < e.n;
        d->at += e.made;
    }
}

static void put_number(struct draft *d, int32_t value)
{
    char digits[SKR_NUMBER_DIGITS], *stop = digits + sizeof digits;
    size_t n = skri_number_text(value < 0 ? 0u - (uint32_t)value : (uint32_t)value, 10, stop);
    put(d, value < 0 ? "-" : "");
    put_span(d, (struct skr_span){stop - n, n});
}

static void begin(struct draft *d, struct skr_job *job)
{
    size_t at = job->notes + (size_t)SKR_NOTE_HEAD;
    *d = (struct draft){.job = job, .at = at, .full = at > sizeof job->note_text};
}

bool skri_notes_forget(struct skr_job *job)
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

/* True when the note is in; otherwise it is to be written again if there is more room now. */
static bool end(struct draft *d)
{
    struct skr_job *job = d->job;
    if (d->full) {
        return !skri_notes_forget(job);
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
    if (job == NULL || job->token.n == 0 || value <= job->progress || job->cancelled) {
        return;
    }
    do {
        begin(&d, job);
        put(&d, "\"method\":\"notifications/progress\",\"params\":{\"progressToken\":");
        put_span(&d, job->token);
        put(&d, ",\"progress\":");
        put_number(&d, value);
        if (total > 0) {
            put(&d, ",\"total\":");
            put_number(&d, total);
        }
        if (message != NULL && job->out.version >= SKR_V_2025_03_26) {
            put(&d, ",\"message\":\"");
            put_text(&d, message);
            put(&d, "\"");
        }
        put(&d, "}");
    } while (!end(&d));
    job->progress = value;
}

#if SKR_EXTRAS
void skr_log(struct skr_call *call, enum skr_level level, const char *text)
{
    struct skr_job *job = call->job;
    struct draft d;
    if (job == NULL || (uint8_t)level < job->log_level || job->log_level == SKR_LEVEL_NONE || job->cancelled) {
        return;
    }
    do {
        begin(&d, job);
        put(&d, "\"method\":\"notifications/message\",\"params\":{\"level\":\"");
        put(&d, skri_level_name((uint8_t)level));
        put(&d, "\",\"logger\":\"");
        put_text(&d, job->run.tool->name);
        put(&d, "\",\"data\":\"");
        put_text(&d, text);
        put(&d, "\"}");
    } while (!end(&d));
}
#endif

#endif
