#ifndef EARSHOT_ERASURE_INTERNAL_H
#define EARSHOT_ERASURE_INTERNAL_H

// Sanitizers have an allocator of their own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define EARSHOT_SANITIZED
#endif
#endif

/// Whether this target stands before functions of glibc.
#if defined(__linux__) && defined(__GLIBC__) && !defined(EARSHOT_SANITIZED)
#define EARSHOT_ERASES
#endif

/// Clears all registers that a call may change, the widest of the processor among them.
void clear_registers(void);

#endif
