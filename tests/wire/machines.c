/* machines.c -- see machines.h. */
#include "machines.h"

#include <string.h>

#include "../../examples/pump/device.h"
#include "conformance/device/device.h"

#ifdef WIRE_DEVICE /* another firmware: build.mk */
extern const struct skr_device WIRE_DEVICE;
#else
#define WIRE_DEVICE skr_example_device
#endif

#if SKR_GUARD
/* What the dispenser keeps over resets. */
static const struct skr_guard *guard(void)
{
    return dispenser_device.tools[0].rules->guard;
}
#endif

void machines_save(struct machines *to)
{
    to->pump = pump_bench;
#if SKR_EVENTS
    to->alarms = conformance_alarms;
#endif
#if SKR_GUARD
    to->dispenser = dispenser;
    to->kept = *guard()->kept;
    memcpy(to->budgets, guard()->budgets, guard()->budget_count * sizeof *guard()->budgets);
#endif
}

void machines_restore(const struct machines *from)
{
    pump_bench = from->pump;
#if SKR_EVENTS
    conformance_alarms = from->alarms;
#endif
#if SKR_GUARD
    dispenser = from->dispenser;
    *guard()->kept = from->kept;
    memcpy(guard()->budgets, from->budgets, guard()->budget_count * sizeof *guard()->budgets);
#endif
}

const struct skr_device *machines_device(const char *name)
{
#if SKR_INTERACTIVE && SKR_EXTRAS && SKR_CHANGES /* all of which the fixture uses */
    if (strcmp(name, "fixture") == 0) {
        return &conformance_device;
    }
#endif
#if SKR_GUARD
    if (strcmp(name, "dispenser") == 0) {
        return &dispenser_device;
    }
#endif
    (void)name;
    return &WIRE_DEVICE;
}
