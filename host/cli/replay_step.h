/* replay_step.h -- sends the request of a transcript's step, and reads the response as a manual shows it. */
#ifndef CLI_REPLAY_STEP_H
#define CLI_REPLAY_STEP_H

#include "../client/client.h"
#include "base/check.h"
#include "image/model.h"
#include "load/transcript.h"

/* The text of a response. */
struct step_lines {
    char **line; /* at least one */
    size_t count;
    bool error;
};

/* Sends it; a tool call as a plan, if wanted. Returns the response; NULL after a message. */
const struct node *step_request(const struct check *c, struct client *client, const struct device *device,
                                const struct step *step, bool plan);

struct step_lines step_lines_of(const struct node *message);

#endif
