/* model.c -- see model.h. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint8_t values[8192][UNIT];
struct cell kinds[8192];
struct state now;
struct state *states;
struct story *stories, story;
const char *doing = "";
uint32_t state_count, state_max = 4000000;
unsigned weak_max = 1000, cuts_max = 1000000;
uint64_t cut_points, operations, left_out;
unsigned broken;
bool ecc;
uint16_t reads[UNITS];

static unsigned value_count, kind_count;
static uint32_t *table;
static uint32_t table_size = 1u << 24;

void model_open(void)
{
    uint8_t bytes[UNIT];

    memset(bytes, 0xFF, UNIT);
    (void)value_id(bytes); /* BLANK */
    memset(bytes, 0x5A, UNIT);
    bytes[0] = 0xE7;
    (void)value_id(bytes); /* GARBAGE: no unit of a release or an image is like that */
    states = calloc(state_max, sizeof *states);
    stories = calloc(state_max, sizeof *stories);
    table = calloc(table_size, sizeof *table);
    if (states == NULL || stories == NULL || table == NULL) {
        abort();
    }
}

/* ---- Cells ---- */

static uint32_t mix(const void *bytes, size_t n)
{
    uint32_t h = 2166136261u;

    for (size_t i = 0; i < n; i++) {
        h = (h ^ ((const uint8_t *)bytes)[i]) * 16777619u;
    }
    return h ^ h >> 15;
}

/* The number of `bytes` in a list, which gets it if it is new. */
static uint16_t id_of(const void *bytes, size_t n, void *list, unsigned *count, uint16_t *places)
{
    uint32_t i = mix(bytes, n) & 16383;

    for (; places[i] != 0; i = (i + 1) & 16383) {
        if (memcmp((uint8_t *)list + (places[i] - 1u) * n, bytes, n) == 0) {
            return (uint16_t)(places[i] - 1);
        }
    }
    if (*count == 8192) {
        abort();
    }
    memcpy((uint8_t *)list + *count * n, bytes, n);
    places[i] = (uint16_t)++ * count;
    return (uint16_t)(*count - 1);
}

uint16_t value_id(const uint8_t *bytes)
{
    static uint16_t places[16384];

    return id_of(bytes, UNIT, values, &value_count, places);
}

static uint16_t cell_id(struct cell cell)
{
    static uint16_t places[16384];

    return id_of(&cell, sizeof cell, kinds, &kind_count, places);
}

uint16_t firm(uint16_t value)
{
    return cell_id((struct cell){FIRM, value, value, value});
}

/* ---- States that have been seen ---- */

static uint64_t hash_of(const struct state *s)
{
    uint64_t h = 1469598103934665603u;

    for (size_t i = 0; i < sizeof *s / 2; i++) {
        h = (h ^ ((const uint16_t *)s)[i]) * 1099511628211u;
        h ^= h >> 29;
    }
    return h;
}

/* Records that may read whole at one start and not at the next: their last unit is weak. Those that were cut before it
 * never do. */
static unsigned weak_records(const struct state *s)
{
    unsigned count = 0;

    for (unsigned i = 0; i < RECORDS; i++) {
        struct cell cell = kinds[s->cells[(i * RECORD_SIZE + SKR_STATE_RECORD_SIZE - 1) / UNIT]];
        count += cell.kind == WEAK_PROGRAM || (cell.kind == WEAK_ERASE && cell.b != cell.a);
    }
    return count;
}

void add_state(const struct state *s)
{
    if (weak_records(s) > weak_max || story.cuts > cuts_max) {
        left_out++;
        return;
    }
    uint32_t i = (uint32_t)(hash_of(s) & (table_size - 1));
    for (; table[i] != 0; i = (i + 1) & (table_size - 1)) {
        if (memcmp(&states[table[i] - 1], s, sizeof *s) == 0) {
            return;
        }
    }
    if (state_count == state_max) {
        printf("more than %u states: give it more\n", state_max);
        exit(2);
    }
    stories[state_count] = story;
    stories[state_count].doing = doing;
    states[state_count++] = *s;
    table[i] = state_count;
}

