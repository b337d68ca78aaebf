// Texts and names pass through many buffers of the language and its libraries, which nobody but the allocator sees end.
// So the command clears whatever is freed, and the stacks of threads that end: its own `free`, `realloc` and
// `pthread_create` stand before those of glibc, for all libraries of the process. A program that only uses the library is
// not touched by this.
#define _GNU_SOURCE
#include "erasure.h"
#include <stdlib.h>
#include "internal.h"

#if defined(EARSHOT_ERASES)
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// What glibc's own functions are called for those who put others in their place.
extern void *__libc_malloc(size_t);
extern void __libc_free(void *);

void free(void *memory) {
    if (memory == NULL) { return; }
    int saved = errno;
    explicit_bzero(memory, malloc_usable_size(memory));
    __libc_free(memory);
    errno = saved;
}

/// Has all threads share two heaps, and what is large go back to the system when it is freed. By itself glibc makes eight
/// heaps for each processor and keeps in them whatever is no larger than anything freed before: in the flood of
/// AssistantFloodTests the process grew on and on, to 100 MB where 56 were in use; now it stays below 80.
__attribute__((constructor)) static void keep_little(void) {
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
}

void *realloc(void *memory, size_t count) {
    if (memory == NULL) { return __libc_malloc(count); }
    if (count == 0) {
        free(memory);
        return NULL;
    }
    size_t before = malloc_usable_size(memory);
    if (count <= before && count >= before / 2) {
        explicit_bzero((char *)memory + count, before - count);
        return memory;
    }
    void *moved = __libc_malloc(count);
    if (moved == NULL) { return NULL; }
    memcpy(moved, memory, before < count ? before : count);
    free(memory);
    return moved;
}

/// Where the mapping begins that holds an address; 0 if it is not found. Calls only what a signal's handler may.
__attribute__((noinline)) static uintptr_t beginning_of_mapping(uintptr_t address) {
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0) { return 0; }
    char text[4096];
    uintptr_t bounds[2] = {0, 0}, found = 0;
    int field = 0;
    ssize_t count;
    while (found == 0 && (count = read(file, text, sizeof text)) > 0) {
        for (ssize_t i = 0; i < count && found == 0; i++) {
            char c = text[i];
            if (c == '\n') {
                field = 0;
                bounds[0] = bounds[1] = 0;
            } else if (field < 2 && (c == '-' || c == ' ')) {
                field++;
                if (field == 2 && bounds[0] <= address && address < bounds[1]) { found = bounds[0]; }
            } else if (field < 2) {
                bounds[field] = bounds[field] << 4 | (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
            }
        }
    }
    close(file);
    return found;
}

static uintptr_t page_size;

/// Clears a stack from where it begins to the frame of this call: down to the guard page nothing there is in use.
__attribute__((noinline)) static void clear_from(uintptr_t beginning) {
    volatile char *end = __builtin_alloca(16);
    uintptr_t page = (uintptr_t)end & ~(page_size - 1);
    if (beginning == 0) { return; }
    if (beginning < page) { madvise((void *)beginning, page - beginning, MADV_DONTNEED); }
    for (volatile char *place = (volatile char *)page; place < end; place++) { *place = 0; }
}

/// Clears the stack of the thread that it runs on.
static void clear_stack(int signal) {
    (void)signal;
    int saved = errno;
    clear_from(beginning_of_mapping((uintptr_t)__builtin_frame_address(0)));
    errno = saved;
}

static void measure_pages(void) { page_size = (uintptr_t)sysconf(_SC_PAGESIZE); }

/// What a thread was made for.
struct errand {
    void *(*start)(void *);
    void *argument;
};

/// Runs it, and clears the stack that it leaves: glibc keeps those of threads that have ended, as they are.
static void *run(void *argument) {
    struct errand errand = *(struct errand *)argument;
    free(argument);
    void *result = errand.start(errand.argument);
    pthread_attr_t attributes;
    void *beginning = NULL;
    size_t count = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        pthread_attr_getstack(&attributes, &beginning, &count);
        pthread_attr_destroy(&attributes);
    }
    clear_from((uintptr_t)beginning);
    // The end of a thread writes its registers to the stack once more.
    clear_registers();
    return result;
}

/// Stands before that of glibc, for all libraries of the process, as `free` does.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, measure_pages);
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
    struct errand *errand = malloc(sizeof *errand);
    if (create == NULL || errand == NULL) {
        free(errand);
        return EAGAIN;
    }
    *errand = (struct errand){start, argument};
    int error = create(thread, attributes, run, errand);
    if (error != 0) { free(errand); }
    return error;
}

/// The one signal that libdispatch leaves unblocked in its threads and that means nothing to a program by itself.
static const int clearing = SIGPROF;

static void install(void) {
    measure_pages();
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = clear_stack;
    action.sa_flags = SA_RESTART;
    sigaction(clearing, &action, NULL);
}

void earshot_clear_stacks(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL) { return; }
    for (struct dirent *entry; (entry = readdir(threads)) != NULL;) {
        int thread = atoi(entry->d_name);
        if (thread > 0) { syscall(SYS_tgkill, getpid(), thread, clearing); }
    }
    closedir(threads);
}
#else
void earshot_clear_stacks(void) {}
#endif
