/* cursor.h -- pages of a list.
 *
 * A cursor is "position.tag". The tag is made from the position, the image's build id and the list it belongs to. A
 * cursor that was altered, made up, kept from another image or taken from another list is refused (SK-W-04). It guards
 * against mistakes, not against malice: positions are checked against the list anyway. */
#ifndef SKR_CURSOR_H
#define SKR_CURSOR_H

#include "response/request.h"

enum skr_list {
    SKR_LIST_SKILLS = 1,
    SKR_LIST_RESOURCES,
    SKR_LIST_TOOLS,
    SKR_LIST_PROMPTS,
    SKR_LIST_DIRECTORY,
    SKR_LIST_SCOPED,
    SKR_LIST_TASKS,
    SKR_LIST_TEMPLATES,
};

/* Makes the response the page of a list that params.cursor names, or the first one: sets first, end and total. `which`
 * tells lists of one kind apart (a directory's index). With a total of 0 every cursor is refused. False when the
 * response is an error. */
bool skri_page(struct skr_call *call, enum skr_list list, uint32_t which, uint32_t total);

/* Pushes item number i; false: there is none, and what was pushed for it is dropped. */
typedef bool skr_item_fn(struct skr_response *a, uint32_t i);

/* Pushes the next item before `end`: the first with `open` before it, others with a comma (a->any_item). False when
 * none is left. */
bool skri_push_item(struct skr_response *a, const char *open, skr_item_fn *item, uint32_t end);

/* Pushes the end of the array and, when the list goes on after this page, nextCursor. */
void skri_push_list_end(struct skr_response *a);

/* The whole body of a list: one more item of its page, or the end. `open` is the member up to the bracket. */
bool skri_push_list(struct skr_response *a, const char *open, skr_item_fn *item);

#endif