/* ---- Choices ----
 *
 * Whatever could be otherwise, a reading or what the host does, is chosen when it is needed first. A start is run again
 * with the last choice changed, until all have been made. */

static struct {
    uint8_t taken, of;
} choices[64];
static unsigned choice_count, choices_made;

unsigned choose(unsigned of)
{
    if (of < 2) {
        return 0;
    }
    if (choices_made == choice_count) {
        if (choice_count == 64) {
            abort();
        }
        choices[choice_count].taken = 0;
        choices[choice_count++].of = (uint8_t)of;
    }
    return choices[choices_made++].taken;
}

bool choose_otherwise(void)
{
    while (choice_count > 0 && choices[choice_count - 1].taken + 1 == choices[choice_count - 1].of) {
        choice_count--;
    }
    choices_made = 0;
    return choice_count > 0 && ++choices[choice_count - 1].taken > 0;
}

/* ---- The flash ---- */

static const char *place(unsigned unit)
{
    static char text[32];
    unsigned at = unit * UNIT;

    if (at >= IMAGES) {
        snprintf(text, sizeof text, "image %u unit %u", (at - IMAGES) / ROOM, (at - IMAGES) % ROOM / UNIT);
    } else {
        snprintf(text, sizeof text, "record %u unit %u", at / RECORD_SIZE, at % RECORD_SIZE / UNIT);
    }
    return text;
}

/* The cuts that led here, the last one first, and what is weak now. */
void wrong(const char *what)
{
    if (broken++ >= 1) {
        return;
    }
    printf("WRONG: %s (%s), acked %u\n", what, doing, now.acked);
    for (unsigned unit = 0; unit < UNITS; unit++) {
        struct cell cell = kinds[now.cells[unit]];
        if (cell.kind != FIRM) {
            printf("  weak %s kind %u reads %u of %u %u %u\n", place(unit), cell.kind, reads[unit], cell.a, cell.b,
                   cell.c);
        }
    }
    for (uint32_t i = story.from; i != 0; i = stories[i].from) {
        printf("  cut %s %s at %s, acked %u\n",
               stories[i].how == 0   ? "before"
               : stories[i].how == 1 ? "in"
                                     : "after",
               stories[i].doing, place(stories[i].unit), states[i].acked);
    }
}

/* Groups of weak units, which read alike: a sector whose erase was cut, or one unit. */
static unsigned group_of(unsigned unit, struct cell cell)
{
    return cell.kind == WEAK_ERASE && unit * UNIT < IMAGES ? UNITS + unit * UNIT / RECORD_SIZE : unit;
}

/* What a weak cell may read. Of those in one group that have fewer choices than others, the last ones are a. */
static uint16_t reading(struct cell cell, unsigned choice)
{
    const uint16_t may_read[] = {cell.a, GARBAGE, BLANK, cell.b, cell.c};

    return may_read[choice];
}

static unsigned choices_of(struct cell cell)
{
    return cell.c != cell.b && cell.c != cell.a ? 5 : cell.b != cell.a ? 4 : cell.a != BLANK ? 3 : 2;
}

static uint16_t read_unit(unsigned unit)
{
    struct cell cell = kinds[now.cells[unit]];

    if (reads[unit] == NOT_READ && cell.kind == FIRM) {
        reads[unit] = cell.a;
    } else if (reads[unit] == NOT_READ && unit * UNIT >= IMAGES) {
        reads[unit] = choose(2) == 0 ? cell.b : BLANK;
    } else if (reads[unit] == NOT_READ) {
        unsigned group = group_of(unit, cell), of = 0, first = unit / (RECORD_SIZE / UNIT) * (RECORD_SIZE / UNIT);
        for (unsigned i = first; i < first + RECORD_SIZE / UNIT; i++) {
            struct cell each = kinds[now.cells[i]];
            if (each.kind != FIRM && group_of(i, each) == group && choices_of(each) > of) {
                of = choices_of(each);
            }
        }
        unsigned choice = choose(of);
        for (unsigned i = first; i < first + RECORD_SIZE / UNIT; i++) {
            struct cell each = kinds[now.cells[i]];
            if (each.kind != FIRM && group_of(i, each) == group && reads[i] == NOT_READ) {
                reads[i] = reading(each, choice);
            }
        }
    }
    return reads[unit];
}

