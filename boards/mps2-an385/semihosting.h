/* semihosting.h -- ask the emulator or debugger for something: end with a status, say a text. On a chip without
 * a debugger these fault, so only this board has them. */
#ifndef SEMIHOSTING_H
#define SEMIHOSTING_H

void semihosting_exit(int status) __attribute__((noreturn));
void semihosting_say(const char *text);

#endif
