/* json_text.h -- writes JSON piece by piece into a buffer of fixed size. */
#ifndef SKR_FLEET_JSON_TEXT_H
#define SKR_FLEET_JSON_TEXT_H

#include "skillrom.h"

struct fleet_json {
    char *p;
    size_t n, room;
    bool over; /* something did not fit: the text is incomplete */
};

void fleet_json_put(struct fleet_json *t, const char *literal);
void fleet_json_span(struct fleet_json *t, struct skr_span raw);

/* A string with its quotes. The text must be UTF-8. */
void fleet_json_string(struct fleet_json *t, struct skr_span text);
void fleet_json_number(struct fleet_json *t, uint64_t value);

/* JSON of a device, with the folder inserted after skill:// in the values of uri and url: so its URIs differ from those of other
 * builds. */
void fleet_json_renamed(struct fleet_json *t, struct skr_span json, const char *folder);

/* The members of an object without its braces; if `modern`, without those that the core adds itself. The folder is as above, or
 * NULL. False: there are no members. */
bool fleet_json_members(struct fleet_json *t, struct skr_span object, bool modern, const char *folder);

/* The whole text as a number; UINT64_MAX: it is not one, or too large. */
uint64_t fleet_json_value(struct skr_span digits);

/* Members: ,"name":"text" and ,"name":1; without the comma if `first`. */
void fleet_json_member(struct fleet_json *t, bool first, const char *name, struct skr_span text);
void fleet_json_count(struct fleet_json *t, bool first, const char *name, uint64_t value);

#endif
