/* dialogue.c -- see dialogue.h. */
#include "dialogue.h"

#include <string.h>

#include "../bridge/note.h"
#include "../bridge/questions.h"
#include "../bridge/scan.h"
#include "run/job_state.h"
#include "text/span.h"

/* ---- The request ---- */

/* What follows name and arguments in the request. */
static struct skr_text behind_arguments(struct skr_slot *s)
{
    return (struct skr_text){s->params, s->tool.n + s->params_n, sizeof s->params, false};
}

static bool keep(struct skr_slot *s, const struct skr_text *t)
{
    s->params_n = t->over ? s->params_n : t->n - s->tool.n;
    return !t->over;
}

/* By form only: a URL needs an id in the initialize era, which devices of the other do not give. */
static void put_offers(struct skr_text *t, uint8_t can)
{
    static const struct {
        uint8_t bit;
        const char *json;
    } known[] = {{SKR_CAP_ELICITATION, "\"elicitation\":{\"form\":{}}"},
                 {SKR_CAP_SAMPLING, "\"sampling\":{}"},
                 {SKR_CAP_ROOTS, "\"roots\":{}"}};
    skr_text_put(t, "{");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if ((can >> known[i].bit & 1) != 0) {
            skr_text_put(t, t->n > 1 ? "," : "");
            skr_text_put(t, known[i].json);
        }
    }
    skr_text_put(t, "}");
}

bool skr_dialogue_begin(struct skr_call *call, struct skr_slot *s)
{
    static const char *const brought[] = {"inputResponses", "requestState"};
    struct skr_text offers = {s->offers, 0, sizeof s->offers, false}, t = behind_arguments(s);
    if (!call->modern) {
        put_offers(&offers, s->job->mute ? 0 : call->legacy->can);
        s->offers_n = offers.n;
        return true;
    }
    if (call->meta[SKR_META_OFFERS] >= 0) {
        skr_text_span(&offers, skri_json_raw(&call->json, call->meta[SKR_META_OFFERS]));
    }
    s->offers_n = offers.over ? 0 : skr_scan_compact(s->offers, (struct skr_span){s->offers, offers.n});
    for (size_t i = 0; i < sizeof brought / sizeof brought[0]; i++) {
        int token = skri_json_get(&call->json, call->params, brought[i]);
        if (token >= 0) {
            skr_text_put(&t, ",\"");
            skr_text_put(&t, brought[i]);
            skr_text_put(&t, "\":");
            skr_text_span(&t, skri_json_raw(&call->json, token));
        }
    }
    return keep(s, &t);
}

/* ---- Progress ---- */

void skr_dialogue_progress(uint32_t owner, uint32_t item, struct skr_span params)
{
    (void)item;
    skr_note_progress(skr_slots_of_jobs[owner].job, params);
}

/* ---- Questions ---- */

bool skr_dialogue_is_question(struct skr_span result)
{
    return skri_scan_is(skri_scan_get(result, "resultType"), "input_required");
}

/* The questions of a result: members of inputRequests, with the key as the device has it. */
static bool ask_one(struct skr_slot *s, struct skr_span question, unsigned number)
{
    struct skr_span method = skri_scan_get(question, "method"), params = skri_scan_get(question, "params");
    params = params.p != NULL ? params : SPAN("{}");
    if (method.p == NULL || s->job->question_count == SKR_ASKS) {
        return false;
    }
    int n = skr_questions_write(skr_questions_room(s->srv, s->job), method, params);
    if (n >= 0) {
        skr_questions_add(s->srv, s->job, (uint32_t)n, number);
    }
    return n >= 0;
}

/* The slot's text is the result until all replies are there. */
bool skr_dialogue_ask(struct skr_slot *s, struct skr_span result)
{
    struct skr_span rest = skri_scan_get(result, "inputRequests"), key, question;
    unsigned number = 0;
    if (s->modern || s->job->mute || skri_job_is_stopping(s->job) || result.n > s->text.room) {
        return false;
    }
    bool good = true;
    while (good && skri_scan_pair(&rest, &key, &question)) {
        good = ask_one(s, question, number++);
    }
    s->params_n = s->arguments_n; /* replies to earlier questions are in the state that the device gives */
    struct skr_text t = behind_arguments(s);
    skr_text_put(&t, ",\"inputResponses\":{");
    s->asks = good && number > 0 && keep(s, &t);
    if (s->asks) {
        memcpy(s->text.p, result.p, result.n);
        s->text.n = result.n;
    } else {
        s->job->question_count = 0;
    }
    return s->asks;
}

/* The key of a question, with its quotes. */
static struct skr_span key_of(const struct skr_slot *s, unsigned number)
{
    struct skr_span rest = skri_scan_get((struct skr_span){s->text.p, s->text.n}, "inputRequests"), key, question;
    while (skri_scan_pair(&rest, &key, &question) && number > 0) {
        number--;
    }
    return key;
}

/* All replies are there: what the device has given the agent to keep goes back with them. */
static bool close_replies(struct skr_slot *s)
{
    struct skr_span state = skri_scan_get((struct skr_span){s->text.p, s->text.n}, "requestState");
    struct skr_text t = behind_arguments(s);
    skr_text_put(&t, "}");
    if (state.p != NULL) {
        skr_text_put(&t, ",\"requestState\":");
        skr_text_span(&t, state);
    }
    s->text.n = 0;
    s->asks = false;
    return keep(s, &t);
}

enum skr_dialogue_state skr_dialogue_reply(struct skr_call *call, struct skr_slot *s)
{
    const struct skr_job *job = s->job;
    bool good = true;
    unsigned open = 0;
    for (unsigned i = 0; i < job->question_count; i++) {
        const struct skr_question *q = &job->questions[i];
        struct skr_text t = behind_arguments(s);
        open += !q->answered;
        if (q->answered && call->reply >= 0) {
            skr_text_put(&t, t.p[t.n - 1] == '{' ? "" : ",");
            skr_text_span(&t, key_of(s, q->key));
            skr_text_put(&t, ":");
            skr_text_span(&t, skri_json_raw(&call->json, call->reply));
            good &= keep(s, &t);
        } else if (q->answered) {
            good = false;
        }
    }
    if (good && open > 0) {
        return SKR_DIALOGUE_OPEN;
    }
    good = close_replies(s) && good;
    return good ? SKR_DIALOGUE_REPLIED : SKR_DIALOGUE_FAILED;
}
