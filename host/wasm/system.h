/* system.h -- what wasi-libc does not declare; the build includes it before every source of the image compiler. See system.c. */
#ifndef WASM_SYSTEM_H
#define WASM_SYSTEM_H

#include <sys/stat.h>

mode_t umask(mode_t mask);
int chmod(const char *path, mode_t mode);
int fchmod(int fd, mode_t mode);
int mkstemp(char *name);
char *mkdtemp(char *name);
char *realpath(const char *restrict path, char *restrict to);

#endif
