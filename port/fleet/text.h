/* text.h -- JSON that is written piece by piece into a buffer of fixed size. */
#ifndef SKR_FLEET_TEXT_H
#define SKR_FLEET_TEXT_H

#include "skillrom.h"

struct skr_text {
    char *p;
    size_t n, room;
    bool over; /* something did not fit: what is there is not whole */
};

void skr_text_put(struct skr_text *t, const char *literal);
void skr_text_span(struct skr_text *t, struct skr_span raw);

/* A string with its quotes; text that is not UTF-8 must not come here. */
void skr_text_string(struct skr_text *t, struct skr_span text);
void skr_text_number(struct skr_text *t, uint64_t value);

/* JSON of a device, with the folder behind skill:// in the values of uri and url: so its URIs differ from those of other builds. */
void skr_text_renamed(struct skr_text *t, struct skr_span json, const char *folder);

/* The members of an object without its braces, and without those that the core adds itself if `modern`. With a folder their
 * URIs are renamed; NULL: they are not. False: there are none. */
bool skr_text_members(struct skr_text *t, struct skr_span object, bool modern, const char *folder);

/* The whole text as a number of at most 18 digits; UINT64_MAX: it is none. */
uint64_t skr_text_value(struct skr_span digits);

/* Members: ,"name":"text" and ,"name":1, with the comma that `first` does not need. */
void skr_text_member(struct skr_text *t, bool first, const char *name, struct skr_span text);
void skr_text_count(struct skr_text *t, bool first, const char *name, uint64_t value);

#endif
