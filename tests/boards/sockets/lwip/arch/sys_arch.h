/* sys_arch.h -- lwIP's threads, semaphores and mailboxes are those of POSIX. */
#ifndef ARCH_SYS_ARCH_H
#define ARCH_SYS_ARCH_H

#include <pthread.h>
#include <stdbool.h>

#define SYS_ARCH_MESSAGES 64

/* A mailbox; a semaphore is one whose messages are only counted. */
struct sys_arch_box {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void *messages[SYS_ARCH_MESSAGES];
    unsigned first, count, size;
};

typedef struct sys_arch_box *sys_sem_t;
typedef struct sys_arch_box *sys_mbox_t;
typedef pthread_t sys_thread_t;
typedef int sys_prot_t;

#define sys_sem_valid(sem) (*(sem) != NULL)
#define sys_sem_valid_val(sem) ((sem) != NULL)
#define sys_sem_set_invalid(sem) (*(sem) = NULL)
#define sys_sem_set_invalid_val(sem) ((sem) = NULL)
#define sys_mbox_valid(box) (*(box) != NULL)
#define sys_mbox_valid_val(box) ((box) != NULL)
#define sys_mbox_set_invalid(box) (*(box) = NULL)
#define sys_mbox_set_invalid_val(box) ((box) = NULL)

#endif
