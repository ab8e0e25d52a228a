/* request_table.h -- the table of requests, between requests.c and responses.c.
 *
 * (1) A row that is taken is in the chain of exactly one device, in the order of arrival.
 * (2) device->sent counts the rows of its chain that are SENT and not initialize.
 * (3) While device->handshake is SENT, exactly one row of its chain is an initialize that is SENT. */
#ifndef SKR_FLEET_REQUEST_TABLE_H
#define SKR_FLEET_REQUEST_TABLE_H

#include "requests.h"

enum fleet_row_state {
    FLEET_ROW_FREE,
    FLEET_ROW_WAITS, /* for the device, its handshake or its turn */
    FLEET_ROW_SENT,
};

struct fleet_row {
    uint8_t state;   /* enum fleet_row_state */
    bool initialize; /* the fleet's own, without an owner */
    uint16_t next;   /* in the chain of its device, or of free rows */
    uint16_t round;  /* how often the row was taken: part of the id, so that a late response finds no request */
    uint64_t due_ms;
    struct fleet_request request;
};

struct fleet_table {
    struct fleet_row rows[FLEET_REQUESTS];
    uint16_t opened; /* rows that were ever taken */
    uint16_t free;   /* the first free one of them */
    uint32_t taken;
};

extern struct fleet_table fleet_table;

static inline struct fleet_device *fleet_row_device(const struct fleet_row *row)
{
    return &fleet_registry.devices[row->request.device];
}

/* The JSON-RPC id of the request in a row. */
static inline uint32_t fleet_row_id(const struct fleet_row *row)
{
    return (uint32_t)(row - fleet_table.rows) * 65536u + row->round;
}

/* A row at the end of the device's chain; NULL: the table is full. */
struct fleet_row *fleet_row_take(uint32_t device);

/* Takes a row out of its device's chain. */
void fleet_row_release(struct fleet_row *row);

/* Releases the row, then notifies its owner, who may submit more. */
void fleet_row_end(struct fleet_row *row, enum fleet_outcome outcome, struct skr_span value);

/* The request with this id that was sent to this device; NULL: none. */
struct fleet_row *fleet_row_find(uint32_t device, struct skr_span id);

/* ---- Of requests.c, for responses.c ---- */

/* Sends the requests that may be sent now. False when the broker has no room for more. */
bool fleet_requests_send(uint32_t device, uint64_t now_ms);

/* The device should be present and does not respond, or floods. */
void fleet_requests_silent(uint32_t device, uint64_t now_ms);

/* The device has responded to initialize, or has not. */
void fleet_requests_initialized(struct fleet_row *row, bool accepted, uint64_t now_ms);

/* A second response to this initialize came from a second device. */
void fleet_requests_check_duplicate(uint32_t device, struct skr_span id, uint64_t now_ms);

#endif
