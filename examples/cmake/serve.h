/* serve.h -- the lamp on a serial line that a project has: two functions that move what they can without waiting, and return how much. */
#ifndef SERVE_H
#define SERVE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens the connection; 0, or why the image is refused. */
int lamp_open(void);

/* Moves bytes both ways, once; how many. */
size_t lamp_serve(size_t (*read)(void *to, size_t room), size_t (*write)(const void *bytes, size_t n));

#ifdef __cplusplus
}
#endif

#endif