bool flash_read(void *context, uint32_t at, void *to, uint32_t n)
{
    (void)context;
    for (uint32_t done = 0, some; done < n; done += some) {
        uint32_t into = (at + done) % UNIT;
        uint16_t value = read_unit((at + done) / UNIT);
        some = n - done < UNIT - into ? n - done : UNIT - into;
        if (ecc && value == GARBAGE) {
            return false;
        }
        memcpy((uint8_t *)to + done, values[value] + into, some);
    }
    return true;
}

/* The power fails before the next operation, or in it, when it leaves these cells. */
/* A weak unit of an image looks right, or blank: these are the worst that it can do. */
static struct cell simplify(unsigned unit, struct cell cell)
{
    return unit * UNIT < IMAGES ? cell : (struct cell){WEAK_ERASE, cell.b, cell.b, cell.b};
}

static void cut_here(unsigned first, unsigned n, const uint16_t *torn)
{
    uint16_t whole[UNITS];

    story.unit = (uint16_t)first;
    story.how = 0;
    add_state(&now);
    story.how = 1;
    memcpy(whole, now.cells, sizeof whole);
    memcpy(now.cells + first, torn, n * sizeof *torn);
    add_state(&now);
    memcpy(now.cells, whole, sizeof whole);
    cut_points += 2;
}

static uint32_t sector_units(uint32_t at)
{
    return (at < IMAGES ? RECORD_SIZE : SECTOR_SIZE) / UNIT;
}

bool flash_erase(void *context, uint32_t at, uint32_t n)
{
    (void)context;
    unsigned first = at / UNIT, count = sector_units(at);
    uint16_t torn[UNITS];
    if (n != count * UNIT || (at < IMAGES ? at % RECORD_SIZE : (at - IMAGES) % SECTOR_SIZE) != 0) {
        wrong("erase of what is not a sector");
    }
    operations++;
    for (unsigned i = 0; i < count; i++) {
        struct cell was = kinds[now.cells[first + i]];
        torn[i] = cell_id(
            simplify(first + i,
                     (struct cell){WEAK_ERASE, reads[first + i] == NOT_READ ? was.a : reads[first + i], was.b, was.c}));
    }
    cut_here(first, count, torn);
    for (unsigned i = 0; i < count; i++) {
        now.cells[first + i] = firm(BLANK);
        reads[first + i] = BLANK;
    }
    return true;
}

static bool is_flag(unsigned unit)
{
    return unit * UNIT < IMAGES && unit * UNIT % RECORD_SIZE >= RECORD_ROOM;
}

static void program_unit(unsigned unit, uint16_t value)
{
    struct cell was = kinds[now.cells[unit]], torn = {WEAK_PROGRAM, BLANK, value, value};
    uint16_t id, done = firm(value);

    operations++;
    if (read_unit(unit) != BLANK) {
        wrong("programmed what does not read blank");
    }
    if (was.kind == WEAK_ERASE &&
        is_flag(unit)) { /* of a record that looks as before: it may get lost, as all flags may */
        torn = was;
        torn.c = value;
        done = cell_id(torn);
    } else if (was.kind == WEAK_ERASE) {
        wrong("programmed what was not erased to the end");
    } else if (was.kind == WEAK_PROGRAM) {
        torn.b = was.b;
        torn.c = value;
        if (value != was.b) { /* other bits than before: they do not become firm */
            done = cell_id(torn);
        }
    }
    id = cell_id(simplify(unit, torn));
    cut_here(unit, 1, &id);
    now.cells[unit] = done;
    reads[unit] = value;
}

bool flash_program(void *context, uint32_t at, const void *bytes, uint32_t n)
{
    (void)context;
    if (at % UNIT != 0 || n % UNIT != 0) {
        wrong("program of what is not a unit");
    }
    for (uint32_t i = 0; i < n; i += UNIT) {
        program_unit((at + i) / UNIT, value_id((const uint8_t *)bytes + i));
    }
    return true;
}
