#ifndef EARSHOT_CSODIUM_SHIM_H
#define EARSHOT_CSODIUM_SHIM_H
#include <sodium.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// Swift cannot call prctl, which is variadic. 0 on success.
static inline int earshot_harden_process(void) {
    const struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_CORE, &none) != 0) {
        return -1;
    }
#ifdef __linux__
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#else
    return 0;
#endif
}
#endif
