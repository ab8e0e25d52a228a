/* log.c -- see log.h.
 *
 * A request is remembered from its arrival until its response has been sent: in its connection, or, on a line that
 * handles other requests meanwhile, in its job. */
#include "response/log.h"

#include "response/error.h"

#if SKR_REQUEST_LOG

void skr_server_log_to(struct skr_server *s, const struct skr_request_log *log)
{
    s->log = log;
}

/* Text that does not fit is truncated. */
static void log_text(char to[SKR_LOG_TEXT], struct skr_span text)
{
    text = skr_span_clip(text, SKR_LOG_TEXT - 1);
    memcpy(to, text.p, text.n);
    to[text.n] = '\0';
}

void skri_log_begin(struct skr_conn *c, const char *method)
{
    struct skr_logged *it = &c->logged;

    it->sent = 0;
    it->open = c->srv->log != NULL;
    if (it->open) {
        it->since_ms = c->srv->log->clock_ms();
        it->name[0] = '\0';
        log_text(it->method, skr_span_of(method));
    }
}

void skri_log_name(struct skr_call *call)
{
    static const char *const keys[] = {"name", "uri", "taskId"};
    struct skr_logged *it = &call->conn->logged;

    if (!it->open || !skr_json_is_string(&call->json, call->method)) {
        return;
    }
    log_text(it->method, skr_json_inside(&call->json, call->method));
    for (size_t i = 0; i < sizeof keys / sizeof *keys && it->name[0] == '\0'; i++) {
        int token = skr_json_get(&call->json, call->params, keys[i]);
        if (skr_json_is_string(&call->json, token)) {
            log_text(it->name, skr_json_inside(&call->json, token));
        }
    }
}

void skri_log_handled(struct skr_call *call, bool has_response)
{
    struct skr_conn *c = call->conn;

#if SKR_JOBS
    if (has_response && !skri_response_is_made(call->response) && c->job.awaited == NULL) {
        call->job->logged = c->logged;
        c->logged.open = false;
    }
#endif
    if (!has_response && c->wire == SKR_LINE) {
        c->logged.open = false;
    }
}

void skri_log_resume(struct skr_conn *c, struct skr_job *job)
{
    if (job->logged.open) {
        c->logged = job->logged;
        c->logged.sent = 0;
        job->logged.open = false;
    }
}

static void log_finished(const struct skr_conn *c, struct skr_logged *it, struct skr_finished what)
{
    if (it->open) {
        it->open = false;
        what.method = it->method;
        what.name = it->name;
        what.sent = it->sent;
        what.took_ms = c->srv->log->clock_ms() - it->since_ms;
        c->srv->log->finished(c, &what);
    }
}

void skri_log_lost(struct skr_job *job)
{
    if (job->conn != NULL) {
        log_finished(job->conn, &job->logged, (struct skr_finished){.cut_off = true});
    }
}

static int32_t error_code(const struct skr_response *a)
{
    if (a->envelope.code != 0) {
        return a->envelope.code;
    }
    return a->envelope.error != SKR_NO_ERROR ? skri_error_row((enum skr_rpc_error)a->envelope.error)->code : 0;
}

void skri_log_end(struct skr_conn *c, bool whole)
{
    const struct skr_response *a = &c->response;
    struct skr_finished what = {.cut_off = !whole || a->damaged};

    if (whole || c->responding) {
        what.status = c->wire == SKR_LINE ? 0 : a->envelope.status;
        what.code = error_code(a);
        what.failed = a->outcome.failed;
    }
    log_finished(c, &c->logged, what);
}

#endif
