/* lines.h -- a TCP connection with a message on each line, as `skillromd --tcp` serves it, as the way to a device. */
#ifndef SKR_LINES_H
#define SKR_LINES_H

#include "dial.h"
#include "way.h"

struct skr_lines {
    struct skr_way way;
    struct skr_target target; /* set by the owner */
    struct skr_dial dial;
    struct skr_absence absence;
    uint64_t asked_ms; /* when the probe was sent */
    char text[SKR_WAY_TEXT + 1];
    size_t text_at, text_n;
    char got[16384];
    size_t got_at, got_n;
};

/* Initialises l, whose owner's fields are set. */
void skr_lines_init(struct skr_lines *l);

#endif
