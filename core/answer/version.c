/* version.c -- names of protocol revisions. */
#include "answer/version.h"

#if SKR_EXTRAS
#define BATCHES "\"2025-03-26\","
#else
#define BATCHES
#endif

const char skri_versions_json[] =
    "[\"" SKR_MODERN_VERSION "\",\"2025-11-25\",\"2025-06-18\"," BATCHES "\"2024-11-05\"]";

const char *skri_version_text(uint8_t version)
{
    static const char text[][11] = {"", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", SKR_MODERN_VERSION};
    return text[version];
}

uint8_t skri_version_find(struct skr_span text)
{
    for (uint8_t v = SKR_V_2024_11_05; v <= SKR_V_2026_07_28; v++) {
        bool offered = SKR_EXTRAS || v != SKR_V_2025_03_26;
        if (offered && skri_span_is(text, skri_version_text(v))) {
            return v;
        }
    }
    return SKR_V_NONE;
}
