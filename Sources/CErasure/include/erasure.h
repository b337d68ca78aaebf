#ifndef EARSHOT_ERASURE_H
#define EARSHOT_ERASURE_H

/// Clears what is left of finished calls on the stacks of all threads of this process.
///
/// With glibc, linking this target also clears all memory that is freed: see erasure.c. Elsewhere it does nothing.
void earshot_clear_stacks(void);

#endif
