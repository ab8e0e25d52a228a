/* scripts.c -- the handler for a file below a skill's scripts/.
 *
 * A device has no interpreter: skills/pump/clear-fault/scripts/pressure_test.lua is only for reading, and this does
 * the same in C. Its tool is described in tools/clear-fault.pressure_test.json. It takes time, so each call does one
 * step. */
#include "device.h"
#include "pump.h"
#include "tools.h"

#if SKR_JOBS
#define QUARTERS 4

struct pressure_test {
    int32_t line;
    int32_t quarters;
};

static int report_test(struct skr_call *call, const struct pressure_test *test, int32_t mbar)
{
    skr_putf(call, "line %d: outlet %s, ", (int)test->line, mbar > PUMP_PRESSURE_MAX_MBAR ? "blocked" : "free");
    skr_put_fixed(call, mbar, 3);
    skr_putf(call, " bar after %d of %d quarter turns", (int)test->quarters, QUARTERS);
    return 0;
}

int tool_clear_fault_pressure_test(struct skr_call *call, const struct tool_clear_fault_pressure_test_args *args)
{
    const struct pump *pump = skr_context(call);
    struct pressure_test *test = SKR_JOB_STATE_OF(call, struct pressure_test);

    if (args != NULL) {
        test->line = args->line;
    }
    if (skr_cancelled(call)) {
        return 0;
    }
    int32_t mbar = pump_pressure_mbar(&pump->line[test->line - 1], ++test->quarters);
    if (test->quarters < QUARTERS && mbar <= PUMP_PRESSURE_MAX_MBAR) {
        return SKR_PENDING;
    }
    return report_test(call, test, mbar);
}
#endif
