/* folder.h -- a folder of this user's own, for what a program keeps between runs. */
#ifndef SKR_FOLDER_H
#define SKR_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Writes its name: `given`, or if that is NULL $VARIABLE/skillrom, or $HOME/BELOW/skillrom. False if none of these is set,
 * or the name does not fit. */
bool posix_folder_name(char *path, size_t size, const char *given, const char *variable, const char *below);

/* Creates the folder if it does not exist, readable only by this user, and opens it. -1 when that fails or others may
 * write to it; then *why says the reason. */
int posix_folder_open(char *path, const char **why);

#endif
