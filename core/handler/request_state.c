/* request_state.c -- the handler's state, which a client of 2026-07-28 keeps for us as requestState. See
 * request_state.h. */
#include "handler/request_state.h"

#include "handler/guard.h"
#include "response/request.h"
#include "text/encode.h"
#include "text/siphash.h"

#if SKR_INTERACTIVE

#define TAG_BYTES 8 /* of SKR_SEAL_BYTES, a SipHash; the time follows, */
#define AT_PHASE 12 /* then how far the rules have been checked, */
#define AT_PLAN 13  /* and whether it is a plan */

bool skri_state_can_seal(const struct skr_server *s)
{
    uint8_t any = 0;

    for (unsigned i = 0; i < sizeof s->seed; i++) {
        any |= s->seed[i];
    }
    return any != 0;
}

/* ---- Confirmations of clients of 2026-07-28, which count once ---- */

#if SKR_GUARD
static uint64_t tag_of(const struct skr_job *job)
{
    uint64_t tag;

    memcpy(&tag, job->handler_state.kept.bytes, sizeof tag);
    return tag;
}

static void state_remember(struct skr_server *s, const struct skr_job *job)
{
    struct skr_guarding *guard = &s->guard;

    if (job->call.phase != GUARD_NEW) {
        guard->open[guard->next] = tag_of(job);
        guard->next = (uint8_t)((guard->next + 1) % SKR_CONFIRMATIONS);
    }
}

static bool state_recall(struct skr_server *s, const struct skr_job *job)
{
    uint64_t tag = tag_of(job);

    for (unsigned i = 0; job->call.phase != GUARD_NEW && i < SKR_CONFIRMATIONS; i++) {
        if (s->guard.open[i] == tag) {
            s->guard.open[i] = 0;
            return true;
        }
    }
    return job->call.phase == GUARD_NEW;
}
#endif

/* ---- Sealing ---- */

/* STATE-03: binds the state to its tool and to the arguments. */
static void make_tag(const struct skr_server *s, const struct skr_job *job, char tag[TAG_BYTES])
{
    const struct skr_handler_state *state = &job->handler_state;
    struct skr_sip sip;

    skr_sip_start(&sip, s->seed);
    skr_sip_add(&sip, job->call.tool->name, strlen(job->call.tool->name) + 1);
    skr_sip_add(&sip, &state->binding, sizeof state->binding);
    skr_sip_add(&sip, state->kept.bytes + TAG_BYTES, SKR_SEAL_BYTES - TAG_BYTES + (size_t)state->size);
    uint64_t hash = skr_sip_end(&sip);
    memcpy(tag, &hash, sizeof hash);
}

void skri_state_seal(struct skr_server *s, struct skr_job *job)
{
    char *seal = job->handler_state.kept.bytes;

    memset(seal, 0, SKR_SEAL_BYTES);
    memcpy(seal + TAG_BYTES, &s->clock.now_ms, sizeof s->clock.now_ms);
#if SKR_GUARD
    seal[AT_PHASE] = (char)job->call.phase;
    seal[AT_PLAN] = (char)job->call.plan;
#endif
    make_tag(s, job, seal);
#if SKR_GUARD
    state_remember(s, job);
#endif
}

/* STATE-01: accepts a state only if its tag is ours, and not too old. */
static bool open_state(struct skr_server *s, struct skr_job *job, struct skr_span text)
{
    char *seal = job->handler_state.kept.bytes, tag[TAG_BYTES];
    unsigned differs = 0;
    uint32_t made_ms;
    size_t n;

    if (!skri_state_can_seal(s) || !skr_decode_base64(text, true, seal, sizeof job->handler_state.kept.bytes, &n) ||
        n < SKR_SEAL_BYTES) {
        return false;
    }
    job->handler_state.size = (uint16_t)(n - SKR_SEAL_BYTES);
    make_tag(s, job, tag);
    for (unsigned i = 0; i < TAG_BYTES; i++) {
        differs |= (unsigned)(tag[i] ^ seal[i]);
    }
    memcpy(&made_ms, seal + TAG_BYTES, sizeof made_ms);
    bool good = differs == 0 && s->clock.now_ms - made_ms <= SKR_STATE_MS;
#if SKR_GUARD
    job->call.phase = (uint8_t)seal[AT_PHASE];
    job->call.plan |= seal[AT_PLAN] != 0; /* a plan on either side: nothing moves */
    good = good && state_recall(s, job);
#endif
    return good;
}

/* A hash of the arguments, and of who gives them (AUTH-08). */
static uint64_t arguments_hash(const struct skr_call *call)
{
    struct skr_span text = call->arguments >= 0 ? skr_json_raw(&call->json, call->arguments) : SPAN("{}");
    struct skr_sip sip;

    skr_sip_start(&sip, call->srv->seed);
    if (SKR_AUTH) {
        skr_sip_add(&sip, skri_who_id(call->conn), SKR_WHO);
    }
    skr_sip_add(&sip, text.p, text.n);
    return skr_sip_end(&sip);
}

bool skri_state_restore(struct skr_call *call, struct skr_job *job)
{
    struct skr_span text;
    int state = skr_json_get(&call->json, call->params, "requestState");

    job->handler_state.binding = arguments_hash(call);
    return state < 0 || (skr_json_string(&call->json, state, &text) && open_state(call->srv, job, text));
}

#endif
