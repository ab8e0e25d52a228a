/* semihosting.h -- requests to the emulator or debugger: exit with a status, print a text. On a chip without
 * a debugger these fault, so only boards for emulators call them. */
#ifndef SEMIHOSTING_H
#define SEMIHOSTING_H

#include <stdint.h>

void semihosting_exit(int status) __attribute__((noreturn));
void semihosting_print(const char *text);
void semihosting_print_number(uint32_t value);

#endif
