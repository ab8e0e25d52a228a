/* text.h -- JSON that is written piece by piece into a buffer of fixed size. */
#ifndef SKR_FLEET_TEXT_H
#define SKR_FLEET_TEXT_H

#include "skillrom.h"

struct fleet_json {
    char *p;
    size_t n, room;
    bool over; /* something did not fit: what is there is not whole */
};

void fleet_json_put(struct fleet_json *t, const char *literal);
void fleet_json_span(struct fleet_json *t, struct skr_span raw);

/* A string with its quotes; text that is not UTF-8 must not come here. */
void fleet_json_string(struct fleet_json *t, struct skr_span text);
void fleet_json_number(struct fleet_json *t, uint64_t value);

/* JSON of a device, with the folder behind skill:// in the values of uri and url: so its URIs differ from those of other builds. */
void fleet_json_renamed(struct fleet_json *t, struct skr_span json, const char *folder);

/* The members of an object without its braces, and without those that the core adds itself if `modern`. With a folder their
 * URIs are renamed; NULL: they are not. False: there are none. */
bool fleet_json_members(struct fleet_json *t, struct skr_span object, bool modern, const char *folder);

/* The whole text as a number of at most 18 digits; UINT64_MAX: it is none. */
uint64_t fleet_json_value(struct skr_span digits);

/* Members: ,"name":"text" and ,"name":1, with the comma that `first` does not need. */
void fleet_json_member(struct fleet_json *t, bool first, const char *name, struct skr_span text);
void fleet_json_count(struct fleet_json *t, bool first, const char *name, uint64_t value);

#endif
