#ifndef EARSHOT_CPNG_SHIM_H
#define EARSHOT_CPNG_SHIM_H
#include <png.h>
#include <zlib.h>
#endif
