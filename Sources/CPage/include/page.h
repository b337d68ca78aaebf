#ifndef EARSHOT_PAGE_H
#define EARSHOT_PAGE_H

#include <stddef.h>

/// A file of the page, as it lies in the program.
struct earshot_page_file {
    /// What a browser asks for.
    const char *path;
    /// Its media type.
    const char *type;
    const unsigned char *bytes;
    /// Units: bytes.
    size_t count;
};

/// The page's files.
size_t earshot_page_file_count(void);
/// One of them, by its number from 0.
struct earshot_page_file earshot_page_file_at(size_t index);

#endif
