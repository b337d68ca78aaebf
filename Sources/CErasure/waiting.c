// A thread that waits keeps in its registers what it copied last, perhaps for hours, and each signal writes them to its
// stack. So threads of the command clear their registers before they wait: the functions below stand before those of
// glibc, as `free` does, for all libraries of the process.
#define _GNU_SOURCE
#include <stdlib.h>
#include "internal.h"

#if defined(EARSHOT_ERASES)
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <sys/epoll.h>

#if defined(__x86_64__)
// The loader chooses the version for the processor. On others one version clears all registers.
__attribute__((target_clones("avx512vl", "avx", "default")))
#endif
__attribute__((noinline, zero_call_used_regs("all"))) void clear_registers(void) { __asm__ volatile(""); }

/// Finds the function of glibc that programs get. Before glibc 2.36 `dlsym` finds the oldest of its versions behind this
/// library, and that of a condition variable knows nothing of the threads that wait with the newest.
static void *function_of_glibc(const char *name) {
    void *newest = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    return newest != NULL ? newest : dlsym(RTLD_NEXT, name);
}

/// Defines a function that clears the registers and goes on to that of glibc.
#define CLEARS_REGISTERS(name, parameters, arguments)                                                                  \
    int name parameters {                                                                                              \
        static int(*_Atomic next) parameters;                                                                          \
        int(*waits) parameters = next;                                                                                 \
        if (waits == NULL) { next = waits = function_of_glibc(#name); }                                             \
        clear_registers();                                                                                             \
        return waits arguments;                                                                                        \
    }

CLEARS_REGISTERS(poll, (struct pollfd * files, nfds_t count, int timeout), (files, count, timeout))
CLEARS_REGISTERS(epoll_wait, (int file, struct epoll_event *events, int count, int timeout), (file, events, count, timeout))
CLEARS_REGISTERS(sem_wait, (sem_t * semaphore), (semaphore))
CLEARS_REGISTERS(sem_timedwait, (sem_t * semaphore, const struct timespec *end), (semaphore, end))
CLEARS_REGISTERS(pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex))
CLEARS_REGISTERS(
    pthread_cond_timedwait, (pthread_cond_t * condition, pthread_mutex_t *mutex, const struct timespec *end),
    (condition, mutex, end))
#endif
