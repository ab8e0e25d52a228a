/* stand_in.h -- what stands in for the system around the bridge and the fleet while they are fuzzed, put there by the linker's --wrap: a
 * clock that only the fuzzer moves, a cache of a few responses, random bytes that are always the same, and nobody to talk to. */
#ifndef FUZZ_STAND_IN_H
#define FUZZ_STAND_IN_H

#include <stdbool.h>
#include <stdint.h>

extern uint64_t now_ms;

/* As at the beginning of every input. */
void stand_in_start(void);

/* Ends the program with what does not hold. */
void must(bool holds, const char *what);

#endif
