/* filter.c -- the system calls that a script may make, as a program that the kernel runs
 * before each call.
 *
 * It is a list of what is allowed: any other call, known today or added to a kernel later, fails as if the kernel did
 * not have it (ENOSYS), which libraries are prepared for. Not on the list, among others:
 *
 *     keys                     add_key request_key keyctl
 *     memory that no limit     memfd_create shmget msgget semget mq_open io_setup vmsplice
 *       of a process counts      setsockopt inotify_init setxattr
 *     other processes          ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp
 *     the kernel itself        bpf perf_event_open userfaultfd io_uring_setup seccomp init_module
 *     the world outside        mount unshare setns chroot open_by_handle_at socket, but a pair
 *     clone3                   its flags lie where a filter cannot look; libraries then call clone
 *
 * A call in the manner of another architecture (32 bit on a 64-bit processor, x32) ends the process: its numbers mean
 * other calls. */
#include "filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#if defined __x86_64__ && !defined __ILP32__
#define PROCESSOR AUDIT_ARCH_X86_64
#elif defined __aarch64__ && defined __AARCH64EL__
#define PROCESSOR AUDIT_ARCH_AARCH64
#elif defined __arm__ && defined __ARMEL__
#define PROCESSOR AUDIT_ARCH_ARM
#elif defined __riscv && __riscv_xlen == 64
#define PROCESSOR AUDIT_ARCH_RISCV64
#endif

#ifdef PROCESSOR

#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at)
#define NUMBER offsetof(struct seccomp_data, nr)
#define LOW(n) (offsetof(struct seccomp_data, args) + 8u * (n)) /* half of argument n; all are little-endian */
#define HIGH(n) (LOW(n) + 4u)
#define IF_EQUAL(value, then_skip, else_skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then_skip, else_skip)
#define IF_ANY(bits, then_skip, else_skip) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, then_skip, else_skip)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)
#define FAIL(error) RETURN(SECCOMP_RET_ERRNO | (error))
#define ALLOWED RETURN(SECCOMP_RET_ALLOW)

#define IS(name, length) IF_EQUAL(__NR_##name, 0, length) /* the next `length` steps are for this call */
#define ALLOW(name) IS(name, 1), ALLOWED

#define NAMESPACES                                                                                                     \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

