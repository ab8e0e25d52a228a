/* limits.c -- what the budgets of device.json are called. */
#include "image/model.h"

const char *const limit_names[LIMIT_HITS + 1] = {
    [LIMIT_ALWAYS] = "alwaysTokens", [LIMIT_ACTIVATION] = "activationTokens",
    [LIMIT_FILE] = "fileTokens",     [LIMIT_LISTS] = "listBytes",
    [LIMIT_IMAGE] = "imageBytes",    [LIMIT_PANEL] = "panelBytes",
    [LIMIT_HITS] = "queryHits",
};
