#include <stddef.h>

int sys_csrand_get(void *to, size_t n);
void sys_rand_get(void *to, size_t n);
