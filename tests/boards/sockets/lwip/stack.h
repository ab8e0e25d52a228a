/* stack.h -- between the PC's sockets (relay.c) and lwIP's (stack.c), which cannot be included together. */
#ifndef STACK_H
#define STACK_H

#include <stddef.h>

/* Starts lwIP, once. */
void stack_start(void);

/* A socket of lwIP that is connected to 127.0.0.1, and waits; -1 when it is refused. */
int stack_connect(unsigned port);
long stack_receive(int fd, void *to, size_t n);
long stack_send(int fd, const void *from, size_t n);
void stack_finish(int fd); /* sends an end of file */
void stack_close(int fd);

/* Relays a port of the PC to one of lwIP's, byte for byte, with their ends and resets; returns the PC's. */
unsigned relay_start(unsigned port);

#endif
