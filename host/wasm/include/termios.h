/* termios.h -- for libfyaml, which asks a terminal for its width. A module has no terminal, and wasi-libc no such header. */
#ifndef WASM_TERMIOS_H
#define WASM_TERMIOS_H

/* clang-format off */
enum { IGNBRK, BRKINT, PARMRK, ISTRIP, INLCR, IGNCR, ICRNL, IXON, OPOST, ECHO, ECHONL, ICANON, ISIG, IEXTEN, CSIZE, PARENB, CS8, TCSANOW };
struct termios { unsigned c_iflag, c_oflag, c_cflag, c_lflag; unsigned char c_cc[32]; };
/* clang-format on */

#define tcgetattr(fd, t) ((void)(fd), (void)(t), -1)
#define tcsetattr(fd, how, t) ((void)(fd), (void)(how), (void)(t), -1)

#endif
