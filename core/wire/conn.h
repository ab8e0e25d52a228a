/* conn.h -- what the framings share of a connection. */
#ifndef SKR_CONN_H
#define SKR_CONN_H

#include "skillrom.h"

/* Moves the bytes from c->start on to `to`, to make room behind them. */
void skr_conn_compact(struct skr_conn *c, uint32_t to);

#endif
