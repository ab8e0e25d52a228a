/* method.c -- finds the row of a method, which names its handler.
 *
 * Adding a method is a row of method_rows.h and a function in a method_*.c. */
#include "mcp/method.h"

#include "handler/job_task.h"
#include "skills/dialects.h"
#include "skills/skill.h"

static const struct skr_method methods[] = {
#define SKR_METHOD(name, ...) {{name, sizeof(name) - 1}, __VA_ARGS__},
#include "mcp/method_rows.h"
#undef SKR_METHOD
};

#define METHOD_COUNT (sizeof methods / sizeof methods[0])

const struct skr_method *skri_method_named(struct skr_span name)
{
    const struct skr_method *m = methods;

    while (m < methods + METHOD_COUNT && !skr_span_eq(name, m->name)) {
        m++;
    }
    return m < methods + METHOD_COUNT ? m : NULL;
}

/* By decoding the name once, or where flash is short by comparing it with every row as it is written. */
static const struct skr_method *method_row(const struct skr_call *call)
{
    struct skr_span name = NOTHING;

    if (SKR_FAST) {
        (void)skr_json_string(&call->json, call->method, &name);
        return skri_method_named(name);
    }
    const struct skr_method *m = methods;
    while (m < methods + METHOD_COUNT && !skr_json_equals_span(&call->json, call->method, m->name)) {
        m++;
    }
    return m < methods + METHOD_COUNT ? m : NULL;
}

const struct skr_method *skri_method_find(const struct skr_call *call)
{
    unsigned era = call->modern ? SKR_MODERN_ERA : SKR_LEGACY_ERA;
    const struct skr_method *m = method_row(call);
    bool offered =
        m != NULL && (m->eras & era) != 0 && skri_offers(call->fs, call->srv->device, (enum skr_feature)m->feature);

#if SKR_UPDATE
    offered &= call->srv->updater != NULL || m == NULL || m->right != SKR_BY_UPDATER;
#endif
    return offered ? m : NULL;
}

/* SK-F-01 */
static bool has_scripts(const struct romfs *fs, const struct skr_device *device)
{
    for (uint32_t i = 0; i < fs->header->files.count; i++) {
        if (skri_file_kind(fs, device, &fs->files[i]) == ROMFS_SCRIPT) {
            return true;
        }
    }
    return false;
}

bool skri_offers(const struct romfs *fs, const struct skr_device *device, enum skr_feature feature)
{
    if (SKR_TASKS && feature == SKR_HAS_TASKS) {
        return skri_task_offered(device);
    }
    return feature == SKR_SCRIPTS ? SKR_DIALECTS && has_scripts(fs, device) : skri_has(fs, device, feature);
}
