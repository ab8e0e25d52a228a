/* line.h -- a serial line for firmware that runs on a PC. */
#ifndef LINE_H
#define LINE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The next byte of standard input, or -1. When it has ended and nothing has been sent for a while, so has the program. */
int line_get(void);

void line_put(unsigned char byte);

#ifdef __cplusplus
}
#endif

#endif
