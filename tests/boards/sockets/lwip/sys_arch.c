/* sys_arch.c -- what lwIP's sockets need of an operating system, with POSIX threads. */
#include <time.h>

#include "lwip/err.h"
#include "lwip/sys.h"

static pthread_mutex_t protection = PTHREAD_MUTEX_INITIALIZER;

void sys_init(void)
{
}

u32_t sys_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (u32_t)now.tv_sec * 1000u + (u32_t)now.tv_nsec / 1000000u;
}

u32_t sys_jiffies(void)
{
    return sys_now();
}

/* lwIP enters again where it already is, so a thread may. */
static _Thread_local unsigned depth;

sys_prot_t sys_arch_protect(void)
{
    if (depth++ == 0) {
        pthread_mutex_lock(&protection);
    }
    return 0;
}

void sys_arch_unprotect(sys_prot_t none)
{
    (void)none;
    if (--depth == 0) {
        pthread_mutex_unlock(&protection);
    }
}

/* ---- Boxes ---- */

static err_t open_box(struct sys_arch_box **box, unsigned size, unsigned count)
{
    pthread_condattr_t attributes;
    struct sys_arch_box *made = calloc(1, sizeof *made);

    if (made == NULL) {
        return ERR_MEM;
    }
    pthread_mutex_init(&made->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&made->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    made->size = size < SYS_ARCH_MESSAGES ? size : SYS_ARCH_MESSAGES;
    made->count = count;
    *box = made;
    return ERR_OK;
}

static void close_box(struct sys_arch_box **box)
{
    pthread_cond_destroy(&(*box)->changed);
    pthread_mutex_destroy(&(*box)->lock);
    free(*box);
    *box = NULL;
}

static err_t put(struct sys_arch_box *box, void *message, bool wait)
{
    pthread_mutex_lock(&box->lock);
    while (wait && box->count == box->size) {
        pthread_cond_wait(&box->changed, &box->lock);
    }
    bool room = box->count < box->size;
    if (room) {
        box->messages[(box->first + box->count++) % SYS_ARCH_MESSAGES] = message;
        pthread_cond_broadcast(&box->changed);
    }
    pthread_mutex_unlock(&box->lock);
    return room ? ERR_OK : ERR_MEM;
}

/* Waits `ms` milliseconds, 0: without limit. */
static u32_t take(struct sys_arch_box *box, void **message, u32_t ms, bool wait)
{
    struct timespec end;
    int why = 0;

    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += (time_t)(ms / 1000);
    end.tv_nsec += (long)(ms % 1000) * 1000000;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_mutex_lock(&box->lock);
    while (wait && box->count == 0 && why == 0) {
        why = ms == 0 ? pthread_cond_wait(&box->changed, &box->lock)
                      : pthread_cond_timedwait(&box->changed, &box->lock, &end);
    }
    bool any = box->count > 0;
    if (any) {
        if (message != NULL) {
            *message = box->messages[box->first];
        }
        box->first = (box->first + 1) % SYS_ARCH_MESSAGES;
        box->count--;
        pthread_cond_broadcast(&box->changed);
    } else if (message != NULL) {
        *message = NULL;
    }
    pthread_mutex_unlock(&box->lock);
    return any ? 0 : SYS_ARCH_TIMEOUT;
}

/* ---- As lwIP calls them ---- */

/* clang-format off */
err_t sys_sem_new(sys_sem_t *sem, u8_t count)                         { return open_box(sem, SYS_ARCH_MESSAGES, count); }
void sys_sem_free(sys_sem_t *sem)                                     { close_box(sem); }
void sys_sem_signal(sys_sem_t *sem)                                   { (void)put(*sem, NULL, false); }
u32_t sys_arch_sem_wait(sys_sem_t *sem, u32_t ms)                     { return take(*sem, NULL, ms, true); }
err_t sys_mbox_new(sys_mbox_t *box, int size)                         { return open_box(box, (unsigned)size, 0); }
void sys_mbox_free(sys_mbox_t *box)                                   { close_box(box); }
void sys_mbox_post(sys_mbox_t *box, void *message)                    { (void)put(*box, message, true); }
err_t sys_mbox_trypost(sys_mbox_t *box, void *message)                { return put(*box, message, false); }
err_t sys_mbox_trypost_fromisr(sys_mbox_t *box, void *message)        { return put(*box, message, false); }
u32_t sys_arch_mbox_fetch(sys_mbox_t *box, void **message, u32_t ms)  { return take(*box, message, ms, true); }
u32_t sys_arch_mbox_tryfetch(sys_mbox_t *box, void **message)         { return take(*box, message, 0, false) == 0 ? 0 : SYS_MBOX_EMPTY; }
/* clang-format on */

struct start {
    lwip_thread_fn function;
    void *argument;
};

static void *run(void *context)
{
    struct start start = *(struct start *)context;

    free(context);
    start.function(start.argument);
    return NULL;
}

sys_thread_t sys_thread_new(const char *name, lwip_thread_fn function, void *argument, int stack, int priority)
{
    struct start *start = malloc(sizeof *start);
    pthread_t thread;

    (void)name;
    (void)stack;
    (void)priority;
    *start = (struct start){function, argument};
    if (pthread_create(&thread, NULL, run, start) != 0) {
        abort();
    }
    pthread_detach(thread);
    return thread;
}
