#ifndef EARSHOT_CGIF_SHIM_H
#define EARSHOT_CGIF_SHIM_H
#include <stddef.h>
#include <gif_lib.h>
#endif