/* clang-format off */
static const struct sock_filter program[] = {
    LOAD(offsetof(struct seccomp_data, arch)), IF_EQUAL(PROCESSOR, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS),
    LOAD(NUMBER),
#ifdef __x86_64__ /* x32 has the same name and this bit */
    IF_ANY(0x40000000, 0, 1), RETURN(SECCOMP_RET_KILL_PROCESS),
#endif

    /* ---- Calls that depend on what is asked ---- */

    IS(clone, 4), LOAD(LOW(0)), IF_ANY(NAMESPACES, 0, 1), FAIL(EPERM), ALLOWED,
    IS(socketpair, 4), LOAD(LOW(0)), IF_EQUAL(AF_UNIX, 0, 1), ALLOWED, FAIL(EAFNOSUPPORT),
    IS(socket, 1), FAIL(EAFNOSUPPORT),
    /* Faking terminal input, should a terminal ever be within reach. */
    IS(ioctl, 5), LOAD(LOW(1)), IF_EQUAL(TIOCSTI, 1, 0), IF_EQUAL(TIOCLINUX, 0, 1), FAIL(EPERM), ALLOWED,
    /* The limit on core dumps stays 1, which alone keeps them from a program on this machine that collects them; a
     * script that sets it to 0 means the same, and is told that it succeeded. */
    IS(prlimit64, 9), LOAD(LOW(1)), IF_EQUAL(RLIMIT_CORE, 1, 0), ALLOWED, LOAD(LOW(2)), IF_EQUAL(0, 0, 2),
    LOAD(HIGH(2)), IF_EQUAL(0, 1, 0), FAIL(0), ALLOWED,

    /* ---- Files ---- */

    ALLOW(read), ALLOW(pread64), ALLOW(readv), ALLOW(preadv), ALLOW(preadv2),
    ALLOW(write), ALLOW(pwrite64), ALLOW(writev), ALLOW(pwritev), ALLOW(pwritev2),
    ALLOW(openat), ALLOW(openat2), ALLOW(close), ALLOW(close_range), ALLOW(lseek), ALLOW(dup), ALLOW(dup3),
    ALLOW(pipe2), ALLOW(fstat), ALLOW(statx), ALLOW(statfs), ALLOW(fstatfs), ALLOW(faccessat), ALLOW(faccessat2),
    ALLOW(readlinkat), ALLOW(getdents64), ALLOW(getcwd), ALLOW(chdir), ALLOW(fchdir), ALLOW(mkdirat),
    ALLOW(unlinkat), ALLOW(renameat2), ALLOW(linkat), ALLOW(symlinkat), ALLOW(mknodat), ALLOW(fchmod),
    ALLOW(fchmodat), ALLOW(fchown), ALLOW(fchownat), ALLOW(umask), ALLOW(truncate), ALLOW(ftruncate),
    ALLOW(fallocate), ALLOW(fsync), ALLOW(fdatasync), ALLOW(utimensat), ALLOW(flock), ALLOW(sendfile),
    ALLOW(splice), ALLOW(tee), ALLOW(copy_file_range), ALLOW(getxattr), ALLOW(lgetxattr), ALLOW(fgetxattr),
    ALLOW(listxattr), ALLOW(llistxattr), ALLOW(flistxattr),

    /* ---- Waiting, and talking over a pair of sockets ---- */

    ALLOW(pselect6), ALLOW(ppoll), ALLOW(epoll_create1), ALLOW(epoll_ctl), ALLOW(epoll_pwait), ALLOW(eventfd2),
    ALLOW(signalfd4), ALLOW(timerfd_create), ALLOW(timerfd_settime), ALLOW(timerfd_gettime), ALLOW(sendto),
    ALLOW(sendmsg), ALLOW(sendmmsg), ALLOW(recvfrom), ALLOW(recvmsg), ALLOW(recvmmsg), ALLOW(shutdown),
    ALLOW(getsockopt), ALLOW(getsockname), ALLOW(getpeername),

    /* ---- Memory ---- */

    ALLOW(brk), ALLOW(munmap), ALLOW(mremap), ALLOW(mprotect), ALLOW(madvise), ALLOW(msync), ALLOW(mincore),
    ALLOW(mlock), ALLOW(munlock),

    /* ---- Processes and signals ---- */

    ALLOW(execve), ALLOW(execveat), ALLOW(exit), ALLOW(exit_group), ALLOW(wait4), ALLOW(waitid), ALLOW(kill),
    ALLOW(tkill), ALLOW(tgkill), ALLOW(pidfd_open), ALLOW(pidfd_send_signal), ALLOW(rt_sigaction),
    ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(rt_sigsuspend), ALLOW(rt_sigpending), ALLOW(rt_sigtimedwait),
    ALLOW(rt_sigqueueinfo), ALLOW(sigaltstack), ALLOW(restart_syscall), ALLOW(set_tid_address),
    ALLOW(set_robust_list), ALLOW(get_robust_list), ALLOW(rseq), ALLOW(futex), ALLOW(prctl), ALLOW(capget),
    ALLOW(capset), ALLOW(getpid), ALLOW(getppid), ALLOW(gettid), ALLOW(getpgid), ALLOW(setpgid), ALLOW(getsid),
    ALLOW(setsid), ALLOW(getuid), ALLOW(geteuid), ALLOW(getgid), ALLOW(getegid), ALLOW(getresuid),
    ALLOW(getresgid), ALLOW(getgroups), ALLOW(setuid), ALLOW(setgid), ALLOW(setresuid), ALLOW(setresgid),
    ALLOW(getpriority), ALLOW(setpriority), ALLOW(getrusage), ALLOW(times), ALLOW(sched_yield),
    ALLOW(sched_getaffinity), ALLOW(sched_setaffinity), ALLOW(sched_getparam), ALLOW(sched_getscheduler),
    ALLOW(sched_get_priority_max), ALLOW(sched_get_priority_min), ALLOW(getcpu),

    /* ---- Time, random bytes, and system information ---- */

    ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(gettimeofday),
    ALLOW(getitimer), ALLOW(setitimer), ALLOW(timer_create), ALLOW(timer_settime), ALLOW(timer_gettime),
    ALLOW(timer_getoverrun), ALLOW(timer_delete), ALLOW(getrandom), ALLOW(uname), ALLOW(sysinfo),

    /* ---- Not every processor has these ---- */

#ifdef __NR_newfstatat
    ALLOW(newfstatat),
#endif
#ifdef __NR_mmap
    ALLOW(mmap), ALLOW(fcntl), ALLOW(fadvise64),
#endif
#ifdef __NR_renameat
    ALLOW(renameat),
#endif
#ifdef __NR_getrlimit
    ALLOW(getrlimit),
#endif
#ifdef __NR_open /* older names of the calls above */
    ALLOW(open), ALLOW(creat), ALLOW(stat), ALLOW(lstat), ALLOW(access), ALLOW(readlink), ALLOW(unlink),
    ALLOW(rmdir), ALLOW(mkdir), ALLOW(rename), ALLOW(link), ALLOW(symlink), ALLOW(chmod), ALLOW(chown),
    ALLOW(lchown), ALLOW(mknod), ALLOW(dup2), ALLOW(pipe), ALLOW(poll), ALLOW(getdents), ALLOW(fork),
    ALLOW(vfork), ALLOW(getpgrp), ALLOW(pause), ALLOW(utimes), ALLOW(futimesat), ALLOW(epoll_create),
    ALLOW(epoll_wait), ALLOW(eventfd), ALLOW(signalfd),
#endif
#ifdef __x86_64__
    ALLOW(alarm), ALLOW(time), ALLOW(utime), ALLOW(select), ALLOW(arch_prctl),
#endif
#ifdef __riscv
    ALLOW(riscv_flush_icache),
#endif
#ifdef __arm__ /* wider variants of the calls above */
    ALLOW(mmap2), ALLOW(fcntl64), ALLOW(arm_fadvise64_64), ALLOW(stat64), ALLOW(lstat64), ALLOW(fstat64),
    ALLOW(fstatat64), ALLOW(statfs64), ALLOW(fstatfs64), ALLOW(_llseek), ALLOW(truncate64), ALLOW(ftruncate64),
    ALLOW(sendfile64), ALLOW(_newselect), ALLOW(ugetrlimit), ALLOW(send), ALLOW(recv), ALLOW(sigreturn),
    ALLOW(getuid32), ALLOW(geteuid32), ALLOW(getgid32), ALLOW(getegid32), ALLOW(getresuid32), ALLOW(getresgid32),
    ALLOW(getgroups32), ALLOW(setuid32), ALLOW(setgid32), ALLOW(setresuid32), ALLOW(setresgid32), ALLOW(chown32),
    ALLOW(fchown32), ALLOW(lchown32), ALLOW(clock_gettime64), ALLOW(clock_getres_time64),
    ALLOW(clock_nanosleep_time64), ALLOW(futex_time64), ALLOW(ppoll_time64), ALLOW(pselect6_time64),
    ALLOW(recvmmsg_time64), ALLOW(rt_sigtimedwait_time64), ALLOW(timer_gettime64), ALLOW(timer_settime64),
    ALLOW(timerfd_gettime64), ALLOW(timerfd_settime64), ALLOW(utimensat_time64),
    IF_EQUAL(0x0f0002, 0, 1), ALLOWED, /* cacheflush, which like the next has a number of ARM's own */
    IF_EQUAL(0x0f0005, 0, 1), ALLOWED, /* set_tls */
#endif
    FAIL(ENOSYS),
};
/* clang-format on */

const void *posix_filter(size_t *size)
{
    *size = sizeof program;
    return program;
}

#else

const void *posix_filter(size_t *size)
{
    *size = 0;
    return NULL;
}

#endif
