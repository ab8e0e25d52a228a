/* folder.h -- a folder of this user's own, for what a program keeps between its runs. */
#ifndef SKR_FOLDER_H
#define SKR_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Writes its name: `given`, or without it $VARIABLE/skillrom, or $HOME/BELOW/skillrom. False when there is none of these,
 * or it is longer than size. */
bool skr_folder_name(char *path, size_t size, const char *given, const char *variable, const char *below);

/* Makes what is missing of it, for nobody else to look into, and opens it. -1 when that fails or others may write to it:
 * *why tells. */
int skr_folder_open(char *path, const char **why);

#endif
