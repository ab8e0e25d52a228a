/* version.c -- names of protocol revisions. */
#include "response/version.h"

#if SKR_EXTRAS
#define BATCHES "\"2025-03-26\","
#else
#define BATCHES
#endif

#define VERSION_SIZE (sizeof SKR_MODERN_VERSION - 1) /* of each: they are dates */

const char skri_versions_json[] =
    "[\"" SKR_MODERN_VERSION "\",\"2025-11-25\",\"2025-06-18\"," BATCHES "\"2024-11-05\"]";

const char *skri_version_text(uint8_t version)
{
    static const char text[][VERSION_SIZE + 1] = {"",           "2024-11-05", "2025-03-26",
                                                  "2025-06-18", "2025-11-25", SKR_MODERN_VERSION};

    return text[version];
}

uint8_t skri_version_find(struct skr_span text)
{
    for (uint8_t v = SKR_V_2024_11_05; v <= SKR_V_2026_07_28; v++) {
        if ((SKR_EXTRAS || v != SKR_V_2025_03_26) && text.n == VERSION_SIZE &&
            memcmp(text.p, skri_version_text(v), VERSION_SIZE) == 0) {
            return v;
        }
    }
    return SKR_V_NONE;
}
