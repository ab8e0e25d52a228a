/* buffer.h -- the bytes that a connection has received and not yet handled (buffer.c). */
#ifndef SKR_BUFFER_H
#define SKR_BUFFER_H

#include "skillrom.h"

/* Moves the bytes from c->start on down to `to`, to make room after them. */
void skri_buffer_compact(struct skr_conn *c, uint32_t to);

#endif
