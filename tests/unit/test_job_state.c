/* test_job_state.c -- the edges between the states of a tool call, as a graph: what the transcripts cannot see. */
#include "handler/job_state.h"
#include "unity.h"

static const struct edge {
    uint8_t from, event, to;
    const char *reason;
} edges[] = {
#define EDGE(from, event, to, reason) {JOB_##from, JOB_##event, JOB_##to, reason},
    SKR_JOB_EDGES(EDGE)
#undef EDGE
};

enum {
    EDGES = sizeof edges / sizeof *edges,
    STATES = JOB_ENDED_LAST + 1,
    /* not all of them are */ EVENTS = JOB_AWAIT + 1
};

void setUp(void)
{
}

void tearDown(void)
{
}

static void an_event_leads_from_a_state_to_one_other(void)
{
    bool listed[STATES][EVENTS] = {{false}};

    for (unsigned i = 0; i < EDGES; i++) {
        TEST_ASSERT_FALSE_MESSAGE(listed[edges[i].from][edges[i].event], edges[i].reason);
        listed[edges[i].from][edges[i].event] = true;
    }
}

static void each_edge_is_taken(void)
{
    static const struct skr_tool tool = {.name = "any"};

    for (unsigned i = 0; i < EDGES; i++) {
        for (unsigned is_task = 0; is_task <= (SKR_TASKS ? 1 : 0); is_task++) {
            struct skr_job job = {.call = {.tool = &tool}, .state = edges[i].from};
#if SKR_TASKS
            job.task.kind = is_task ? IS_TASK : NO_TASK;
#endif
            skri_job_move(&job, (enum job_event)edges[i].event);
            uint8_t expected = edges[i].to == JOB_ENDED && !is_task ? JOB_FREE : edges[i].to;
            TEST_ASSERT_EQUAL_MESSAGE(expected, job.state, edges[i].reason);
            TEST_ASSERT_EQUAL_MESSAGE(expected == JOB_FREE, job.call.tool == NULL, edges[i].reason);
        }
    }
}

/* Marks what can be reached from a state, or, backwards, from where it can be reached. */
static void reach(bool seen[STATES], uint8_t from, bool backwards)
{
    seen[from] = true;
    for (unsigned i = 0; i < EDGES * STATES; i++) {
        const struct edge *e = &edges[i % EDGES];
        if (seen[backwards ? e->to : e->from]) {
            seen[backwards ? e->from : e->to] = true;
        }
    }
}

static void every_state_can_be_reached_and_left(void)
{
    bool reached[STATES] = {false}, left[STATES] = {false};

    reach(reached, JOB_FREE, false);
    reach(left, JOB_FREE, true);
    for (unsigned i = 0; i < EDGES; i++) {
        TEST_ASSERT_TRUE_MESSAGE(reached[edges[i].from] && left[edges[i].to], edges[i].reason);
    }
}

static void the_client_that_waits_can_be_lost(void)
{
    for (uint8_t n = 0; n < EDGES; n++) {
        uint8_t state = edges[n].from;
        struct skr_job job = {.state = state};
        bool loses = false;
        for (unsigned i = 0; i < EDGES; i++) {
            loses |= edges[i].from == state && edges[i].event == JOB_LOSE;
        }
        TEST_ASSERT_EQUAL(skri_job_is_owed(&job), loses);
    }
}

static void a_handler_that_runs_can_end(void)
{
    for (uint8_t n = 0; n < EDGES; n++) {
        uint8_t state = edges[n].from;
        struct skr_job job = {.state = state};
        bool ends = false;
        for (unsigned i = 0; i < EDGES; i++) {
            ends |= edges[i].from == state && edges[i].event == JOB_END;
        }
        TEST_ASSERT_EQUAL(skri_job_runs(&job) || state == JOB_STARTING, ends);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(an_event_leads_from_a_state_to_one_other);
    RUN_TEST(each_edge_is_taken);
    RUN_TEST(every_state_can_be_reached_and_left);
    RUN_TEST(the_client_that_waits_can_be_lost);
    RUN_TEST(a_handler_that_runs_can_end);
    return UNITY_END();
}
