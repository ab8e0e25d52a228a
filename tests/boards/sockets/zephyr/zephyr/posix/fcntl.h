/* fcntl.h -- of Zephyr before 4.0, for port/sockets to compile against. */
#ifndef ZEPHYR_POSIX_FCNTL_H
#define ZEPHYR_POSIX_FCNTL_H

#define F_SETFL 4
#define O_NONBLOCK 0x4000

#endif
