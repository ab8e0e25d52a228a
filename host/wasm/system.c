/* system.c -- what the image compiler calls and wasi-libc lacks. WASI has neither owners nor modes, so those calls succeed
 * and do nothing. */
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* clang-format off */
mode_t umask(mode_t mask)                   { (void)mask; return 022; }
int chmod(const char *path, mode_t mode)    { (void)path; (void)mode; return 0; }
int fchmod(int fd, mode_t mode)             { (void)fd; (void)mode; return 0; }
bool host_own_path(char *path, size_t room)  { (void)path; (void)room; return false; } /* of host/base/system.h: a module has none */
/* clang-format on */

/* Puts random letters over the six X at the end. */
static bool choose_name(char *name)
{
    unsigned char random[6];
    size_t n = strlen(name);

    if (n < sizeof random || getentropy(random, sizeof random) != 0) {
        errno = EINVAL;
        return false;
    }
    for (size_t i = 0; i < sizeof random; i++) {
        name[n - sizeof random + i] = "abcdefghijklmnopqrstuvwxyz012345"[random[i] % 32];
    }
    return true;
}

int mkstemp(char *name)
{
    return choose_name(name) ? open(name, O_RDWR | O_CREAT | O_EXCL, 0600) : -1;
}

char *mkdtemp(char *name)
{
    return choose_name(name) && mkdir(name, 0700) == 0 ? name : NULL;
}

/* JavaScript knows the system's links. Returns 0, or an errno. */
__attribute__((import_module("env"), import_name("real_path"))) int real_path(const char *path, char *to, size_t room);

char *realpath(const char *restrict path, char *restrict to)
{
    char whole[PATH_MAX], found[PATH_MAX], *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
    int n = snprintf(whole, sizeof whole, "%s/%s", here != NULL ? here : "", path);

    free(here);
    errno = n < 0 || (size_t)n >= sizeof whole ? ENAMETOOLONG : real_path(whole, found, sizeof found);
    return errno != 0 ? NULL : to != NULL ? strcpy(to, found) : strdup(found);
}
