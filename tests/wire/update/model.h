/* model.h -- a flash that a power cut leaves in every state it can, for explore.c. */
#ifndef TESTS_UPDATE_MODEL_H
#define TESTS_UPDATE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "update_record.h"

/* ---- Geometry, to be set on the command line ---- */

#ifndef UNIT
#define UNIT 8
#endif
#ifndef PARTS
#define PARTS 2
#endif
#ifndef SECTOR_UNITS
#define SECTOR_UNITS 2
#endif
#ifndef SECTORS
#define SECTORS 3
#endif
#ifndef RECORDS
#define RECORDS 3
#endif
#define FLAG_SIZE (UNIT > 8 ? UNIT : 8)
#define RECORD_ROOM ((SKR_STATE_RECORD_SIZE + FLAG_SIZE - 1) / FLAG_SIZE * FLAG_SIZE)
#define RECORD_SIZE (RECORD_ROOM + PARTS * FLAG_SIZE)
#define SECTOR_SIZE (SECTOR_UNITS * UNIT)
#define ROOM (SECTORS * SECTOR_SIZE)
#define IMAGES (RECORDS * RECORD_SIZE)
#define FLASH_SIZE (IMAGES + 2 * ROOM)
#define UNITS (FLASH_SIZE / UNIT)
#ifndef RELEASES
#define RELEASES 2
#endif

/* ---- Cells ---- */

enum { BLANK, GARBAGE };                      /* values that are always there */
enum kind { FIRM, WEAK_PROGRAM, WEAK_ERASE }; /* what a cut has left */

struct cell {
    uint16_t kind, a, b, c; /* what it may read: a, or if it is weak also b, c, blank and garbage */
};

extern uint8_t values[8192][UNIT]; /* what a unit may read, by number */
extern struct cell kinds[8192];

/* The number of a value, and that of a cell that reads it. */
uint16_t value_id(const uint8_t *bytes);
uint16_t firm(uint16_t value);

/* ---- States ---- */

struct state {
    uint16_t cells[UNITS];
    uint16_t acked; /* number of the last release whose confirm was answered */
};

/* How a state came about, to tell the story of a failure. */
struct story {
    uint32_t from;
    uint32_t cuts;
    const char *doing;
    uint16_t unit;
    uint8_t how; /* 0: cut before the operation, 1: in it, 2: after all of them */
};

extern struct state now, *states;
extern struct story *stories, story; /* of the states, and of the one that is next */
extern const char *doing;
extern uint32_t state_count, state_max;
extern unsigned weak_max, cuts_max;
extern uint64_t cut_points, operations, left_out;

void model_open(void);

/* Remembers a state, unless it is known or beyond weak_max and cuts_max. */
void add_state(const struct state *s);

/* Reports a violated invariant, the first with its story. */
extern unsigned broken;
void wrong(const char *what);

/* One of `of` possibilities; a start is repeated with the last choice changed until all have been made. */
unsigned choose(unsigned of);
bool choose_otherwise(void);

/* ---- The flash, as struct skr_flash has it ---- */

#define NOT_READ 0xFFFFu
extern uint16_t reads[UNITS]; /* what each unit reads since this start; chosen when it is read first */
extern bool ecc;

bool flash_read(void *context, uint32_t at, void *to, uint32_t n);
bool flash_erase(void *context, uint32_t at, uint32_t n);
bool flash_program(void *context, uint32_t at, const void *bytes, uint32_t n);

#endif
